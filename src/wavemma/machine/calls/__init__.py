"""Functions of the runtime that compiled kernels call."""
