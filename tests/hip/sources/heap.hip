// Memory that kernels allocate themselves, and objects of classes with virtual functions in it.
#include "check.h"

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Unit : Shape {
  __device__ int area() const override { return 1; }
};
__global__ void objects(int *out) {
  int t = threadIdx.x;
  Shape *shape = t & 1 ? static_cast<Shape *>(new Square(t)) : static_cast<Shape *>(new Unit);
  out[t] = shape->area();
  delete shape;
}
// Every third thread keeps its block, so that lists and the rest of the heap are both used.
__global__ void blocks(int *out, int round) {
  int t = threadIdx.x;
  int *mine = static_cast<int *>(malloc(16 + t));
  int *more = new int[4];
  if (!mine || !more) {
    out[t] = -1;
    return;
  }
  mine[0] = t, mine[3] = 2 * t, more[1] = round;
  __syncthreads();
  out[t] = mine[3] + more[1] + mine[0];
  if (t % 3) free(mine);
  delete[] more;
}
__global__ void all(int *count) {
  int n = 0;
  while (malloc(1 << 16)) ++n;
  atomicAdd(count, n);
}
__global__ void keep(int **place) { (*place = new int[2])[1] = 42; }
__global__ void give_back(int **place, int *out) {
  *out = (*place)[1];
  delete[] *place;
}

int main() {
  int *out, back[256];
  size_t size = 0;
  CHECK(hipMalloc(&out, sizeof back));
  CHECK(hipDeviceSetLimit(hipLimitMallocHeapSize, 1 << 22));
  CHECK(hipDeviceGetLimit(&size, hipLimitMallocHeapSize));
  MUST(size == 1 << 22);
  objects<<<1, 64>>>(out);
  CHECK(hipMemcpy(back, out, 256, hipMemcpyDeviceToHost));
  for (int t = 0; t < 64; ++t) MUST(back[t] == (t & 1 ? t * t : 1));
  for (int round = 0; round < 10; ++round) {
    blocks<<<1, 256>>>(out, round);
    CHECK(hipMemcpy(back, out, sizeof back, hipMemcpyDeviceToHost));
    for (int t = 0; t < 256; ++t) MUST(back[t] == 3 * t + round);
  }
  int **place;
  CHECK(hipMalloc(&place, 8));
  keep<<<1, 1>>>(place);
  give_back<<<1, 1>>>(place, out);
  CHECK(hipMemcpy(back, out, 4, hipMemcpyDeviceToHost));
  MUST(back[0] == 42);
  CHECK(hipMemset(out, 0, 4));
  all<<<1, 64>>>(out);
  CHECK(hipMemcpy(back, out, 4, hipMemcpyDeviceToHost));
  // A block of 64 KiB takes 128 with what it begins with; 4 MiB hold 32 of those.
  MUST(back[0] > 20 && back[0] < 32);
  MUST(hipDeviceSetLimit(hipLimitMallocHeapSize, 1 << 23) == hipErrorInvalidValue);
  std::puts("PASSED");
}
