// Launches that record their own start and stop.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__cplusplus)
template <typename... Parameters, typename... Arguments>
static inline void hipExtLaunchKernelGGL(void (*function)(Parameters...), const dim3 &grid,
                                         const dim3 &block, size_t sharedBytes, hipStream_t stream,
                                         hipEvent_t start, hipEvent_t stop, unsigned flags,
                                         Arguments... given) {
  wavemma_detail::launch<Parameters...>::with(
      [&](void **arguments) {
        (void)hipExtLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments,
                                 sharedBytes, stream, start, stop, static_cast<int>(flags));
      },
      given...);
}
#endif
