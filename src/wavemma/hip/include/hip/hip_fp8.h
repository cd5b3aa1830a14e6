// 8-bit floats: e4m3 and e5m2, as OCP defines them and in the older form without negative zero.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE } __hip_saturation_t;
typedef enum __hip_fp8_interpretation_t {
  __HIP_E4M3,
  __HIP_E5M2,
  __HIP_E4M3_FNUZ,
  __HIP_E5M2_FNUZ
} __hip_fp8_interpretation_t;

namespace wavemma_detail {
// Widths, bias and special codes of one format; the largest finite code ends the numbers.
struct eight_bits {
  int mantissa, bias;
  unsigned largest, infinity, nan;
  bool has_negative_zero;
};
WAVEMMA_VECTOR eight_bits eight_bits_of(__hip_fp8_interpretation_t kind) {
  return kind == __HIP_E4M3        ? eight_bits{3, 7, 0x7e, 0x7f, 0x7f, true}
         : kind == __HIP_E5M2      ? eight_bits{2, 15, 0x7b, 0x7c, 0x7f, true}
         : kind == __HIP_E4M3_FNUZ ? eight_bits{3, 8, 0x7f, 0x80, 0x80, false}
                                   : eight_bits{2, 16, 0x7f, 0x80, 0x80, false};
}

WAVEMMA_EITHER float float_of_eight_bits(unsigned char bits, __hip_fp8_interpretation_t kind) {
  const eight_bits f = eight_bits_of(kind);
  const unsigned size = bits & 0x7f, negative = bits >> 7;
  if (f.has_negative_zero ? size > f.largest : bits == f.nan) {
    if (f.infinity != f.nan && size == f.infinity)
      return negative ? -__builtin_inff() : __builtin_inff();
    return __builtin_nanf("");
  }
  const int exponent = (int)(size >> f.mantissa);
  const float significand = (float)((size & ((1u << f.mantissa) - 1)) |
                                    (exponent ? 1u << f.mantissa : 0));
  const int power = (exponent ? exponent : 1) - f.bias - f.mantissa;
  const float value = significand * __builtin_bit_cast(float, (unsigned)(127 + power) << 23);
  return negative ? -value : value;
}

WAVEMMA_EITHER unsigned char eight_bits_from(float x, __hip_saturation_t saturation,
                                             __hip_fp8_interpretation_t kind) {
  const eight_bits f = eight_bits_of(kind);
  const unsigned word = __builtin_bit_cast(unsigned, x), all = word & 0x7fffffff;
  const unsigned char negative = (unsigned char)(word >> 31 << 7);
  if (all > 0x7f800000)
    return (unsigned char)(f.has_negative_zero ? f.nan | negative : f.nan);
  const unsigned char beyond = saturation == __HIP_SATFINITE
                                   ? (unsigned char)(f.largest | negative)
                               : f.has_negative_zero ? (unsigned char)(f.infinity | negative)
                                                     : (unsigned char)f.nan;
  if (all == 0x7f800000)
    return beyond;
  // Units of the last place: as many bits are dropped as float has more, more below the normals.
  const int exponent = (int)(all >> 23) - 127;
  const int lowest = 1 - f.bias;
  const int dropped = 23 - f.mantissa + (exponent < lowest ? lowest - exponent : 0);
  if (all < 0x00800000 || dropped > 25)
    return f.has_negative_zero ? negative : 0;
  const unsigned long long significand = (all & 0x7fffff) | 0x800000;
  unsigned long long kept = significand >> dropped;
  const unsigned long long rest = significand & ((1ull << dropped) - 1);
  const unsigned long long half = 1ull << (dropped - 1);
  kept += rest > half || (rest == half && (kept & 1));
  const unsigned size =
      (unsigned)(exponent < lowest
                     ? kept
                     : kept + ((unsigned)(exponent + f.bias - 1) << f.mantissa));
  if (size > f.largest)
    return beyond;
  return size == 0 && !f.has_negative_zero ? 0 : (unsigned char)(size | negative);
}
} // namespace wavemma_detail

WAVEMMA_EITHER __hip_fp8_storage_t __hip_cvt_float_to_fp8(float x, __hip_saturation_t saturation,
                                                          __hip_fp8_interpretation_t kind) {
  return wavemma_detail::eight_bits_from(x, saturation, kind);
}

#define WAVEMMA_EIGHT(name, kind)                                                              \
  struct __hip_fp8_##name {                                                                    \
    __hip_fp8_storage_t __x;                                                                   \
    __hip_fp8_##name() = default;                                                              \
    __host__ __device__ __hip_fp8_##name(float v)                                              \
        : __x(wavemma_detail::eight_bits_from(v, __HIP_SATFINITE, kind)) {}                    \
    __host__ __device__ __hip_fp8_##name(double v) : __hip_fp8_##name((float)v) {}             \
    __host__ __device__ operator float() const {                                               \
      return wavemma_detail::float_of_eight_bits(__x, kind);                                   \
    }                                                                                          \
  };
WAVEMMA_EIGHT(e4m3, __HIP_E4M3)
WAVEMMA_EIGHT(e5m2, __HIP_E5M2)
WAVEMMA_EIGHT(e4m3_fnuz, __HIP_E4M3_FNUZ)
WAVEMMA_EIGHT(e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef WAVEMMA_EIGHT
#endif
