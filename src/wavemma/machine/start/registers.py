"""The scalar registers that a wave starts with: user and system ones, by descriptor and ABI."""

from functools import cache, lru_cache

import msgspec
import numpy as np

from wavemma.errors import FileMistake
from wavemma.objects import Kernel
from wavemma.tables.abi import abi, bit_fields, limit

WORD = 0xFFFFFFFF
GROUP_NUMBERS = {
    "workgroup id x": "group_x",
    "workgroup id y": "group_y",
    "workgroup id z": "group_z",
}
"""System registers that hold numbers of the workgroup, and what a patch calls them."""
WAVE_INFO = "workgroup info"
_DISPATCH = "dispatch pointer"
_SCRATCH_OFFSET = "scratch wave byte offset"
_SCRATCH_POINTERS = ("private segment buffer", "flat scratch init")
"""User registers whose first two hold where scratch is; code adds the wave's offset to them."""
_LEAST_GROUP = 8
"""Lanes that an index stride of 0 means."""


class Pointers(msgspec.Struct, frozen=True):
    """Addresses that user registers hold."""

    kernarg: int
    dispatch: int = 0
    queue: int = 0


def user_words(kernel: Kernel, architecture: str, pointers: Pointers, kernarg: bytes) -> list[int]:
    """Give the user registers in the ABI's order, each group only if its flag is set.

    Args:
        kernel: The kernel.
        architecture: Key of the target's architecture.
        pointers: Addresses to hold.
        kernarg: Bytes of the arguments, for those that registers hold from the start.

    Raises:
        FileMistake: They are more than the descriptor counts: it is damaged.

    """
    held = {
        _SCRATCH_POINTERS[0]: _scratch_resource(architecture, kernel.descriptor.wave),
        _DISPATCH: pointers.dispatch,
        "queue pointer": pointers.queue,
        "kernarg pointer": pointers.kernarg,
        "private segment size": kernel.descriptor.private_bytes,
    }
    words: list[int] = []
    for name, size in _enabled(kernel):
        value = held.get(name, 0)
        words += [value >> 32 * place & WORD for place in range(size)]
    words += _preloaded(kernel.descriptor.fields["preload"], kernarg)
    count, most = user_count(kernel), limit("user_sgprs_max", architecture, kernel.descriptor.wave)
    if not len(words) <= count <= most:
        raise FileMistake(
            f"The descriptor of {kernel.name} must count {len(words)} to {most} user registers;"
            f" it counts {count}. The file is damaged.",
            subject=count,
        )
    return words


def asks_for_dispatch(kernel: Kernel) -> bool:
    """Tell whether a kernel's registers lead to the packet that asked for the launch."""
    return any(name == _DISPATCH for name, _ in _enabled(kernel))


@lru_cache(maxsize=256)
def _enabled(kernel: Kernel) -> tuple[tuple[str, int], ...]:
    """Name the groups of user registers that a kernel asks for, in order, and count each."""
    flags = kernel.descriptor.fields["properties"]
    rows = sorted((row for row in abi().sgprs if row.kind == "user"), key=lambda row: row.position)
    asked = [row for row in rows if row.enable and flags[row.enable]]
    return tuple((row.name, _sizes()[row.enable]) for row in asked)


def user_count(kernel: Kernel) -> int:
    """Give how many user registers there are, padding included."""
    return kernel.descriptor.fields["rsrc2"]["USER_SGPR_COUNT"]


def system_codes(kernel: Kernel, architecture: str) -> dict[str, int]:
    """Give the system registers behind the user ones: source code by name."""
    flags = kernel.descriptor.fields["rsrc2"]
    rows = [r for r in abi().sgprs if r.kind == "system" and r.holds_for(architecture)]
    found = [r.name for r in sorted(rows, key=lambda r: r.position) if flags[r.enable]]
    return {name: user_count(kernel) + place for place, name in enumerate(found)}


def has_scratch_offset(architecture: str) -> bool:
    """Tell whether code reaches scratch through registers that it fills itself."""
    return any(row.name == _SCRATCH_OFFSET and row.holds_for(architecture) for row in abi().sgprs)


def scratch_codes(kernel: Kernel) -> list[int]:
    """Give the user registers that hold where scratch is, the first of each pair.

    The offset of a wave that code adds to them is 0 here: each wave starts with its own place.
    """
    found, code = [], 0
    for name, size in _enabled(kernel):
        if name in _SCRATCH_POINTERS:
            found.append(code)
        code += size
    return found


def _scratch_resource(architecture: str, wave: int) -> int:
    """Give a buffer resource of scratch, but for its base: lanes take turns word by word."""
    if not has_scratch_offset(architecture):
        return 0
    fields = bit_fields("resource", architecture)
    values = {
        "SWIZZLE_ENABLE": 1,
        "NUM_RECORDS": WORD,
        "INDEX_STRIDE": (wave // _LEAST_GROUP).bit_length() - 1,
        "ADD_TID": 1,
    }
    return sum(value << fields[name].lo for name, value in values.items())


def wave_info(number: int, waves: int, architecture: str) -> int:
    """Give the system register that tells a wave about its workgroup.

    Args:
        number: Of the wave.
        waves: How many the workgroup has.
        architecture: Key of the target's architecture.

    """
    bits = bit_fields("workgroup_info", architecture)
    is_first = int(number == 0)
    return is_first << bits["FIRST_WAVE"].lo | waves << bits["WAVES_IN_WORKGROUP"].lo


def _preloaded(fields: dict[str, int], kernarg: bytes) -> list[int]:
    first, size = 4 * fields["OFFSET"], 4 * fields["LENGTH"]
    data = kernarg[first : first + size].ljust(size, b"\0")
    return list(map(int, np.frombuffer(data, dtype="<u4")))


@cache
def _sizes() -> dict[str, int]:
    return {row.name: row.sgprs for row in abi().bits if row.sgprs}
