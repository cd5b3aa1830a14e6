// Memory of the program that kernels reach, boxes, pools, and numbers that streams wait for.
#include "check.h"

__global__ void twice(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

struct Both {
  float *a, *b;
  float c[2];
};
__global__ void add(Both all, long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) all.a[i] += all.b[i] + all.c[i & 1];
}

// The program's own address serves in kernels, alone, inside of registered memory and in records.
static void own_addresses() {
  std::vector<float> a(1000, 1.0f), b(500, 2.0f);
  CHECK(hipHostRegister(a.data(), 4000, hipHostRegisterMapped));
  CHECK(hipHostRegister(b.data(), 2000, hipHostRegisterDefault));
  twice<<<4, 256>>>(a.data() + 999, 1);
  Both both = {a.data() + 100, b.data(), {10, 20}};
  add<<<2, 256>>>(both, 500);
  CHECK(hipDeviceSynchronize());
  MUST(a[999] == 2 && a[998] == 1 && a[99] == 1 && a[600] == 1 && a[100] == 13 && a[599] == 23);
  hipPointerAttribute_t told;
  void *device;
  CHECK(hipPointerGetAttributes(&told, a.data() + 5));
  CHECK(hipHostGetDevicePointer(&device, a.data() + 5, 0));
  MUST(told.type == hipMemoryTypeHost && told.hostPointer == a.data() + 5);
  MUST(told.devicePointer == device);
  CHECK(hipPointerGetAttributes(&told, device));
  MUST(told.type == hipMemoryTypeHost && told.hostPointer == a.data() + 5);
  CHECK(hipHostUnregister(a.data()));
  CHECK(hipHostUnregister(b.data()));
}

static void registered() {
  std::vector<float> a(1000);
  for (int i = 0; i < 1000; ++i) a[i] = i;
  float *device, *middle, b[1000];
  MUST(hipHostGetDevicePointer((void **)&device, a.data(), 0) == hipErrorInvalidValue);
  CHECK(hipHostRegister(a.data(), 4000, hipHostRegisterDefault));
  MUST(hipHostRegister(a.data(), 4000, 0) == hipErrorHostMemoryAlreadyRegistered);
  CHECK(hipHostGetDevicePointer((void **)&device, a.data(), 0));
  CHECK(hipHostGetDevicePointer((void **)&middle, a.data() + 500, 0));
  MUST(middle - device == 500);
  twice<<<4, 256>>>(device, 1000);
  CHECK(hipDeviceSynchronize());
  MUST(a[999] == 1998);
  a[999] = 3;
  twice<<<2, 256>>>(middle, 500);
  CHECK(hipMemcpy(b, device, 4000, hipMemcpyDeviceToHost));
  MUST(b[999] == 6 && b[500] == 2000 && b[499] == 998);
  CHECK(hipMemset(device, 0, 8));
  MUST(a[1] == 0 && a[2] == 4);
  CHECK(hipHostUnregister(a.data()));
  MUST(hipHostUnregister(a.data()) == hipErrorHostMemoryNotRegistered);
}

static void boxes() {
  hipPitchedPtr there;
  hipExtent extent = make_hipExtent(40, 5, 3);
  CHECK(hipMalloc3D(&there, extent));
  MUST(there.pitch >= 40 && there.pitch % 256 == 0);
  std::vector<int> a(150), b(150), c(150);
  for (int i = 0; i < 150; ++i) a[i] = i + 1;
  hipMemcpy3DParms in = {}, out = {};
  in.srcPtr = make_hipPitchedPtr(a.data(), 40, 10, 5), in.dstPtr = there;
  in.extent = extent, in.kind = hipMemcpyHostToDevice;
  CHECK(hipMemcpy3D(&in));
  out.srcPtr = there, out.dstPtr = make_hipPitchedPtr(b.data(), 40, 10, 5);
  out.extent = extent, out.kind = hipMemcpyDeviceToHost;
  CHECK(hipMemcpy3DAsync(&out, 0));
  MUST(a == b);
  // A part: columns 2 and 3 of rows 1 to 3 of layer 1 go to the start.
  out.srcPos = make_hipPos(8, 1, 1), out.extent = make_hipExtent(8, 3, 1);
  out.dstPtr = make_hipPitchedPtr(c.data(), 40, 10, 5);
  CHECK(hipMemcpy3D(&out));
  MUST(c[0] == a[62] && c[1] == a[63] && c[2] == 0 && c[21] == a[83] && c[30] == 0);
  CHECK(hipMemset3D(there, 0x7f, make_hipExtent(4, 5, 2)));
  out.srcPos = make_hipPos(0, 0, 0), out.extent = extent;
  CHECK(hipMemcpy3D(&out));
  MUST(c[0] == 0x7f7f7f7f && c[1] == a[1] && c[90] == 0x7f7f7f7f && c[100] == a[100]);
  in.extent = make_hipExtent(44, 5, 3);
  MUST(hipMemcpy3D(&in) == hipErrorInvalidPitchValue);
}

static void managed() {
  int *shared;
  CHECK(hipMallocManaged((void **)&shared, 64));
  CHECK(hipStreamAttachMemAsync(0, shared));
  int outside = 0;
  MUST(hipStreamAttachMemAsync(0, &outside) == hipErrorInvalidValue);
  CHECK(hipFree(shared));
}

static void pools() {
  hipMemPool_t pool, own;
  unsigned long long threshold = ~0ull, told = 0;
  float *a;
  CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
  CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &told));
  MUST(told == threshold);
  hipMemPoolProps properties = {};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  CHECK(hipMemPoolCreate(&own, &properties));
  CHECK(hipMallocFromPoolAsync(&a, 400, own, 0));
  CHECK(hipMemsetAsync(a, 0, 400, 0));
  CHECK(hipMemPoolGetAttribute(own, hipMemPoolAttrUsedMemCurrent, &told));
  MUST(told >= 400);
  CHECK(hipFreeAsync(a, 0));
  CHECK(hipMemPoolTrimTo(own, 0));
  CHECK(hipMemPoolDestroy(own));
  MUST(hipMallocFromPoolAsync(&a, 400, own, 0) == hipErrorInvalidValue);
}

static void numbers() {
  unsigned *a, back = 0;
  CHECK(hipMalloc(&a, 8));
  CHECK(hipStreamWriteValue32(0, a, 7, 0));
  CHECK(hipMemcpy(&back, a, 4, hipMemcpyDeviceToHost));
  MUST(back == 7);
  CHECK(hipStreamWaitValue32(0, a, 7, hipStreamWaitValueEq));
  CHECK(hipStreamWaitValue32(0, a, 6, hipStreamWaitValueGte, 0xff));
  CHECK(hipStreamWaitValue32(0, a, 12, hipStreamWaitValueAnd));
  CHECK(hipStreamWriteValue64(0, a, 1ull << 40, 0));
  CHECK(hipStreamWaitValue64(0, a, 1ull << 40, hipStreamWaitValueEq));
}

int main() {
  registered();
  own_addresses();
  boxes();
  managed();
  pools();
  numbers();
  std::puts("PASSED");
}
