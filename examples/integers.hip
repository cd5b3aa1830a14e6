// One tile of 8-bit integers, signs chosen and the sum clamped: 16 x 16 x 16, one wave of an RDNA3 target.
//
//   wavemma run examples/integers.hip --target gfx1100

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

typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));

// A is signed or not, and so is B; with `Clamp` a sum beyond 32 bits becomes the nearest limit.
template <bool SignedA, bool SignedB, bool Clamp>
__global__ void tile(const uint8_t* a, const uint8_t* b, const int* c, int* d) {
  const int lane = threadIdx.x;
  int4_ x, y;
  for (int word = 0; word < 4; ++word) {
    uint32_t row = 0, column = 0;
    for (int byte = 0; byte < 4; ++byte) {
      row |= uint32_t(a[lane % 16 * 16 + 4 * word + byte]) << 8 * byte;
      column |= uint32_t(b[(4 * word + byte) * 16 + lane % 16]) << 8 * byte;
    }
    x[word] = row;
    y[word] = column;
  }
  int8_ sum;
  for (int v = 0; v < 8; ++v) sum[v] = c[(2 * v + lane / 16) * 16 + lane % 16];
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(SignedA, x, SignedB, y, sum, Clamp);
  for (int v = 0; v < 8; ++v) d[(2 * v + lane / 16) * 16 + lane % 16] = sum[v];
}

template <bool SignedA, bool SignedB, bool Clamp>
static int check(int start) {
  std::vector<uint8_t> a(256), b(256);
  std::vector<int> c(256, start), d(256);
  for (int i = 0; i < 256; ++i) {
    a[i] = i * 73 + 11;
    b[i] = i * 151 + 5;
  }
  uint8_t *device_a, *device_b;
  int *device_c, *device_d;
  HIP_CHECK(hipMalloc(&device_a, 256));
  HIP_CHECK(hipMalloc(&device_b, 256));
  HIP_CHECK(hipMalloc(&device_c, 1024));
  HIP_CHECK(hipMalloc(&device_d, 1024));
  HIP_CHECK(hipMemcpy(device_a, a.data(), 256, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), 256, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_c, c.data(), 1024, hipMemcpyHostToDevice));
  tile<SignedA, SignedB, Clamp><<<1, 32>>>(device_a, device_b, device_c, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(d.data(), device_d, 1024, hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      int64_t sum = c[i * 16 + j];
      for (int k = 0; k < 16; ++k) {
        const int64_t x = SignedA ? int8_t(a[i * 16 + k]) : a[i * 16 + k];
        const int64_t y = SignedB ? int8_t(b[k * 16 + j]) : b[k * 16 + j];
        sum += x * y;
      }
      if (Clamp && sum > INT32_MAX) sum = INT32_MAX;
      if (Clamp && sum < INT32_MIN) sum = INT32_MIN;
      wrong += int32_t(sum) != d[i * 16 + j];
    }
  std::printf("%s x %s%s: %s\n", SignedA ? "signed" : "unsigned", SignedB ? "signed" : "unsigned",
              Clamp ? ", clamped" : "", wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}

int main() {
  return check<false, false, false>(7) | check<true, false, false>(7) |
         check<false, true, false>(7) | check<true, true, false>(INT32_MAX) |
         check<true, true, true>(INT32_MAX) | check<true, false, true>(INT32_MIN) |
         check<false, false, true>(INT32_MAX);
}
