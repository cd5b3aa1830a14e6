// Complex numbers as pairs of float or double.
#pragma once

#include <hip/hip_runtime.h>

#if defined(__HIP__)
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define WAVEMMA_COMPLEX(T_, name, suffix, root)                                                   \
  WAVEMMA_EITHER name make_##name(T_ x, T_ y) { return name(x, y); }                               \
  WAVEMMA_EITHER T_ hipCreal##suffix(name z) { return z.x; }                                      \
  WAVEMMA_EITHER T_ hipCimag##suffix(name z) { return z.y; }                                      \
  WAVEMMA_EITHER name hipConj##suffix(name z) { return name(z.x, -z.y); }                        \
  WAVEMMA_EITHER T_ hipCsqabs##suffix(name z) { return z.x * z.x + z.y * z.y; }                   \
  WAVEMMA_EITHER T_ hipCabs##suffix(name z) { return root(z.x * z.x + z.y * z.y); }               \
  WAVEMMA_EITHER name hipCadd##suffix(name a, name b) { return name(a.x + b.x, a.y + b.y); }     \
  WAVEMMA_EITHER name hipCsub##suffix(name a, name b) { return name(a.x - b.x, a.y - b.y); }     \
  WAVEMMA_EITHER name hipCmul##suffix(name a, name b) {                                          \
    return name(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                   \
  }                                                                                              \
  WAVEMMA_EITHER name hipCfma##suffix(name a, name b, name c) {                                  \
    return name(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                       \
  }                                                                                              \
  WAVEMMA_EITHER name hipCdiv##suffix(name a, name b) {                                          \
    T_ size = b.x * b.x + b.y * b.y;                                                              \
    return name((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);                 \
  }
WAVEMMA_COMPLEX(float, hipFloatComplex, f, __builtin_sqrtf)
WAVEMMA_COMPLEX(double, hipDoubleComplex, , __builtin_sqrt)
#undef WAVEMMA_COMPLEX

WAVEMMA_EITHER hipComplex make_hipComplex(float x, float y) { return hipComplex(x, y); }
WAVEMMA_EITHER hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return hipDoubleComplex(z.x, z.y);
}
WAVEMMA_EITHER hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return hipFloatComplex(z.x, z.y);
}
#endif
