// Groups of threads that wait for each other: the block, parts of a wave, and the whole grid.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
namespace cooperative_groups {
// Any group: what a function takes that works on all of them.
class thread_group {
protected:
  enum kind { of_block, of_grid, of_tile, of_coalesced };
  kind kind_;
  unsigned size_;
  // The lanes of the wave that a coalesced group has.
  unsigned long long lanes_;
  __device__ thread_group(kind given, unsigned size, unsigned long long lanes = 0)
      : kind_(given), size_(size), lanes_(lanes) {}
  __device__ static unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned rank_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __device__ static unsigned long long rank_in_grid() {
    unsigned long long block =
        blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    return block * block_size() + rank_in_block();
  }
  __device__ static void sync_grid() {
    static __device__ unsigned arrived = 0, phase = 0;
    __threadfence();
    __syncthreads();
    if (rank_in_block() == 0) {
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
  __device__ unsigned rank_in_lanes() const {
    return __popcll(lanes_ & ((1ull << __lane_id()) - 1));
  }

public:
  __device__ static thread_group tile(unsigned count) { return thread_group(of_tile, count); }
  __device__ unsigned thread_rank() const {
    if (kind_ == of_coalesced)
      return rank_in_lanes();
    if (kind_ == of_grid)
      return (unsigned)rank_in_grid();
    return kind_ == of_tile ? rank_in_block() % size_ : rank_in_block();
  }
  __device__ unsigned size() const { return size_; }
  __device__ unsigned num_threads() const { return size_; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const {
    if (kind_ == of_block)
      __syncthreads();
    else if (kind_ == of_grid)
      sync_grid();
    else
      __syncwarp();
  }
};

class thread_block : public thread_group {
public:
  __device__ thread_block() : thread_group(of_block, block_size()) {}
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned thread_rank() const { return rank_in_block(); }
  __device__ unsigned size() const { return block_size(); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ dim3 group_index() const { return blockIdx; }
  __device__ dim3 thread_index() const { return threadIdx; }
  __device__ dim3 group_dim() const { return blockDim; }
};
WAVEMMA_DEVICE thread_block this_thread_block() { return thread_block(); }

// All blocks; the launch must be cooperative, so that all of them run.
class grid_group : public thread_group {
public:
  __device__ grid_group() : thread_group(of_grid, (unsigned)whole()) {}
  __device__ unsigned long long size() const { return whole(); }
  __device__ unsigned long long num_threads() const { return whole(); }
  __device__ unsigned long long thread_rank() const { return rank_in_grid(); }
  __device__ void sync() const { sync_grid(); }

private:
  __device__ static unsigned long long whole() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * block_size();
  }
};
WAVEMMA_DEVICE grid_group this_grid() { return grid_group(); }

// So many neighbouring threads of a wave.
template <unsigned count, typename Parent = void> class thread_block_tile : public thread_group {
  static_assert(count && (count & (count - 1)) == 0 && count <= 64, "a power of two up to a wave");

public:
  __device__ thread_block_tile() : thread_group(of_tile, count) {}
  __device__ unsigned thread_rank() const { return rank_in_block() % count; }
  __device__ unsigned meta_group_rank() const { return rank_in_block() / count; }
  __device__ unsigned meta_group_size() const { return (block_size() + count - 1) / count; }
  __device__ static constexpr unsigned size() { return count; }
  __device__ static constexpr unsigned num_threads() { return count; }
  __device__ void sync() const { __syncwarp(); }
  template <typename T_> __device__ T_ shfl(T_ value, int lane) const {
    return __shfl(value, lane, count);
  }
  template <typename T_> __device__ T_ shfl_down(T_ value, unsigned delta) const {
    return __shfl_down(value, delta, count);
  }
  template <typename T_> __device__ T_ shfl_up(T_ value, unsigned delta) const {
    return __shfl_up(value, delta, count);
  }
  template <typename T_> __device__ T_ shfl_xor(T_ value, unsigned mask) const {
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
WAVEMMA_DEVICE thread_group tiled_partition(const thread_group &, unsigned count) {
  return thread_group::tile(count);
}

// Those threads of a wave that run together where the group is made.
class coalesced_group : public thread_group {
  // The lane of the thread of a rank.
  __device__ int lane_of(unsigned rank) const {
    unsigned long long rest = lanes_;
    for (unsigned i = 0; i < rank % size_; ++i)
      rest &= rest - 1;
    return __builtin_ctzll(rest);
  }

public:
  __device__ explicit coalesced_group(unsigned long long lanes)
      : thread_group(of_coalesced, __popcll(lanes), lanes) {}
  __device__ unsigned thread_rank() const { return rank_in_lanes(); }
  __device__ void sync() const { __syncwarp(); }
  template <typename T_> __device__ T_ shfl(T_ value, int rank) const {
    return wavemma_detail::from_lane_of(value, lane_of(rank));
  }
  template <typename T_> __device__ T_ shfl_down(T_ value, unsigned delta) const {
    unsigned rank = thread_rank() + delta;
    return wavemma_detail::from_lane_of(value, lane_of(rank < size_ ? rank : thread_rank()));
  }
  template <typename T_> __device__ T_ shfl_up(T_ value, unsigned delta) const {
    unsigned rank = thread_rank();
    return wavemma_detail::from_lane_of(value, lane_of(delta <= rank ? rank - delta : rank));
  }
  // A bit for each thread of the group, by its rank.
  __device__ unsigned long long ballot(int predicate) const {
    unsigned long long said = __ballot(predicate) & lanes_, packed = 0;
    unsigned rank = 0;
    for (unsigned long long rest = lanes_; rest; rest &= rest - 1, ++rank)
      packed |= (said >> __builtin_ctzll(rest) & 1) << rank;
    return packed;
  }
  __device__ int any(int predicate) const { return (__ballot(predicate) & lanes_) != 0; }
  __device__ int all(int predicate) const { return (__ballot(!predicate) & lanes_) == 0; }
};
WAVEMMA_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__ballot(1)); }

template <typename Group> WAVEMMA_DEVICE auto thread_rank(const Group &group) {
  return group.thread_rank();
}
template <typename Group> WAVEMMA_DEVICE auto group_size(const Group &group) {
  return group.size();
}
template <typename Group> WAVEMMA_DEVICE bool is_valid(const Group &group) {
  return group.is_valid();
}
template <typename Group> WAVEMMA_DEVICE void sync(const Group &group) { group.sync(); }
} // namespace cooperative_groups
#endif
