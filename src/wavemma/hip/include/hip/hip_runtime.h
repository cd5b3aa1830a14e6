// What a HIP program includes: the host interface, launches and everything that device code uses.
#pragma once

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#if !defined(__HIPCC_RTC__)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__cplusplus)
#include <cmath>
#include <cstdlib>
#endif
#endif

#if defined(__HIP__)
#include <hip/detail/keywords.h>
#endif
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#else
#include <hip/detail/without_host.h>
#endif
#include <hip/hip_vector_types.h>
#if defined(__HIP__)
#include <hip/detail/builtin_variables.h>
#include <hip/detail/printing.h>
#include <hip/detail/bits.h>
#include <hip/detail/conversions.h>
#include <hip/detail/math_functions.h>
#include <hip/detail/special_functions.h>
#include <hip/detail/bessel_functions.h>
#include <hip/detail/across_lanes.h>
#include <hip/detail/synchronize.h>
#include <hip/detail/atomics.h>
#include <hip/detail/device_memory.h>
#if !defined(__HIPCC_RTC__)
#include <hip/detail/launch.h>
#endif
#endif
