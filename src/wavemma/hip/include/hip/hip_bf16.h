// __hip_bfloat16: the upper half of a float; arithmetic is done in float and rounded to nearest.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
#include <hip/detail/sixteen_bits.h>

struct __hip_bfloat16_raw {
  unsigned short x;
};

namespace wavemma_detail {
WAVEMMA_VECTOR unsigned short bfloat16_of(float x) {
  unsigned bits = __builtin_bit_cast(unsigned, x);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<unsigned short>((bits >> 16) | 0x40);
  return static_cast<unsigned short>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
WAVEMMA_VECTOR float float_of_bfloat16(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
}
// Calculates as float does, and keeps what bfloat16 can.
struct bfloat16_value {
  unsigned short bits;
  WAVEMMA_MEMBER operator float() const { return float_of_bfloat16(bits); }
};
} // namespace wavemma_detail

struct __hip_bfloat16 {
  wavemma_detail::bfloat16_value value;
  __hip_bfloat16() = default;
  WAVEMMA_MEMBER __hip_bfloat16(float v) : value{wavemma_detail::bfloat16_of(v)} {}
  WAVEMMA_MEMBER __hip_bfloat16(double v) : __hip_bfloat16(static_cast<float>(v)) {}
  WAVEMMA_MEMBER __hip_bfloat16(int v) : __hip_bfloat16(static_cast<float>(v)) {}
  WAVEMMA_MEMBER __hip_bfloat16(unsigned v) : __hip_bfloat16(static_cast<float>(v)) {}
  WAVEMMA_MEMBER __hip_bfloat16(__hip_bfloat16_raw raw) : value{raw.x} {}
  WAVEMMA_MEMBER operator float() const { return value; }
  WAVEMMA_MEMBER operator __hip_bfloat16_raw() const { return __hip_bfloat16_raw{value.bits}; }
  WAVEMMA_MEMBER explicit operator bool() const { return value != 0.0f; }
  WAVEMMA_MEMBER bool is_negative() const { return value.bits >> 15; }
};
struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;
  __hip_bfloat162() = default;
  WAVEMMA_MEMBER __hip_bfloat162(__hip_bfloat16 x_, __hip_bfloat16 y_) : x(x_), y(y_) {}
};

WAVEMMA_SIXTEEN_OPERATORS(__hip_bfloat16)
WAVEMMA_EITHER __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return __hip_bfloat16(__builtin_fmaf(a.value, b.value, c.value));
}
WAVEMMA_SIXTEEN_FUNCTIONS(__hip_bfloat16, __hip_bfloat162)

WAVEMMA_EITHER __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
WAVEMMA_EITHER __hip_bfloat16 __float2bfloat16_rn(float x) { return __hip_bfloat16(x); }
WAVEMMA_EITHER __hip_bfloat16 __double2bfloat16(double x) { return __hip_bfloat16(x); }
WAVEMMA_EITHER float __bfloat162float(__hip_bfloat16 x) { return x; }
WAVEMMA_EITHER __hip_bfloat162 __float2bfloat162_rn(float x) {
  return __hip_bfloat162(__hip_bfloat16(x), __hip_bfloat16(x));
}
WAVEMMA_EITHER __hip_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __hip_bfloat162(__hip_bfloat16(x), __hip_bfloat16(y));
}
WAVEMMA_EITHER __hip_bfloat162 __float22bfloat162_rn(float2 v) {
  return __hip_bfloat162(__hip_bfloat16(v.x), __hip_bfloat16(v.y));
}
WAVEMMA_EITHER float2 __bfloat1622float2(__hip_bfloat162 v) {
  return float2(static_cast<float>(v.x), static_cast<float>(v.y));
}
WAVEMMA_EITHER __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x) {
  return __hip_bfloat162(x, x);
}
WAVEMMA_EITHER __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) {
  return __hip_bfloat162(x, y);
}
WAVEMMA_EITHER __hip_bfloat16 __low2bfloat16(__hip_bfloat162 v) { return v.x; }
WAVEMMA_EITHER __hip_bfloat16 __high2bfloat16(__hip_bfloat162 v) { return v.y; }
WAVEMMA_EITHER unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) { return x.value.bits; }
WAVEMMA_EITHER short __bfloat16_as_short(__hip_bfloat16 x) { return (short)x.value.bits; }
WAVEMMA_EITHER __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __hip_bfloat16(__hip_bfloat16_raw{x});
}
#endif
