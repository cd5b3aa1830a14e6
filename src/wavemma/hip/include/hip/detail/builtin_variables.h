// threadIdx, blockIdx, blockDim, gridDim and warpSize: objects without storage.
#pragma once

namespace wavemma_detail {
typedef const __attribute__((address_space(4))) unsigned *implicit_arguments;

struct thread_index {
  WAVEMMA_DEVICE unsigned x() { return __builtin_amdgcn_workitem_id_x(); }
  WAVEMMA_DEVICE unsigned y() { return __builtin_amdgcn_workitem_id_y(); }
  WAVEMMA_DEVICE unsigned z() { return __builtin_amdgcn_workitem_id_z(); }
};
struct block_index {
  WAVEMMA_DEVICE unsigned x() { return __builtin_amdgcn_workgroup_id_x(); }
  WAVEMMA_DEVICE unsigned y() { return __builtin_amdgcn_workgroup_id_y(); }
  WAVEMMA_DEVICE unsigned z() { return __builtin_amdgcn_workgroup_id_z(); }
};
struct block_size {
  WAVEMMA_DEVICE unsigned x() { return __builtin_amdgcn_workgroup_size_x(); }
  WAVEMMA_DEVICE unsigned y() { return __builtin_amdgcn_workgroup_size_y(); }
  WAVEMMA_DEVICE unsigned z() { return __builtin_amdgcn_workgroup_size_z(); }
};
// The first three implicit arguments are the numbers of blocks.
struct grid_size {
  WAVEMMA_DEVICE unsigned x() { return ((implicit_arguments)__builtin_amdgcn_implicitarg_ptr())[0]; }
  WAVEMMA_DEVICE unsigned y() { return ((implicit_arguments)__builtin_amdgcn_implicitarg_ptr())[1]; }
  WAVEMMA_DEVICE unsigned z() { return ((implicit_arguments)__builtin_amdgcn_implicitarg_ptr())[2]; }
};

template <typename Of> struct coordinates {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  __declspec(property(get = get_z)) unsigned z;
  __device__ __forceinline__ __attribute__((nodebug)) unsigned get_x() const { return Of::x(); }
  __device__ __forceinline__ __attribute__((nodebug)) unsigned get_y() const { return Of::y(); }
  __device__ __forceinline__ __attribute__((nodebug)) unsigned get_z() const { return Of::z(); }
  __device__ __forceinline__ __attribute__((nodebug)) operator dim3() const { return dim3(Of::x(), Of::y(), Of::z()); }
  __device__ __forceinline__ __attribute__((nodebug)) operator uint3() const { return uint3(Of::x(), Of::y(), Of::z()); }
};

struct lanes_of_a_wave {
  __device__ __forceinline__ __attribute__((nodebug)) operator int() const { return __builtin_amdgcn_wavefrontsize(); }
};
} // namespace wavemma_detail

extern const __device__ __attribute__((weak))
wavemma_detail::coordinates<wavemma_detail::thread_index> threadIdx;
extern const __device__ __attribute__((weak))
wavemma_detail::coordinates<wavemma_detail::block_index> blockIdx;
extern const __device__ __attribute__((weak))
wavemma_detail::coordinates<wavemma_detail::block_size> blockDim;
extern const __device__ __attribute__((weak))
wavemma_detail::coordinates<wavemma_detail::grid_size> gridDim;
extern const __device__ __attribute__((weak)) wavemma_detail::lanes_of_a_wave warpSize;

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
