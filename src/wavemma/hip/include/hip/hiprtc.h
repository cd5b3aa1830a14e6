// Compiling device code while the program runs.
#pragma once

#include <hip/hip_common.h>
#include <stddef.h>

#define WAVEMMA_HIPRTC_RESULTS(X)                                                       \
  X(HIPRTC_SUCCESS, 0)                                                                  \
  X(HIPRTC_ERROR_OUT_OF_MEMORY, 1)                                                      \
  X(HIPRTC_ERROR_PROGRAM_CREATION_FAILURE, 2)                                           \
  X(HIPRTC_ERROR_INVALID_INPUT, 3)                                                      \
  X(HIPRTC_ERROR_INVALID_PROGRAM, 4)                                                    \
  X(HIPRTC_ERROR_INVALID_OPTION, 5)                                                     \
  X(HIPRTC_ERROR_COMPILATION, 6)                                                        \
  X(HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE, 7)                                          \
  X(HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION, 8)                              \
  X(HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, 9)                                \
  X(HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID, 10)                                         \
  X(HIPRTC_ERROR_INTERNAL_ERROR, 11)                                                    \
  X(HIPRTC_ERROR_LINKING, 100)

#define WAVEMMA_RESULT(name, number) name = number,
typedef enum hiprtcResult { WAVEMMA_HIPRTC_RESULTS(WAVEMMA_RESULT) } hiprtcResult;
#undef WAVEMMA_RESULT

typedef struct wavemma_hiprtc_program *hiprtcProgram;

#if defined(__cplusplus)
extern "C" {
#endif
const char *hiprtcGetErrorString(hiprtcResult result);
hiprtcResult hiprtcVersion(int *major, int *minor);
hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name, int count, const char **headers, const char **includeNames);
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program);
hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *expression);
hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char **options);
hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *bytes);
hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log);
hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *bytes);
hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code);
hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *expression, const char **lowered);
#if defined(__cplusplus)
}
#endif
