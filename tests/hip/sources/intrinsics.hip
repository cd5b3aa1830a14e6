// Functions that only device code has: bits, conversions in all directions, lanes, half's casts.
#include "check.h"
#include <hip/hip_fp16.h>
#include <cmath>

struct Told {
  unsigned long long wide[12];
  long long whole[24];
  float near[16];
  double far[8];
  unsigned lanes[8];
};

__global__ void all(Told *told, double x, long long big, unsigned long long huge, unsigned lane) {
  unsigned long long *w = told->wide;
  *w++ = __bitextract_u64(0x123456789abcdef0ull, 60, 8), *w++ = __bitextract_u64(~0ull, 3, 0);
  *w++ = __bitinsert_u64(0, ~0ull, 60, 8), *w++ = __bitinsert_u64(~0ull, 0x5a, 32, 8);
  *w++ = __funnelshift_lc(0x89abcdefu, 0x01234567u, 40), *w++ = __funnelshift_rc(1u, 2u, 32);
  *w++ = __funnelshift_lc(0x89abcdefu, 0x01234567u, 4), *w++ = __funnelshift_rc(0x10u, 0xfu, 4);
  *w++ = (unsigned)__lastbit_u32_u64(0x100000000ull), *w++ = (unsigned)__lastbit_u32_u64(0);
  *w++ = (unsigned)__fns64(0xf0ull, 0, 2), *w++ = (unsigned)__fns32(0x11ull, 8, -2);
  long long *n = told->whole;
  float f = (float)x;
  *n++ = __float2ll_rn(f), *n++ = __float2ll_rz(f), *n++ = __float2ll_rd(f), *n++ = __float2ll_ru(f);
  *n++ = __double2ll_rn(x), *n++ = __double2ll_rz(x), *n++ = __double2ll_rd(x);
  *n++ = __double2ll_ru(x), *n++ = __double2int_rd(x), *n++ = __double2int_ru(x);
  *n++ = (long long)__double2ull_rz(-x), *n++ = (long long)__float2ull_ru(-f);
  *n++ = __double2uint_rn(-x), *n++ = __double2uint_ru(-x), *n++ = __double2uint_rd(-x);
  __half h = __half(-2.75f);
  int from_half = h;
  *n++ = (int)h, *n++ = from_half, *n++ = (long)h, *n++ = (short)h, *n++ = (bool)h;
  double wide_half = h;
  *n++ = (long long)(wide_half * 4), *n++ = __half2int_rn(__short2half_rn(77));
  float *p = told->near;
  *p++ = __double2float_rn(0.1), *p++ = __double2float_rd(0.1), *p++ = __double2float_ru(0.1);
  *p++ = __double2float_rz(-0.1), *p++ = __double2float_rd(-1e-60), *p++ = __double2float_rz(1e60);
  *p++ = __int2float_rd((int)lane), *p++ = __int2float_ru((int)lane), *p++ = __uint2float_rz(~0u);
  *p++ = __ll2float_rd(big), *p++ = __ll2float_ru(big), *p++ = __ull2float_rz(huge);
  *p++ = __ull2float_ru(huge), *p++ = normf(4, p - 4) > 0 ? 1.0f : 0.0f, *p++ = powif(-2.0f, 3);
  *p++ = nanf("");
  double *d = told->far;
  *d++ = __ll2double_rd(big), *d++ = __ll2double_ru(big), *d++ = __ull2double_rz(huge);
  *d++ = __ull2double_rn(huge), *d++ = powi(0.5, -3), *d++ = __uint2double_rn(~0u);
  const double sides[3] = {2, 3, 6};
  *d++ = norm(3, sides);
}
__global__ void lanes(Told *told) {
  unsigned i = threadIdx.x;
  unsigned long long here = __activemask();
  unsigned sum = __reduce_add_sync(here, i), least = __reduce_min_sync(here, 100 - (int)i);
  unsigned most = __reduce_max_sync(here, i * 7 % 32), any = __reduce_or_sync(here, 1u << i % 5);
  unsigned both = __reduce_and_sync(here, ~(1u << i % 3)), odd = __reduce_xor_sync(here, i);
  unsigned below = __popcll(__lanemask_lt()), above = __popcll(__lanemask_gt() & here);
  if (i == 5) {
    unsigned found[8] = {sum, least, most, any, both, odd, below, above};
    for (int k = 0; k < 8; ++k) told->lanes[k] = found[k];
  }
}
int main() {
  Told *device, told;
  CHECK(hipMalloc(&device, sizeof told));
  const long long big = (1ll << 60) + 1;
  const unsigned long long huge = ~0ull;
  all<<<1, 1>>>(device, -2.5, big, huge, 0x7fffffff);
  lanes<<<1, 32>>>(device);
  CHECK(hipMemcpy(&told, device, sizeof told, hipMemcpyDeviceToHost));
  const unsigned long long wide[12] = {1, 0, 0xfull << 60, 0xffffff5affffffffull, 0x89abcdef, 2,
                                       0x12345678, 0xf0000001, 32, ~0u, 5, 0};
  for (int i = 0; i < 12; ++i) MUST(told.wide[i] == wide[i] || !std::printf("wide %d\n", i));
  const long long whole[22] = {-2, -2, -3, -2, -2, -2, -3, -2, -3, -2, 2,
                               3,  2,  3,  2,  -2, -2, -2, -2, 1,  -11, 77};
  for (int i = 0; i < 22; ++i) MUST(told.whole[i] == whole[i] || !std::printf("whole %d\n", i));
  const float tenth = 0.1f, less = std::nextafterf(0.1f, 0), exact = 1ll << 60;
  const float two32 = 4294967296.0f, two64 = two32 * two32;
  const float near[15] = {tenth, less, tenth, -less, -0x1p-149f, 0x1.fffffep127f,
                          0x1.fffffep30f, 0x1p31f, std::nextafterf(two32, 0), exact,
                          std::nextafterf(exact, two64), std::nextafterf(two64, 0), two64, 1, -8};
  for (int i = 0; i < 15; ++i) MUST(told.near[i] == near[i] || !std::printf("near %d\n", i));
  MUST(std::isnan(told.near[15]));
  const double far[7] = {0x1p60, std::nextafter(0x1p60, 0x1p61), std::nextafter(0x1p64, 0), 0x1p64,
                         8, 4294967295.0, 7};
  for (int i = 0; i < 7; ++i) MUST(told.far[i] == far[i] || !std::printf("far %d\n", i));
  const unsigned lane[8] = {496, 69, 31, 31, ~7u, 0, 5, 26};
  for (int i = 0; i < 8; ++i) MUST(told.lanes[i] == lane[i] || !std::printf("lanes %d\n", i));
  const __half host = 2.5f;
  const int rounded = host;
  MUST(rounded == 2 && (long)host == 2 && (double)host == 2.5);
  std::puts("PASSED");
}
