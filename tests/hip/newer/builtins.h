// Builtins of LLVM 24 for a clang that lacks them: calls of the intrinsics that they are.
#if !__has_builtin(__builtin_amdgcn_wmma_f64_16x16x4_f64)
typedef double Doublex2 __attribute__((ext_vector_type(2)));
typedef double Doublex8 __attribute__((ext_vector_type(8)));
extern "C" __attribute__((device, const)) Doublex8 wmma_f64(
    bool, Doublex2, bool, Doublex2, short, Doublex8, bool, bool)
    __asm("llvm.amdgcn.wmma.f64.16x16x4.f64.v8f64.v2f64");
#define __builtin_amdgcn_wmma_f64_16x16x4_f64 wmma_f64
#endif
