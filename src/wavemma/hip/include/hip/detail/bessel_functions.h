// Bessel functions. Computed in double and rounded once for float; in double, within 3e-14 of the larger
// of the value and the square root of 2 / (pi x), which is how high the waves are.
#pragma once

namespace wavemma_detail {
struct bessel_pair {
  double first, second;
};
struct bessel_four {
  double j0, j1, y0, y1;
};
// From there on the series for large arguments are exact to the last bits.
constexpr double bessel_far = 25;
// Below it the first term of the series at 0 is all that there is.
constexpr double bessel_small = 0x1p-30;

// Hankel's series of order n: sums of a_k / x^k by the four remainders of k, signs alternating by two.
WAVEMMA_DEVICE bessel_pair hankel_series(double x, double square_of_2n) {
  double term = 1, even = 0, odd = 0, magnitude = 2;
#pragma unroll 1
  for (int k = 0; k < 60 && __builtin_fabs(term) < magnitude && term != 0; ++k) {
    magnitude = __builtin_fabs(term);
    double sign = k & 2 ? -1 : 1;
    (k & 1 ? odd : even) += sign * term;
    double step = 2 * k + 1;
    term *= (square_of_2n - step * step) / (8 * x * (k + 1));
  }
  return {even, odd};
}
WAVEMMA_DEVICE bessel_four bessel_of_far(double x) {
  double height = __builtin_sqrt(1 / (pi * x)), s = sine(x), c = cosine(x);
  // Times the square root of 2, sine and cosine of x less a quarter of pi.
  double sine_part = s - c, cosine_part = s + c;
  bessel_pair zero = hankel_series(x, 0), one = hankel_series(x, 4);
  return {height * (zero.first * cosine_part - zero.second * sine_part),
          height * (one.first * sine_part + one.second * cosine_part),
          height * (zero.first * sine_part + zero.second * cosine_part),
          height * (one.second * sine_part - one.first * cosine_part)};
}
// Miller's recurrence downward gives all orders at one scale, which 1 = J0 + 2 (J2 + J4 + ...) sets;
// Neumann's series of them give the second kind.
WAVEMMA_DEVICE bessel_four bessel_of_near(double x) {
  double above = 0, here = 0x1p-900, whole = 0, of_y0 = 0, of_y1 = 0, j1 = 0;
  int from = 2 * (int)(x / 2 + 26);
#pragma unroll 1
  for (int n = from; n > 0; --n) {
    double below = 2 * n / x * here - above;
    if (__builtin_fabs(below) > 0x1p500) {
      below *= 0x1p-1000, here *= 0x1p-1000, whole *= 0x1p-1000, of_y0 *= 0x1p-1000, of_y1 *= 0x1p-1000;
    }
    double half = n / 2, sign = n / 2 & 1 ? -1 : 1;
    if (n % 2 == 0) {
      whole += 2 * here;
      of_y0 += sign * here / half;
    } else if (n > 1) {
      of_y1 += sign * n * here / (half * (half + 1));
    } else {
      j1 = here;
    }
    above = here, here = below;
  }
  double scale = 1 / (whole + here), j0 = here * scale;
  j1 *= scale;
  constexpr double two_by_pi = 0x1.45f306dc9c883p-1, euler = 0x1.2788cfc6fb619p-1;
  double wave = logarithm(x / 2) + euler;
  return {j0, j1, two_by_pi * (wave * j0 - 2 * of_y0 * scale),
          two_by_pi * ((wave - 1) * j1 - j0 / x - of_y1 * scale)};
}
WAVEMMA_DEVICE bessel_four bessel(double x) {
  if (x < bessel_small)
    return {1, x / 2, 0x1.45f306dc9c883p-1 * (logarithm(x / 2) + 0x1.2788cfc6fb619p-1),
            -0x1.45f306dc9c883p-1 / x};
  return x < bessel_far ? bessel_of_near(x) : bessel_of_far(x);
}
WAVEMMA_DEVICE double bessel_j(int n, double x) {
  if (x != x)
    return x;
  double sign = (n < 0) != (x < 0) && (n & 1) ? -1 : 1;
  n = n < 0 ? -n : n;
  x = __builtin_fabs(x);
  if (x == __builtin_inf() || (x == 0 && n > 0))
    return sign * 0.0;
  if (n == 0 && x == 0)
    return 1;
  bessel_four low = bessel(x);
  if (n < 2)
    return sign * (n ? low.j1 : low.j0);
  double before = low.j0, here = low.j1;
  if (n <= x) {
    for (int k = 1; k < n; ++k) {
      double next = 2 * k / x * here - before;
      before = here, here = next;
    }
    return sign * here;
  }
  if (x < bessel_small) {
    double power = 1;
    for (int k = 1; k <= n && power != 0; ++k)
      power *= x / 2 / k;
    return sign * power;
  }
  // Downward from where all is nothing, at the scale of the larger of the two that are known.
  double above = 0, value = 0;
  here = 0x1p-900;
  int from = n + 20 + (int)__builtin_sqrt(60.0 * n);
#pragma unroll 1
  for (int k = from; k > 0; --k) {
    if (k == n)
      value = here;
    double below = 2 * k / x * here - above;
    above = here, here = below;
    if (__builtin_fabs(here) > 0x1p900)
      here *= 0x1p-900, above *= 0x1p-900, value *= 0x1p-900;
  }
  bool by_first = __builtin_fabs(low.j0) > __builtin_fabs(low.j1);
  return sign * (by_first ? value / here * low.j0 : value / above * low.j1);
}
WAVEMMA_DEVICE double bessel_y(int n, double x) {
  if (x != x || x < 0)
    return __builtin_nan("");
  double sign = n < 0 && (n & 1) ? -1 : 1;
  n = n < 0 ? -n : n;
  if (x == 0)
    return -sign * __builtin_inf();
  if (x == __builtin_inf())
    return 0;
  bessel_four low = bessel(x);
  double before = low.y0, here = low.y1;
  if (n < 2)
    return n ? sign * here : before;
  for (int k = 1; k < n && here != -__builtin_inf(); ++k) {
    double next = 2 * k / x * here - before;
    before = here, here = next;
  }
  return sign * here;
}
// The modified function of order n: a series whose terms are all positive, scaled where they are large.
WAVEMMA_DEVICE double bessel_i(int n, double x) {
  double half = __builtin_fabs(x) / 2, square = half * half;
  if (x != x || square == __builtin_inf())
    return x != x ? x : n ? __builtin_copysign(__builtin_inf(), x) : __builtin_inf();
  double term = n ? half : 1, sum = 0, scale = half > 300 ? exponential(-600.0) : 1;
  term *= scale;
#pragma unroll 1
  for (int k = 1; k < 4000 && sum + term != sum; ++k) {
    sum += term;
    term *= square / ((double)k * (k + n));
  }
  return (n && x < 0 ? -sum : sum) / scale;
}
} // namespace wavemma_detail

#define WAVEMMA_BESSEL(name, value)                                  \
  WAVEMMA_DEVICE double name(double x) { return value; }             \
  WAVEMMA_DEVICE float name##f(float x) { return (float)name((double)x); }
WAVEMMA_BESSEL(j0, wavemma_detail::bessel_j(0, x))
WAVEMMA_BESSEL(j1, wavemma_detail::bessel_j(1, x))
WAVEMMA_BESSEL(y0, wavemma_detail::bessel_y(0, x))
WAVEMMA_BESSEL(y1, wavemma_detail::bessel_y(1, x))
WAVEMMA_BESSEL(cyl_bessel_i0, wavemma_detail::bessel_i(0, x))
WAVEMMA_BESSEL(cyl_bessel_i1, wavemma_detail::bessel_i(1, x))
#undef WAVEMMA_BESSEL
WAVEMMA_DEVICE double jn(int n, double x) { return wavemma_detail::bessel_j(n, x); }
WAVEMMA_DEVICE float jnf(int n, float x) { return (float)wavemma_detail::bessel_j(n, x); }
WAVEMMA_DEVICE double yn(int n, double x) { return wavemma_detail::bessel_y(n, x); }
WAVEMMA_DEVICE float ynf(int n, float x) { return (float)wavemma_detail::bessel_y(n, x); }
