// C = A * B in half precision with a float32 accumulator, from interchangeable policies.
//
//   wavemma run examples/gemm.hip --target gfx1100 -- 256
//
// A policy for tiles says how blocks of A and B come into shared memory, a policy for computing
// what each thread does with them. The kernel knows neither: a matrix instruction and plain
// multiply-adds run through the same lines.

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#define HIP_CHECK(call)                                                              \
  do {                                                                               \
    hipError_t status_ = (call);                                                     \
    if (status_ != hipSuccess) {                                                     \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << hipGetErrorString(status_) \
                << "\n";                                                             \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

// ---------------------------------------------------------------- tiles in shared memory

template <int BlockTileM, int BlockTileN, int KTileSize, typename Elem>
struct TilePolicy {
  static constexpr int num_buffers = 1;
  static constexpr int block_tile_m = BlockTileM;
  static constexpr int block_tile_n = BlockTileN;
  static constexpr int k_tile_size = KTileSize;

  struct SharedStorage {
    Elem tile_a[BlockTileM][KTileSize];
    Elem tile_b_T[BlockTileN][KTileSize];
  };

  __device__ static int buf_idx(int k_tile) { return k_tile % num_buffers; }

  __device__ static void prologue(SharedStorage&, const Elem*, const Elem*, int, int, int, int,
                                  int, int, int) {}

  // All threads of the block copy, each every blockDim.x-th element; outside of the matrices
  // there are zeros.
  __device__ static void prefetch(SharedStorage& shared, const Elem* a, const Elem* b, int m,
                                  int n, int k, int row0, int col0, int k0, int tid, int threads) {
    for (int i = tid; i < BlockTileM * KTileSize; i += threads) {
      const int r = i / KTileSize, c = i % KTileSize;
      const bool inside = row0 + r < m && k0 + c < k;
      shared.tile_a[r][c] = inside ? a[(row0 + r) * k + k0 + c] : Elem(0);
    }
    for (int i = tid; i < BlockTileN * KTileSize; i += threads) {
      const int r = i / BlockTileN, c = i % BlockTileN;
      const bool inside = k0 + r < k && col0 + c < n;
      shared.tile_b_T[c][r] = inside ? b[(k0 + r) * n + col0 + c] : Elem(0);
    }
  }

  __device__ static void acquire() { __syncthreads(); }
  __device__ static void release() { __syncthreads(); }
  __device__ static const Elem (&get_tile_a(const SharedStorage& shared))[BlockTileM][KTileSize] {
    return shared.tile_a;
  }
  __device__ static const Elem (&get_tile_b_T(const SharedStorage& shared))[BlockTileN][KTileSize] {
    return shared.tile_b_T;
  }
};

template <typename Tile>
struct TileTraits {
  static_assert(Tile::num_buffers == 1 || Tile::num_buffers == 2, "one or two buffers");
  static_assert(Tile::block_tile_m > 0 && Tile::block_tile_n > 0, "a tile has rows and columns");
  static_assert(Tile::k_tile_size > 0, "a tile has depth");
  static_assert(std::is_trivially_destructible<typename Tile::SharedStorage>::value,
                "shared memory is never destroyed");
  static constexpr bool ok = true;
};

// ---------------------------------------------------------------- computing policies

typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));

// RDNA3's matrix instruction: a wave of 32 computes 16 x 16; every lane holds a whole row of A
// (or column of B), and lanes 16..31 repeat lanes 0..15.
struct WmmaRdna3F16Policy {
  static constexpr int thread_tile_m = 16;
  static constexpr int thread_tile_n = 16;
  static constexpr int effective_lanes = 32;
  static constexpr int k_step = 16;
  static constexpr int waves_n = 2;
  using elem_a = half16;
  using elem_b = half16;
  struct Accumulator {
    float8 values;
  };

  __device__ static void zero(Accumulator& acc) { acc.values = float8{}; }

  __device__ static void thread_tile_offset(int tid, int, int* row, int* col) {
    const int wave = tid / effective_lanes;
    *row = wave / waves_n * thread_tile_m;
    *col = wave % waves_n * thread_tile_n;
  }

  template <typename Rows>
  __device__ static elem_a load_a(const Rows& tile, int row, int k, int lane) {
    elem_a found;
    for (int i = 0; i < k_step; ++i) found[i] = tile[row + lane % 16][k + i];
    return found;
  }

  template <typename Rows>
  __device__ static elem_b load_b(const Rows& tile_T, int col, int k, int lane) {
    return load_a(tile_T, col, k, lane);
  }

  __device__ static void mma(const elem_a& a, const elem_b& b, Accumulator& acc) {
#if defined(__gfx1100__) || defined(__gfx1101__) || defined(__gfx1102__) ||     \
    defined(__gfx1103__) || defined(__gfx1150__) || defined(__gfx1151__) ||     \
    defined(__gfx1152__) || defined(__gfx1153__)
    acc.values = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, acc.values);
#else
    (void)a, (void)b, (void)acc;
#endif
  }

  // Register g of lane l holds row 2 * g + l / 16, column l % 16.
  __device__ static void store_c(const Accumulator& acc, float* c, int m, int n, int row, int col,
                                 int lane) {
    for (int g = 0; g < 8; ++g) {
      const int r = row + 2 * g + lane / 16, s = col + lane % 16;
      if (r < m && s < n) c[r * n + s] = acc.values[g];
    }
  }
};

// Plain multiply-adds for every other target: each thread has a small tile of its own.
template <int ThreadTileM, int ThreadTileN, int Columns>
struct ScalarFMAPolicy {
  static constexpr int thread_tile_m = ThreadTileM;
  static constexpr int thread_tile_n = ThreadTileN;
  static constexpr int effective_lanes = 1;
  static constexpr int k_step = 1;
  struct elem_a {
    float values[ThreadTileM];
  };
  struct elem_b {
    float values[ThreadTileN];
  };
  struct Accumulator {
    float values[ThreadTileM][ThreadTileN];
  };

  __device__ static void zero(Accumulator& acc) {
    for (auto& row : acc.values)
      for (float& value : row) value = 0.0f;
  }

  __device__ static void thread_tile_offset(int tid, int, int* row, int* col) {
    *row = tid / Columns * ThreadTileM;
    *col = tid % Columns * ThreadTileN;
  }

  template <typename Rows>
  __device__ static elem_a load_a(const Rows& tile, int row, int k, int) {
    elem_a found;
    for (int i = 0; i < ThreadTileM; ++i) found.values[i] = tile[row + i][k];
    return found;
  }

  template <typename Rows>
  __device__ static elem_b load_b(const Rows& tile_T, int col, int k, int) {
    elem_b found;
    for (int i = 0; i < ThreadTileN; ++i) found.values[i] = tile_T[col + i][k];
    return found;
  }

  __device__ static void mma(const elem_a& a, const elem_b& b, Accumulator& acc) {
    for (int i = 0; i < ThreadTileM; ++i)
      for (int j = 0; j < ThreadTileN; ++j)
        acc.values[i][j] = fmaf(a.values[i], b.values[j], acc.values[i][j]);
  }

  __device__ static void store_c(const Accumulator& acc, float* c, int m, int n, int row, int col,
                                 int) {
    for (int i = 0; i < ThreadTileM; ++i)
      for (int j = 0; j < ThreadTileN; ++j)
        if (row + i < m && col + j < n) c[(row + i) * n + col + j] = acc.values[i][j];
  }
};

template <typename Tile, typename Compute>
struct ComputeTraits {
  static_assert(Tile::block_tile_m % Compute::thread_tile_m == 0, "rows divide into thread tiles");
  static_assert(Tile::block_tile_n % Compute::thread_tile_n == 0, "so do columns");
  static_assert(Tile::k_tile_size % Compute::k_step == 0, "whole steps of k");
  static constexpr int threads = Tile::block_tile_m / Compute::thread_tile_m *
                                 (Tile::block_tile_n / Compute::thread_tile_n) *
                                 Compute::effective_lanes;
};

// ---------------------------------------------------------------- the kernel

template <typename Tile, typename Compute, typename ElemIn>
__global__ __launch_bounds__((ComputeTraits<Tile, Compute>::threads)) void gemm_kernel(
    const ElemIn* a, const ElemIn* b, float* c, int m, int n, int k) {
  static_assert(TileTraits<Tile>::ok, "a sound tile policy");
  __shared__ typename Tile::SharedStorage shared;
  const int tid = threadIdx.x, threads = blockDim.x, lane = tid % 32;
  const int row0 = blockIdx.y * Tile::block_tile_m, col0 = blockIdx.x * Tile::block_tile_n;
  int row, col;
  Compute::thread_tile_offset(tid, lane, &row, &col);
  typename Compute::Accumulator acc;
  Compute::zero(acc);
  Tile::prologue(shared, a, b, m, n, k, row0, col0, tid, threads);
  for (int k0 = 0; k0 < k; k0 += Tile::k_tile_size) {
    Tile::prefetch(shared, a, b, m, n, k, row0, col0, k0, tid, threads);
    Tile::acquire();
    for (int step = 0; step < Tile::k_tile_size; step += Compute::k_step) {
      const auto x = Compute::load_a(Tile::get_tile_a(shared), row, step, lane);
      const auto y = Compute::load_b(Tile::get_tile_b_T(shared), col, step, lane);
      Compute::mma(x, y, acc);
    }
    Tile::release();
  }
  Compute::store_c(acc, c, m, n, row0 + row, col0 + col, lane);
}

// ---------------------------------------------------------------- host

struct Timing {
  double milliseconds;
};

constexpr int warm_up_launches = 3;
constexpr int timed_launches = 10;

template <typename Tile, typename Compute, typename ElemIn>
Timing run(const std::vector<ElemIn>& a, const std::vector<ElemIn>& b, std::vector<float>& c,
           int m, int n, int k) {
  ElemIn *device_a, *device_b;
  float* device_c;
  HIP_CHECK(hipMalloc(&device_a, a.size() * sizeof(ElemIn)));
  HIP_CHECK(hipMalloc(&device_b, b.size() * sizeof(ElemIn)));
  HIP_CHECK(hipMalloc(&device_c, c.size() * sizeof(float)));
  HIP_CHECK(hipMemcpy(device_a, a.data(), a.size() * sizeof(ElemIn), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), b.size() * sizeof(ElemIn), hipMemcpyHostToDevice));
  constexpr int threads = ComputeTraits<Tile, Compute>::threads;
  const dim3 grid((n + Tile::block_tile_n - 1) / Tile::block_tile_n,
                  (m + Tile::block_tile_m - 1) / Tile::block_tile_m);
  auto launch = [&] {
    gemm_kernel<Tile, Compute, ElemIn><<<grid, dim3(threads)>>>(device_a, device_b, device_c, m, n, k);
    HIP_CHECK(hipGetLastError());
  };
  for (int i = 0; i < warm_up_launches; ++i) launch();
  HIP_CHECK(hipDeviceSynchronize());
  hipEvent_t begin, end;
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  HIP_CHECK(hipEventRecord(begin));
  for (int i = 0; i < timed_launches; ++i) launch();
  HIP_CHECK(hipEventRecord(end));
  HIP_CHECK(hipEventSynchronize(end));
  float milliseconds = 0.0f;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, end));
  HIP_CHECK(hipEventDestroy(begin));
  HIP_CHECK(hipEventDestroy(end));
  HIP_CHECK(hipMemcpy(c.data(), device_c, c.size() * sizeof(float), hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(device_a));
  HIP_CHECK(hipFree(device_b));
  HIP_CHECK(hipFree(device_c));
  return {milliseconds / timed_launches};
}

template <typename Elem>
std::vector<Elem> random_matrix(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<Elem> found(count);
  for (Elem& value : found) value = static_cast<Elem>(uniform(generator));
  return found;
}

template <typename Elem>
std::vector<Elem> identity(int n) {
  std::vector<Elem> found(static_cast<size_t>(n) * n, Elem(0));
  for (int i = 0; i < n; ++i) found[static_cast<size_t>(i) * n + i] = Elem(1);
  return found;
}

template <typename Elem>
bool equals(const std::vector<float>& c, const std::vector<Elem>& a) {
  for (size_t i = 0; i < c.size(); ++i)
    if (!(std::fabs(c[i] - static_cast<float>(a[i])) <= 1e-2f)) return false;
  return true;
}

// Compares some elements with sums in double.
template <typename Elem>
bool close_to_exact(const std::vector<Elem>& a, const std::vector<Elem>& b,
                    const std::vector<float>& c, int n) {
  std::mt19937 generator(99);
  for (int sample = 0; sample < 256; ++sample) {
    const int i = generator() % n, j = generator() % n;
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
      sum += static_cast<double>(static_cast<float>(a[static_cast<size_t>(i) * n + k])) *
             static_cast<double>(static_cast<float>(b[static_cast<size_t>(k) * n + j]));
    if (!(std::fabs(sum - c[static_cast<size_t>(i) * n + j]) <= 1e-3 * std::sqrt(double(n)) + 1e-3))
      return false;
  }
  return true;
}

template <typename Tile, typename Compute, typename Elem>
int verify_and_report(int n, const char* path) {
  constexpr int threads = ComputeTraits<Tile, Compute>::threads;
  std::cout << "Path: " << path << "\n"
            << "Matrices: M = N = K = " << n << "\n"
            << "Block tile: " << Tile::block_tile_m << " x " << Tile::block_tile_n << " x "
            << Tile::k_tile_size << ", " << threads << " threads a block\n";
  const size_t count = static_cast<size_t>(n) * n;
  const auto a = random_matrix<Elem>(count, 1);
  std::vector<float> c(count, -1.0f);
  const Timing timing = run<Tile, Compute, Elem>(a, identity<Elem>(n), c, n, n, n);
  const bool first = equals(c, a);
  const auto b = random_matrix<Elem>(count, 2);
  std::vector<float> d(count, -1.0f);
  run<Tile, Compute, Elem>(a, b, d, n, n, n);
  const bool second = close_to_exact(a, b, d, n);
  const double bytes = 2.0 * count * sizeof(Elem) + count * sizeof(float);
  std::cout << "A times identity: " << (first ? "PASSED" : "FAILED") << "\n"
            << "A times random B: " << (second ? "PASSED" : "FAILED") << "\n"
            << "Average kernel time: " << timing.milliseconds << " ms\n"
            << "Bandwidth: " << bytes / timing.milliseconds * 1e-6 << " GB/s\n"
            << "Rate: " << 2.0 * count * n / timing.milliseconds * 1e-9 << " TFLOPS\n";
  return first && second ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (n < 1) {
    std::cerr << "usage: gemm [size]\n";
    return 2;
  }
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const std::string name = properties.gcnArchName;
  std::cout << "Device: " << properties.name << " (" << name << "), warp size "
            << properties.warpSize << "\n";
  const bool has_wmma = name.rfind("gfx110", 0) == 0 || name.rfind("gfx115", 0) == 0;
  if (has_wmma)
    return verify_and_report<TilePolicy<32, 32, 16, _Float16>, WmmaRdna3F16Policy, _Float16>(
        n, "WMMA f16");
  return verify_and_report<TilePolicy<32, 32, 8, float>, ScalarFMAPolicy<8, 4, 8>, float>(
      n, "multiply-add f32");
}
