"""Kernel arguments as the bytes that a kernel reads."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from wavemma.errors import LaunchMistake
from wavemma.machine.geometry import Geometry
from wavemma.objects import Argument, KernelMetadata
from wavemma.tables.abi import abi

HIDDEN = "hidden_"
POINTER_BYTES = 8
_POINTERS = ("global_buffer", "dynamic_shared_pointer")
_DIMENSIONS = 3


@runtime_checkable
class HasAddress(Protocol):
    """Something in device memory."""

    @property
    def address(self) -> int:
        """Where it begins."""


def explicit(found: KernelMetadata) -> tuple[Argument, ...]:
    """Give the arguments that a caller passes, in order."""
    return tuple(each for each in found.args if not each.value_kind.startswith(HIDDEN))


def packed(found: KernelMetadata, values: Sequence[object]) -> bytearray:
    """Put values where the kernel reads them; hidden arguments stay 0.

    Args:
        found: The kernel's metadata.
        values: One an argument: an address or something in device memory for a pointer; NumPy
            scalars or bytes of the argument's own size for the others.

    Raises:
        LaunchMistake: Their number, size or type is another; says position, name and size.

    """
    wanted = explicit(found)
    if len(values) != len(wanted):
        raise LaunchMistake(
            f"{found.name} takes {len(wanted)} arguments, got {len(values)}.",
            subject=len(values),
            hint=f"They are: {'; '.join(map(describe, wanted)) or 'none'}.",
        )
    data = bytearray(found.kernarg_segment_size)
    for position, (argument, value) in enumerate(zip(wanted, values, strict=True)):
        own = _bytes_of(found.name, position, argument, value)
        data[argument.offset : argument.offset + argument.size] = own
    return data


def describe(argument: Argument) -> str:
    """Say what an argument is."""
    kind = "a pointer" if argument.value_kind in _POINTERS else f"{argument.size} bytes"
    return f"{argument.name} ({kind})" if argument.name else kind


def _bytes_of(kernel: str, position: int, argument: Argument, value: object) -> bytes:
    size = argument.size
    if isinstance(value, bytes | bytearray) and len(value) == size:
        return bytes(value)
    if isinstance(value, np.generic) and value.dtype.itemsize == size:
        return value.tobytes()
    if argument.value_kind in _POINTERS or size == POINTER_BYTES:
        address = value.address if isinstance(value, HasAddress) else value
        if isinstance(address, int) and not isinstance(address, bool):
            return (address & (1 << 8 * POINTER_BYTES) - 1).to_bytes(size, "little")
    raise LaunchMistake(
        f"Argument {position} of {kernel}, {describe(argument)}, must be {_wanted(argument)};"
        f" got {_given(value)}.",
        subject=type(value).__name__,
        hint="Give numbers as NumPy scalars, such as numpy.int32(5): a bare number has no size.",
    )


def _wanted(argument: Argument) -> str:
    if argument.value_kind in _POINTERS:
        return "an address in device memory, or an array there"
    return f"a NumPy scalar or bytes of {argument.size} bytes"


def _given(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    if isinstance(value, np.generic):
        return f"{value.dtype} of {value.dtype.itemsize} bytes"
    return f"{value!r} ({type(value).__name__})"


def fill_hidden(
    data: bytearray, found: KernelMetadata, geometry: Geometry, values: dict[str, int]
) -> None:
    """Fill the arguments that the launcher passes, listed ones and those between them.

    Args:
        data: The arguments; changed.
        found: The kernel's metadata.
        geometry: The shape of the launch.
        values: Further values by name, such as "hidden_printf_buffer".

    """
    rows = {row.name: row for row in abi().hidden if row.version == "v5"}
    listed = [each for each in found.args if each.value_kind in rows]
    if not listed:
        return
    first = listed[0].offset - rows[listed[0].value_kind].offset
    known = {**_of_geometry(geometry), **values}
    for name, row in rows.items():
        place = first + row.offset
        if place + row.size <= len(data):
            data[place : place + row.size] = known.get(name, 0).to_bytes(row.size, "little")


def _of_geometry(geometry: Geometry) -> dict[str, int]:
    found = {
        "hidden_grid_dims": _DIMENSIONS,
        "hidden_dynamic_lds_size": geometry.dynamic_lds_bytes,
    }
    for axis, groups, items in zip("xyz", geometry.grid, geometry.block, strict=True):
        found[f"hidden_block_count_{axis}"] = groups
        found[f"hidden_group_size_{axis}"] = items
    return found
