/* The runtime that HIP programs are linked with: errors, launches on their way, and one forwarding
   function for each call of the interface. Python fills the table of functions; a place that it
   leaves empty answers hipErrorNotSupported and names itself once. */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local hipError_t last_error = hipSuccess;

static hipError_t told(hipError_t error) {
  if (error != hipSuccess)
    last_error = error;
  return error;
}

static int unsupported(const char *name, int *said) {
  if (!__atomic_exchange_n(said, 1, __ATOMIC_RELAXED)) {
    fflush(stdout);
    fprintf(stderr, "wavemma: %s is not supported: it returns an error.\n", name);
  }
  return hipErrorNotSupported;
}

hipError_t hipGetLastError(void) {
  hipError_t error = last_error;
  last_error = hipSuccess;
  return error;
}
hipError_t hipExtGetLastError(void) { return hipGetLastError(); }
hipError_t hipPeekAtLastError(void) { return last_error; }

#define NAME_OF(name, number, sentence) \
  case number:                          \
    return #name;
#define SENTENCE_OF(name, number, sentence) \
  case number:                              \
    return sentence;
const char *hipGetErrorName(hipError_t error) {
  switch ((int)error) { WAVEMMA_HIP_ERRORS(NAME_OF) }
  return "hipErrorUnknown";
}
const char *hipGetErrorString(hipError_t error) {
  switch ((int)error) { WAVEMMA_HIP_ERRORS(SENTENCE_OF) }
  return "unknown error";
}
hipError_t hipDrvGetErrorName(hipError_t error, const char **name) {
  if (!name)
    return told(hipErrorInvalidValue);
  *name = hipGetErrorName(error);
  return hipSuccess;
}
hipError_t hipDrvGetErrorString(hipError_t error, const char **sentence) {
  if (!sentence)
    return told(hipErrorInvalidValue);
  *sentence = hipGetErrorString(error);
  return hipSuccess;
}

#define RESULT_OF(name, number) \
  case number:                  \
    return #name;
const char *hiprtcGetErrorString(hiprtcResult result) {
  switch ((int)result) { WAVEMMA_HIPRTC_RESULTS(RESULT_OF) }
  return "unknown result";
}

/* What <<<...>>> has pushed and the stub has not popped yet. */
#define MOST_LAUNCHES 64
static _Thread_local struct configuration {
  dim3 grid, block;
  size_t bytes;
  hipStream_t stream;
} pushed[MOST_LAUNCHES];
static _Thread_local int depth = 0;

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t bytes, hipStream_t stream) {
  if (depth == MOST_LAUNCHES)
    return told(hipErrorMissingConfiguration);
  pushed[depth++] = (struct configuration){grid, block, bytes, stream};
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *bytes, hipStream_t *stream) {
  if (depth == 0)
    return told(hipErrorMissingConfiguration);
  const struct configuration *top = &pushed[--depth];
  *grid = top->grid;
  *block = top->block;
  *bytes = top->bytes;
  *stream = top->stream;
  return hipSuccess;
}

/* What Python uses. Text of the device goes through the program's own stdout, in order with it. */
void wavemma_print(const char *text, size_t bytes, int error) {
  FILE *file = error ? stderr : stdout;
  if (error)
    fflush(stdout);
  fwrite(text, 1, bytes, file);
}
void wavemma_leave(int code) {
  fflush(NULL);
  _Exit(code);
}
/* LLVM's objects that were made last are taken down first, before any function that was registered with
   atexit earlier: so the end of compiling comes before exit. The linker leads the program's own calls of
   exit here. */
static void (*before_exit)(void) = 0;
void __wrap_exit(int code) {
  if (before_exit)
    before_exit();
  exit(code);
}
void wavemma_run(int (*program)(int, char **, char **), int count, char **words, char **environment) {
  __wrap_exit(program(count, words, environment));
}
void wavemma_before_exit(void (*function)(void)) { before_exit = function; }
void wavemma_at_exit(void (*function)(void)) { atexit(function); }
