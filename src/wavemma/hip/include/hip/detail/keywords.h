// The words that mark functions and variables.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) \
  WAVEMMA_BOUNDS_OF(__VA_ARGS__, WAVEMMA_BOUNDS_2, WAVEMMA_BOUNDS_1, )(__VA_ARGS__)
#define WAVEMMA_BOUNDS_OF(a, b, chosen, ...) chosen
// A block may have the given number of threads; with a second number, so many waves share a SIMD.
#define WAVEMMA_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define WAVEMMA_BOUNDS_2(threads, waves) \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// Without debug information of their own: a fault inside of them names the program's line.
#define WAVEMMA_DEVICE static inline __attribute__((device, always_inline, nodebug))
#define WAVEMMA_EITHER static inline __attribute__((host, device, always_inline, nodebug))
