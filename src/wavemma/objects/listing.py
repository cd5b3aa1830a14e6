"""The code of a code object, instruction by instruction."""

import msgspec

from wavemma.errors import FileMistake
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary.stream import AnyDecoded, sweep_any
from wavemma.objects.code_object import CodeObject
from wavemma.tables.targets import Wave, target


class Placed(msgspec.Struct, frozen=True):
    """One instruction, or a word that is none, where it lies.

    Attributes:
        address: In the image of the code object.
        function: The function around it, "" if there is none.
        offset: From the start of the function, or of the code.
        data: Its bytes.
        instruction: The instruction, or the reason why there is none.

    """

    address: int
    function: str
    offset: int
    data: bytes
    instruction: AnyDecoded | Undecoded


def listing(found: CodeObject, wave: Wave | None = None) -> tuple[Placed, ...]:
    """Decode all code of a code object, each function from its first byte on.

    Args:
        found: The code object.
        wave: Lanes of the waves; if None that of each kernel's descriptor, and for code of no
            kernel that of all kernels, or else the target's default.

    Raises:
        FileMistake: Ranges of code overlap, or there is none.

    """
    shared = wave or wave_of_kernels(found)
    own = {} if wave else {each.entry: each.descriptor.wave for each in found.kernels.values()}
    placed = found.image.at(0)
    listed: list[Placed] = []
    for start, size in _ranges(found):
        marks = [(at, name) for at, name in found.functions if start <= at < start + size]
        starts = [(start, ""), *(mark for mark in marks if mark[0] > start)]
        if marks and marks[0][0] == start:
            starts[0] = marks[0]
        ends = [at for at, _ in starts[1:]] + [start + size]
        for (first, name), end in zip(starts, ends, strict=True):
            lanes = own.get(first, shared)
            listed += _stretch(placed[first:end], first, name, found.target, lanes)
    return tuple(listed)


def _ranges(found: CodeObject) -> list[tuple[int, int]]:
    """Give address and size of the ranges that hold code, lowest first."""
    ranges = sorted(each for each in found.image.code if each[1])
    whole = len(found.image.data)
    ends = [start + size for start, size in ranges]
    limits = [start for start, _ in ranges[1:]] + [whole]
    if not ranges or any(end > limit for end, limit in zip(ends, limits, strict=True)):
        raise FileMistake(
            f"Code must lie in ranges of its own inside the image of {whole} bytes; there are"
            f" {', '.join(f'0x{start:x} to 0x{start + size:x}' for start, size in ranges)}."
            " The file is damaged.",
            subject=len(ranges),
        )
    return ranges


def wave_of_kernels(found: CodeObject) -> Wave:
    """Give the wave size of the kernels; the target's default if they differ or there are none."""
    waves = {kernel.descriptor.wave for kernel in found.kernels.values()}
    return waves.pop() if len(waves) == 1 else target(found.target).waves[0]


def _stretch(data: bytes, first: int, name: str, target_name: str, wave: Wave) -> list[Placed]:
    return [
        Placed(first + place, name, place, data[place : place + each.size_bytes], each)
        for place, each in sweep_any(data, target_name, wave)
    ]
