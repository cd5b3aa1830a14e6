// Bytes of device code: copies and fills, and malloc, free, new and delete of device code. Blocks are powers of two from one heap that stays from
// launch to launch; freed ones wait in a list for each size. The heap begins with the bytes used, the
// bytes that there are, and the lists; its address is the implicit argument at byte 96.
#pragma once

namespace wavemma_detail {
using heap_word = unsigned long long;

WAVEMMA_DEVICE heap_word *heap() {
  typedef const __attribute__((address_space(4))) unsigned long *arguments;
  return (heap_word *)((arguments)__builtin_amdgcn_implicitarg_ptr())[12];
}
// The head of a list holds an offset in the heap divided by 16, and above it how often it has changed:
// a block that was taken and given back between two looks is told from one that stayed.
WAVEMMA_DEVICE heap_word successor(heap_word head, unsigned block) {
  return ((head >> 32) + 1) << 32 | block;
}
WAVEMMA_DEVICE void *block_from_list(char *start, heap_word *list) {
  heap_word head = __hip_atomic_load(list, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  while ((unsigned)head) {
    unsigned *block = (unsigned *)(start + 16ull * (unsigned)head);
    unsigned next = __hip_atomic_load(block + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if (__hip_atomic_compare_exchange_strong(list, &head, successor(head, next), __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT))
      return block;
  }
  return nullptr;
}
WAVEMMA_DEVICE void *block_from_rest(char *start, heap_word bytes) {
  heap_word *used = (heap_word *)start;
  heap_word place = __hip_atomic_load(used, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (bytes <= used[1] && place <= used[1] - bytes)
    if (__hip_atomic_compare_exchange_strong(used, &place, place + bytes, __ATOMIC_RELAXED,
                                             __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
      return start + place;
  return nullptr;
}
// A block begins with 16 bytes of its own: the exponent of its size, and the next one in a list.
WAVEMMA_DEVICE void *allocate(heap_word bytes) {
  char *start = (char *)heap();
  if (!start || bytes == 0 || bytes >> 31)
    return nullptr;
  unsigned exponent = 64 - __builtin_clzll(bytes + 15);
  exponent = exponent < 5 ? 5 : exponent;
  void *block = block_from_list(start, heap() + 2 + exponent);
  if (!block)
    block = block_from_rest(start, 1ull << exponent);
  if (!block)
    return nullptr;
  *(unsigned *)block = exponent;
  return (char *)block + 16;
}
WAVEMMA_DEVICE void give_back(void *pointer) {
  if (!pointer)
    return;
  char *start = (char *)heap(), *block = (char *)pointer - 16;
  heap_word *list = heap() + 2 + *(unsigned *)block;
  heap_word head = __hip_atomic_load(list, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  do
    __hip_atomic_store((unsigned *)block + 1, (unsigned)head, __ATOMIC_RELAXED,
                       __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(
      list, &head, successor(head, (unsigned)((block - start) / 16)), __ATOMIC_ACQ_REL,
      __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
}
} // namespace wavemma_detail

extern "C" {
WAVEMMA_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) {
  return __builtin_memcpy(to, from, bytes);
}
WAVEMMA_DEVICE void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes) {
  return __builtin_memmove(to, from, bytes);
}
WAVEMMA_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ bytes) {
  return __builtin_memset(to, value, bytes);
}
WAVEMMA_DEVICE void *malloc(__SIZE_TYPE__ bytes) { return wavemma_detail::allocate(bytes); }
WAVEMMA_DEVICE void free(void *pointer) { wavemma_detail::give_back(pointer); }
}

// clang-format off
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__device__ inline void *operator new(__SIZE_TYPE__ bytes) { return wavemma_detail::allocate(bytes); }
__device__ inline void *operator new[](__SIZE_TYPE__ bytes) { return wavemma_detail::allocate(bytes); }
__device__ inline void operator delete(void *pointer) noexcept { wavemma_detail::give_back(pointer); }
__device__ inline void operator delete[](void *pointer) noexcept { wavemma_detail::give_back(pointer); }
__device__ inline void operator delete(void *pointer, __SIZE_TYPE__) noexcept { wavemma_detail::give_back(pointer); }
__device__ inline void operator delete[](void *pointer, __SIZE_TYPE__) noexcept { wavemma_detail::give_back(pointer); }
#pragma clang diagnostic pop
// What <new> declares for the host alone.
__device__ inline void *operator new(__SIZE_TYPE__, void *place) noexcept { return place; }
__device__ inline void *operator new[](__SIZE_TYPE__, void *place) noexcept { return place; }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}
// clang-format on
