"""Kernel arguments: their types, and the bytes that a kernel reads."""
