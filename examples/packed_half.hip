// Two tiles of f16 sums in one set of registers: op_sel says which half. One wave of an RDNA3 target.
//
//   wavemma run examples/packed_half.hip --target gfx1100

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

typedef _Float16 half16 __attribute__((ext_vector_type(16)));

// Sums of 16 bits lie in the low or the high half of eight registers; the other half is kept.
__global__ void tiles(const _Float16* a, const _Float16* b, _Float16* d) {
  const int lane = threadIdx.x;
  half16 x, y, both = {};
  for (int k = 0; k < 16; ++k) {
    x[k] = a[lane % 16 * 16 + k];
    y[k] = b[k * 16 + lane % 16];
  }
  both = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(x, y, both, false);
  both = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(y, x, both, true);
  for (int v = 0; v < 8; ++v) {
    const int place = (2 * v + lane / 16) * 16 + lane % 16;
    d[place] = both[2 * v];
    d[256 + place] = both[2 * v + 1];
  }
}

int main() {
  std::vector<_Float16> a(256), b(256), d(512);
  for (int i = 0; i < 256; ++i) {
    a[i] = _Float16((i * 37 % 16 - 8) / 4.0f);
    b[i] = _Float16((i * 53 % 16 - 8) / 8.0f);
  }
  _Float16 *device_a, *device_b, *device_d;
  HIP_CHECK(hipMalloc(&device_a, 512));
  HIP_CHECK(hipMalloc(&device_b, 512));
  HIP_CHECK(hipMalloc(&device_d, 1024));
  HIP_CHECK(hipMemcpy(device_a, a.data(), 512, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), 512, hipMemcpyHostToDevice));
  tiles<<<1, 32>>>(device_a, device_b, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(d.data(), device_d, 1024, hipMemcpyDeviceToHost));
  // The second product takes B's columns as rows and A's rows as columns: its element (i, j) is
  // the first one's (j, i).
  int wrong = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += float(a[i * 16 + k]) * float(b[k * 16 + j]);
      wrong += float(d[i * 16 + j]) != sum;
      wrong += float(d[256 + j * 16 + i]) != sum;
    }
  std::printf("two f16 tiles in one set of registers: %s\n", wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
