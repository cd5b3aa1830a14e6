// What half and bfloat16 have in common: the operators and functions of a 16-bit number and of two.
// The number is a class with a constructor from float and a conversion to it.
#pragma once

#define WAVEMMA_SIXTEEN_OPERATOR(T_, op)                                                       \
  WAVEMMA_EITHER T_ operator op(const T_ &a, const T_ &b) { return T_(a.value op b.value); }     \
  WAVEMMA_EITHER T_ &operator op##=(T_ &a, const T_ &b) { return a = a op b; }
#define WAVEMMA_SIXTEEN_COMPARISON(T_, op) \
  WAVEMMA_EITHER bool operator op(const T_ &a, const T_ &b) { return a.value op b.value; }
#define WAVEMMA_SIXTEEN_OPERATORS(T_)                                   \
  WAVEMMA_SIXTEEN_OPERATOR(T_, +)                                       \
  WAVEMMA_SIXTEEN_OPERATOR(T_, -)                                       \
  WAVEMMA_SIXTEEN_OPERATOR(T_, *)                                       \
  WAVEMMA_SIXTEEN_OPERATOR(T_, /)                                       \
  WAVEMMA_SIXTEEN_COMPARISON(T_, ==)                                    \
  WAVEMMA_SIXTEEN_COMPARISON(T_, !=)                                    \
  WAVEMMA_SIXTEEN_COMPARISON(T_, <)                                     \
  WAVEMMA_SIXTEEN_COMPARISON(T_, <=)                                    \
  WAVEMMA_SIXTEEN_COMPARISON(T_, >)                                     \
  WAVEMMA_SIXTEEN_COMPARISON(T_, >=)                                    \
  WAVEMMA_EITHER T_ operator-(const T_ &a) { return T_(-a.value); }       \
  WAVEMMA_EITHER T_ operator+(const T_ &a) { return a; }                 \
  WAVEMMA_EITHER T_ &operator++(T_ &a) { return a = a + T_(1.0f); }       \
  WAVEMMA_EITHER T_ &operator--(T_ &a) { return a = a - T_(1.0f); }

// Functions of one number and of two numbers by side.
#define WAVEMMA_SIXTEEN_PAIR(T_, T2, name, op)                                     \
  WAVEMMA_EITHER T_ __h##name(T_ a, T_ b) { return a op b; }                         \
  WAVEMMA_EITHER T2 __h##name##2(T2 a, T2 b) { return T2(a.x op b.x, a.y op b.y); }
#define WAVEMMA_SIXTEEN_TEST(T_, T2, name, op)                                             \
  WAVEMMA_EITHER bool __h##name(T_ a, T_ b) { return a op b; }                              \
  WAVEMMA_EITHER T2 __h##name##2(T2 a, T2 b) {                                            \
    return T2(T_(a.x op b.x ? 1.0f : 0.0f), T_(a.y op b.y ? 1.0f : 0.0f));                  \
  }                                                                                       \
  WAVEMMA_EITHER bool __hb##name##2(T2 a, T2 b) { return (a.x op b.x) && (a.y op b.y); }
#define WAVEMMA_SIXTEEN_ONE(T_, T2, name, formula)                                \
  WAVEMMA_DEVICE T_ h##name(T_ a) {                                                \
    float x = static_cast<float>(a);                                             \
    return T_(static_cast<float>(formula));                                       \
  }                                                                              \
  WAVEMMA_DEVICE T2 h2##name(T2 a) { return T2(h##name(a.x), h##name(a.y)); }
#define WAVEMMA_SIXTEEN_FUNCTIONS(T_, T2)                                                       \
  WAVEMMA_SIXTEEN_PAIR(T_, T2, add, +)                                                          \
  WAVEMMA_SIXTEEN_PAIR(T_, T2, sub, -)                                                          \
  WAVEMMA_SIXTEEN_PAIR(T_, T2, mul, *)                                                          \
  WAVEMMA_SIXTEEN_TEST(T_, T2, eq, ==)                                                          \
  WAVEMMA_SIXTEEN_TEST(T_, T2, ne, !=)                                                          \
  WAVEMMA_SIXTEEN_TEST(T_, T2, lt, <)                                                           \
  WAVEMMA_SIXTEEN_TEST(T_, T2, le, <=)                                                          \
  WAVEMMA_SIXTEEN_TEST(T_, T2, gt, >)                                                           \
  WAVEMMA_SIXTEEN_TEST(T_, T2, ge, >=)                                                          \
  WAVEMMA_EITHER T_ __hdiv(T_ a, T_ b) { return a / b; }                                          \
  WAVEMMA_EITHER T2 __h2div(T2 a, T2 b) { return T2(a.x / b.x, a.y / b.y); }                   \
  WAVEMMA_EITHER T_ __hneg(T_ a) { return -a; }                                                  \
  WAVEMMA_EITHER T2 __hneg2(T2 a) { return T2(-a.x, -a.y); }                                   \
  WAVEMMA_EITHER T_ __habs(T_ a) { return a.is_negative() ? -a : a; }                            \
  WAVEMMA_EITHER T2 __habs2(T2 a) { return T2(__habs(a.x), __habs(a.y)); }                     \
  WAVEMMA_EITHER T_ __hmax(T_ a, T_ b) { return a != a ? b : b != b ? a : a > b ? a : b; }        \
  WAVEMMA_EITHER T_ __hmin(T_ a, T_ b) { return a != a ? b : b != b ? a : a < b ? a : b; }        \
  WAVEMMA_EITHER T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }     \
  WAVEMMA_EITHER T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }     \
  WAVEMMA_EITHER bool __hisnan(T_ a) { return a != a; }                                         \
  WAVEMMA_EITHER T2 __hfma2(T2 a, T2 b, T2 c) {                                                \
    return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                   \
  }                                                                                            \
  WAVEMMA_EITHER T2 operator+(const T2 &a, const T2 &b) { return __hadd2(a, b); }              \
  WAVEMMA_EITHER T2 operator-(const T2 &a, const T2 &b) { return __hsub2(a, b); }              \
  WAVEMMA_EITHER T2 operator*(const T2 &a, const T2 &b) { return __hmul2(a, b); }              \
  WAVEMMA_EITHER T2 operator/(const T2 &a, const T2 &b) { return __h2div(a, b); }              \
  WAVEMMA_EITHER T2 operator-(const T2 &a) { return __hneg2(a); }                              \
  WAVEMMA_EITHER T2 &operator+=(T2 &a, const T2 &b) { return a = a + b; }                      \
  WAVEMMA_EITHER T2 &operator-=(T2 &a, const T2 &b) { return a = a - b; }                      \
  WAVEMMA_EITHER T2 &operator*=(T2 &a, const T2 &b) { return a = a * b; }                      \
  WAVEMMA_EITHER bool operator==(const T2 &a, const T2 &b) { return a.x == b.x && a.y == b.y; } \
  WAVEMMA_EITHER bool operator!=(const T2 &a, const T2 &b) { return !(a == b); }               \
  WAVEMMA_SIXTEEN_ONE(T_, T2, sqrt, __builtin_sqrtf(x))                                         \
  WAVEMMA_SIXTEEN_ONE(T_, T2, rsqrt, 1.0f / __builtin_sqrtf(x))                                 \
  WAVEMMA_SIXTEEN_ONE(T_, T2, rcp, 1.0f / x)                                                    \
  WAVEMMA_SIXTEEN_ONE(T_, T2, exp, ::expf(x))                                                   \
  WAVEMMA_SIXTEEN_ONE(T_, T2, exp2, ::exp2f(x))                                                 \
  WAVEMMA_SIXTEEN_ONE(T_, T2, log, ::logf(x))                                                   \
  WAVEMMA_SIXTEEN_ONE(T_, T2, log2, ::log2f(x))                                                 \
  WAVEMMA_SIXTEEN_ONE(T_, T2, log10, ::log10f(x))                                               \
  WAVEMMA_SIXTEEN_ONE(T_, T2, sin, ::sinf(x))                                                   \
  WAVEMMA_SIXTEEN_ONE(T_, T2, cos, ::cosf(x))                                                   \
  WAVEMMA_SIXTEEN_ONE(T_, T2, floor, __builtin_floorf(x))                                       \
  WAVEMMA_SIXTEEN_ONE(T_, T2, ceil, __builtin_ceilf(x))                                         \
  WAVEMMA_SIXTEEN_ONE(T_, T2, trunc, __builtin_truncf(x))                                       \
  WAVEMMA_SIXTEEN_ONE(T_, T2, rint, __builtin_rintf(x))
