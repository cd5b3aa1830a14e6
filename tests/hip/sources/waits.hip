// Streams that wait for numbers and events which come later, in any order that the calls allow.
#include "check.h"
#include <atomic>
#include <thread>

__global__ void put(int *p, int v) { *p = v; }
__global__ void scale(int *p, int v) { *p = *p * v; }

static int read(const int *p) {
  int value = -1;
  CHECK(hipMemcpy(&value, p, 4, hipMemcpyDeviceToHost));
  return value;
}
static void note(void *p) { *(int *)p += 1; }

int main(int count, char **) {
  int *data, *flag, later = 0;
  hipStream_t a, b;
  hipEvent_t event;
  CHECK(hipMalloc(&data, 64));
  CHECK(hipMalloc(&flag, 64));
  CHECK(hipMemset(data, 0, 64));
  CHECK(hipMemset(flag, 0, 64));
  CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));

  // The first stream waits; what is put on it stays in order, and another goes on.
  CHECK(hipStreamWaitValue32(a, flag, 5, hipStreamWaitValueGte));
  put<<<1, 1, 0, a>>>(data, 3);
  scale<<<1, 1, 0, a>>>(data, 7);
  CHECK(hipLaunchHostFunc(a, note, &later));
  CHECK(hipEventRecord(event, a));
  put<<<1, 1, 0, b>>>(data + 1, 9);
  CHECK(hipStreamSynchronize(b));
  MUST(read(data) == 0 && read(data + 1) == 9 && later == 0);
  MUST(hipStreamQuery(a) == hipErrorNotReady && hipEventQuery(event) == hipErrorNotReady);
  MUST(hipStreamQuery(b) == hipSuccess);
  if (count > 1) CHECK(hipDeviceSynchronize());  // Nothing can ever write the number.
  // A third waits for the second's event, through the first.
  CHECK(hipStreamWaitEvent(b, event, 0));
  scale<<<1, 1, 0, b>>>(data, 2);
  CHECK(hipMemcpyAsync(data + 2, data, 4, hipMemcpyDeviceToDevice, b));
  MUST(read(data) == 0);
  CHECK(hipStreamWriteValue32(0, flag, 4, 0));
  MUST(hipStreamQuery(a) == hipErrorNotReady);
  CHECK(hipStreamWriteValue32(0, flag, 6, 0));
  CHECK(hipEventSynchronize(event));
  CHECK(hipStreamSynchronize(b));
  MUST(later == 1 && read(data) == 42 && read(data + 2) == 42);

  // The null stream and blocking streams wait for one another; an error comes when it is known.
  hipStream_t blocking;
  CHECK(hipStreamCreate(&blocking));
  volatile unsigned *seen;
  CHECK(hipHostMalloc((void **)&seen, 64, 0));
  *seen = 0;
  CHECK(hipStreamWaitValue32(blocking, (void *)seen, 8, hipStreamWaitValueAnd));
  put<<<1, 1>>>(data, 1);
  put<<<1, 1, 0, a>>>(data + 3, 2);
  scale<<<1, 1, 0, blocking>>>(data, 5);
  CHECK(hipStreamSynchronize(a));
  MUST(hipStreamQuery(0) == hipErrorNotReady);
  *seen = 8;
  MUST(read(data) == 5 && read(data + 3) == 2);

  // Another thread of the program writes the number, while this one waits.
  *seen = 0;
  CHECK(hipStreamWaitValue64(a, (void *)seen, 1, hipStreamWaitValueEq));
  put<<<1, 1, 0, a>>>(data, 77);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    *seen = 1;
  });
  CHECK(hipStreamSynchronize(a));
  writer.join();
  MUST(read(data) == 77);
  MUST(hipStreamWaitValue32(a, flag, 0, 9) == hipErrorInvalidValue);

  // A graph waits where its capture did; what was done before it stays done.
  hipGraph_t graph;
  hipGraphExec_t made;
  CHECK(hipMemset(data, 0, 64));
  CHECK(hipMemset(flag, 0, 64));
  CHECK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  put<<<1, 1, 0, a>>>(data, 2);
  CHECK(hipStreamWaitValue32(a, flag, 3, hipStreamWaitValueEq));
  scale<<<1, 1, 0, a>>>(data, 21);
  CHECK(hipStreamEndCapture(a, &graph));
  CHECK(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(made, a));
  put<<<1, 1, 0, a>>>(data + 1, 5);
  MUST(read(data) == 2 && read(data + 1) == 0 && hipStreamQuery(a) == hipErrorNotReady);
  CHECK(hipStreamWriteValue32(b, flag, 3, 0));
  CHECK(hipStreamSynchronize(a));
  MUST(read(data) == 42 && read(data + 1) == 5);
  CHECK(hipGraphLaunch(made, a));
  CHECK(hipStreamSynchronize(a));
  MUST(read(data) == 42);

  // One branch waits for what the other one writes, whichever was captured first.
  hipEvent_t joined;
  CHECK(hipEventCreate(&joined));
  CHECK(hipMemset(flag, 0, 64));
  CHECK(hipStreamBeginCapture(a, hipStreamCaptureModeGlobal));
  CHECK(hipEventRecord(event, a));
  CHECK(hipStreamWaitEvent(b, event, 0));
  CHECK(hipStreamWaitValue32(a, flag, 1, hipStreamWaitValueEq));
  put<<<1, 1, 0, a>>>(data, 9);
  CHECK(hipStreamWriteValue32(b, flag, 1, 0));
  CHECK(hipEventRecord(joined, b));
  CHECK(hipStreamWaitEvent(a, joined, 0));
  CHECK(hipStreamEndCapture(a, &graph));
  CHECK(hipGraphInstantiate(&made, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(made, a));
  CHECK(hipStreamSynchronize(a));
  MUST(read(data) == 9);
  CHECK(hipStreamDestroy(a));
  CHECK(hipFree(data));
  std::puts("PASSED");
}
