"""Kernels on NumPy arrays, instruction by instruction: the reference."""
