"""The MODE register that a wave starts with, from the kernel's descriptor."""

from wavemma.errors import Unsupported
from wavemma.objects import Kernel
from wavemma.tables.abi import bit_fields

_PLAIN_FLOATS = {"FLOAT_DENORM_MODE_32": 3, "FLOAT_DENORM_MODE_16_64": 3}
"""Subnormals kept: what every known compiler asks for."""
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

    Raises:
        Unsupported: The kernel asks for a float mode that no compiler uses.

    """
    fields = kernel.descriptor.fields["rsrc1"]
    given = {name: fields[name] for name in _PLAIN_FLOATS}
    if given != _PLAIN_FLOATS:
        others = [name for name, value in given.items() if value != _PLAIN_FLOATS[name]]
        raise Unsupported(
            f"Kernels must run with subnormals kept; {kernel.name}"
            f" sets {', '.join(f'{name} to {given[name]}' for name in others)}."
            " That is not modelled.",
            subject=str(given),
            hint="Build without flags that flush subnormals.",
        )
    bits = bit_fields("MODE", architecture)
    return sum(
        fields[source] << bits[name].lo
        for name, source in _SOURCES.items()
        if name in bits and source in fields
    )
