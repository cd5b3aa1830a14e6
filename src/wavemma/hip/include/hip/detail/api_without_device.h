// Calls that nothing here answers: each returns hipErrorNotSupported and says so once. They are
// declared so that programs which offer them as one way among others still compile.

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *pointer);
hipError_t hipIpcOpenMemHandle(void **pointer, hipIpcMemHandle_t handle, unsigned int flags);
hipError_t hipIpcCloseMemHandle(void *pointer);
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event);
hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle);
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *pointer, size_t bytes HIP_DEFAULT(0), unsigned int flags HIP_DEFAULT(4));
hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *description, size_t width, size_t height HIP_DEFAULT(0), unsigned int flags HIP_DEFAULT(0));
hipError_t hipMalloc3DArray(hipArray_t *array, const hipChannelFormatDesc *description, hipExtent extent, unsigned int flags);
hipError_t hipFreeArray(hipArray_t array);
hipError_t hipMemcpyToArray(hipArray_t target, size_t column, size_t row, const void *source, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyFromArray(void *target, hipArray_const_t source, size_t column, size_t row, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpy2DToArray(hipArray_t target, size_t column, size_t row, const void *source, size_t pitch, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DFromArray(void *target, size_t pitch, hipArray_const_t source, size_t column, size_t row, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const void *resource, const void *description, const void *view);
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const void *resource);
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface);
hipError_t hipImportExternalMemory(hipExternalMemory_t *memory, const void *description);
hipError_t hipExternalMemoryGetMappedBuffer(void **pointer, hipExternalMemory_t memory, const void *description);
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory);
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *semaphore, const void *description);
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t semaphore);
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources, hipStream_t stream HIP_DEFAULT(0));
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);
hipError_t hipMemAddressReserve(void **pointer, size_t bytes, size_t align, void *wanted, unsigned long long flags);
hipError_t hipMemAddressFree(void *pointer, size_t bytes);
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t bytes, const void *properties, unsigned long long flags);
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);
hipError_t hipMemMap(void *pointer, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle, unsigned long long flags);
hipError_t hipMemUnmap(void *pointer, size_t bytes);
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches, int count, unsigned int flags);
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches, int count, unsigned int flags);
