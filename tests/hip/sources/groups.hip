// Cooperative groups: functions that take any group, tiles, threads that run together, the whole grid.
#include "check.h"
#include <hip/hip_cooperative_groups.h>
#include <cassert>
namespace cg = cooperative_groups;

// By a tree; the first thread of the group has the sum.
__device__ unsigned sum_of(cg::thread_group group, unsigned *room, unsigned value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    room[rank] = value;
    group.sync();
    if (rank < half) value += room[rank + half];
    group.sync();
  }
  return value;
}
template <unsigned part>
__global__ void sums(const unsigned *in, unsigned *of_blocks, unsigned *of_parts) {
  extern __shared__ unsigned room[];
  cg::thread_block block = cg::this_thread_block();
  const unsigned input = in[blockIdx.x * block.size() + block.thread_rank()];
  assert(block.size() == blockDim.x);
  const unsigned whole = sum_of(block, room, input);
  if (block.thread_rank() == 0) of_blocks[blockIdx.x] = whole;
  block.sync();
  auto tile = cg::tiled_partition<part>(block);
  const unsigned first = block.thread_rank() / part * part;
  const unsigned own = sum_of(tile, room + first, input);
  if (tile.thread_rank() == 0) of_parts[(blockIdx.x * block.size() + first) / part] = own;
  cg::thread_group same = cg::tiled_partition(block, part);
  assert(same.thread_rank() == tile.thread_rank() && cg::group_size(same) == part);
}
// A place for every thread that asks: one atomic operation for all that run together.
__global__ void places(int *counter, int *of_thread, unsigned *said) {
  const int t = threadIdx.x;
  of_thread[t] = -1;
  if (t % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    int start = 0;
    if (active.thread_rank() == 0) start = atomicAdd(counter, (int)active.size());
    of_thread[t] = active.shfl(start, 0) + (int)active.thread_rank();
    if (active.any(t == 0)) {
      said[0] = (unsigned)active.ballot(t % 2 == 0);
      said[1] = active.all(t % 3 == 0) + 10 * active.all(t == 0) + 100 * active.size();
    }
    const int before = active.shfl_up(t, 1), behind = active.shfl_down(t, 1);
    assert(before == (active.thread_rank() ? t - 3 : t));
    assert(behind == (active.thread_rank() + 1 < active.size() ? t + 3 : t));
  }
}
__global__ void whole_grid(unsigned *a, unsigned *b) {
  cg::grid_group grid = cg::this_grid();
  a[grid.thread_rank()] = grid.thread_rank() * 5;
  cg::sync(grid);
  b[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  constexpr unsigned n = 256, threads = 64, part = 16;
  std::vector<unsigned> in(n), blocks(n / threads), parts(n / part), grid(n);
  for (unsigned i = 0; i < n; ++i) in[i] = i * 3 + 1;
  unsigned *a, *b, *c;
  CHECK(hipMalloc(&a, n * 4));
  CHECK(hipMalloc(&b, n * 4));
  CHECK(hipMalloc(&c, n * 4));
  CHECK(hipMemcpy(a, in.data(), n * 4, hipMemcpyHostToDevice));
  void *arguments[] = {&a, &b, &c};
  CHECK(hipLaunchCooperativeKernel(sums<part>, dim3(n / threads), dim3(threads), arguments,
                                   threads * 4, hipStreamDefault));
  CHECK(hipMemcpy(blocks.data(), b, blocks.size() * 4, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(parts.data(), c, parts.size() * 4, hipMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i) blocks[i / threads] -= in[i], parts[i / part] -= in[i];
  for (unsigned left : blocks) MUST(left == 0);
  for (unsigned left : parts) MUST(left == 0);

  int *counter, *of_thread, found[32], count = 0;
  unsigned said[2];
  CHECK(hipMalloc(&counter, 4));
  CHECK(hipMemset(counter, 0, 4));
  CHECK(hipMalloc(&of_thread, sizeof found));
  places<<<1, 32>>>(counter, of_thread, b);
  CHECK(hipMemcpy(found, of_thread, sizeof found, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(&count, counter, 4, hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(said, b, 8, hipMemcpyDeviceToHost));
  MUST(count == 11 && said[0] == 0b10101010101 && said[1] == 1101);
  for (int t = 0; t < 32; ++t) MUST(found[t] == (t % 3 ? -1 : t / 3));

  void *both[] = {&a, &b};
  CHECK(hipLaunchCooperativeKernel(whole_grid, dim3(4), dim3(64), both, 0, 0));
  CHECK(hipMemcpy(grid.data(), b, n * 4, hipMemcpyDeviceToHost));
  for (unsigned i = 0; i < n; ++i) MUST(grid[i] == (n - 1 - i) * 5);
  std::puts("PASSED");
}
