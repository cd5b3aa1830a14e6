// Read, change and write in one step, seen by the device, the system or the block.
#pragma once

#define WAVEMMA_ATOMIC_SCOPES(X, ...)                  \
  X(, __HIP_MEMORY_SCOPE_AGENT, __VA_ARGS__)           \
  X(_system, __HIP_MEMORY_SCOPE_SYSTEM, __VA_ARGS__)   \
  X(_block, __HIP_MEMORY_SCOPE_WORKGROUP, __VA_ARGS__)

#define WAVEMMA_FETCH(suffix, scope, name, operation, T_)                                   \
  WAVEMMA_DEVICE T_ name##suffix(T_ *place, T_ value) {                                       \
    return __hip_atomic_fetch_##operation(place, value, __ATOMIC_RELAXED, scope);          \
  }
#define WAVEMMA_FETCH_OF(name, operation, T_) \
  WAVEMMA_ATOMIC_SCOPES(WAVEMMA_FETCH, name, operation, T_)

WAVEMMA_FETCH_OF(atomicAdd, add, int)
WAVEMMA_FETCH_OF(atomicAdd, add, unsigned)
WAVEMMA_FETCH_OF(atomicAdd, add, unsigned long)
WAVEMMA_FETCH_OF(atomicAdd, add, unsigned long long)
WAVEMMA_FETCH_OF(atomicAdd, add, float)
WAVEMMA_FETCH_OF(atomicAdd, add, double)
WAVEMMA_FETCH_OF(atomicSub, sub, int)
WAVEMMA_FETCH_OF(atomicSub, sub, unsigned)
WAVEMMA_FETCH_OF(atomicSub, sub, unsigned long)
WAVEMMA_FETCH_OF(atomicSub, sub, unsigned long long)
WAVEMMA_FETCH_OF(atomicMin, min, int)
WAVEMMA_FETCH_OF(atomicMin, min, unsigned)
WAVEMMA_FETCH_OF(atomicMin, min, unsigned long)
WAVEMMA_FETCH_OF(atomicMin, min, unsigned long long)
WAVEMMA_FETCH_OF(atomicMin, min, long long)
WAVEMMA_FETCH_OF(atomicMin, min, float)
WAVEMMA_FETCH_OF(atomicMin, min, double)
WAVEMMA_FETCH_OF(atomicMax, max, int)
WAVEMMA_FETCH_OF(atomicMax, max, unsigned)
WAVEMMA_FETCH_OF(atomicMax, max, unsigned long)
WAVEMMA_FETCH_OF(atomicMax, max, unsigned long long)
WAVEMMA_FETCH_OF(atomicMax, max, long long)
WAVEMMA_FETCH_OF(atomicMax, max, float)
WAVEMMA_FETCH_OF(atomicMax, max, double)
WAVEMMA_FETCH_OF(atomicAnd, and, int)
WAVEMMA_FETCH_OF(atomicAnd, and, unsigned)
WAVEMMA_FETCH_OF(atomicAnd, and, unsigned long)
WAVEMMA_FETCH_OF(atomicAnd, and, unsigned long long)
WAVEMMA_FETCH_OF(atomicOr, or, int)
WAVEMMA_FETCH_OF(atomicOr, or, unsigned)
WAVEMMA_FETCH_OF(atomicOr, or, unsigned long)
WAVEMMA_FETCH_OF(atomicOr, or, unsigned long long)
WAVEMMA_FETCH_OF(atomicXor, xor, int)
WAVEMMA_FETCH_OF(atomicXor, xor, unsigned)
WAVEMMA_FETCH_OF(atomicXor, xor, unsigned long)
WAVEMMA_FETCH_OF(atomicXor, xor, unsigned long long)
#undef WAVEMMA_FETCH_OF
#undef WAVEMMA_FETCH

#define WAVEMMA_EXCHANGE(suffix, scope, T_)                                                 \
  WAVEMMA_DEVICE T_ atomicExch##suffix(T_ *place, T_ value) {                                 \
    return __hip_atomic_exchange(place, value, __ATOMIC_RELAXED, scope);                   \
  }                                                                                        \
  WAVEMMA_DEVICE T_ atomicCAS##suffix(T_ *place, T_ expected, T_ value) {                      \
    (void)__hip_atomic_compare_exchange_strong(place, &expected, value, __ATOMIC_RELAXED,  \
                                               __ATOMIC_RELAXED, scope);                   \
    return expected;                                                                       \
  }
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, int)
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, unsigned)
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, unsigned long)
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, unsigned long long)
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, float)
WAVEMMA_ATOMIC_SCOPES(WAVEMMA_EXCHANGE, double)
#undef WAVEMMA_EXCHANGE
#undef WAVEMMA_ATOMIC_SCOPES

WAVEMMA_DEVICE unsigned atomicInc(unsigned *place, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(place, limit, __ATOMIC_RELAXED, "agent");
}
WAVEMMA_DEVICE unsigned atomicDec(unsigned *place, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(place, limit, __ATOMIC_RELAXED, "agent");
}
WAVEMMA_DEVICE void atomicAddNoRet(float *place, float value) { (void)atomicAdd(place, value); }
WAVEMMA_DEVICE float unsafeAtomicAdd(float *place, float value) {
  return atomicAdd(place, value);
}
WAVEMMA_DEVICE double unsafeAtomicAdd(double *place, double value) {
  return atomicAdd(place, value);
}
WAVEMMA_DEVICE float safeAtomicAdd(float *place, float value) { return atomicAdd(place, value); }
WAVEMMA_DEVICE double safeAtomicAdd(double *place, double value) {
  return atomicAdd(place, value);
}
#define WAVEMMA_EITHER_WAY(name, T_)                                                               \
  WAVEMMA_DEVICE T_ unsafeAtomic##name(T_ *place, T_ value) { return atomic##name(place, value); } \
  WAVEMMA_DEVICE T_ safeAtomic##name(T_ *place, T_ value) { return atomic##name(place, value); }
WAVEMMA_EITHER_WAY(Max, float)
WAVEMMA_EITHER_WAY(Max, double)
WAVEMMA_EITHER_WAY(Min, float)
WAVEMMA_EITHER_WAY(Min, double)
#undef WAVEMMA_EITHER_WAY
