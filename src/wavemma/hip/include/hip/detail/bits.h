// Counting, moving and reinterpreting bits.
#pragma once

WAVEMMA_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
WAVEMMA_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WAVEMMA_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
WAVEMMA_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
WAVEMMA_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WAVEMMA_DEVICE int __ffs(unsigned x) { return __builtin_ffs((int)x); }
WAVEMMA_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WAVEMMA_DEVICE int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
WAVEMMA_DEVICE int __ffsll(unsigned long x) { return __builtin_ffsll((long long)x); }
WAVEMMA_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
WAVEMMA_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
WAVEMMA_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long both = ((unsigned long long)y << 32) | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (unsigned)((both >> (8 * ((selector >> (4 * i)) & 7))) & 0xff) << (8 * i);
  return result;
}
WAVEMMA_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)((((unsigned long long)high << 32) | low) << (shift & 31) >> 32);
}
WAVEMMA_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)((((unsigned long long)high << 32) | low) >> (shift & 31));
}
WAVEMMA_DEVICE unsigned __bitextract_u32(unsigned x, unsigned first, unsigned width) {
  return __builtin_amdgcn_ubfe(x, first, width);
}
WAVEMMA_DEVICE int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
WAVEMMA_DEVICE unsigned __umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
WAVEMMA_DEVICE int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
WAVEMMA_DEVICE unsigned __umulhi(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x * y) >> 32);
}
WAVEMMA_DEVICE long long __mul64hi(long long x, long long y) {
  return (long long)(((__int128)x * y) >> 64);
}
WAVEMMA_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}
WAVEMMA_DEVICE int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
WAVEMMA_DEVICE int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
WAVEMMA_DEVICE unsigned __uhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y) >> 1);
}
WAVEMMA_DEVICE unsigned __urhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}
WAVEMMA_DEVICE unsigned __sad(int x, int y, unsigned sum) {
  return sum + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
WAVEMMA_DEVICE unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned first, unsigned width) {
  unsigned mask = ((1u << (width & 31)) - 1) << (first & 31);
  return (x & ~mask) | (y << (first & 31) & mask);
}
WAVEMMA_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned sum) {
  return sum + (x > y ? x - y : y - x);
}
WAVEMMA_DEVICE unsigned __lane_id() {
  return __builtin_amdgcn_wavefrontsize() == 64
             ? __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))
             : __builtin_amdgcn_mbcnt_lo(~0u, 0);
}

WAVEMMA_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WAVEMMA_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
WAVEMMA_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WAVEMMA_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
WAVEMMA_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
WAVEMMA_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WAVEMMA_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WAVEMMA_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
WAVEMMA_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(((long long)high << 32) | (unsigned)low);
}

// Numbers to numbers: _rn to nearest even, _rz toward zero, _ru up, _rd down.
WAVEMMA_DEVICE int __float2int_rz(float x) { return (int)x; }
WAVEMMA_DEVICE int __float2int_rn(float x) { return (int)__builtin_rintf(x); }
WAVEMMA_DEVICE int __float2int_rd(float x) { return (int)__builtin_floorf(x); }
WAVEMMA_DEVICE int __float2int_ru(float x) { return (int)__builtin_ceilf(x); }
WAVEMMA_DEVICE unsigned __float2uint_rz(float x) { return (unsigned)x; }
WAVEMMA_DEVICE unsigned __float2uint_rn(float x) { return (unsigned)__builtin_rintf(x); }
WAVEMMA_DEVICE unsigned __float2uint_rd(float x) { return (unsigned)__builtin_floorf(x); }
WAVEMMA_DEVICE unsigned __float2uint_ru(float x) { return (unsigned)__builtin_ceilf(x); }
WAVEMMA_DEVICE float __int2float_rn(int x) { return (float)x; }
WAVEMMA_DEVICE float __uint2float_rn(unsigned x) { return (float)x; }
WAVEMMA_DEVICE double __int2double_rn(int x) { return (double)x; }
WAVEMMA_DEVICE int __double2int_rn(double x) { return (int)__builtin_rint(x); }
WAVEMMA_DEVICE int __double2int_rz(double x) { return (int)x; }
WAVEMMA_DEVICE float __double2float_rn(double x) { return (float)x; }
WAVEMMA_DEVICE float __ll2float_rn(long long x) { return (float)x; }
