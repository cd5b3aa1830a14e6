// What the programs here begin with: a call that fails ends them, and so does a condition.
#pragma once
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    hipError_t error_ = (call);                                                          \
    if (error_ != hipSuccess) {                                                          \
      std::fprintf(stderr, "%d: %s: %s\n", __LINE__, #call, hipGetErrorName(error_));    \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (0)
#define MUST(condition)                                          \
  do {                                                           \
    if (!(condition)) {                                          \
      std::fprintf(stderr, "%d: %s\n", __LINE__, #condition);    \
      std::exit(2);                                              \
    }                                                            \
  } while (0)
