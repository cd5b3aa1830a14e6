// Groups of threads that wait for each other: the block, parts of a wave, and the whole grid.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
namespace cooperative_groups {
class thread_block {
public:
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __device__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned num_threads() const { return size(); }
  __device__ dim3 group_index() const { return blockIdx; }
  __device__ dim3 thread_index() const { return threadIdx; }
  __device__ dim3 group_dim() const { return blockDim; }
};
WAVEMMA_DEVICE thread_block this_thread_block() { return thread_block(); }

// All blocks; the launch must be cooperative, so that all of them run.
class grid_group {
public:
  __device__ unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * this_thread_block().size();
  }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    unsigned long long block =
        blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * this_thread_block().size() + this_thread_block().thread_rank();
  }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const {
    static __device__ unsigned arrived = 0, phase = 0;
    __threadfence();
    __syncthreads();
    if (this_thread_block().thread_rank() == 0) {
      unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
      unsigned now = __hip_atomic_load(&phase, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      if (__hip_atomic_fetch_add(&arrived, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) ==
          blocks - 1) {
        __hip_atomic_store(&arrived, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
        __hip_atomic_fetch_add(&phase, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
      } else {
        while (__hip_atomic_load(&phase, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == now)
          __builtin_amdgcn_s_sleep(1);
      }
    }
    __syncthreads();
    __threadfence();
  }
};
WAVEMMA_DEVICE grid_group this_grid() { return grid_group(); }

// So many neighbouring threads of a wave.
template <unsigned count, typename Parent = void> class thread_block_tile {
  static_assert(count && (count & (count - 1)) == 0 && count <= 64, "a power of two up to a wave");

public:
  __device__ unsigned thread_rank() const { return this_thread_block().thread_rank() % count; }
  __device__ unsigned meta_group_rank() const {
    return this_thread_block().thread_rank() / count;
  }
  __device__ unsigned meta_group_size() const {
    return (this_thread_block().size() + count - 1) / count;
  }
  __device__ static constexpr unsigned size() { return count; }
  __device__ static constexpr unsigned num_threads() { return count; }
  __device__ void sync() const { __syncwarp(); }
  template <typename T> __device__ T shfl(T value, int lane) const {
    return __shfl(value, lane, count);
  }
  template <typename T> __device__ T shfl_down(T value, unsigned delta) const {
    return __shfl_down(value, delta, count);
  }
  template <typename T> __device__ T shfl_up(T value, unsigned delta) const {
    return __shfl_up(value, delta, count);
  }
  template <typename T> __device__ T shfl_xor(T value, unsigned mask) const {
    return __shfl_xor(value, (int)mask, count);
  }
  __device__ unsigned long long ballot(int predicate) const {
    unsigned first = __lane_id() / count * count;
    unsigned long long all = __ballot(predicate) >> first;
    return count == 64 ? all : all & ((1ull << (count % 64)) - 1);
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(!predicate) == 0; }
};
template <unsigned count, typename Parent>
WAVEMMA_DEVICE thread_block_tile<count, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<count, Parent>();
}
template <typename Group> WAVEMMA_DEVICE void sync(const Group &group) { group.sync(); }
} // namespace cooperative_groups
#endif
