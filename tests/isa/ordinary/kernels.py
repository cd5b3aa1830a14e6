"""HIP kernels that need many ordinary instructions, compiled by ziglang."""

SOURCE = """
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))
typedef unsigned int u32;
typedef unsigned long long u64;
typedef _Float16 half;
typedef half half2 __attribute__((ext_vector_type(2)));
typedef half half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));
#define LANE ((int)__builtin_amdgcn_workitem_id_x())
#define GROUP ((int)__builtin_amdgcn_workgroup_id_x())
#define BARRIER __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \\
  __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

GLOBAL void sums(float *out, const float *in, int n) {
  SHARED static float part[256];
  float sum = 0;
  for (int i = GROUP * 256 + LANE; i < n; i += 4096) sum += in[i] * in[i];
  part[LANE] = sum;
  BARRIER;
  for (int step = 128; step; step >>= 1) {
    if (LANE < step) part[LANE] += part[LANE + step];
    BARRIER;
  }
  if (!LANE) __atomic_fetch_add(out, part[0], __ATOMIC_RELAXED);
}
GLOBAL void wide(u64 *p, long long a, u64 b, double d) {
  int i = LANE;
  u64 x = p[i];
  p[i + 64] = x * b + (a >> (i & 63)) + (x << 3);
  p[i + 128] = x / b + x % (b + 1);
  p[i + 192] = (u64)((double)x * d + __builtin_sqrt(d)) ^ ~x;
  p[i + 256] = __builtin_popcountll(x) + __builtin_clzll(x | 1) + __builtin_ctzll(x | 1);
}
GLOBAL void divides(int *p, int a, u32 b) {
  int i = LANE, x = p[i];
  p[i] = x / a + x % a;
  ((u32 *)p)[i + 64] = (u32)x / b + (u32)x % b;
  ((short *)p)[i] = (short)x / (short)a;
  ((signed char *)p)[i] = x > a ? x : a;
  ((unsigned char *)p)[i + 7] = x < a ? x : a;
}
GLOBAL void halves(half *p, half2 *q, const half *r, float f) {
  int i = LANE;
  half x = r[i], y = r[i + 1];
  p[i] = x * y + (half)f;
  p[i + 1] = x / y;
  p[i + 2] = __builtin_fmaf16(x, -y, (half)0.5) > (half)2 ? __builtin_fabsf16(x) : -y;
  half2 z = q[i];
  q[i] = z * q[i + 1] + z;
  q[i + 2] = __builtin_elementwise_max(z, q[i + 3]);
  q[i + 4] = (half2){(half)f, z.y} - z.yx;
  ((short *)p)[i + 9] = (short)x + ((short *)p)[i];
}
GLOBAL void floats(float *p, float a, int e) {
  int i = LANE;
  float x = p[i], y = p[i + 1];
  p[i] = x / y;
  p[i + 1] = __builtin_fmaf(x, y, a) - __builtin_floorf(x) + __builtin_rintf(y);
  p[i + 2] = __builtin_sqrtf(x) + __builtin_fabsf(y) * 2.0f;
  p[i + 3] = x < y ? __builtin_fminf(x, a) : __builtin_fmaxf(__builtin_fmaxf(y, a), x);
  p[i + 4] = __builtin_exp2f(x) + __builtin_log2f(y) + __builtin_ldexpf(x, e);
  p[i + 5] = (float)(int)x + (float)(u32)y + (float)(unsigned char)e;
  p[i + 6] = __builtin_isnan(x) ? 1.0f : __builtin_copysignf(x, y);
  p[i + 7] = __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f) * 4.0f;
}
DEVICE __attribute__((noinline)) int deep(int n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
GLOBAL void calls(int *p, int n) {
  volatile int array[40];
  for (int i = 0; i < 40; i++) array[i] = p[i] + n;
  p[LANE] = deep(array[n & 31]) + array[LANE & 31];
}
GLOBAL void lanes(int *p, u32 *q) {
  int i = LANE, x = p[i];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, true);
#ifndef __GFX9__
  x += __builtin_amdgcn_mov_dpp8(x, 0x12345);
  x += __builtin_amdgcn_permlanex16(x, x, 0x76543210, 0xfedcba98, false, false);
#endif
  x += __builtin_amdgcn_ds_bpermute(i * 4 ^ 4, x);
  x += __builtin_amdgcn_readfirstlane(x) + __builtin_amdgcn_readlane(x, 3);
  x += __builtin_amdgcn_mbcnt_lo(q[0], 1);
  q[i] = x + __builtin_amdgcn_wave_reduce_max_u32(x, 0);
}
GLOBAL void atomics(int *p, u64 *q, float *f) {
  SHARED static int counts[64];
  SHARED static u64 wide[64];
  int i = LANE;
  counts[i & 63] = 0;
  BARRIER;
  __atomic_fetch_add(&counts[p[i] & 63], 1, __ATOMIC_RELAXED);
  __atomic_fetch_max(&wide[i & 63], q[i], __ATOMIC_SEQ_CST);
  int old = __atomic_fetch_or(&p[i + 1], 3, __ATOMIC_SEQ_CST);
  __atomic_compare_exchange_n(&p[i + 2], &old, 7, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  __atomic_fetch_sub(&q[i], (u64)old, __ATOMIC_RELAXED);
  __atomic_fetch_xor((u32 *)p, 9, __ATOMIC_RELAXED);
  BARRIER;
  p[i + 64] = counts[i & 63] + (int)wide[i & 63];
  *f = (float)__atomic_exchange_n(&p[5], i, __ATOMIC_RELAXED);
}
GLOBAL void bits(u32 *p, u32 a, u32 b) {
  int i = LANE;
  u32 x = p[i];
  p[i] = (x >> (a & 31)) & 0xff | (b << 5) ^ (x & a | ~x & b);
  p[i + 1] = __builtin_bitreverse32(x) + __builtin_bswap32(a) + (x << 7 | x >> 25);
  p[i + 2] = __builtin_amdgcn_perm(x, a, b) + __builtin_amdgcn_alignbit(x, a, 3);
  p[i + 3] = __builtin_amdgcn_ubfe(x, 3, 9) + __builtin_amdgcn_sbfe((int)a, 4, 8);
  p[i + 4] = (u32)(((u64)x * a) >> 32) + x * 24 + (x & 0xffffff) * (b & 0xffffff);
  p[i + 5] = __builtin_amdgcn_sad_u8(x, a, b) + (x > a) + (u32)__builtin_clz(x | 1);
  p[i + 6] = (u32)__builtin_readcyclecounter() + (u32)__builtin_amdgcn_s_getreg(2049);
}
GLOBAL void choices(int *p, int n, const int *table) {
  for (int i = LANE; i < n; i += 64) {
    switch (p[i] & 7) {
      case 0: p[i] = table[i]; break;
      case 1: p[i] -= 3; break;
      case 2: while (p[i] > 9) p[i] /= 3; break;
      case 3: continue;
      case 4: if (table[i & 3]) return; break;
      default: p[i] = __builtin_abs(p[i]) | 1;
    }
    __builtin_amdgcn_s_sleep(1);
  }
  __builtin_trap();
}
"""
WAVE32 = """
GLOBAL void matrices(float *d, const half *a, const half *b) {
  half16 x, y;
  float8 c = {};
  for (int k = 0; k < 16; k++) { x[k] = a[LANE * 16 + k]; y[k] = b[LANE + 16 * k]; }
  c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, c);
  for (int i = 0; i < 8; i++) d[i * 32 + LANE] = c[i];
}
"""
