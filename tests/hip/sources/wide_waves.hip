// Lanes of a wave of 64 reach one another whatever half they are in.
#include "check.h"

__global__ void moves(int *whole, double *real) {
  int i = threadIdx.x;
  whole[i] = __shfl(i * 3, (i * 7 + 3) % 64), whole[64 + i] = __shfl_xor(i, 32);
  whole[128 + i] = __shfl_up(i, 20), whole[192 + i] = __shfl_down(i, 40, 64);
  real[i] = __shfl(i + 0.5, 63 - i);
}
int main() {
  int *d, whole[256];
  double *e, real[64];
  CHECK(hipMalloc(&d, sizeof whole));
  CHECK(hipMalloc(&e, sizeof real));
  moves<<<1, 64>>>(d, e);
  CHECK(hipMemcpy(whole, d, sizeof whole, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(real, e, sizeof real, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    MUST(whole[i] == (i * 7 + 3) % 64 * 3 && whole[64 + i] == (i ^ 32));
    MUST(whole[128 + i] == (i < 20 ? i : i - 20) && whole[192 + i] == (i + 40 < 64 ? i + 40 : i));
    MUST(real[i] == 63.5 - i);
  }
  std::puts("PASSED");
}
