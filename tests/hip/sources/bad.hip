// What programs do wrong, one thing a word of the command line.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

__global__ void fill(int *a, int n) { a[threadIdx.x] = n; }
__global__ void beyond(int *a) { a[100 + threadIdx.x] = 1; }  // beyond
__global__ void endless(int *a) {
  while (__hip_atomic_load(a, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) ;  // endless
}
__global__ void unknown() { asm volatile(".long 0xffffffff"); }
__global__ void large(int *a) {
  __shared__ int lds[16000];
  lds[threadIdx.x] = a[0];
  __syncthreads();
  a[0] = lds[a[1]];
}
__global__ void talks(int n) {
  for (int i = 0; i < n; ++i) printf("%d: a line that is written again and again\n", i);
}

static int *a = nullptr;

static int tell(const char *what, hipError_t error) {
  (void)hipGetLastError();
  std::printf("%s %s\n", what, hipGetErrorName(error));
  return 0;
}

// Launches that are refused: each is an error that the program gets, and it goes on.
static int refused() {
  fill<<<0, 32>>>(a, 1);
  tell("grid", hipGetLastError());
  fill<<<1, 1025>>>(a, 1);
  tell("block", hipGetLastError());
  fill<<<1, dim3(32, 0)>>>(a, 1);
  tell("flat", hipGetLastError());
  fill<<<1, 32, 1 << 17>>>(a, 1);
  tell("dynamic", hipGetLastError());
  large<<<1, 32, 2048>>>(a);
  tell("both", hipGetLastError());
  hipFunction_t function = nullptr;
  if (hipGetFuncBySymbol(&function, (const void *)fill)) return 1;
  tell("none", hipModuleLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, nullptr));
  tell("handle", hipModuleLaunchKernel((hipFunction_t)16, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, nullptr));
  fill<<<1, 32>>>(a, 9);
  int back = 0;
  if (hipMemcpy(&back, a, 4, hipMemcpyDeviceToHost)) return 2;
  return back;
}

static int forks() {
  int child = fork();
  fill<<<1, 32>>>(a, child ? 6 : 5);
  int back = -1;
  if (hipMemcpy(&back, a, 4, hipMemcpyDeviceToHost)) return 1;
  if (child == 0) std::exit(back);
  int status = 0;
  waitpid(child, &status, 0);
  return 10 * back + WEXITSTATUS(status);
}

static int modules(char **words, int count) {
  for (int number = 0; number < count; ++number) {
    hipModule_t module;
    hipFunction_t function;
    const char *name = std::strrchr(words[number], '/');
    hipError_t error = hipModuleLoad(&module, words[number]);
    tell(name, error);
    if (error == hipSuccess) tell(name, hipModuleGetFunction(&function, module, "no kernel"));
  }
  return 0;
}

int main(int count, char **words) {
  std::string what = count > 1 ? words[1] : "";
  if (hipMalloc(&a, 256) || hipMemset(a, 0, 256)) return 99;
  std::printf("%d\n", (int)getpid());
  std::fflush(stdout);
  if (what == "refused") return refused();
  if (what == "unknown") unknown<<<1, 32>>>();
  if (what == "beyond") beyond<<<1, 32>>>(a);
  if (what == "endless") endless<<<1, 64>>>(a);
  if (what == "null") *(volatile int *)8 = 1;
  if (what == "abort") std::abort();
  if (what == "forks") return forks();
  if (what == "modules") return modules(words + 2, count - 2);
  if (what == "talks") talks<<<1, 64>>>(std::atoi(words[2]));
  if (what == "loops") for (;;) usleep(1000);
  if (what == "floods") {
    static char text[1 << 16];
    std::memset(text, 'x', sizeof text);
    for (int i = 0; i < std::atoi(words[2]); ++i)
      if (std::fwrite(text, 1, sizeof text, stdout) != sizeof text) return 3;
  }
  return 7;
}
