// Barriers, fences and clocks.
#pragma once

WAVEMMA_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
WAVEMMA_DEVICE void __syncwarp(unsigned long long = ~0ull) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
WAVEMMA_DEVICE void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
WAVEMMA_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
WAVEMMA_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

namespace wavemma_detail {
// One word of LDS for all three votes of a block.
WAVEMMA_DEVICE int vote(int value, bool counts, bool any) {
  static __shared__ int result;
  bool first = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
  if (first)
    result = counts || any ? 0 : 1;
  __syncthreads();
  if (counts) {
    if (value)
      __hip_atomic_fetch_add(&result, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  } else if ((value != 0) == any) {
    __hip_atomic_store(&result, any ? 1 : 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  __syncthreads();
  int all = result;
  __syncthreads();
  return all;
}
} // namespace wavemma_detail
WAVEMMA_DEVICE int __syncthreads_count(int value) {
  return wavemma_detail::vote(value, true, false);
}
WAVEMMA_DEVICE int __syncthreads_or(int value) { return wavemma_detail::vote(value, false, true); }
WAVEMMA_DEVICE int __syncthreads_and(int value) {
  return wavemma_detail::vote(value, false, false);
}

WAVEMMA_DEVICE long long clock64() { return (long long)__builtin_readcyclecounter(); }
WAVEMMA_DEVICE long long wall_clock64() { return (long long)__builtin_readsteadycounter(); }
WAVEMMA_DEVICE long long __clock64() { return clock64(); }
WAVEMMA_DEVICE int clock() { return (int)clock64(); }
