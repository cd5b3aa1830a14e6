"""Kernel arguments as the bytes that a kernel reads."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from wavemma.errors import LaunchMistake
from wavemma.machine.arguments.signature import Signature, Type, argument_types
from wavemma.machine.arguments.values import address_bytes, number_bytes, raw_bytes, whole_range
from wavemma.machine.geometry import Geometry
from wavemma.objects import Argument, KernelMetadata
from wavemma.tables.abi import abi

_POINTERS = ("global_buffer", "dynamic_shared_pointer")
_DIMENSIONS = 3
_SHOWN = 60


def packed(
    found: KernelMetadata,
    values: Sequence[object],
    signature: Signature | None = None,
    noted: Sequence[str] = (),
) -> bytearray:
    """Put values where the kernel reads them; hidden arguments stay 0.

    Args:
        found: The kernel's metadata.
        values: One an argument: an address, something in device memory or None for a pointer; a
            number where its type is known; else a NumPy scalar, bytes or an array of the
            argument's own size.
        signature: Types of the arguments, if nothing else tells them.
        noted: What debug information calls them, if there is any.

    Raises:
        LaunchMistake: Their number, size or type is another; says position, name and size.

    """
    types = argument_types(found, signature, noted)
    check_count(found, len(values), types)
    data = bytearray(found.kernarg_segment_size)
    for position, (argument, kind) in enumerate(zip(found.explicit, types, strict=True)):
        own = _bytes_of(argument, kind, values[position])
        if own is None:
            raise _refused(found.name, position, argument, kind, values[position])
        data[argument.offset : argument.offset + argument.size] = own
    return data


def check_count(found: KernelMetadata, count: int, types: Sequence[Type] | None = None) -> None:
    """Refuse another number of arguments than a kernel takes.

    Args:
        found: The kernel's metadata.
        count: How many there are.
        types: What they are, for the message.

    Raises:
        LaunchMistake: Lists the arguments.

    """
    if count != len(found.explicit):
        known = argument_types(found, None) if types is None else types
        told = [describe(each, kind) for each, kind in zip(found.explicit, known, strict=True)]
        raise LaunchMistake(
            f"{found.name} takes {len(told)} arguments, got {count}.",
            subject=count,
            hint=f"They are: {'; '.join(told) or 'none'}.",
        )


def pointer_places(
    found: KernelMetadata, signature: Signature | None = None, noted: Sequence[str] = ()
) -> dict[int, np.dtype[Any] | None]:
    """Tell which arguments are pointers, and to what numbers they lead where that is known.

    Args:
        found: The kernel's metadata.
        signature: Types of the arguments, if nothing else tells them.
        noted: What debug information calls them, if there is any.

    Raises:
        LaunchMistake: The signature has other arguments than the kernel.

    """
    types = argument_types(found, signature, noted)
    pairs = enumerate(zip(found.explicit, types, strict=True))
    return {place: kind.element for place, (each, kind) in pairs if _is_pointer(each, kind)}


def describe(argument: Argument, kind: Type) -> str:
    """Say what an argument is."""
    if _is_pointer(argument, kind):
        words = "a pointer"
    elif kind.number is not None:
        words = f"{kind.number}, {argument.size} bytes"
    else:
        words = f"{argument.size} bytes"
    return f"{argument.name} ({words})" if argument.name else words


def _is_pointer(argument: Argument, kind: Type) -> bool:
    return argument.value_kind in _POINTERS or kind.is_pointer


def _bytes_of(argument: Argument, kind: Type, value: object) -> bytes | None:
    if _is_pointer(argument, kind):
        is_raw = isinstance(value, bytes | bytearray)
        return raw_bytes(value, argument.size) if is_raw else address_bytes(value, argument.size)
    if kind.number is not None and not isinstance(value, bytes | bytearray):
        return number_bytes(value, kind.number)
    return raw_bytes(value, argument.size)


def _refused(
    kernel: str, position: int, argument: Argument, kind: Type, value: object
) -> LaunchMistake:
    is_typed = kind.number is not None or _is_pointer(argument, kind)
    return LaunchMistake(
        f"Argument {position} of {kernel}, {describe(argument, kind)}, must be"
        f" {_wanted(argument, kind)}; got {_given(value)}.",
        subject=type(value).__name__,
        hint=""
        if is_typed
        else "A bare number has no size: give a NumPy scalar, such as numpy.int32(5), or a"
        " signature, such as 'float*, int'.",
    )


def _wanted(argument: Argument, kind: Type) -> str:
    if _is_pointer(argument, kind):
        return "an address in device memory, or an array there"
    if kind.number is None:
        return f"a NumPy scalar, an array or bytes of {argument.size} bytes"
    if kind.number.kind in "iub":
        low, high = whole_range(kind.number)
        return f"a whole number from {low} to {high}"
    return f"a number within the range of {kind.number}"


def _given(value: object) -> str:
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    if isinstance(value, np.ndarray):
        return f"an array of the host, {value.dtype} of {value.nbytes} bytes"
    if isinstance(value, np.generic):
        return f"{value!r} of {value.dtype.itemsize} bytes"
    return f"{repr(value)[:_SHOWN]} ({type(value).__name__})"


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
