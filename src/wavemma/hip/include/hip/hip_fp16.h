// half: a number of 16 bits with the arithmetic of _Float16, and two of them.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
#include <hip/detail/sixteen_bits.h>

namespace wavemma_detail {
template <bool yes> struct only_if {};
template <> struct only_if<true> {
  typedef void type;
};
} // namespace wavemma_detail

struct __half_raw {
  unsigned short x;
};

struct __half {
  _Float16 value;
  __half() = default;
  WAVEMMA_MEMBER __half(_Float16 v) : value(v) {}
  WAVEMMA_MEMBER __half(float v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(double v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(int v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(unsigned v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(long v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(unsigned long v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(long long v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(unsigned long long v) : value(static_cast<_Float16>(v)) {}
  WAVEMMA_MEMBER __half(__half_raw raw) : value(__builtin_bit_cast(_Float16, raw.x)) {}
  WAVEMMA_MEMBER operator float() const { return static_cast<float>(value); }
  WAVEMMA_MEMBER operator _Float16() const { return value; }
  WAVEMMA_MEMBER operator __half_raw() const {
    return __half_raw{__builtin_bit_cast(unsigned short, value)};
  }
  // Each whole type has a conversion of its own, so that none of the two above must be chosen.
  template <typename T_, typename wavemma_detail::only_if<__is_integral(T_)>::type * = nullptr> WAVEMMA_MEMBER operator T_() const {
    return static_cast<T_>(value);
  }
  WAVEMMA_MEMBER bool is_negative() const {
    return __builtin_bit_cast(unsigned short, value) >> 15;
  }
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  WAVEMMA_MEMBER __half2(__half x_, __half y_) : x(x_), y(y_) {}
};
typedef __half half;
typedef __half2 half2;

WAVEMMA_SIXTEEN_OPERATORS(__half)
WAVEMMA_EITHER __half __hfma(__half a, __half b, __half c) {
  return __half(__builtin_fmaf16(a.value, b.value, c.value));
}
WAVEMMA_SIXTEEN_FUNCTIONS(__half, __half2)

WAVEMMA_EITHER __half __float2half(float x) { return __half(x); }
WAVEMMA_EITHER __half __float2half_rn(float x) { return __half(x); }
WAVEMMA_EITHER __half __double2half(double x) { return __half(x); }
WAVEMMA_EITHER float __half2float(__half x) { return static_cast<float>(x.value); }
// Toward zero: a result that is too large steps back, infinity from a finite number to the largest.
WAVEMMA_EITHER __half __float2half_rz(float x) {
  _Float16 near = static_cast<_Float16>(x);
  if (__builtin_fabsf(static_cast<float>(near)) > __builtin_fabsf(x))
    near = __builtin_bit_cast(_Float16, (unsigned short)(__builtin_bit_cast(unsigned short, near) - 1));
  return __half(near);
}
WAVEMMA_EITHER __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
WAVEMMA_EITHER __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
WAVEMMA_EITHER __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
WAVEMMA_EITHER float2 __half22float2(__half2 v) {
  return float2(__half2float(v.x), __half2float(v.y));
}
WAVEMMA_EITHER __half2 __half2half2(__half x) { return __half2(x, x); }
WAVEMMA_EITHER __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
WAVEMMA_EITHER __half2 make_half2(__half x, __half y) { return __half2(x, y); }
WAVEMMA_EITHER __half __low2half(__half2 v) { return v.x; }
WAVEMMA_EITHER __half __high2half(__half2 v) { return v.y; }
WAVEMMA_EITHER __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
WAVEMMA_EITHER __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
WAVEMMA_EITHER __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
WAVEMMA_EITHER float __low2float(__half2 v) { return __half2float(v.x); }
WAVEMMA_EITHER float __high2float(__half2 v) { return __half2float(v.y); }
WAVEMMA_EITHER short __half_as_short(__half x) { return __builtin_bit_cast(short, x.value); }
WAVEMMA_EITHER unsigned short __half_as_ushort(__half x) {
  return __builtin_bit_cast(unsigned short, x.value);
}
WAVEMMA_EITHER __half __short_as_half(short x) { return __half(__builtin_bit_cast(_Float16, x)); }
WAVEMMA_EITHER __half __ushort_as_half(unsigned short x) {
  return __half(__builtin_bit_cast(_Float16, x));
}
WAVEMMA_EITHER int __half2int_rz(__half x) { return static_cast<int>(x.value); }
WAVEMMA_DEVICE int __half2int_rn(__half x) { return (int)__builtin_rintf((float)x.value); }
WAVEMMA_EITHER unsigned __half2uint_rz(__half x) { return static_cast<unsigned>(x.value); }
WAVEMMA_EITHER __half __int2half_rn(int x) { return __half(x); }
WAVEMMA_EITHER __half __uint2half_rn(unsigned x) { return __half(x); }
WAVEMMA_EITHER __half __short2half_rn(short x) { return __half(static_cast<int>(x)); }
WAVEMMA_EITHER __half __ushort2half_rn(unsigned short x) { return __half(static_cast<int>(x)); }
WAVEMMA_EITHER __half __ll2half_rn(long long x) { return __half(x); }
WAVEMMA_EITHER __half __ull2half_rn(unsigned long long x) { return __half(x); }
WAVEMMA_EITHER int __hisinf(__half x) {
  return __builtin_isinf(static_cast<float>(x.value)) ? (x.is_negative() ? -1 : 1) : 0;
}
#endif
