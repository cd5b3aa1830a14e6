// Less usual functions: gamma, inverse errors, norms, remainders, neighbours. Computed in double and rounded
// once for float; in double, gamma and the inverse errors are within 3e-13 of the value.
#pragma once

namespace wavemma_detail {
// Stirling's series needs a large argument: the recurrence leads there, and `product` leads back.
WAVEMMA_DEVICE double stirling_tail(double x) {
  double square = 1 / (x * x);
  double sum = __builtin_fma(square, -691.0 / 360360, 1.0 / 1188);
  sum = __builtin_fma(sum, square, -1.0 / 1680);
  sum = __builtin_fma(sum, square, 1.0 / 1260);
  sum = __builtin_fma(sum, square, -1.0 / 360);
  return __builtin_fma(sum, square, 1.0 / 12) / x;
}
WAVEMMA_DEVICE double gamma_of_positive(double x) {
  double product = 1;
  for (; x < 12; x += 1)
    product *= x;
  // The power in two halves: x ** x alone overflows before gamma does.
  double half = power(x, (x - 0.5) / 2);
  return half * exponential(-x) * half * exponential(stirling_tail(x)) * 0x1.40d931ff62706p+1 / product;
}
// Factorials up to that of 22, all of which a double holds.
WAVEMMA_DEVICE double gamma_of_whole(double x) {
  double product = 1;
  for (x -= 1; x > 1; x -= 1)
    product *= x;
  return product;
}
WAVEMMA_DEVICE double gamma(double x) {
  if (x != x || x == __builtin_inf())
    return x;
  if (x == 0)
    return __builtin_copysign(__builtin_inf(), x);
  if (x > 0 && x <= 23 && x == __builtin_floor(x))
    return gamma_of_whole(x);
  if (x > 0)
    return x > 171.7 ? __builtin_inf() : gamma_of_positive(x);
  if (x == __builtin_floor(x))
    return __builtin_nan("");
  if (x < -185)
    return __builtin_fmod(__builtin_floor(x), 2) == 0 ? 0.0 : -0.0;
  // By reflection; the sine of what is left of the nearest whole number.
  double nearest = __builtin_rint(x), sign = __builtin_fmod(nearest, 2) == 0 ? 1 : -1;
  double below = sign * sine(pi * (x - nearest));
  return 1 - x > 171.7 ? pi / below / gamma_of_positive(-x) / -x : pi / (below * gamma_of_positive(1 - x));
}
// log gamma(2 + t) = log gamma(13 + t) - log gamma(13) - the sum of log(1 + t / n) for n of 2 to 12:
// all parts vanish with t, so that what is small near 2 keeps its digits.
WAVEMMA_DEVICE double logarithm_of_gamma_after_two(double t) {
  double far = 13 + t, sum = t * 0x1.90a08566318a2p+0 + (far - 0.5) * logarithm_of_one_more(t / 13);
#pragma unroll 1
  for (int n = 2; n < 13; ++n)
    sum -= logarithm_of_one_more(t / n);
  return sum + (stirling_tail(far) - stirling_tail(13));
}
WAVEMMA_DEVICE double logarithm_of_gamma_of_positive(double x) {
  if (x < 3.5) {
    // Where Euler's recurrence leads to 2 and what is near it.
    double t = x < 0.5 ? x : x < 1.5 ? x - 1 : x - 2;
    double sum = logarithm_of_gamma_after_two(t);
    if (x < 1.5)
      sum -= logarithm_of_one_more(t);
    return x < 0.5 ? sum - logarithm(x) : sum;
  }
  double product = 1;
  for (; x < 12; x += 1)
    product *= x;
  return (x - 0.5) * logarithm(x) - x + 0x1.d67f1c864beb5p-1 + stirling_tail(x) - logarithm(product);
}
WAVEMMA_DEVICE double logarithm_of_gamma(double x) {
  if (x != x)
    return x;
  if (__builtin_isinf(x) || (x <= 0 && x == __builtin_floor(x)))
    return __builtin_inf();
  double found = logarithm_of_gamma_of_positive(x > 0 ? x : 1 - x);
  return x > 0 ? found : logarithm(pi / __builtin_fabs(sine(pi * (x - __builtin_rint(x))))) - found;
}
WAVEMMA_DEVICE double scaled_error_complement(double x) {
  if (x < 5)
    return x < -26.7 ? __builtin_inf() : exponential(x * x) * error_complement(x);
  double f = x;
  for (int k = 60; k > 0; --k)
    f = x + k / (2 * f);
  return 1 / (f * 0x1.c5bf891b4ef6bp+0);
}
// Newton's steps on log erfc, which is nearly a parabola, from a start that is a few hundredths off.
WAVEMMA_DEVICE double inverse_error_complement(double p) {
  if (!(p >= 0 && p <= 2))
    return __builtin_nan("");
  if (p == 0 || p == 2)
    return p == 0 ? __builtin_inf() : -__builtin_inf();
  if (p > 1)
    return -inverse_error_complement(2 - p);
  double far = logarithm(p * (2 - p)), middle = 2 / (pi * 0.147) + far / 2;
  double x = __builtin_sqrt(__builtin_sqrt(middle * middle - far / 0.147) - middle);
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
    double density = exponential(-x * x) * 0x1.20dd750429b6dp+0;
    double error = (error_complement(x) - p) / density;
    x += error / (1 - x * error);
  }
  return x;
}
WAVEMMA_DEVICE double inverse_error(double y) {
  if (__builtin_fabs(y) > 0.5)
    return inverse_error_complement(1 - y);
  double x = y * 0x1.c5bf891b4ef6bp-1;
#pragma unroll 1
  for (int step = 0; step < 5; ++step) {
    double density = exponential(-x * x) * 0x1.20dd750429b6dp+0;
    double error = (error_function(x) - y) / density;
    x -= error / (1 + x * error);
  }
  return x;
}
WAVEMMA_DEVICE double norm_of(double x, double y, double z, double w) {
  double most = __builtin_fmax(__builtin_fmax(__builtin_fabs(x), __builtin_fabs(y)),
                               __builtin_fmax(__builtin_fabs(z), __builtin_fabs(w)));
  if (!(most > 0) || __builtin_isinf(most))
    return most + (x + y + z + w) * 0;
  // By a power of two, so that no square leaves the range and no bit changes.
  int exponent;
  (void)__builtin_frexp(most, &exponent);
  x = __builtin_ldexp(x, -exponent);
  y = __builtin_ldexp(y, -exponent);
  z = __builtin_ldexp(z, -exponent);
  w = __builtin_ldexp(w, -exponent);
  return __builtin_ldexp(__builtin_sqrt(x * x + y * y + z * z + w * w), exponent);
}
// x less the nearest whole multiple of y, ties to even; the low bits of that multiple.
template <typename T_> WAVEMMA_DEVICE T_ remainder_of(T_ x, T_ y, int *quotient) {
  *quotient = 0;
  if (y == 0 || y != y || x != x || __builtin_isinf(x))
    return (x * y) / (x * y);
  if (__builtin_isinf(y))
    return x;
  double a = __builtin_fabs(double(x)), b = __builtin_fabs(double(y)), rest = remainder_toward_zero(a, b);
  // What is left of eight multiples tells the low bits of the quotient.
  double left = b < 0x1p1020 ? remainder_toward_zero(a, 8 * b) : a;
  int low = (int)__builtin_rint((left - rest) / b);
  double other = b - rest;
  if (rest > other || (rest == other && (low & 1))) {
    rest = -other;
    ++low;
  }
  *quotient = (x < 0) != (y < 0) ? -(low & 7) : low & 7;
  return __builtin_copysign(T_(1), x) * T_(rest);
}
} // namespace wavemma_detail

#define WAVEMMA_SPECIAL(name, kernel)                                                          \
  WAVEMMA_DEVICE float name##f(float x) { return (float)wavemma_detail::kernel((double)x); }   \
  WAVEMMA_DEVICE double name(double x) { return wavemma_detail::kernel(x); }                   \
  WAVEMMA_DEVICE float name(float x) { return name##f(x); }
WAVEMMA_SPECIAL(tgamma, gamma)
WAVEMMA_SPECIAL(lgamma, logarithm_of_gamma)
WAVEMMA_SPECIAL(erfcx, scaled_error_complement)
WAVEMMA_SPECIAL(erfinv, inverse_error)
WAVEMMA_SPECIAL(erfcinv, inverse_error_complement)
#undef WAVEMMA_SPECIAL
WAVEMMA_DEVICE double normcdf(double x) { return erfc(x * -0x1.6a09e667f3bcdp-1) / 2; }
WAVEMMA_DEVICE float normcdff(float x) { return (float)normcdf((double)x); }
WAVEMMA_DEVICE double normcdfinv(double p) { return erfcinv(2 * p) * -0x1.6a09e667f3bcdp+0; }
WAVEMMA_DEVICE float normcdfinvf(float p) { return (float)normcdfinv((double)p); }
WAVEMMA_DEVICE double rcbrt(double x) { return 1 / cbrt(x); }
WAVEMMA_DEVICE float rcbrtf(float x) { return (float)(1 / cbrt((double)x)); }

#define WAVEMMA_NORMS(suffix, T_)                                                                         \
  WAVEMMA_DEVICE T_ norm3d##suffix(T_ x, T_ y, T_ z) { return (T_)wavemma_detail::norm_of(x, y, z, 0); }      \
  WAVEMMA_DEVICE T_ norm4d##suffix(T_ x, T_ y, T_ z, T_ w) { return (T_)wavemma_detail::norm_of(x, y, z, w); } \
  WAVEMMA_DEVICE T_ rhypot##suffix(T_ x, T_ y) { return (T_)(1 / wavemma_detail::norm_of(x, y, 0, 0)); }     \
  WAVEMMA_DEVICE T_ rnorm3d##suffix(T_ x, T_ y, T_ z) { return (T_)(1 / wavemma_detail::norm_of(x, y, z, 0)); } \
  WAVEMMA_DEVICE T_ rnorm4d##suffix(T_ x, T_ y, T_ z, T_ w) {                                                 \
    return (T_)(1 / wavemma_detail::norm_of(x, y, z, w));                                                 \
  }                                                                                                      \
  WAVEMMA_DEVICE T_ norm##suffix(int count, const T_ *sides) {                                              \
    double sum = 0;                                                                                         \
    for (int i = 0; i < count; ++i)                                                                         \
      sum += (double)sides[i] * (double)sides[i];                                                           \
    return (T_)__builtin_sqrt(sum);                                                                         \
  }                                                                                                        \
  WAVEMMA_DEVICE T_ rnorm##suffix(int count, const T_ *sides) {                                             \
    return (T_)(1 / (double)norm##suffix(count, sides));                                                    \
  }                                                                                                        \
  WAVEMMA_DEVICE T_ powi##suffix(T_ x, int n) { return (T_)pow((double)x, (double)n); }                     \
  WAVEMMA_DEVICE T_ nan##suffix(const char *) { return (T_)__builtin_nan(""); }                             \
  WAVEMMA_DEVICE T_ remquo##suffix(T_ x, T_ y, int *quotient) {                                             \
    return wavemma_detail::remainder_of(x, y, quotient);                                                 \
  }                                                                                                      \
  WAVEMMA_DEVICE T_ remainder##suffix(T_ x, T_ y) {                                                         \
    int quotient;                                                                                        \
    return wavemma_detail::remainder_of(x, y, &quotient);                                                \
  }                                                                                                      \
  WAVEMMA_DEVICE T_ scalbln##suffix(T_ x, long n) {                                                        \
    return (T_)__builtin_ldexp((double)x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);                  \
  }                                                                                                      \
  WAVEMMA_DEVICE T_ logb##suffix(T_ x) {                                                                   \
    if (x == 0)                                                                                          \
      return -(T_)__builtin_inf();                                                                        \
    int exponent;                                                                                        \
    (void)__builtin_frexp((double)x, &exponent);                                                         \
    return __builtin_isinf(x) ? (T_)__builtin_inf() : x != x ? x : (T_)(exponent - 1);                     \
  }                                                                                                      \
  WAVEMMA_DEVICE int ilogb##suffix(T_ x) {                                                                \
    int exponent;                                                                                        \
    (void)__builtin_frexp((double)x, &exponent);                                                         \
    return x == 0 || x != x ? -__INT_MAX__ - 1 : __builtin_isinf(x) ? __INT_MAX__ : exponent - 1;        \
  }                                                                                                      \
  WAVEMMA_DEVICE long long llrint##suffix(T_ x) { return (long long)__builtin_rint((double)x); }          \
  WAVEMMA_DEVICE long long llround##suffix(T_ x) { return (long long)__builtin_round((double)x); }
WAVEMMA_NORMS(, double)
WAVEMMA_NORMS(f, float)
#undef WAVEMMA_NORMS

WAVEMMA_DEVICE float nextafterf(float x, float y) {
  if (x != x || y != y || x == y)
    return x != x ? x : y;
  if (x == 0)
    return __builtin_copysignf(0x1p-149f, y);
  int bits = __builtin_bit_cast(int, x);
  return __builtin_bit_cast(float, (x < y) == (x > 0) ? bits + 1 : bits - 1);
}
WAVEMMA_DEVICE double nextafter(double x, double y) {
  if (x != x || y != y || x == y)
    return x != x ? x : y;
  if (x == 0)
    return __builtin_copysign(0x1p-1074, y);
  long long bits = __builtin_bit_cast(long long, x);
  return __builtin_bit_cast(double, (x < y) == (x > 0) ? bits + 1 : bits - 1);
}
WAVEMMA_DEVICE void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}
WAVEMMA_DEVICE double sinpi(double x) {
  double n = __builtin_rint(2 * x);
  return wavemma_detail::sine_after(wavemma_detail::pi * (x - n / 2), (int)__builtin_fmod(n, 4) & 3);
}
WAVEMMA_DEVICE double cospi(double x) {
  double n = __builtin_rint(2 * x);
  return wavemma_detail::sine_after(wavemma_detail::pi * (x - n / 2), ((int)__builtin_fmod(n, 4) + 1) & 3);
}
WAVEMMA_DEVICE void sincospi(double x, double *s, double *c) {
  *s = sinpi(x);
  *c = cospi(x);
}
WAVEMMA_DEVICE double __dadd_rn(double x, double y) { return __builtin_elementwise_canonicalize(x + y); }
WAVEMMA_DEVICE double __dsub_rn(double x, double y) { return __builtin_elementwise_canonicalize(x - y); }
WAVEMMA_DEVICE double __dmul_rn(double x, double y) { return __builtin_elementwise_canonicalize(x * y); }
WAVEMMA_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
WAVEMMA_DEVICE double __drcp_rn(double x) { return 1 / x; }
WAVEMMA_DEVICE double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
