// Graphs: captured from one stream and from two, and made node by node.
#include "check.h"

constexpr int n = 256;
__global__ void add(int *a, int count, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) a[i] += by;
}
static void called(void *data) { ++*static_cast<int *>(data); }
static int *device, calls = 0;
static std::vector<int> host(n, 5), back(n);

static void captured(hipStream_t stream) {
  hipGraph_t graph;
  hipGraphExec_t executable;
  hipStreamCaptureStatus status;
  CHECK(hipStreamIsCapturing(stream, &status));
  MUST(status == hipStreamCaptureStatusNone);
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  CHECK(hipStreamIsCapturing(stream, &status));
  MUST(status == hipStreamCaptureStatusActive);
  CHECK(hipMemcpyAsync(device, host.data(), n * 4, hipMemcpyHostToDevice, stream));
  // The arguments are those of the call, not those of the end of the loop.
  for (int k = 0; k < 3; ++k) add<<<1, n, 0, stream>>>(device, n, 2 + k);
  CHECK(hipLaunchHostFunc(stream, called, &calls));
  CHECK(hipMemcpyAsync(back.data(), device, n * 4, hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamEndCapture(stream, &graph));
  MUST(calls == 0 && back[9] == 0);
  size_t count = 0, roots = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &count));
  CHECK(hipGraphGetRootNodes(graph, nullptr, &roots));
  MUST(count == 6 && roots == 1);
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(hipGraphDestroy(graph));
  for (int round = 0; round < 3; ++round) {
    host[0] = 100 * round;
    CHECK(hipGraphLaunch(executable, stream));
    CHECK(hipStreamSynchronize(stream));
    MUST(back[0] == 100 * round + 9 && back[9] == 14 && calls == round + 1);
  }
  CHECK(hipGraphExecDestroy(executable));
  MUST(hipGraphLaunch(executable, stream) == hipErrorInvalidValue);
}

static void captured_from_two(hipStream_t stream) {
  hipStream_t other;
  hipEvent_t fork, join;
  hipGraph_t graph;
  hipGraphExec_t executable;
  CHECK(hipStreamCreate(&other));
  CHECK(hipEventCreate(&fork));
  CHECK(hipEventCreate(&join));
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  CHECK(hipMemsetAsync(device, 0, n * 4, stream));
  CHECK(hipEventRecord(fork, stream));
  CHECK(hipStreamWaitEvent(other, fork, 0));
  add<<<1, n / 2, 0, other>>>(device, n / 2, 7);
  add<<<1, n / 2, 0, stream>>>(device + n / 2, n / 2, 8);
  CHECK(hipEventRecord(join, other));
  MUST(hipEventSynchronize(join) == hipErrorCapturedEvent);
  CHECK(hipStreamWaitEvent(stream, join, 0));
  CHECK(hipMemcpyAsync(back.data(), device, n * 4, hipMemcpyDeviceToHost, stream));
  MUST(hipStreamEndCapture(other, &graph) == hipErrorStreamCaptureUnmatched);
  CHECK(hipStreamEndCapture(stream, &graph));
  hipGraphNode_t nodes[9];
  size_t count = 9, before = 9;
  CHECK(hipGraphGetNodes(graph, nodes, &count));
  MUST(count == 4);
  hipGraphNodeType type;
  CHECK(hipGraphNodeGetType(nodes[3], &type));
  CHECK(hipGraphNodeGetDependencies(nodes[3], nullptr, &before));
  MUST(type == hipGraphNodeTypeMemcpy && before == 2);
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(executable, other));
  MUST(back[0] == 7 && back[n - 1] == 8);
  // A wait for a stream that is captured spoils the capture.
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  MUST(hipStreamSynchronize(stream) == hipErrorStreamCaptureUnsupported);
  MUST(hipStreamEndCapture(stream, &graph) == hipErrorStreamCaptureInvalidated);
  CHECK(hipStreamSynchronize(stream));
}

static void made(hipStream_t stream) {
  hipGraph_t graph, child;
  hipGraphExec_t executable;
  hipGraphNode_t fill, kernel, copy, host_node, whole, box;
  CHECK(hipGraphCreate(&graph, 0));
  CHECK(hipGraphCreate(&child, 0));
  hipMemsetParams set = {};
  set.dst = device, set.elementSize = 4, set.width = n, set.height = 1, set.value = 7;
  int count = n, by = 4;
  void *arguments[] = {&device, &count, &by};
  hipKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void *>(add), launch.gridDim = dim3(1), launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  hipHostNodeParams function = {called, &calls};
  // The copy is added first and waits for the kernel, which waits for the fill.
  CHECK(hipGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, back.data(), device, n * 4,
                                hipMemcpyDeviceToHost));
  CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  CHECK(hipGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  CHECK(hipGraphAddDependencies(graph, &kernel, &copy, 1));
  CHECK(hipGraphAddHostNode(&host_node, child, nullptr, 0, &function));
  CHECK(hipGraphAddChildGraphNode(&whole, graph, &copy, 1, child));
  hipMemcpy3DParms rows = {};
  rows.srcPtr = make_hipPitchedPtr(device, 64, 64, 4);
  rows.dstPtr = make_hipPitchedPtr(host.data(), 128, 128, 4);
  rows.extent = make_hipExtent(64, 4, 1), rows.kind = hipMemcpyDeviceToHost;
  CHECK(hipGraphAddMemcpyNode(&box, graph, &copy, 1, &rows));
  calls = 0, host.assign(n, 5);
  CHECK(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(executable, stream));
  MUST(back[3] == 11 && calls == 1 && host[15] == 11 && host[16] == 5 && host[32] == 11);
  by = 20;
  CHECK(hipGraphExecKernelNodeSetParams(executable, kernel, &launch));
  CHECK(hipGraphLaunch(executable, stream));
  MUST(back[3] == 27 && calls == 2);
  // A circle has no order.
  CHECK(hipGraphAddDependencies(graph, &copy, &fill, 1));
  MUST(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipGraphDestroyNode(fill));
  CHECK(hipGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(hipGraphLaunch(executable, 0));
  MUST(back[3] == 31);
}

int main() {
  hipStream_t stream;
  CHECK(hipMalloc(&device, n * 4));
  CHECK(hipStreamCreate(&stream));
  captured(stream);
  captured_from_two(stream);
  made(stream);
  std::puts("PASSED");
}
