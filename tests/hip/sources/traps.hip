// Device code with several ends of its own in one kernel, and functions that have such ends inside.
#include "check.h"
#include <cassert>

__global__ void ends(double *out, int n) {
  assert(out != nullptr);
  if (n == 100) abort();
  double x = out[threadIdx.x];
  out[threadIdx.x] = sin(x) + cos(2 * x) + tgamma(x) + lgamma(x) + j0(x) + y1(x);
  char text[8];
  memset(text, n, sizeof text);
  char copy[9];
  memcpy(copy, text, sizeof text);
  memmove(copy + 1, copy, n + 5);
  out[32 + threadIdx.x] = copy[threadIdx.x % 8];
  assert(n != 99);
}
// The compiler's own word for the same, more than once, and where the host compiles it, too.
constexpr __host__ __device__ int positive(int n) {
  if (n < 0) __builtin_trap();
  return n;
}
__global__ void traps(int *p, int n) {
  if (n == 1) __builtin_trap();
  p[0] = n;
  if (n == 2) __builtin_trap();
  p[1] = positive(n + 4);
}
int main(int count, char **) {
  static_assert(positive(3) == 3);
  int *words, seen[2];
  CHECK(hipMalloc(&words, 8));
  traps<<<1, 1>>>(words, 0);
  CHECK(hipMemcpy(seen, words, 8, hipMemcpyDeviceToHost));
  MUST(seen[0] == 0 && seen[1] == positive(4));
  if (count > 1) traps<<<1, 1>>>(words, count);
  double *a, back[64];
  std::vector<double> in(64);
  for (int i = 0; i < 32; ++i) in[i] = 0.5 + i * 0.25;
  CHECK(hipMalloc(&a, 512));
  CHECK(hipMemcpy(a, in.data(), 512, hipMemcpyHostToDevice));
  ends<<<1, 32>>>(a, 3);
  CHECK(hipMemcpy(back, a, 512, hipMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    const double x = in[i];
    const double exact = sin(x) + cos(2 * x) + tgamma(x) + lgamma(x) + j0(x) + y1(x);
    MUST(std::fabs(back[i] - exact) <= 1e-11 * std::fmax(1, std::fabs(exact)));
    MUST(back[32 + i] == 3);
  }
  std::puts("PASSED");
}
