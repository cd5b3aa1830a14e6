// The mathematical functions of C and C++ for device code, and those that only devices have.
#pragma once

#include <hip/detail/math_kernels.h>

#define WAVEMMA_ONE(name, ofFloat, ofDouble)             \
  WAVEMMA_DEVICE float name##f(float x) { return ofFloat; }   \
  WAVEMMA_DEVICE double name(double x) { return ofDouble; }   \
  WAVEMMA_DEVICE float name(float x) { return name##f(x); }
#define WAVEMMA_TWO(name, ofFloat, ofDouble)                           \
  WAVEMMA_DEVICE float name##f(float x, float y) { return ofFloat; }   \
  WAVEMMA_DEVICE double name(double x, double y) { return ofDouble; }  \
  WAVEMMA_DEVICE float name(float x, float y) { return name##f(x, y); }
#define WAVEMMA_BUILTIN(X, name) X(name, __builtin_##name##f(x), __builtin_##name(x))
#define WAVEMMA_THROUGH_DOUBLE(name, kernel) \
  WAVEMMA_ONE(name, (float)wavemma_detail::kernel((double)x), wavemma_detail::kernel(x))

WAVEMMA_BUILTIN(WAVEMMA_ONE, sqrt)
WAVEMMA_BUILTIN(WAVEMMA_ONE, fabs)
WAVEMMA_BUILTIN(WAVEMMA_ONE, floor)
WAVEMMA_BUILTIN(WAVEMMA_ONE, ceil)
WAVEMMA_BUILTIN(WAVEMMA_ONE, trunc)
WAVEMMA_BUILTIN(WAVEMMA_ONE, rint)
WAVEMMA_BUILTIN(WAVEMMA_ONE, nearbyint)
WAVEMMA_BUILTIN(WAVEMMA_ONE, round)
WAVEMMA_ONE(exp, __builtin_expf(x), wavemma_detail::exponential(x))
WAVEMMA_ONE(exp2, __builtin_exp2f(x), wavemma_detail::power_of_two(x))
WAVEMMA_ONE(exp10, __builtin_exp10f(x), wavemma_detail::power_of_ten(x))
WAVEMMA_ONE(log, __builtin_logf(x), wavemma_detail::logarithm(x))
WAVEMMA_ONE(log2, __builtin_log2f(x), wavemma_detail::logarithm_to_two(x))
WAVEMMA_ONE(log10, __builtin_log10f(x), wavemma_detail::logarithm_to_ten(x))
WAVEMMA_ONE(rsqrt, 1.0f / __builtin_sqrtf(x), 1.0 / __builtin_sqrt(x))
WAVEMMA_THROUGH_DOUBLE(expm1, exponential_less_one)
WAVEMMA_THROUGH_DOUBLE(log1p, logarithm_of_one_more)
WAVEMMA_THROUGH_DOUBLE(sin, sine)
WAVEMMA_THROUGH_DOUBLE(cos, cosine)
WAVEMMA_THROUGH_DOUBLE(tan, tangent)
WAVEMMA_THROUGH_DOUBLE(asin, arc_sine)
WAVEMMA_THROUGH_DOUBLE(acos, arc_cosine)
WAVEMMA_THROUGH_DOUBLE(atan, arc_tangent)
WAVEMMA_THROUGH_DOUBLE(sinh, hyperbolic_sine)
WAVEMMA_THROUGH_DOUBLE(cosh, hyperbolic_cosine)
WAVEMMA_THROUGH_DOUBLE(tanh, hyperbolic_tangent)
WAVEMMA_THROUGH_DOUBLE(asinh, area_sine)
WAVEMMA_THROUGH_DOUBLE(acosh, area_cosine)
WAVEMMA_THROUGH_DOUBLE(atanh, area_tangent)
WAVEMMA_THROUGH_DOUBLE(cbrt, cube_root)
WAVEMMA_THROUGH_DOUBLE(erf, error_function)
WAVEMMA_THROUGH_DOUBLE(erfc, error_complement)
WAVEMMA_TWO(fmin, __builtin_fminf(x, y), __builtin_fmin(x, y))
WAVEMMA_TWO(fmax, __builtin_fmaxf(x, y), __builtin_fmax(x, y))
WAVEMMA_TWO(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))
WAVEMMA_TWO(fmod, (float)wavemma_detail::remainder_with_sign(x, y),
            wavemma_detail::remainder_with_sign(x, y))
WAVEMMA_TWO(fdim, x > y ? x - y : x <= y ? 0.0f : x + y, x > y ? x - y : x <= y ? 0.0 : x + y)
WAVEMMA_TWO(pow, (float)wavemma_detail::power(x, y), wavemma_detail::power(x, y))
WAVEMMA_TWO(atan2, (float)wavemma_detail::arc_tangent(x, y), wavemma_detail::arc_tangent(x, y))
WAVEMMA_TWO(hypot, (float)__builtin_sqrt((double)x *x + (double)y * y),
            __builtin_sqrt(x *x + y * y))
WAVEMMA_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WAVEMMA_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WAVEMMA_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WAVEMMA_DEVICE float ldexpf(float x, int n) { return __builtin_ldexpf(x, n); }
WAVEMMA_DEVICE double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
WAVEMMA_DEVICE float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
WAVEMMA_DEVICE float scalbnf(float x, int n) { return __builtin_ldexpf(x, n); }
WAVEMMA_DEVICE double scalbn(double x, int n) { return __builtin_ldexp(x, n); }
WAVEMMA_DEVICE float frexpf(float x, int *n) { return __builtin_frexpf(x, n); }
WAVEMMA_DEVICE double frexp(double x, int *n) { return __builtin_frexp(x, n); }
WAVEMMA_DEVICE float modff(float x, float *whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
WAVEMMA_DEVICE double modf(double x, double *whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
WAVEMMA_DEVICE int abs(int x) { return __builtin_abs(x); }
WAVEMMA_DEVICE long abs(long x) { return __builtin_labs(x); }
WAVEMMA_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
WAVEMMA_DEVICE float abs(float x) { return __builtin_fabsf(x); }
WAVEMMA_DEVICE double abs(double x) { return __builtin_fabs(x); }
WAVEMMA_DEVICE long labs(long x) { return __builtin_labs(x); }
WAVEMMA_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
WAVEMMA_DEVICE long lrintf(float x) { return (long)__builtin_rintf(x); }
WAVEMMA_DEVICE long lrint(double x) { return (long)__builtin_rint(x); }
WAVEMMA_DEVICE long lroundf(float x) { return (long)__builtin_roundf(x); }
WAVEMMA_DEVICE long lround(double x) { return (long)__builtin_round(x); }
#undef WAVEMMA_ONE
#undef WAVEMMA_TWO
#undef WAVEMMA_BUILTIN
#undef WAVEMMA_THROUGH_DOUBLE

// C++ writes the same names in std, for all of these types.
#if defined(_LIBCPP_BEGIN_NAMESPACE_STD)
_LIBCPP_BEGIN_NAMESPACE_STD
#endif
#define WAVEMMA_STD_ONE(name)                                                     \
  WAVEMMA_DEVICE float name(float x) { return ::name##f(x); }                     \
  WAVEMMA_DEVICE double name(double x) { return ::name(x); }
#define WAVEMMA_STD_TWO(name)                                                     \
  WAVEMMA_DEVICE float name(float x, float y) { return ::name##f(x, y); }         \
  WAVEMMA_DEVICE double name(double x, double y) { return ::name(x, y); }
#if defined(_LIBCPP_BEGIN_NAMESPACE_STD)
WAVEMMA_STD_ONE(sqrt) WAVEMMA_STD_ONE(fabs) WAVEMMA_STD_ONE(floor) WAVEMMA_STD_ONE(ceil)
WAVEMMA_STD_ONE(trunc) WAVEMMA_STD_ONE(rint) WAVEMMA_STD_ONE(nearbyint) WAVEMMA_STD_ONE(round)
WAVEMMA_STD_ONE(exp) WAVEMMA_STD_ONE(exp2) WAVEMMA_STD_ONE(log) WAVEMMA_STD_ONE(log2)
WAVEMMA_STD_ONE(log10) WAVEMMA_STD_ONE(expm1) WAVEMMA_STD_ONE(log1p) WAVEMMA_STD_ONE(sin)
WAVEMMA_STD_ONE(cos) WAVEMMA_STD_ONE(tan) WAVEMMA_STD_ONE(asin) WAVEMMA_STD_ONE(acos)
WAVEMMA_STD_ONE(atan) WAVEMMA_STD_ONE(sinh) WAVEMMA_STD_ONE(cosh) WAVEMMA_STD_ONE(tanh)
WAVEMMA_STD_ONE(asinh) WAVEMMA_STD_ONE(acosh) WAVEMMA_STD_ONE(atanh) WAVEMMA_STD_ONE(cbrt)
WAVEMMA_STD_ONE(erf) WAVEMMA_STD_ONE(erfc)
WAVEMMA_STD_TWO(fmin) WAVEMMA_STD_TWO(fmax) WAVEMMA_STD_TWO(copysign) WAVEMMA_STD_TWO(fmod)
WAVEMMA_STD_TWO(pow) WAVEMMA_STD_TWO(atan2) WAVEMMA_STD_TWO(hypot) WAVEMMA_STD_TWO(fdim)
WAVEMMA_DEVICE float abs(float x) { return __builtin_fabsf(x); }
WAVEMMA_DEVICE double abs(double x) { return __builtin_fabs(x); }
WAVEMMA_DEVICE int abs(int x) { return __builtin_abs(x); }
WAVEMMA_DEVICE long abs(long x) { return __builtin_labs(x); }
WAVEMMA_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WAVEMMA_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WAVEMMA_DEVICE float ldexp(float x, int n) { return __builtin_ldexpf(x, n); }
WAVEMMA_DEVICE double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
WAVEMMA_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
WAVEMMA_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
WAVEMMA_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
WAVEMMA_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
WAVEMMA_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
WAVEMMA_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
WAVEMMA_DEVICE bool signbit(float x) { return __builtin_signbit(x); }
WAVEMMA_DEVICE bool signbit(double x) { return __builtin_signbit(x); }
_LIBCPP_END_NAMESPACE_STD
#endif
#undef WAVEMMA_STD_ONE
#undef WAVEMMA_STD_TWO
WAVEMMA_DEVICE bool isnan(float x) { return __builtin_isnan(x); }
WAVEMMA_DEVICE bool isnan(double x) { return __builtin_isnan(x); }
WAVEMMA_DEVICE bool isinf(float x) { return __builtin_isinf(x); }
WAVEMMA_DEVICE bool isinf(double x) { return __builtin_isinf(x); }
WAVEMMA_DEVICE bool isfinite(float x) { return __builtin_isfinite(x); }
WAVEMMA_DEVICE bool isfinite(double x) { return __builtin_isfinite(x); }
WAVEMMA_DEVICE bool signbit(float x) { return __builtin_signbit(x); }
WAVEMMA_DEVICE bool signbit(double x) { return __builtin_signbit(x); }

WAVEMMA_DEVICE void sincosf(float x, float *s, float *c) {
  *s = sinf(x);
  *c = cosf(x);
}
WAVEMMA_DEVICE void sincos(double x, double *s, double *c) {
  *s = sin(x);
  *c = cos(x);
}
WAVEMMA_DEVICE float sinpif(float x) {
  return (float)wavemma_detail::sine(wavemma_detail::pi * __builtin_fmod((double)x, 2.0));
}
WAVEMMA_DEVICE float cospif(float x) {
  return (float)wavemma_detail::cosine(wavemma_detail::pi * __builtin_fmod((double)x, 2.0));
}

// The fast forms: one instruction, or the plain function.
WAVEMMA_DEVICE float __sinf(float x) { return __builtin_amdgcn_sinf(x * 0x1.45f306p-3f); }
WAVEMMA_DEVICE float __cosf(float x) { return __builtin_amdgcn_cosf(x * 0x1.45f306p-3f); }
WAVEMMA_DEVICE float __tanf(float x) { return __sinf(x) / __cosf(x); }
WAVEMMA_DEVICE float __expf(float x) { return __builtin_amdgcn_exp2f(x * 0x1.715476p+0f); }
WAVEMMA_DEVICE float __exp10f(float x) { return __builtin_amdgcn_exp2f(x * 0x1.a934f0p+1f); }
WAVEMMA_DEVICE float __logf(float x) { return __builtin_amdgcn_logf(x) * 0x1.62e430p-1f; }
WAVEMMA_DEVICE float __log2f(float x) { return __builtin_amdgcn_logf(x); }
WAVEMMA_DEVICE float __log10f(float x) { return __builtin_amdgcn_logf(x) * 0x1.344136p-2f; }
WAVEMMA_DEVICE float __powf(float x, float y) {
  return __builtin_amdgcn_exp2f(y * __builtin_amdgcn_logf(x));
}
WAVEMMA_DEVICE void __sincosf(float x, float *s, float *c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
WAVEMMA_DEVICE float __fdividef(float x, float y) { return x / y; }
WAVEMMA_DEVICE float fdividef(float x, float y) { return x / y; }
WAVEMMA_DEVICE float __frcp_rn(float x) { return 1.0f / x; }
WAVEMMA_DEVICE float __frsqrt_rn(float x) { return 1.0f / __builtin_sqrtf(x); }
WAVEMMA_DEVICE float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
WAVEMMA_DEVICE float __fadd_rn(float x, float y) { return __builtin_elementwise_canonicalize(x + y); }
WAVEMMA_DEVICE float __fsub_rn(float x, float y) { return __builtin_elementwise_canonicalize(x - y); }
WAVEMMA_DEVICE float __fmul_rn(float x, float y) { return __builtin_elementwise_canonicalize(x * y); }
WAVEMMA_DEVICE float __fdiv_rn(float x, float y) { return x / y; }
WAVEMMA_DEVICE float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WAVEMMA_DEVICE double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
WAVEMMA_DEVICE float __saturatef(float x) {
  return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f);
}

// min and max of all numbers, on both sides.
#define WAVEMMA_LEAST(T_)                                          \
  WAVEMMA_EITHER T_ min(T_ x, T_ y) { return x < y ? x : y; }        \
  WAVEMMA_EITHER T_ max(T_ x, T_ y) { return x > y ? x : y; }
WAVEMMA_LEAST(int)
WAVEMMA_LEAST(unsigned)
WAVEMMA_LEAST(long)
WAVEMMA_LEAST(unsigned long)
WAVEMMA_LEAST(long long)
WAVEMMA_LEAST(unsigned long long)
#undef WAVEMMA_LEAST
WAVEMMA_EITHER float min(float x, float y) { return __builtin_fminf(x, y); }
WAVEMMA_EITHER float max(float x, float y) { return __builtin_fmaxf(x, y); }
WAVEMMA_EITHER double min(double x, double y) { return __builtin_fmin(x, y); }
WAVEMMA_EITHER double max(double x, double y) { return __builtin_fmax(x, y); }
WAVEMMA_EITHER unsigned min(int x, unsigned y) { return min((unsigned)x, y); }
WAVEMMA_EITHER unsigned min(unsigned x, int y) { return min(x, (unsigned)y); }
WAVEMMA_EITHER unsigned max(int x, unsigned y) { return max((unsigned)x, y); }
WAVEMMA_EITHER unsigned max(unsigned x, int y) { return max(x, (unsigned)y); }
