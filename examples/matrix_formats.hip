// Three matrix instructions of RDNA3 beside half precision with float sums, each verifying itself:
// bfloat16; bytes with either sign, with and without saturation; and half sums that share registers.
//
//   wavemma run examples/matrix_formats.hip --target gfx1100
//
// Sums of bytes are compared bit for bit. Sums of floats may differ in their last places even where
// all numbers are small integers: RDNA3 adds products as one's complements on a common grid.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define HIP_CHECK(call)                                                                \
  do {                                                                                 \
    hipError_t error = (call);                                                         \
    if (error != hipSuccess) {                                                         \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(error)); \
      std::exit(2);                                                                    \
    }                                                                                  \
  } while (0)

constexpr int size = 16;
typedef short v16short __attribute__((ext_vector_type(16)));
typedef _Float16 v16half __attribute__((ext_vector_type(16)));
typedef float v8float __attribute__((ext_vector_type(8)));
typedef int v4int __attribute__((ext_vector_type(4)));
typedef int v8int __attribute__((ext_vector_type(8)));

#if defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) || \
    defined(__gfx1103__) || defined(__gfx1150__) || defined(__gfx1151__) || \
    defined(__gfx1152__) || defined(__gfx1153__)
#define HAS_WMMA_RDNA3 1
#endif

// A is 16x16 by rows, B is 16x16 by columns, D by rows. Lane l holds row or column l % 16.
__device__ int row_of(int g, int lane) { return 2 * g + lane / 16; }

__global__ void of_bfloat16(const unsigned short *a, const unsigned short *b, float *d) {
#if HAS_WMMA_RDNA3
  const int lane = threadIdx.x, line = lane % size;
  v16short x, y;
  for (int k = 0; k < size; ++k) {
    x[k] = static_cast<short>(a[line * size + k]);
    y[k] = static_cast<short>(b[line * size + k]);
  }
  const v8float sum = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(x, y, v8float{});
  for (int g = 0; g < 8; ++g)
    d[row_of(g, lane) * size + line] = sum[g];
#endif
}

template <bool a_signed, bool b_signed, bool clamp>
__global__ void of_bytes(const unsigned char *a, const unsigned char *b, const int *c, int *d) {
#if HAS_WMMA_RDNA3
  const int lane = threadIdx.x, line = lane % size;
  const v4int x = *reinterpret_cast<const v4int *>(a + line * size);
  const v4int y = *reinterpret_cast<const v4int *>(b + line * size);
  v8int sum;
  for (int g = 0; g < 8; ++g)
    sum[g] = c[row_of(g, lane) * size + line];
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(a_signed, x, b_signed, y, sum, clamp);
  for (int g = 0; g < 8; ++g)
    d[row_of(g, lane) * size + line] = sum[g];
#endif
}

// Two products in one set of registers: the first in the low halves, the second in the high ones.
__global__ void of_packed_half(const _Float16 *a, const _Float16 *b, _Float16 *low, _Float16 *high) {
#if HAS_WMMA_RDNA3
  const int lane = threadIdx.x, line = lane % size;
  v16half x, y, sum{};
  for (int k = 0; k < size; ++k) {
    x[k] = a[line * size + k];
    y[k] = b[line * size + k];
  }
  sum = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(x, y, sum, false);
  sum = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(y, x, sum, true);
  for (int g = 0; g < 8; ++g) {
    low[row_of(g, lane) * size + line] = sum[2 * g];
    high[row_of(g, lane) * size + line] = sum[2 * g + 1];
  }
#endif
}

template <typename T> struct Buffer {
  T *device = nullptr;
  std::vector<T> host = std::vector<T>(size * size);
  Buffer() { HIP_CHECK(hipMalloc(&device, bytes())); }
  ~Buffer() { (void)hipFree(device); }
  static size_t bytes() { return size * size * sizeof(T); }
  void give() { HIP_CHECK(hipMemcpy(device, host.data(), bytes(), hipMemcpyHostToDevice)); }
  void take() {
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipMemcpy(host.data(), device, bytes(), hipMemcpyDeviceToHost));
  }
};

template <typename Of> double product(int row, int col, Of of) {
  double sum = 0;
  for (int k = 0; k < size; ++k)
    sum += of(row * size + k, col * size + k);
  return sum;
}

// Whether a sum is near the exact one, for the size of what was added.
bool is_near(double sum, double exact, double sizes, double precision) {
  return std::fabs(sum - exact) <= precision * (sizes + 1);
}

template <typename Wanted> bool compare(const char *what, Wanted right) {
  int wrong = 0;
  for (int row = 0; row < size; ++row)
    for (int col = 0; col < size; ++col)
      wrong += !right(row, col);
  std::printf("%-32s %s\n", what, wrong ? "FAILED" : "PASSED");
  return wrong == 0;
}

bool check_bfloat16(std::mt19937 &random) {
  Buffer<unsigned short> a, b;
  Buffer<float> d;
  auto value = [](unsigned short bits) {
    return static_cast<double>(__bfloat162float(__ushort_as_bfloat16(bits)));
  };
  for (auto *each : {&a.host, &b.host})
    for (auto &bits : *each)
      bits = __bfloat16_as_ushort(__float2bfloat16(static_cast<float>(static_cast<int>(random() % 201) - 100)));
  a.give();
  b.give();
  of_bfloat16<<<1, 32>>>(a.device, b.device, d.device);
  d.take();
  return compare("bfloat16", [&](int row, int col) {
    auto times = [&](int i, int j) { return value(a.host[i]) * value(b.host[j]); };
    auto sizes = [&](int i, int j) { return std::fabs(times(i, j)); };
    return is_near(d.host[row * size + col], product(row, col, times), product(row, col, sizes), 1e-6);
  });
}

template <bool a_signed, bool b_signed, bool clamp> bool check_bytes(std::mt19937 &random) {
  Buffer<unsigned char> a, b;
  Buffer<int> c, d;
  auto value = [](unsigned char bits, bool is_signed) {
    return is_signed ? static_cast<signed char>(bits) : static_cast<int>(bits);
  };
  for (auto *each : {&a.host, &b.host})
    for (auto &byte : *each)
      byte = static_cast<unsigned char>(random());
  // Sums start at the ends of the range, so that saturation and wrapping differ.
  for (auto &number : c.host)
    number = random() % 2 ? INT_MAX : INT_MIN;
  a.give();
  b.give();
  c.give();
  of_bytes<a_signed, b_signed, clamp><<<1, 32>>>(a.device, b.device, c.device, d.device);
  d.take();
  char what[64];
  std::snprintf(what, sizeof what, "A %s, B %s, %s", a_signed ? "signed" : "unsigned",
                b_signed ? "signed" : "unsigned", clamp ? "saturated" : "wrapped");
  return compare(what, [&](int row, int col) {
    long long exact = c.host[row * size + col] +
                      static_cast<long long>(product(row, col, [&](int i, int j) {
                        return static_cast<double>(value(a.host[i], a_signed)) *
                               value(b.host[j], b_signed);
                      }));
    long long kept = exact > INT_MAX ? INT_MAX : exact < INT_MIN ? INT_MIN : exact;
    return d.host[row * size + col] ==
           (clamp ? static_cast<int>(kept) : static_cast<int>(static_cast<unsigned>(exact)));
  });
}

bool check_packed_half(std::mt19937 &random) {
  Buffer<_Float16> a, b, low, high;
  for (auto *each : {&a.host, &b.host})
    for (auto &number : *each)
      number = static_cast<_Float16>(static_cast<int>(random() % 17) - 8);
  a.give();
  b.give();
  of_packed_half<<<1, 32>>>(a.device, b.device, low.device, high.device);
  low.take();
  high.take();
  auto times = [&](int i, int j) {
    return static_cast<double>(a.host[i]) * static_cast<double>(b.host[j]);
  };
  auto near = [&](_Float16 sum, int row, int col) {
    auto sizes = [&](int i, int j) { return std::fabs(times(i, j)); };
    return is_near(static_cast<double>(sum), product(row, col, times), product(row, col, sizes), 1e-3);
  };
  // The second product has A and B exchanged, so it is the first one's transpose.
  const bool first = compare("half sums in low halves", [&](int row, int col) {
    return near(low.host[row * size + col], row, col);
  });
  const bool second = compare("half sums in high halves", [&](int row, int col) {
    return near(high.host[row * size + col], col, row);
  });
  return first && second;
}

int main() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s (%s)\n", properties.name, properties.gcnArchName);
  std::mt19937 random(7);
  bool passed = check_bfloat16(random);
  passed &= check_bytes<false, false, false>(random);
  passed &= check_bytes<true, false, true>(random);
  passed &= check_bytes<false, true, true>(random);
  passed &= check_bytes<true, true, true>(random);
  passed &= check_bytes<true, true, false>(random);
  passed &= check_packed_half(random);
  return passed ? 0 : 1;
}
