// The attributes of hipDeviceGetAttribute, each with the field of hipDeviceProp_t that it reads.
#pragma once

#define WAVEMMA_DEVICE_ATTRIBUTES(X)                                                       \
  X(hipDeviceAttributeEccEnabled, ECCEnabled, 0)                                           \
  X(hipDeviceAttributeAsyncEngineCount, asyncEngineCount, 0)                               \
  X(hipDeviceAttributeCanMapHostMemory, canMapHostMemory, 0)                               \
  X(hipDeviceAttributeCanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem, 0) \
  X(hipDeviceAttributeClockRate, clockRate, 0)                                             \
  X(hipDeviceAttributeComputeMode, computeMode, 0)                                         \
  X(hipDeviceAttributeComputePreemptionSupported, computePreemptionSupported, 0)           \
  X(hipDeviceAttributeConcurrentKernels, concurrentKernels, 0)                             \
  X(hipDeviceAttributeConcurrentManagedAccess, concurrentManagedAccess, 0)                 \
  X(hipDeviceAttributeCooperativeLaunch, cooperativeLaunch, 0)                             \
  X(hipDeviceAttributeCooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch, 0)       \
  X(hipDeviceAttributeDeviceOverlap, deviceOverlap, 0)                                     \
  X(hipDeviceAttributeDirectManagedMemAccessFromHost, directManagedMemAccessFromHost, 0)   \
  X(hipDeviceAttributeGlobalL1CacheSupported, globalL1CacheSupported, 0)                   \
  X(hipDeviceAttributeHostNativeAtomicSupported, hostNativeAtomicSupported, 0)             \
  X(hipDeviceAttributeIntegrated, integrated, 0)                                           \
  X(hipDeviceAttributeIsMultiGpuBoard, isMultiGpuBoard, 0)                                 \
  X(hipDeviceAttributeKernelExecTimeout, kernelExecTimeoutEnabled, 0)                      \
  X(hipDeviceAttributeL2CacheSize, l2CacheSize, 0)                                         \
  X(hipDeviceAttributeLocalL1CacheSupported, localL1CacheSupported, 0)                     \
  X(hipDeviceAttributeComputeCapabilityMajor, major, 0)                                    \
  X(hipDeviceAttributeManagedMemory, managedMemory, 0)                                     \
  X(hipDeviceAttributeMaxBlocksPerMultiProcessor, maxBlocksPerMultiProcessor, 0)           \
  X(hipDeviceAttributeMaxBlockDimX, maxThreadsDim, 0)                                      \
  X(hipDeviceAttributeMaxBlockDimY, maxThreadsDim, 1)                                      \
  X(hipDeviceAttributeMaxBlockDimZ, maxThreadsDim, 2)                                      \
  X(hipDeviceAttributeMaxGridDimX, maxGridSize, 0)                                         \
  X(hipDeviceAttributeMaxGridDimY, maxGridSize, 1)                                         \
  X(hipDeviceAttributeMaxGridDimZ, maxGridSize, 2)                                         \
  X(hipDeviceAttributeMaxThreadsPerBlock, maxThreadsPerBlock, 0)                           \
  X(hipDeviceAttributeMaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor, 0)         \
  X(hipDeviceAttributeMaxPitch, memPitch, 0)                                               \
  X(hipDeviceAttributeMemoryBusWidth, memoryBusWidth, 0)                                   \
  X(hipDeviceAttributeMemoryClockRate, memoryClockRate, 0)                                 \
  X(hipDeviceAttributeComputeCapabilityMinor, minor, 0)                                    \
  X(hipDeviceAttributeMultiprocessorCount, multiProcessorCount, 0)                         \
  X(hipDeviceAttributePhysicalMultiProcessorCount, multiProcessorCount, 0)                 \
  X(hipDeviceAttributePageableMemoryAccess, pageableMemoryAccess, 0)                       \
  X(hipDeviceAttributePageableMemoryAccessUsesHostPageTables,                              \
    pageableMemoryAccessUsesHostPageTables, 0)                                             \
  X(hipDeviceAttributePciBusId, pciBusID, 0)                                               \
  X(hipDeviceAttributePciDeviceId, pciDeviceID, 0)                                         \
  X(hipDeviceAttributePciDomainID, pciDomainID, 0)                                         \
  X(hipDeviceAttributeMaxRegistersPerBlock, regsPerBlock, 0)                               \
  X(hipDeviceAttributeMaxRegistersPerMultiprocessor, regsPerMultiprocessor, 0)             \
  X(hipDeviceAttributeMaxSharedMemoryPerBlock, sharedMemPerBlock, 0)                       \
  X(hipDeviceAttributeSharedMemPerBlockOptin, sharedMemPerBlockOptin, 0)                   \
  X(hipDeviceAttributeSharedMemPerMultiprocessor, sharedMemPerMultiprocessor, 0)           \
  X(hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor, 0) \
  X(hipDeviceAttributeSingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio, 0) \
  X(hipDeviceAttributeStreamPrioritiesSupported, streamPrioritiesSupported, 0)             \
  X(hipDeviceAttributeTotalConstantMemory, totalConstMem, 0)                               \
  X(hipDeviceAttributeTotalGlobalMem, totalGlobalMem, 0)                                   \
  X(hipDeviceAttributeUnifiedAddressing, unifiedAddressing, 0)                             \
  X(hipDeviceAttributeWarpSize, warpSize, 0)                                               \
  X(hipDeviceAttributeMemoryPoolsSupported, memoryPoolsSupported, 0)                       \
  X(hipDeviceAttributeClockInstructionRate, clockInstructionRate, 0)                       \
  X(hipDeviceAttributeWallClockRate, clockInstructionRate, 0)                              \
  X(hipDeviceAttributeIsLargeBar, isLargeBar, 0)                                           \
  X(hipDeviceAttributeAsicRevision, asicRevision, 0)

#define WAVEMMA_ATTRIBUTE(name, field, place) name,
typedef enum hipDeviceAttribute_t {
  WAVEMMA_DEVICE_ATTRIBUTES(WAVEMMA_ATTRIBUTE)
  wavemmaDeviceAttributes
} hipDeviceAttribute_t;
#undef WAVEMMA_ATTRIBUTE
