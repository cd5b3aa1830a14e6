// One tile by MFMA in half, 32 x 32 x 8, and one in 8-bit floats, 16 x 16 x 32: one wave of a CDNA3 target.
//
//   wavemma run examples/cdna3.hip --target gfx942

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

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef float float16v __attribute__((ext_vector_type(16)));

// A wave has 64 lanes. Four numbers of k in each; register v of lane l holds row
// 8 * (v / 4) + 4 * (l / 32) + v % 4 of the result.
__global__ void halves(const _Float16* a, const _Float16* b, float* d) {
  const int lane = threadIdx.x, part = lane / 32;
  half4 x, y;
  for (int i = 0; i < 4; ++i) {
    x[i] = a[lane % 32 * 8 + 4 * part + i];
    y[i] = b[(4 * part + i) * 32 + lane % 32];
  }
  const float16v sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, float16v{}, 0, 0, 0);
  for (int v = 0; v < 16; ++v) d[(8 * (v / 4) + 4 * part + v % 4) * 32 + lane % 32] = sum[v];
}

// Eight bytes of k in each lane; register v of lane l holds row 4 * (l / 16) + v.
__global__ void bytes(const uint8_t* a, const uint8_t* b, float* d) {
  const int lane = threadIdx.x, part = lane / 16;
  long x = 0, y = 0;
  for (int i = 0; i < 8; ++i) {
    x |= long(a[lane % 16 * 32 + 8 * part + i]) << (8 * i);
    y |= long(b[(8 * part + i) * 16 + lane % 16]) << (8 * i);
  }
  const float4v sum = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(x, y, float4v{}, 0, 0, 0);
  for (int v = 0; v < 4; ++v) d[(4 * part + v) * 16 + lane % 16] = sum[v];
}

// E4M3 as CDNA3 has it (FNUZ): bias 8, no infinity, 0x80 is the one NaN. Same byte, half of OCP's value.
static double value_of(uint8_t code) {
  const int exponent = code >> 3 & 15, mantissa = code & 7;
  const double size = exponent ? std::ldexp(8 + mantissa, exponent - 11) : std::ldexp(mantissa, -10);
  return code & 0x80 ? -size : size;
}

static const char* verdict(int wrong) { return wrong ? "FAILED" : "PASSED"; }

template <typename Number>
static Number* on_device(const std::vector<Number>& numbers) {
  Number* found = nullptr;
  const size_t size = numbers.size() * sizeof(Number);
  if (hipMalloc(&found, size) != hipSuccess) return nullptr;
  return hipMemcpy(found, numbers.data(), size, hipMemcpyHostToDevice) == hipSuccess ? found : nullptr;
}

// The largest share of a sum that float sums of this length may lose.
static bool is_close(double want, float got) { return std::fabs(want - got) <= 1e-5 * (1 + std::fabs(want)); }

int main() {
  std::vector<_Float16> a(32 * 8), b(8 * 32);
  std::vector<uint8_t> p(16 * 32), q(32 * 16);
  std::vector<float> d(32 * 32);
  for (int i = 0; i < 256; ++i) {
    a[i] = _Float16((i * 37 % 32 - 16) / 8.0f);
    b[i] = _Float16((i * 53 % 32 - 16) / 16.0f);
  }
  for (int i = 0; i < 512; ++i) {
    p[i] = uint8_t(0x30 + i * 7 % 32 + (i % 3 ? 0 : 0x80));
    q[i] = uint8_t(0x38 + i * 5 % 24 + (i % 5 ? 0 : 0x80));
  }
  _Float16 *device_a = on_device(a), *device_b = on_device(b);
  uint8_t *device_p = on_device(p), *device_q = on_device(q);
  float* device_d = on_device(d);
  if (!device_a || !device_b || !device_p || !device_q || !device_d) return 1;

  halves<<<1, 64>>>(device_a, device_b, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(d.data(), device_d, 32 * 32 * sizeof(float), hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) {
      double want = 0;
      for (int k = 0; k < 8; ++k) want += double(a[i * 8 + k]) * double(b[k * 32 + j]);
      wrong += !is_close(want, d[i * 32 + j]);
    }
  std::printf("f16 tile 32 x 32 x 8: %s\n", verdict(wrong));

  bytes<<<1, 64>>>(device_p, device_q, device_d);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(d.data(), device_d, 16 * 16 * sizeof(float), hipMemcpyDeviceToHost));
  int other = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      double want = 0;
      for (int k = 0; k < 32; ++k) want += value_of(p[i * 32 + k]) * value_of(q[k * 16 + j]);
      other += !is_close(want, d[i * 16 + j]);
    }
  std::printf("fp8 tile 16 x 16 x 32: %s\n", verdict(other));
  return wrong + other != 0;
}
