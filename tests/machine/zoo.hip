// Kernels that use what matrix kernels do not: each is checked against NumPy.
#define __global__ extern "C" __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#ifndef WAVE
#define WAVE 32
#endif
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ static inline u32 tx() { return __builtin_amdgcn_workitem_id_x(); }
__device__ static inline u32 bx() { return __builtin_amdgcn_workgroup_id_x(); }
__device__ static inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__global__ void reduce(const float* x, float* out, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = tx(); i < n; i += 256) sum += x[bx() * n + i];
  part[tx()] = sum;
  barrier();
  for (int step = 128; step; step >>= 1) {
    if (tx() < step) part[tx()] += part[tx() + step];
    barrier();
  }
  if (tx() == 0) out[bx()] = part[0];
}

__global__ void softmax(const float* x, float* out, int n) {
  const float* row = x + bx() * n;
  float most = -__builtin_inff();
  for (int i = 0; i < n; i++) most = row[i] > most ? row[i] : most;
  float sum = 0;
  for (int i = 0; i < n; i++) sum += __builtin_expf(row[i] - most);
  for (int i = tx(); i < n; i += 64) out[bx() * n + i] = __builtin_expf(row[i] - most) / sum;
}

__global__ void histogram(const u32* x, u32* bins, int n) {
  __shared__ u32 own[64];
  if (tx() < 64) own[tx()] = 0;
  barrier();
  for (int i = bx() * 128 + tx(); i < n; i += 128 * 4)
    __atomic_fetch_add(&own[x[i] & 63], 1u, __ATOMIC_RELAXED);
  barrier();
  if (tx() < 64) __atomic_fetch_add(&bins[tx()], own[tx()], __ATOMIC_RELAXED);
}

__global__ void integers(const int* a, const int* b, int* out, u64* wide) {
  int i = tx() + 64 * bx();
  u32 ua = a[i], ub = b[i] ? b[i] : 1;
  int sb = b[i] ? b[i] : 1;
  out[8 * i] = a[i] / sb;
  out[8 * i + 1] = a[i] % sb;
  out[8 * i + 2] = ua / ub;
  out[8 * i + 3] = ua % ub;
  out[8 * i + 4] = __builtin_popcount(ua) + __builtin_clz(ua | 1);
  out[8 * i + 5] = (a[i] >> (ub & 31)) ^ (ua << (ub & 31));
  out[8 * i + 6] = a[i] < sb ? a[i] : sb;
  out[8 * i + 7] = ((long long)a[i] * sb) >> 32;
  u64 x = (u64)ua << 32 | ub, y = (u64)ub << 20 | 12345;
  wide[4 * i] = x * y;
  wide[4 * i + 1] = x / y;
  wide[4 * i + 2] = x % y;
  wide[4 * i + 3] = (x >> (ub & 63)) + (x << (ua & 63));
}

__global__ void doubles(const double* a, const double* b, double* out) {
  int i = tx() + 64 * bx();
  out[4 * i] = a[i] + b[i];
  out[4 * i + 1] = a[i] * b[i] - a[i];
  out[4 * i + 2] = a[i] / b[i];
  out[4 * i + 3] = __builtin_sqrt(__builtin_fabs(a[i]));
}

__global__ void halves(const _Float16* a, const _Float16* b, _Float16* out) {
  int i = tx() + 64 * bx();
  out[4 * i] = a[i] + b[i];
  out[4 * i + 1] = a[i] * b[i];
  out[4 * i + 2] = a[i] / b[i];
  out[4 * i + 3] = (_Float16)((float)a[i] * 3.0f + (float)b[i]);
}

__global__ void divergent(const int* x, int* out) {
  int i = tx() + 64 * bx(), steps = 0;
  if (x[i] < 0) return;
  u32 n = x[i];
  while (n > 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    if (++steps > 500) break;
  }
  out[i] = steps;
}

__device__ __attribute__((noinline)) u32 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursion(const u32* x, u32* out) {
  int i = tx();
  out[i] = ackermann(2, x[i] & 3);
}

__global__ void spills(const int* x, int* out, int n) {
  int own[70];
  for (int i = 0; i < 70; i++) own[i] = x[(tx() + i) % n] * (i + 1);
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i < 70; i++) own[i] += own[(i * 7 + x[tx() % n]) % 70 & 63];
  int sum = 0;
  for (int i = 0; i < 70; i++) sum ^= own[i];
  out[tx()] = sum;
}

__global__ void ids(u32* out) {
  u32 x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
  u32 z = __builtin_amdgcn_workitem_id_z();
  u32 gx = __builtin_amdgcn_workgroup_id_x(), gy = __builtin_amdgcn_workgroup_id_y();
  u32 gz = __builtin_amdgcn_workgroup_id_z();
  u32 flat = ((gz * 2 + gy) * 3 + gx) * 60 + (z * 5 + y) * 4 + x;
  out[flat] = x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20;
}

// Wave 0 waits for a flag that wave 3 sets.
__global__ void flag(u32* out) {
  __shared__ u32 ready;
  if (tx() == 0) ready = 0;
  barrier();
  if (tx() < WAVE) {
    while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
    out[tx()] = 7 + tx();
  }
  if (tx() == 3 * WAVE) __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
}

// Workgroups take a lock in turn; the one with number 0 must see all others first.
__global__ void spin(u32* lock, u32* count) {
  if (tx() == 0) {
    if (bx() == 0)
      while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < 15) {}
    while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE)) {}
    count[0] = count[0] + 1;
    __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
  }
}

__global__ void shuffles(const int* x, int* out) {
  int i = tx();
  int sum = x[i];
  for (int step = 1; step < 32; step <<= 1)
    sum += __builtin_amdgcn_ds_bpermute((i ^ step) << 2, sum);
  out[i] = sum;
  out[64 + i] = __builtin_amdgcn_readfirstlane(x[i]);
  out[128 + i] = __builtin_amdgcn_mov_dpp(x[i], 0x121, 0xf, 0xf, true);
#if WAVE == 64
  u64 mask = __builtin_amdgcn_ballot_w64(x[i] > 0);
  out[192 + i] = __builtin_amdgcn_mbcnt_hi(mask >> 32, __builtin_amdgcn_mbcnt_lo(mask, 0));
#else
  out[192 + i] = __builtin_amdgcn_mbcnt_lo(__builtin_amdgcn_ballot_w32(x[i] > 0), 0);
#endif
}

typedef int int16v __attribute__((ext_vector_type(16)));

// Elements of a vector in registers, chosen by a number that all lanes share.
__global__ void choices(const int* x, int* out, int first, int second) {
  int16v own;
  for (int i = 0; i < 16; i++) own[i] = x[(tx() + i) & 63];
  own[first & 15] += 1000;
  int a = own[second & 15];
  own[second & 15] = own[(first + 1) & 15] * 3;
  int sum = a;
  for (int i = 0; i < 16; i++) sum = sum * 5 + own[i];
  out[tx()] = sum;
}

// Bytes and halves of words: what gfx942 reads and writes as parts of registers.
__global__ void parts(const u32* x, u32* out) {
  u32 a = x[tx()], b = x[tx() + 64];
  signed char low = a >> 8, high = b >> 24;
  unsigned short left = a >> 16, right = b;
  out[tx()] = (u32)(low * high) & 0xff | (left + (b >> 16 & 0xff)) << 16;
  out[tx() + 64] = ((a >> 24) + (b >> 8 & 0xff)) | (u32)(unsigned short)(left * right) << 16;
  out[tx() + 128] = (a >> 16 & 0xff) - (short)right;
}

__global__ void scan(const u32* x, u32* out) {
  __shared__ u32 rows[2][256];
  u32 from = 0;
  rows[0][tx()] = x[bx() * 256 + tx()];
  barrier();
  for (u32 step = 1; step < 256; step <<= 1) {
    u32 own = rows[from][tx()];
    rows[from ^ 1][tx()] = tx() >= step ? own + rows[from][tx() - step] : own;
    from ^= 1;
    barrier();
  }
  out[bx() * 256 + tx()] = rows[from][tx()];
}

// Every workgroup adds to the same bins in memory, without own ones.
__global__ void global_histogram(const u32* x, u32* bins, float* sums, int n) {
  for (int i = bx() * 64 + tx(); i < n; i += 64 * 3) {
    __atomic_fetch_add(&bins[x[i] % 10], 1u, __ATOMIC_RELAXED);
    __hip_atomic_fetch_add(&sums[x[i] % 3], 1.0f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}

// All workgroups wait for each other between steps: each adds what its neighbour had before.
__global__ void grid_steps(u32* arrived, u32* values, int groups, int steps) {
  for (int step = 0; step < steps; step++) {
    if (tx() == 0) {
      u32* now = values + step * groups;
      u32 own = __atomic_load_n(&now[bx()], __ATOMIC_RELAXED);
      u32 other = __atomic_load_n(&now[(bx() + 1) % groups], __ATOMIC_RELAXED);
      __atomic_store_n(&now[groups + bx()], own + other, __ATOMIC_RELAXED);
      __atomic_fetch_add(arrived, 1u, __ATOMIC_ACQ_REL);
      while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < (u32)(groups * (step + 1)))
        __builtin_amdgcn_s_sleep(1);
    }
    barrier();
  }
}

// Some lanes, then some waves, leave before the others meet at a barrier.
__global__ void early(const int* x, int* out) {
  __shared__ int last;
  if (tx() >= 2 * WAVE) return;
  if (x[tx()] < 0) {
    out[tx()] = -1;
    return;
  }
  if (x[tx()] == 77) last = tx();
  barrier();
  out[tx()] = last;
}

__global__ void signed_wide(const long long* a, const long long* b, long long* out) {
  int i = tx();
  long long y = b[i] ? b[i] : 1;
  out[4 * i] = a[i] / y;
  out[4 * i + 1] = a[i] % y;
  out[4 * i + 2] = (a[i] >> (y & 63)) * y;
  out[4 * i + 3] = a[i] < y ? a[i] - y : (long long)((double)a[i]);
}
