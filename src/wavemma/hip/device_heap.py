"""The memory that kernels allocate from, as `detail/device_memory.h` reads it."""

HEAP = "hidden_heap_v1"
"""The hidden argument that holds its address."""
CLASSES = 32
"""Sizes of blocks: powers of two, by their exponent."""
HEADER_BYTES = 16 + 8 * CLASSES
DEFAULT_BYTES = 8 << 20


def heap_bytes(size_bytes: int) -> bytes:
    """Give the header of an empty heap: bytes used, bytes there are, and a list for each size."""
    used, all_bytes = (number.to_bytes(8, "little") for number in (HEADER_BYTES, size_bytes))
    return used + all_bytes + bytes(8 * CLASSES)
