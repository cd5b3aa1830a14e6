// Attention of one head, O = softmax(Q * K^T / sqrt(d)) * V, both products by WMMA: half in, float
// sums, one pass over the keys with a running maximum. A wave of an RDNA3 target has 16 queries.
//
//   wavemma run examples/attention.hip --target gfx1100 -- 64

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                    \
  do {                                                                     \
    hipError_t status_ = (call);                                           \
    if (status_ != hipSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status_)); \
      return 1;                                                            \
    }                                                                      \
  } while (0)

typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));

constexpr int kTile = 16;   // queries of a wave, keys of a step, columns of a product
constexpr int kDepth = 64;  // numbers in a query, a key and a value

// A row of A lies in lane l and in lane l + 16; so does a column of B.
__device__ half16 row_of(const _Float16* matrix, int row, int column) {
  half16 found;
  for (int k = 0; k < kTile; ++k) found[k] = matrix[row * kDepth + column + k];
  return found;
}

__device__ half16 column_of(const _Float16* matrix, int row, int column) {
  half16 found;
  for (int k = 0; k < kTile; ++k) found[k] = matrix[(row + k) * kDepth + column];
  return found;
}

__global__ void attention(const _Float16* q, const _Float16* k, const _Float16* v, float* o, int keys) {
  const int lane = threadIdx.x;
  const int first = blockIdx.x * kTile;
  __shared__ _Float16 shares[kTile][kTile];
  half16 query[kDepth / kTile];
  for (int d = 0; d < kDepth / kTile; ++d) query[d] = row_of(q, first + lane % 16, d * kTile);
  float8 sums[kDepth / kTile] = {};
  float highest[8], total[8] = {};
  for (int r = 0; r < 8; ++r) highest[r] = -INFINITY;
  const float scale = 1.0f / sqrtf(kDepth);
  for (int step = 0; step < keys; step += kTile) {
    float8 score = {};
    for (int d = 0; d < kDepth / kTile; ++d) {
      const half16 key = row_of(k, step + lane % 16, d * kTile);
      score = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(query[d], key, score);
    }
    // Register r holds row 2r in lanes 0 to 15 and row 2r + 1 in lanes 16 to 31.
    for (int r = 0; r < 8; ++r) {
      const float here = score[r] * scale;
      float most = here;
      for (int away = 8; away; away /= 2) most = fmaxf(most, __shfl_xor(most, away, 16));
      most = fmaxf(most, highest[r]);
      const float share = __expf(here - most);
      float all = share;
      for (int away = 8; away; away /= 2) all += __shfl_xor(all, away, 16);
      const float kept = __expf(highest[r] - most);
      highest[r] = most;
      total[r] = total[r] * kept + all;
      for (int d = 0; d < kDepth / kTile; ++d) sums[d][r] *= kept;
      shares[2 * r + lane / 16][lane % 16] = static_cast<_Float16>(share);
    }
    __syncthreads();
    // What was a result of one product becomes A of the next: another place for every number.
    half16 weight;
    for (int j = 0; j < kTile; ++j) weight[j] = shares[lane % 16][j];
    __syncthreads();
    for (int d = 0; d < kDepth / kTile; ++d) {
      const half16 value = column_of(v, step, d * kTile + lane % 16);
      sums[d] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(weight, value, sums[d]);
    }
  }
  for (int d = 0; d < kDepth / kTile; ++d)
    for (int r = 0; r < 8; ++r) {
      const int row = first + 2 * r + lane / 16;
      o[row * kDepth + d * kTile + lane % 16] = sums[d][r] / total[r];
    }
}

// The same in double, for one query.
static std::vector<double> expected(const std::vector<_Float16>& q, const std::vector<_Float16>& k,
                                    const std::vector<_Float16>& v, int row, int keys) {
  std::vector<double> score(keys), out(kDepth);
  double most = -INFINITY, total = 0;
  for (int j = 0; j < keys; ++j) {
    for (int d = 0; d < kDepth; ++d) score[j] += double(q[row * kDepth + d]) * double(k[j * kDepth + d]);
    score[j] /= std::sqrt(double(kDepth));
    most = std::fmax(most, score[j]);
  }
  for (double& each : score) total += each = std::exp(each - most);
  for (int j = 0; j < keys; ++j)
    for (int d = 0; d < kDepth; ++d) out[d] += score[j] / total * double(v[j * kDepth + d]);
  return out;
}

int main(int count, char** words) {
  const int length = count > 1 ? std::atoi(words[1]) : 64;
  if (length < kTile || length % kTile) {
    std::fprintf(stderr, "the sequence length must be a multiple of %d\n", kTile);
    return 2;
  }
  const size_t numbers = size_t(length) * kDepth;
  std::vector<_Float16> q(numbers), k(numbers), v(numbers);
  std::vector<float> o(numbers);
  unsigned state = 12345;
  for (auto* matrix : {&q, &k, &v})
    for (_Float16& each : *matrix) {
      state = state * 1664525u + 1013904223u;
      each = static_cast<_Float16>((int(state >> 16) % 4096 - 2048) / 1024.0f);
    }
  _Float16 *device_q, *device_k, *device_v;
  float* device_o;
  HIP_CHECK(hipMalloc(&device_q, numbers * sizeof(_Float16)));
  HIP_CHECK(hipMalloc(&device_k, numbers * sizeof(_Float16)));
  HIP_CHECK(hipMalloc(&device_v, numbers * sizeof(_Float16)));
  HIP_CHECK(hipMalloc(&device_o, numbers * sizeof(float)));
  HIP_CHECK(hipMemcpy(device_q, q.data(), numbers * sizeof(_Float16), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_k, k.data(), numbers * sizeof(_Float16), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_v, v.data(), numbers * sizeof(_Float16), hipMemcpyHostToDevice));
  attention<<<length / kTile, 32>>>(device_q, device_k, device_v, device_o, length);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(o.data(), device_o, numbers * sizeof(float), hipMemcpyDeviceToHost));
  double largest = 0;
  for (int row = 0; row < length; ++row) {
    const std::vector<double> want = expected(q, k, v, row, length);
    for (int d = 0; d < kDepth; ++d) largest = std::fmax(largest, std::fabs(want[d] - o[row * kDepth + d]));
  }
  // Weights are rounded to half: 2^-11 of values up to 2.
  const bool wrong = !(largest < 2e-3);
  std::printf("attention over %d keys: largest error %.2e: %s\n", length, largest,
              wrong ? "FAILED" : "PASSED");
  HIP_CHECK(hipFree(device_q));
  HIP_CHECK(hipFree(device_k));
  HIP_CHECK(hipFree(device_v));
  HIP_CHECK(hipFree(device_o));
  return wrong;
}
