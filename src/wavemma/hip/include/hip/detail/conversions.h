// Numbers to numbers: _rn to nearest even, _rz toward zero, _ru up, _rd down.
#pragma once

#define WAVEMMA_TO_WHOLE(name, Real, Whole, f)                                     \
  WAVEMMA_DEVICE Whole name##_rn(Real x) { return (Whole)__builtin_rint##f(x); }   \
  WAVEMMA_DEVICE Whole name##_rz(Real x) { return (Whole)x; }                      \
  WAVEMMA_DEVICE Whole name##_rd(Real x) { return (Whole)__builtin_floor##f(x); }  \
  WAVEMMA_DEVICE Whole name##_ru(Real x) { return (Whole)__builtin_ceil##f(x); }

WAVEMMA_TO_WHOLE(__float2int, float, int, f)
WAVEMMA_TO_WHOLE(__float2uint, float, unsigned, f)
WAVEMMA_TO_WHOLE(__float2ll, float, long long, f)
WAVEMMA_TO_WHOLE(__float2ull, float, unsigned long long, f)
WAVEMMA_TO_WHOLE(__double2int, double, int, )
WAVEMMA_TO_WHOLE(__double2uint, double, unsigned, )
WAVEMMA_TO_WHOLE(__double2ll, double, long long, )
WAVEMMA_TO_WHOLE(__double2ull, double, unsigned long long, )
#undef WAVEMMA_TO_WHOLE

namespace wavemma_detail {
// The next number in a direction; none leads out of the infinities, from which one steps back.
template <typename Real, typename Bits> WAVEMMA_DEVICE Real stepped(Real x, bool up) {
  Bits bits = __builtin_bit_cast(Bits, x);
  if (x == 0)
    return __builtin_bit_cast(Real, up ? (Bits)1 : (Bits)((Bits)1 << (8 * sizeof(Bits) - 1) | 1));
  return __builtin_bit_cast(Real, (x > 0) == up ? bits + 1 : bits - 1);
}
WAVEMMA_DEVICE bool is_above(float near, double x) { return (double)near > x; }
WAVEMMA_DEVICE bool is_below(float near, double x) { return (double)near < x; }
// Rounded up to a power of two a number may lie outside of the whole type.
template <typename Real, typename Whole> WAVEMMA_DEVICE bool is_above(Real near, Whole x) {
  const Real end = (Real)((Whole)(~(Whole)0) > 0 ? 2 : 1) * (Real)(1ull << (8 * sizeof(Whole) - 1));
  return near >= end || (Whole)near > x;
}
template <typename Real, typename Whole> WAVEMMA_DEVICE bool is_below(Real near, Whole x) {
  return !is_above(near, x) && (Whole)near < x;
}
template <typename Real, typename Bits, typename Given> WAVEMMA_DEVICE Real down(Given x) {
  Real near = (Real)x;
  return is_above(near, x) ? stepped<Real, Bits>(near, false) : near;
}
template <typename Real, typename Bits, typename Given> WAVEMMA_DEVICE Real up(Given x) {
  Real near = (Real)x;
  return is_below(near, x) ? stepped<Real, Bits>(near, true) : near;
}
} // namespace wavemma_detail

#define WAVEMMA_TO_REAL(name, Given, Real, Bits)                                                  \
  WAVEMMA_DEVICE Real name##_rn(Given x) { return (Real)x; }                                      \
  WAVEMMA_DEVICE Real name##_rd(Given x) { return wavemma_detail::down<Real, Bits>(x); }          \
  WAVEMMA_DEVICE Real name##_ru(Given x) { return wavemma_detail::up<Real, Bits>(x); }            \
  WAVEMMA_DEVICE Real name##_rz(Given x) { return x < 0 ? name##_ru(x) : name##_rd(x); }

WAVEMMA_TO_REAL(__double2float, double, float, unsigned)
WAVEMMA_TO_REAL(__int2float, int, float, unsigned)
WAVEMMA_TO_REAL(__uint2float, unsigned, float, unsigned)
WAVEMMA_TO_REAL(__ll2float, long long, float, unsigned)
WAVEMMA_TO_REAL(__ull2float, unsigned long long, float, unsigned)
WAVEMMA_TO_REAL(__ll2double, long long, double, unsigned long long)
WAVEMMA_TO_REAL(__ull2double, unsigned long long, double, unsigned long long)
#undef WAVEMMA_TO_REAL
WAVEMMA_DEVICE double __int2double_rn(int x) { return (double)x; }
WAVEMMA_DEVICE double __uint2double_rn(unsigned x) { return (double)x; }
