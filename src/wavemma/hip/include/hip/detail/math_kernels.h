// Elementary functions of our own, in double: no device library is needed. In float results the
// double is right to the last bit but for rare ties; in double they are within a few last places, and
// exponentials, logarithms and powers within one, so that results that are whole numbers are exact.
#pragma once

namespace wavemma_detail {
constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
constexpr double half_pi_high = 0x1.921fb54442d18p+0, half_pi_middle = 0x1.1a62633145c07p-54;
constexpr double half_pi_low = -0x1.f1976b7ed8fbcp-110;
constexpr double pi = 0x1.921fb54442d18p+1;

// A number as the sum of two doubles, the second far smaller. Compilers must do as they are told here.
struct two {
  double high, low;
};
WAVEMMA_DEVICE two sum_of(double x, double y) {
#pragma clang fp reassociate(off) contract(off)
  double total = x + y, part = total - x;
  return two{total, (x - (total - part)) + (y - part)};
}
WAVEMMA_DEVICE two product_of(double x, double y) {
#pragma clang fp reassociate(off) contract(off)
  double total = x * y;
  return two{total, __builtin_fma(x, y, -total)};
}
WAVEMMA_DEVICE two product_of(two x, two y) {
#pragma clang fp reassociate(off) contract(off)
  two found = product_of(x.high, y.high);
  return sum_of(found.high, found.low + (x.high * y.low + x.low * y.high));
}
WAVEMMA_DEVICE two sum_of(two x, two y) {
#pragma clang fp reassociate(off) contract(off)
  two found = sum_of(x.high, y.high);
  return sum_of(found.high, found.low + (x.low + y.low));
}
constexpr two ln10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr two per_ln2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr two per_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

// e to a sum of two, times 2 to the scale; right but for a fifth of the last place and one rounding.
WAVEMMA_DEVICE double exponential(two x, double scale = 0) {
#pragma clang fp reassociate(off) contract(off)
  double n = __builtin_rint(x.high * 0x1.71547652b82fep+0);
  two r = sum_of(__builtin_fma(n, -ln2_high, x.high), -n * ln2_low);
  double rest = r.low + x.low, sum = 1;
  for (int k = 15; k > 2; --k)
    sum = __builtin_fma(sum, r.high / k, 1.0);
  two most = sum_of(1, r.high);
  double half = r.high * r.high * 0.5 * sum;
  double tail = half + rest * (1 + r.high + half);
  return __builtin_ldexp(most.high + (most.low + tail), (int)(n + scale));
}
WAVEMMA_DEVICE double exponential(double x) {
  if (!(x < 709.8))
    return x > 0 ? __builtin_inf() : x;
  return x < -745.2 ? 0 : exponential(two{x, 0});
}
WAVEMMA_DEVICE double power_of_two(double x) {
  if (!(x < 1024))
    return x > 0 ? __builtin_inf() : x;
  if (x < -1075)
    return 0;
  double n = __builtin_rint(x);
  return exponential(product_of(two{x - n, 0}, two{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}), n);
}
WAVEMMA_DEVICE double power_of_ten(double x) {
  if (!(x < 308.3))
    return x > 0 ? __builtin_inf() : x;
  return x < -323.7 ? 0 : exponential(product_of(two{x, 0}, ln10));
}

// The logarithm of a positive number as m * 2^exponent, m from the root of a half to that of two: of m alone.
WAVEMMA_DEVICE two logarithm_of_part(double x, int *exponent) {
#pragma clang fp reassociate(off) contract(off)
  double m = __builtin_frexp(x, exponent);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    --*exponent;
  }
  // 2 atanh(s) of s = (m - 1) / (m + 1); the first two terms in two parts.
  two below = sum_of(m, 1);
  double first = (m - 1) / below.high;
  two s = sum_of(first, (__builtin_fma(-first, below.high, m - 1) - first * below.low) / below.high);
  two square = product_of(s, s), cube = product_of(square, s);
  double third = cube.high / 3, sum = 0;
  two part = {third, (__builtin_fma(-3, third, cube.high) + cube.low) / 3};
  for (int k = 31; k > 3; k -= 2)
    sum = __builtin_fma(sum, square.high, 1.0 / k);
  two found = sum_of(s, sum_of(part, two{cube.high * square.high * sum, 0}));
  return two{2 * found.high, 2 * found.low};
}
WAVEMMA_DEVICE bool has_logarithm(double x) { return x > 0 && x < __builtin_inf(); }
WAVEMMA_DEVICE double logarithm_without(double x) {
  return x > 0 ? x : x == 0 ? -__builtin_inf() : __builtin_nan("");
}
WAVEMMA_DEVICE two logarithm_in_two(double x) {
#pragma clang fp reassociate(off) contract(off)
  int exponent;
  two part = logarithm_of_part(x, &exponent);
  return sum_of(sum_of(exponent * ln2_high, exponent * ln2_low), part);
}
WAVEMMA_DEVICE double logarithm(double x) {
  return has_logarithm(x) ? logarithm_in_two(x).high : logarithm_without(x);
}
WAVEMMA_DEVICE double logarithm_to_two(double x) {
  if (!has_logarithm(x))
    return logarithm_without(x);
  int exponent;
  two part = product_of(logarithm_of_part(x, &exponent), per_ln2);
  return sum_of(two{(double)exponent, 0}, part).high;
}
WAVEMMA_DEVICE double logarithm_to_ten(double x) {
  return has_logarithm(x) ? product_of(logarithm_in_two(x), per_ln10).high : logarithm_without(x);
}

WAVEMMA_DEVICE double exponential_less_one(double x) {
  if (__builtin_fabs(x) > 0.4)
    return exponential(x) - 1;
  double sum = 1;
  for (int k = 16; k > 1; --k)
    sum = __builtin_fma(sum, x / k, 1.0);
  return x * sum;
}

WAVEMMA_DEVICE double logarithm_of_one_more(double x) {
  if (!(__builtin_fabs(x) < 0.25))
    return logarithm(1 + x);
  double s = x / (2 + x), square = s * s, sum = 0;
  for (int k = 21; k > 0; k -= 2)
    sum = __builtin_fma(sum, square, 1.0 / k);
  return 2 * s * sum;
}

// x less a multiple of pi/2, and that multiple modulo 4. Beyond 2^30 the three parts of pi/2 that
// are kept do not suffice: the kernel stops instead of giving a wrong number.
WAVEMMA_DEVICE double less_quarters(double x, int *quarter) {
  if (!(__builtin_fabs(x) < 0x1p30)) {
    if (__builtin_fabs(x) < __builtin_inf())
      stop();
    *quarter = 0;
    return __builtin_nan("");
  }
  double n = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  *quarter = (int)n & 3;
  double r = __builtin_fma(n, -half_pi_high, x);
  return __builtin_fma(n, -half_pi_low, __builtin_fma(n, -half_pi_middle, r));
}

WAVEMMA_DEVICE double sine_near_zero(double r) {
  double square = r * r, sum = 1;
  for (int k = 18; k > 0; k -= 2)
    sum = __builtin_fma(sum, -square / (k * (k + 1)), 1.0);
  return r * sum;
}
WAVEMMA_DEVICE double cosine_near_zero(double r) {
  double square = r * r, sum = 1;
  for (int k = 17; k > 0; k -= 2)
    sum = __builtin_fma(sum, -square / (k * (k + 1)), 1.0);
  return sum;
}
WAVEMMA_DEVICE double sine_after(double r, int quarter) {
  double value = quarter & 1 ? cosine_near_zero(r) : sine_near_zero(r);
  return quarter & 2 ? -value : value;
}
WAVEMMA_DEVICE double sine(double x) {
  int quarter;
  double r = less_quarters(x, &quarter);
  return sine_after(r, quarter);
}
WAVEMMA_DEVICE double cosine(double x) {
  int quarter;
  double r = less_quarters(x, &quarter);
  return sine_after(r, quarter + 1);
}
WAVEMMA_DEVICE double tangent(double x) {
  int quarter;
  double r = less_quarters(x, &quarter);
  return sine_after(r, quarter) / sine_after(r, quarter + 1);
}

WAVEMMA_DEVICE double arc_tangent(double x) {
  double y = __builtin_fabs(x), start = 0;
  bool turned = y > 1;
  if (turned)
    y = 1 / y;
  if (y > 0.41421356237309503) {
    y = (y - 1) / (y + 1);
    start = pi / 4;
  }
  double square = y * y, sum = 0;
  for (int k = 43; k > 0; k -= 2)
    sum = __builtin_fma(-sum, square, 1.0 / k);
  double angle = start + y * sum;
  return __builtin_copysign(turned ? pi / 2 - angle : angle, x);
}
WAVEMMA_DEVICE double arc_tangent(double y, double x) {
  if (x != x || y != y)
    return x + y;
  bool left = __builtin_signbit(x);
  double angle;
  if (y == 0)
    angle = 0;
  else if (__builtin_isinf(x) && __builtin_isinf(y))
    angle = pi / 4;
  else
    angle = arc_tangent(__builtin_fabs(y) / __builtin_fabs(x));
  return __builtin_copysign(left ? pi - angle : angle, y);
}
WAVEMMA_DEVICE double arc_sine(double x) {
  return arc_tangent(x, __builtin_sqrt((1 - x) * (1 + x)));
}
WAVEMMA_DEVICE double arc_cosine(double x) {
  return arc_tangent(__builtin_sqrt((1 - x) * (1 + x)), x);
}

WAVEMMA_DEVICE double hyperbolic_sine(double x) {
  double a = __builtin_fabs(x);
  if (a > 700)
    return __builtin_copysign(exponential(a - 1) * (2.718281828459045 / 2), x);
  double e = exponential_less_one(a);
  return __builtin_copysign((e + e / (e + 1)) / 2, x);
}
WAVEMMA_DEVICE double hyperbolic_cosine(double x) {
  double a = __builtin_fabs(x);
  if (a > 700)
    return exponential(a - 1) * (2.718281828459045 / 2);
  double e = exponential(a);
  return (e + 1 / e) / 2;
}
WAVEMMA_DEVICE double hyperbolic_tangent(double x) {
  double a = __builtin_fabs(x);
  if (a > 22)
    return __builtin_copysign(1.0, x);
  double e = exponential_less_one(2 * a);
  return __builtin_copysign(e / (e + 2), x);
}
WAVEMMA_DEVICE double area_sine(double x) {
  double a = __builtin_fabs(x);
  double y = a > 0x1p500 ? logarithm(a) + 0x1.62e42fefa39efp-1
                         : logarithm_of_one_more(a + a * a / (1 + __builtin_sqrt(a * a + 1)));
  return __builtin_copysign(y, x);
}
WAVEMMA_DEVICE double area_cosine(double x) {
  if (x > 0x1p500)
    return logarithm(x) + 0x1.62e42fefa39efp-1;
  return logarithm(x + __builtin_sqrt((x - 1) * (x + 1)));
}
WAVEMMA_DEVICE double area_tangent(double x) {
  return logarithm_of_one_more(2 * x / (1 - x)) / 2;
}

WAVEMMA_DEVICE double power(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  bool whole = __builtin_rint(y) == y;
  bool odd = whole && __builtin_fabs(y) < 0x1p53 && ((long long)y & 1);
  double a = __builtin_fabs(x);
  if (x < 0 && !whole && a < __builtin_inf())
    return __builtin_nan("");
  if (x == -1 && __builtin_isinf(y))
    return 1;
  double size;
  if (a == 0 || a == __builtin_inf()) {
    size = (a == 0) == (y > 0) ? 0 : __builtin_inf();
  } else {
    two found = logarithm_in_two(a);
    double rough = y * found.high;
    if (__builtin_fabs(rough) < 746)
      size = exponential(product_of(two{y, 0}, found));
    else
      size = rough > 0 ? __builtin_inf() : 0;
  }
  return odd ? __builtin_copysign(size, x) : size;
}
// What is left of a when b is taken away as often as it goes in; both positive and finite. Each step takes the
// largest b * 2^n that fits, and no bit is lost: the difference has no more digits than its parts.
WAVEMMA_DEVICE double remainder_toward_zero(double a, double b) {
  while (a >= b) {
    int high, low;
    (void)__builtin_frexp(a, &high);
    (void)__builtin_frexp(b, &low);
    double part = __builtin_ldexp(b, high - low);
    a -= part > a ? part / 2 : part;
  }
  return a;
}
WAVEMMA_DEVICE double remainder_with_sign(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < __builtin_inf()) || !(b > 0))
    return (x * y) / (x * y);
  return __builtin_isinf(b) ? x : __builtin_copysign(remainder_toward_zero(a, b), x);
}
WAVEMMA_DEVICE double cube_root(double x) {
  if (x == 0 || x != x || __builtin_isinf(x))
    return x;
  double y = exponential(logarithm(__builtin_fabs(x)) / 3);
  y -= (y * y * y - __builtin_fabs(x)) / (3 * y * y);
  return __builtin_copysign(y, x);
}

// The complement by a continued fraction where the series would cancel.
WAVEMMA_DEVICE double error_complement_of_large(double x) {
  if (x > 27.5)
    return 0;
  double f = x;
  for (int k = 80; k > 0; --k)
    f = x + k / (2 * f);
  return exponential(-x * x) / (f * 0x1.c5bf891b4ef6bp+0);
}
WAVEMMA_DEVICE double error_function_of_small(double x) {
  double square = x * x, term = x, sum = x;
  for (int k = 1; k < 50; ++k) {
    term *= -square / k;
    sum += term / (2 * k + 1);
  }
  return sum * 0x1.20dd750429b6dp+0;
}
WAVEMMA_DEVICE double error_function(double x) {
  double a = __builtin_fabs(x);
  if (!(a > 2))
    return error_function_of_small(x);
  return __builtin_copysign(1 - error_complement_of_large(a), x);
}
WAVEMMA_DEVICE double error_complement(double x) {
  if (x > 1.5)
    return error_complement_of_large(x);
  return 1 - error_function(x);
}
} // namespace wavemma_detail
