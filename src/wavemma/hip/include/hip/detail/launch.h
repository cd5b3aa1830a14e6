// hipLaunchKernelGGL: a launch written as a call, with the kernel's own parameter types.
#pragma once

#define hipLaunchKernelGGL(kernel, grid, block, sharedBytes, stream, ...) \
  wavemma_detail::launch_kernel(kernel, grid, block, sharedBytes, stream, ##__VA_ARGS__)
#define HIP_LAUNCH_KERNEL hipLaunchKernelGGL

namespace wavemma_detail {
// Arguments converted to the types of the parameters, and an array of pointers to them.
template <typename... Parameters> struct launch {
  template <typename Call> static void with(Call call, Parameters... values) {
    void *arguments[sizeof...(Parameters) + 1] = {
        const_cast<void *>(static_cast<const void *>(&values))..., nullptr};
    call(arguments);
  }
};

template <typename... Parameters, typename... Arguments>
static inline void launch_kernel(void (*kernel)(Parameters...), const dim3 &grid, const dim3 &block,
                                 size_t sharedBytes, hipStream_t stream, Arguments &&...given) {
  launch<Parameters...>::with(
      [&](void **arguments) {
        (void)hipLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments,
                              sharedBytes, stream);
      },
      static_cast<Arguments &&>(given)...);
}
} // namespace wavemma_detail
