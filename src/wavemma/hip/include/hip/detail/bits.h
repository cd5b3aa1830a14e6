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
// Of shifts past 32 these take 32.
WAVEMMA_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
WAVEMMA_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
WAVEMMA_DEVICE unsigned long long __bitextract_u64(unsigned long long x, unsigned first,
                                                   unsigned width) {
  return x >> (first & 63) & ((1ull << (width & 63)) - 1);
}
WAVEMMA_DEVICE unsigned long long __bitinsert_u64(unsigned long long x, unsigned long long y,
                                                  unsigned first, unsigned width) {
  unsigned long long mask = ((1ull << (width & 63)) - 1) << (first & 63);
  return (x & ~mask) | (y << (first & 63) & mask);
}
WAVEMMA_DEVICE int __lastbit_u32_u64(unsigned long long x) { return __builtin_ffsll((long long)x) - 1; }
// Where the n-th set bit from a first place on is, upward or, for a negative n, downward; -1 if nowhere.
WAVEMMA_DEVICE int __fns64(unsigned long long bits, unsigned first, int n) {
  if (n == 0)
    return bits >> (first & 63) & 1 ? (int)first : -1;
  int step = n > 0 ? 1 : -1, left = n * step;
  for (int place = (int)first; place >= 0 && place < 64; place += step)
    if (bits >> place & 1 && --left == 0)
      return place;
  return -1;
}
WAVEMMA_DEVICE int __fns32(unsigned long long bits, unsigned first, int n) {
  return __fns64(bits & 0xffffffff, first, n);
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
