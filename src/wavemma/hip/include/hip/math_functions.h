// The mathematical functions, which programs that ask for them by this name get with all the rest.
#pragma once

#include <hip/hip_runtime.h>
