// The same tile by WMMA and by sparse SWMMAC, one wave of an RDNA4 target: 16 x 16 x 16 and 16 x 16 x 32.
//
//   wavemma run examples/rdna4.hip --target gfx1201

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define HIP_CHECK(call)                                                    \
  do {                                                                     \
    hipError_t status_ = (call);                                           \
    if (status_ != hipSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status_)); \
      return 1;                                                            \
    }                                                                      \
  } while (0)

typedef _Float16 half8 __attribute__((ext_vector_type(8)));
typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));

// RDNA4 repeats nothing: lanes 0..15 hold the first half of k, lanes 16..31 the second, and
// register v of lane l holds row v + 8 * (l / 16) of the result.
__global__ void dense(const _Float16* a, const _Float16* b, float* d) {
  const int lane = threadIdx.x, half = lane / 16;
  half8 x, y;
  for (int i = 0; i < 8; ++i) {
    x[i] = a[lane % 16 * 16 + 8 * half + i];
    y[i] = b[(8 * half + i) * 16 + lane % 16];
  }
  const float8 sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, float8{});
  for (int v = 0; v < 8; ++v) d[(v + 8 * half) * 16 + lane % 16] = sum[v];
}

// A keeps elements 0 and 2 of each four along k, which 0b1000 says for each of eight pairs.
__global__ void sparse(const _Float16* kept, const _Float16* b, float* d) {
  const int lane = threadIdx.x, half = lane / 16;
  half8 x;
  half16 y;
  for (int i = 0; i < 8; ++i) x[i] = kept[lane % 16 * 16 + 8 * half + i];
  for (int i = 0; i < 16; ++i) y[i] = b[(16 * half + i) * 16 + lane % 16];
  const float8 sum =
      __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(x, y, float8{}, short(0x8888));
  for (int v = 0; v < 8; ++v) d[(v + 8 * half) * 16 + lane % 16] = sum[v];
}

int main() {
  std::vector<_Float16> a(256), b(512);
  std::vector<float> d(256), e(256);
  for (int i = 0; i < 256; ++i) a[i] = _Float16((i * 37 % 32 - 16) / 8.0f);
  for (int i = 0; i < 512; ++i) b[i] = _Float16((i * 53 % 32 - 16) / 16.0f);
  _Float16 *device_a, *device_b;
  float* device_d;
  HIP_CHECK(hipMalloc(&device_a, 512));
  HIP_CHECK(hipMalloc(&device_b, 1024));
  HIP_CHECK(hipMalloc(&device_d, 1024));
  HIP_CHECK(hipMemcpy(device_a, a.data(), 512, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), 1024, hipMemcpyHostToDevice));
  dense<<<1, 32>>>(device_a, device_b, device_d);
  HIP_CHECK(hipMemcpy(d.data(), device_d, 1024, hipMemcpyDeviceToHost));
  sparse<<<1, 32>>>(device_a, device_b, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(e.data(), device_d, 1024, hipMemcpyDeviceToHost));
  int wrong = 0, wrong_sparse = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = 0, sparse_sum = 0;
      for (int k = 0; k < 16; ++k) sum += float(a[i * 16 + k]) * float(b[k * 16 + j]);
      // Kept element n stands at 4 * (n / 2) + 2 * (n % 2), which is 2 * n.
      for (int n = 0; n < 16; ++n) sparse_sum += float(a[i * 16 + n]) * float(b[2 * n * 16 + j]);
      wrong += d[i * 16 + j] != sum;
      wrong_sparse += e[i * 16 + j] != sparse_sum;
    }
  std::printf("WMMA: %s\nSWMMAC: %s\n", wrong ? "FAILED" : "PASSED",
              wrong_sparse ? "FAILED" : "PASSED");
  return wrong || wrong_sparse;
}
