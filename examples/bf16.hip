// One tile in bfloat16: D = A * B + C, 16 x 16 x 16, one wave of an RDNA3 target.
//
//   wavemma run examples/bf16.hip --target gfx1100

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

typedef short short16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));

__global__ void tile(const uint16_t* a, const uint16_t* b, const float* c, float* d) {
  const int lane = threadIdx.x;
  short16 x, y;
  for (int k = 0; k < 16; ++k) {
    x[k] = a[lane % 16 * 16 + k];
    y[k] = b[k * 16 + lane % 16];
  }
  float8 sum;
  for (int v = 0; v < 8; ++v) sum[v] = c[(2 * v + lane / 16) * 16 + lane % 16];
  sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, sum);
  for (int v = 0; v < 8; ++v) d[(2 * v + lane / 16) * 16 + lane % 16] = sum[v];
}

// The high half of a float, which holds small numbers of few bits exactly.
static uint16_t to_bf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits >> 16;
}

int main() {
  std::vector<float> plain_a(256), plain_b(256), c(256), d(256);
  std::vector<uint16_t> a(256), b(256);
  for (int i = 0; i < 256; ++i) {
    plain_a[i] = (i * 37 % 64 - 32) / 8.0f;
    plain_b[i] = (i * 53 % 64 - 32) / 16.0f;
    c[i] = i % 11;
    a[i] = to_bf16(plain_a[i]);
    b[i] = to_bf16(plain_b[i]);
  }
  uint16_t *device_a, *device_b;
  float *device_c, *device_d;
  HIP_CHECK(hipMalloc(&device_a, 512));
  HIP_CHECK(hipMalloc(&device_b, 512));
  HIP_CHECK(hipMalloc(&device_c, 1024));
  HIP_CHECK(hipMalloc(&device_d, 1024));
  HIP_CHECK(hipMemcpy(device_a, a.data(), 512, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), 512, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_c, c.data(), 1024, hipMemcpyHostToDevice));
  tile<<<1, 32>>>(device_a, device_b, device_c, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(d.data(), device_d, 1024, hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double sum = c[i * 16 + j];
      for (int k = 0; k < 16; ++k) sum += double(plain_a[i * 16 + k]) * plain_b[k * 16 + j];
      wrong += std::fabs(sum - d[i * 16 + j]) > 1e-3;
    }
  std::printf("bf16 tile: %s\n", wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
