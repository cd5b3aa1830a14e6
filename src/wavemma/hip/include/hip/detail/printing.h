// What printf and assert in device code need: a place in the buffer that the host prints.
#pragma once

extern "C" __device__ int printf(const char *format, ...);

// The compiler puts every printf into a packet and asks here where to write it. The buffer begins
// with the bytes used and the bytes that there are; its address is the implicit argument at byte
// 72. A packet that does not fit is dropped, as null tells; once one has been, no more is counted, so
// that the count never wraps.
// Inlined, so that no kernel calls a function: LLVM 22 fails to spill halves of registers around calls.
extern "C" __device__ inline __attribute__((used, always_inline)) void *
__printf_alloc(unsigned bytes) {
  typedef const __attribute__((address_space(4))) unsigned long *arguments;
  unsigned *buffer = (unsigned *)((arguments)__builtin_amdgcn_implicitarg_ptr())[9];
  if (!buffer || __hip_atomic_load(buffer, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) > buffer[1])
    return nullptr;
  unsigned place = __hip_atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (place + bytes > buffer[1])
    return nullptr;
  return (char *)(buffer + 2) + place;
}

namespace wavemma_detail {
// The end of a kernel that must not go on. In assembly: of several __builtin_trap in one kernel LLVM 22
// expands only the first for gfx11, and then refuses the others.
// Without debug information of its own, so that a fault names the line that asked for it.
[[noreturn]] WAVEMMA_DEVICE __attribute__((nodebug)) void stop() {
  asm volatile("s_trap 2");
  __builtin_unreachable();
}
#if __HIP_DEVICE_COMPILE__
// Programs write it themselves, also in functions of both sides.
[[noreturn]] static inline __host__ __device__ __attribute__((always_inline, nodebug)) void
stop_either() {
  asm volatile("s_trap 2");
  __builtin_unreachable();
}
#define __builtin_trap() wavemma_detail::stop_either()
#endif
} // namespace wavemma_detail

extern "C" __device__ inline __attribute__((always_inline, nodebug)) void
__assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  printf("%s:%u: %s: Device-side assertion `%s' failed.\n", file, line, function, assertion);
  wavemma_detail::stop();
}
__device__ inline __attribute__((always_inline, nodebug)) void abort() {
  wavemma_detail::stop();
}
// What tables of virtual functions name where there is none.
extern "C" __device__ inline __attribute__((weak, used, nodebug)) void __cxa_pure_virtual() {
  wavemma_detail::stop();
}
extern "C" __device__ inline __attribute__((weak, used, nodebug)) void __cxa_deleted_virtual() {
  wavemma_detail::stop();
}
