"""The MODE register that a wave starts with, from the kernel's descriptor."""

from wavemma.objects import Kernel
from wavemma.tables.abi import bit_fields

_SOURCES = {
    "ROUND_32": "FLOAT_ROUND_MODE_32",
    "ROUND_16_64": "FLOAT_ROUND_MODE_16_64",
    "DENORM_32": "FLOAT_DENORM_MODE_32",
    "DENORM_16_64": "FLOAT_DENORM_MODE_16_64",
    "DX10_CLAMP": "ENABLE_DX10_CLAMP",
    "IEEE": "ENABLE_IEEE_MODE",
    "FP16_OVFL": "FP16_OVFL",
}
"""Fields of MODE, by the fields of the descriptor that they come from."""


def mode(kernel: Kernel, architecture: str) -> int:
    """Give the register.

    Args:
        kernel: The kernel.
        architecture: Key of the target's architecture.

    """
    fields = kernel.descriptor.fields["rsrc1"]
    bits = bit_fields("MODE", architecture)
    return sum(
        fields[source] << bits[name].lo
        for name, source in _SOURCES.items()
        if name in bits and source in fields
    )
