// hip_bfloat16: the older class, whose bits are the public member `data`.
#pragma once

#include <hip/hip_bf16.h>

#if defined(__HIP__)
struct hip_bfloat16 {
  uint16_t data;
  enum truncate_t { truncate };
  hip_bfloat16() = default;
  WAVEMMA_MEMBER hip_bfloat16(float v) : data(wavemma_detail::bfloat16_of(v)) {}
  WAVEMMA_MEMBER explicit hip_bfloat16(float v, truncate_t)
      : data(static_cast<uint16_t>(__builtin_bit_cast(unsigned, v) >> 16)) {}
  WAVEMMA_MEMBER operator float() const { return wavemma_detail::float_of_bfloat16(data); }
  static WAVEMMA_MEMBER hip_bfloat16 round_to_bfloat16(float v) { return hip_bfloat16(v); }
  static WAVEMMA_MEMBER hip_bfloat16 round_to_bfloat16(float v, truncate_t) {
    return hip_bfloat16(v, truncate);
  }
};
#define WAVEMMA_OLDER(op)                                                            \
  WAVEMMA_EITHER hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {          \
    return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));             \
  }                                                                                  \
  WAVEMMA_EITHER hip_bfloat16 &operator op##=(hip_bfloat16 &a, hip_bfloat16 b) {     \
    return a = a op b;                                                               \
  }
WAVEMMA_OLDER(+)
WAVEMMA_OLDER(-)
WAVEMMA_OLDER(*)
WAVEMMA_OLDER(/)
#undef WAVEMMA_OLDER
WAVEMMA_EITHER hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}
#endif
