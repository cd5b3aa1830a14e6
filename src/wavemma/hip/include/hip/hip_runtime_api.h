// The host interface. Every declaration has the form `type name(parameters);` and is all that there
// is to say about a call: the forwarding functions of the runtime are made from this text.
#pragma once

#include <hip/driver_types.h>
#include <hip/hip_version.h>

#if defined(__cplusplus)
#define HIP_DEFAULT(value) = value
extern "C" {
#else
#define HIP_DEFAULT(value)
#endif

// Errors.
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
hipError_t hipExtGetLastError(void);
const char *hipGetErrorName(hipError_t error);
const char *hipGetErrorString(hipError_t error);
hipError_t hipDrvGetErrorName(hipError_t error, const char **name);
hipError_t hipDrvGetErrorString(hipError_t error, const char **sentence);

// Devices.
hipError_t hipInit(unsigned int flags);
hipError_t hipDriverGetVersion(int *version);
hipError_t hipRuntimeGetVersion(int *version);
hipError_t hipGetDeviceCount(int *count);
hipError_t hipGetDevice(int *device);
hipError_t hipSetDevice(int device);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device);
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device);
hipError_t hipDeviceGet(hipDevice_t *device, int ordinal);
hipError_t hipDeviceGetName(char *name, int bytes, hipDevice_t device);
hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device);
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);
hipError_t hipDeviceGetPCIBusId(char *text, int bytes, int device);
hipError_t hipDeviceGetByPCIBusId(int *device, const char *text);
hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device);
hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *wanted);
hipError_t hipDeviceSynchronize(void);
hipError_t hipDeviceReset(void);
hipError_t hipSetDeviceFlags(unsigned int flags);
hipError_t hipGetDeviceFlags(unsigned int *flags);
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t preference);
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *preference);
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig banks);
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *banks);
hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t limit);
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value);
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest);
hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer);
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags);
hipError_t hipDeviceDisablePeerAccess(int peer);
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int source, int target);

// Contexts, of which there is one.
hipError_t hipCtxCreate(hipCtx_t *context, unsigned int flags, hipDevice_t device);
hipError_t hipCtxDestroy(hipCtx_t context);
hipError_t hipCtxSetCurrent(hipCtx_t context);
hipError_t hipCtxGetCurrent(hipCtx_t *context);
hipError_t hipCtxPushCurrent(hipCtx_t context);
hipError_t hipCtxPopCurrent(hipCtx_t *context);
hipError_t hipCtxGetDevice(hipDevice_t *device);
hipError_t hipCtxSynchronize(void);
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *context, hipDevice_t device);
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int *flags, int *active);

// Memory.
hipError_t hipMalloc(void **pointer, size_t bytes);
hipError_t hipExtMallocWithFlags(void **pointer, size_t bytes, unsigned int flags);
hipError_t hipMallocManaged(void **pointer, size_t bytes, unsigned int flags HIP_DEFAULT(1));
hipError_t hipMallocHost(void **pointer, size_t bytes);
hipError_t hipMemAllocHost(void **pointer, size_t bytes);
hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned int flags HIP_DEFAULT(0));
hipError_t hipHostAlloc(void **pointer, size_t bytes, unsigned int flags);
hipError_t hipMallocAsync(void **pointer, size_t bytes, hipStream_t stream);
hipError_t hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
hipError_t hipMalloc3D(hipPitchedPtr *pointer, hipExtent extent);
hipError_t hipFree(void *pointer);
hipError_t hipFreeHost(void *pointer);
hipError_t hipHostFree(void *pointer);
hipError_t hipFreeAsync(void *pointer, hipStream_t stream);
hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned int flags);
hipError_t hipHostGetFlags(unsigned int *flags, void *host);
hipError_t hipHostRegister(void *host, size_t bytes, unsigned int flags);
hipError_t hipHostUnregister(void *host);
hipError_t hipMemGetInfo(size_t *free, size_t *total);
hipError_t hipMemPtrGetInfo(void *pointer, size_t *bytes);
hipError_t hipMemGetAddressRange(hipDeviceptr_t *start, size_t *bytes, hipDeviceptr_t pointer);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer);
hipError_t hipMemPrefetchAsync(const void *pointer, size_t bytes, int device, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemAdvise(const void *pointer, size_t bytes, hipMemoryAdvise advice, int device);
hipError_t hipMemcpy(void *target, const void *source, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void *target, const void *source, size_t bytes, hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemcpyWithStream(void *target, const void *source, size_t bytes, hipMemcpyKind kind, hipStream_t stream);
hipError_t hipMemcpyHtoD(hipDeviceptr_t target, const void *source, size_t bytes);
hipError_t hipMemcpyDtoH(void *target, hipDeviceptr_t source, size_t bytes);
hipError_t hipMemcpyDtoD(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t target, const void *source, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoHAsync(void *target, hipDeviceptr_t source, size_t bytes, hipStream_t stream);
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes, hipStream_t stream);
hipError_t hipMemcpy2D(void *target, size_t targetPitch, const void *source, size_t sourcePitch, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DAsync(void *target, size_t targetPitch, const void *source, size_t sourcePitch, size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemcpyPeer(void *target, int targetDevice, const void *source, int sourceDevice, size_t bytes);
hipError_t hipMemcpyPeerAsync(void *target, int targetDevice, const void *source, int sourceDevice, size_t bytes, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemset(void *target, int value, size_t bytes);
hipError_t hipMemsetAsync(void *target, int value, size_t bytes, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemsetD8(hipDeviceptr_t target, unsigned char value, size_t count);
hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemsetD16(hipDeviceptr_t target, unsigned short value, size_t count);
hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemsetD32(hipDeviceptr_t target, int value, size_t count);
hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemset2D(void *target, size_t pitch, int value, size_t width, size_t height);
hipError_t hipMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemcpy3D(const hipMemcpy3DParms *parameters);
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *parameters, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemset3D(hipPitchedPtr target, int value, hipExtent extent);
hipError_t hipMemset3DAsync(hipPitchedPtr target, int value, hipExtent extent, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipGetSymbolAddress(void **pointer, const void *symbol);
hipError_t hipGetSymbolSize(size_t *bytes, const void *symbol);
hipError_t hipMemcpyToSymbol(const void *symbol, const void *source, size_t bytes, size_t offset HIP_DEFAULT(0), hipMemcpyKind kind HIP_DEFAULT(hipMemcpyHostToDevice));
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *source, size_t bytes, size_t offset, hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipMemcpyFromSymbol(void *target, const void *symbol, size_t bytes, size_t offset HIP_DEFAULT(0), hipMemcpyKind kind HIP_DEFAULT(hipMemcpyDeviceToHost));
hipError_t hipMemcpyFromSymbolAsync(void *target, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind, hipStream_t stream HIP_DEFAULT(0));

// Pools of memory.
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device);
hipError_t hipDeviceGetMemPool(hipMemPool_t *pool, int device);
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);
hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties);
hipError_t hipMemPoolDestroy(hipMemPool_t pool);
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes);
hipError_t hipMallocFromPoolAsync(void **pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream);
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *descriptions, size_t count);

// Streams, whose work is done when the call returns.
hipError_t hipStreamCreate(hipStream_t *stream);
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority);
hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t words, const uint32_t *mask);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags HIP_DEFAULT(0));
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags);
hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device);
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t function, void *data, unsigned int flags);
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data);

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph);
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status);
hipError_t hipStreamWaitValue32(hipStream_t stream, void *pointer, uint32_t value, unsigned int flags, uint32_t mask HIP_DEFAULT(0xffffffff));
hipError_t hipStreamWaitValue64(hipStream_t stream, void *pointer, uint64_t value, unsigned int flags, uint64_t mask HIP_DEFAULT(0xffffffffffffffff));
hipError_t hipStreamWriteValue32(hipStream_t stream, void *pointer, uint32_t value, unsigned int flags);
hipError_t hipStreamWriteValue64(hipStream_t stream, void *pointer, uint64_t value, unsigned int flags);
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status, unsigned long long *id);
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);

// Graphs.
hipError_t hipGraphCreate(hipGraph_t *graph, unsigned int flags);
hipError_t hipGraphDestroy(hipGraph_t graph);
hipError_t hipGraphInstantiate(hipGraphExec_t *executable, hipGraph_t graph, hipGraphNode_t *node, char *log, size_t bytes);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *executable, hipGraph_t graph, unsigned long long flags);
hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream);
hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream);
hipError_t hipGraphExecDestroy(hipGraphExec_t executable);
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count);
hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipKernelNodeParams *parameters);
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count);
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, void *target, const void *source, size_t bytes, hipMemcpyKind kind);
hipError_t hipGraphClone(hipGraph_t *copy, hipGraph_t graph);
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count);
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *nodes, size_t *count);
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type);
hipError_t hipGraphDestroyNode(hipGraphNode_t node);
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *before, const hipGraphNode_t *after, size_t count);
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipMemcpy3DParms *parameters);
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipMemsetParams *parameters);
hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipHostNodeParams *parameters);
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, hipGraph_t child);
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams *parameters);
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, const hipKernelNodeParams *parameters);
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node, void *target, const void *source, size_t bytes, hipMemcpyKind kind);

// Events.
hipError_t hipEventCreate(hipEvent_t *event);
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream HIP_DEFAULT(0), unsigned int flags HIP_DEFAULT(0));
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t stop);
hipError_t hipEventDestroy(hipEvent_t event);

// Launches.
hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes HIP_DEFAULT(0), hipStream_t stream HIP_DEFAULT(0));
hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes, hipStream_t stream, hipEvent_t start, hipEvent_t stop, int flags);
hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, unsigned int sharedBytes, hipStream_t stream);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, hipStream_t stream, void **arguments, void **extra);
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int gridX, unsigned int gridY, unsigned int gridZ, unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes, hipStream_t stream, void **arguments);
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t itemsX, uint32_t itemsY, uint32_t itemsZ, uint32_t blockX, uint32_t blockY, uint32_t blockZ, size_t sharedBytes, hipStream_t stream, void **arguments, void **extra, hipEvent_t start HIP_DEFAULT(0), hipEvent_t stop HIP_DEFAULT(0), uint32_t flags HIP_DEFAULT(0));
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function);
hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attribute, hipFunction_t function);
hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value);
hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t preference);
hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig banks);
hipError_t hipGetFuncBySymbol(hipFunction_t *function, const void *symbol);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int blockSize, size_t sharedBytes);
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int blockSize, size_t sharedBytes, unsigned int flags HIP_DEFAULT(0));
hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, const void *function, size_t sharedBytes, int limit);
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t function, int blockSize, size_t sharedBytes);
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, hipFunction_t function, size_t sharedBytes, int limit);

// Modules.
hipError_t hipModuleLoad(hipModule_t *module, const char *path);
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int count, hipJitOption *options, void **values);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);
hipError_t hipModuleGetGlobal(hipDeviceptr_t *pointer, size_t *bytes, hipModule_t module, const char *name);

// Profilers, of which there are none to start.
hipError_t hipProfilerStart(void);
hipError_t hipProfilerStop(void);

// What compiled host code calls.
void **__hipRegisterFatBinary(const void *wrapper);
void __hipUnregisterFatBinary(void **handle);
void __hipRegisterFunction(void **handle, const void *function, char *deviceName, const char *name, unsigned int limit, void *threadId, void *blockId, void *block, void *grid, int *warp);
void __hipRegisterVar(void **handle, void *variable, char *deviceName, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal);
void __hipRegisterManagedVar(void *handle, void **pointer, void *initial, const char *name, size_t bytes, unsigned int align);
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes HIP_DEFAULT(0), hipStream_t stream HIP_DEFAULT(0));
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, hipStream_t *stream);

#include <hip/detail/api_without_device.h>

#if defined(__cplusplus)
}
#include <hip/detail/api_templates.h>
#endif
