"""Kernels of code objects run lane by lane, with memory, barriers and a scheduler."""
