// What C++ brings: classes with virtual functions, pointers of functions, parts of std, lambdas.
#include "check.h"
#include <array>
#include <optional>
#include <thread>
#include <utility>

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
__global__ void shapes(float *out) {
  int i = threadIdx.x;
  __shared__ alignas(Circle) char room[sizeof(Circle)];
  Shape *shape = i & 1 ? (Shape *)new Square(i) : new Circle(i);
  out[i] = shape->area();
  delete shape;
  if (i == 0) out[8] = (new (room) Circle(5))->area();
}
__device__ int more(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
__device__ int (*table[2])(int) = {more, twice};
__global__ void pointers(int *out) { out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x); }
__managed__ int counter = 5;
__global__ void count() { atomicAdd(&counter, 1); }
template <typename F> __global__ void apply(int *out, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}
__global__ void parts_of_std(float *out) {
  std::array<float, 4> a{1, 2, 3, 4};
  float sum = 0;
  for (auto each : a) sum += each;
  std::optional<int> maybe;
  if (threadIdx.x) maybe = threadIdx.x;
  auto [x, y] = std::pair<int, float>(1, 2.f);
  out[threadIdx.x] = sum + maybe.value_or(100) + x + y;
}
int main() {
  int *whole, n[8], k = 7;
  float *real, r[9];
  CHECK(hipMalloc(&whole, 4096));
  CHECK(hipMalloc(&real, 64));
  shapes<<<1, 8>>>(real);
  CHECK(hipMemcpy(r, real, sizeof r, hipMemcpyDeviceToHost));
  MUST(r[3] == 9 && r[4] == 48 && r[8] == 75);
  pointers<<<1, 4>>>(whole);
  CHECK(hipMemcpy(n, whole, 16, hipMemcpyDeviceToHost));
  MUST(n[2] == 3 && n[3] == 6);
  count<<<2, 50>>>();
  CHECK(hipDeviceSynchronize());
  MUST(counter == 105);
  std::vector<int> got(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      hipStream_t stream;
      int *own;
      CHECK(hipStreamCreate(&stream));
      CHECK(hipMallocAsync((void **)&own, 4000, stream));
      apply<<<4, 256, 0, stream>>>(own, 1000, [=] __device__(int i) { return i * k + t; });
      CHECK(hipMemcpyAsync(&got[t], own + 999, 4, hipMemcpyDeviceToHost, stream));
      CHECK(hipStreamSynchronize(stream));
      CHECK(hipFreeAsync(own, stream));
      CHECK(hipStreamDestroy(stream));
    });
  for (auto &each : threads) each.join();
  for (int t = 0; t < 4; ++t) MUST(got[t] == 6993 + t);
  parts_of_std<<<1, 4>>>(real);
  CHECK(hipMemcpy(r, real, 16, hipMemcpyDeviceToHost));
  MUST(r[0] == 113 && r[3] == 16);
  std::puts("PASSED");
}
