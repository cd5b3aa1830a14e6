// The calls of the host interface that C++ programs write with their own types.
#pragma once

#define HIP_SYMBOL(symbol) (symbol)
#define HIP_KERNEL_NAME(...) __VA_ARGS__

template <typename T_> static inline hipError_t hipMalloc(T_ **pointer, size_t bytes) {
  return hipMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <typename T_>
static inline hipError_t hipExtMallocWithFlags(T_ **pointer, size_t bytes, unsigned flags) {
  return hipExtMallocWithFlags(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <typename T_>
static inline hipError_t hipMallocManaged(T_ **pointer, size_t bytes, unsigned flags = 1) {
  return hipMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <typename T_>
static inline hipError_t hipHostMalloc(T_ **pointer, size_t bytes, unsigned flags = 0) {
  return hipHostMalloc(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <typename T_>
static inline hipError_t hipHostAlloc(T_ **pointer, size_t bytes, unsigned flags = 0) {
  return hipHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <typename T_> static inline hipError_t hipMallocHost(T_ **pointer, size_t bytes) {
  return hipMallocHost(reinterpret_cast<void **>(pointer), bytes);
}
template <typename T_>
static inline hipError_t hipMallocAsync(T_ **pointer, size_t bytes, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void **>(pointer), bytes, stream);
}
template <typename T_>
static inline hipError_t hipMallocFromPoolAsync(T_ **pointer, size_t bytes, hipMemPool_t pool,
                                                hipStream_t stream) {
  return hipMallocFromPoolAsync(reinterpret_cast<void **>(pointer), bytes, pool, stream);
}
template <typename T_>
static inline hipError_t hipMallocPitch(T_ **pointer, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void **>(pointer), pitch, width, height);
}
template <typename T_>
static inline hipError_t hipHostGetDevicePointer(T_ **device, void *host, unsigned flags) {
  return hipHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <typename T_>
static inline hipError_t hipGetSymbolAddress(void **pointer, const T_ &symbol) {
  return hipGetSymbolAddress(pointer, reinterpret_cast<const void *>(&symbol));
}
template <typename T_> static inline hipError_t hipGetSymbolSize(size_t *bytes, const T_ &symbol) {
  return hipGetSymbolSize(bytes, reinterpret_cast<const void *>(&symbol));
}
template <typename T_>
static inline hipError_t hipMemcpyToSymbol(const T_ &symbol, const void *source, size_t bytes,
                                           size_t offset = 0,
                                           hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return hipMemcpyToSymbol(reinterpret_cast<const void *>(&symbol), source, bytes, offset, kind);
}
template <typename T_>
static inline hipError_t hipMemcpyToSymbolAsync(const T_ &symbol, const void *source, size_t bytes,
                                                size_t offset, hipMemcpyKind kind,
                                                hipStream_t stream = 0) {
  return hipMemcpyToSymbolAsync(reinterpret_cast<const void *>(&symbol), source, bytes, offset,
                                kind, stream);
}
template <typename T_>
static inline hipError_t hipMemcpyFromSymbol(void *target, const T_ &symbol, size_t bytes,
                                             size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return hipMemcpyFromSymbol(target, reinterpret_cast<const void *>(&symbol), bytes, offset, kind);
}
template <typename T_>
static inline hipError_t hipMemcpyFromSymbolAsync(void *target, const T_ &symbol, size_t bytes,
                                                  size_t offset, hipMemcpyKind kind,
                                                  hipStream_t stream = 0) {
  return hipMemcpyFromSymbolAsync(target, reinterpret_cast<const void *>(&symbol), bytes, offset,
                                  kind, stream);
}
template <typename T_>
static inline hipError_t hipLaunchCooperativeKernel(T_ function, dim3 grid, dim3 block,
                                                    void **arguments, unsigned sharedBytes,
                                                    hipStream_t stream) {
  return hipLaunchCooperativeKernel(reinterpret_cast<const void *>(function), grid, block,
                                    arguments, sharedBytes, stream);
}
template <typename T_>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, T_ *function) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void *>(function));
}
template <typename T_>
static inline hipError_t hipFuncSetAttribute(T_ *function, hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void *>(function), attribute, value);
}
template <typename T_>
static inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T_ function, int blockSize,
                                             size_t sharedBytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void *>(function), blockSize, sharedBytes);
}
template <typename T_>
static inline hipError_t
hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T_ function, int blockSize,
                                                      size_t sharedBytes, unsigned flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void *>(function), blockSize, sharedBytes, flags);
}
template <typename T_>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                           T_ function, size_t sharedBytes = 0,
                                                           int limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(
      gridSize, blockSize, reinterpret_cast<const void *>(function), sharedBytes, limit);
}

static inline hipPitchedPtr make_hipPitchedPtr(void *pointer, size_t pitch, size_t width,
                                               size_t height) {
  return hipPitchedPtr{pointer, pitch, width, height};
}
static inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth) {
  return hipExtent{width, height, depth};
}
static inline hipPos make_hipPos(size_t x, size_t y, size_t z) { return hipPos{x, y, z}; }
