// Bessel functions against those of the C library of this computer.
#include "check.h"
#include <cmath>

constexpr int kinds = 9;
__global__ void values(const double *x, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i], *to = out + kinds * i;
  to[0] = j0(v), to[1] = j1(v), to[2] = y0(v), to[3] = y1(v);
  to[4] = jn(2, v), to[5] = jn(9, v), to[6] = jn(-3, -v), to[7] = yn(3, v), to[8] = jnf(5, v);
}

int main() {
  std::vector<double> x;
  for (double v = 1e-6; v < 400; v *= 1.3) x.push_back(v);
  for (int i = 0; i < 60; ++i) x.push_back(0.1 + i * 1.03);
  const int n = x.size();
  double *in, *out;
  CHECK(hipMalloc(&in, 8 * n));
  CHECK(hipMalloc(&out, 8 * kinds * n));
  CHECK(hipMemcpy(in, x.data(), 8 * n, hipMemcpyHostToDevice));
  values<<<(n + 63) / 64, 64>>>(in, out, n);
  std::vector<double> got(kinds * n);
  CHECK(hipMemcpy(got.data(), out, 8 * kinds * n, hipMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const double v = x[i], wave = v > 1 ? std::sqrt(2 / (M_PI * v)) : 0;
    const double exact[kinds] = {j0(v), j1(v), y0(v), y1(v), jn(2, v), jn(9, v),
                                 jn(-3, -v), yn(3, v), (float)jn(5, (float)v)};
    for (int k = 0; k < kinds; ++k) {
      const double high = std::fmax(std::fabs(exact[k]), wave);
      const double bound = k == 8 ? 1e-7 : 3e-14;
      if (!(std::fabs(got[kinds * i + k] - exact[k]) <= bound * high)) {
        std::fprintf(stderr, "%d at %g: %.17g for %.17g\n", k, v, got[kinds * i + k], exact[k]);
        return 1;
      }
    }
  }
  std::puts("PASSED");
}
