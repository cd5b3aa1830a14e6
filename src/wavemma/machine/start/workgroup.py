"""What the waves of a launch start with: registers by the kernel's descriptor and the ABI."""

from functools import cache, lru_cache
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.state import PATCH, PATCHES, VECTORS, WAVE, place
from wavemma.machine.geometry import Geometry
from wavemma.machine.mode_marks import marks_of_start
from wavemma.machine.start.mode import mode
from wavemma.machine.start.registers import (
    GROUP_NUMBERS,
    WAVE_INFO,
    WORD,
    Pointers,
    has_scratch_offset,
    scratch_codes,
    system_codes,
    user_words,
    wave_info,
)
from wavemma.objects import Kernel
from wavemma.tables.abi import abi, bit_fields, numbers
from wavemma.tables.abi_rows import BitsRow
from wavemma.tables.targets import Wave, architectures

TTMP = 108
"""Source code of the first trap temporary."""
TTMPS = 16
DYNAMIC_STACK_BYTES = 16384
"""Scratch of a work-item whose stack grows as it runs; no source tells hardware's."""
OWN_FILE_OFFSET = 256
"""Where AGPRs begin that are a file of their own: behind every ordinary register."""
_AXES = ("X", "Y", "Z")
_N = TypeVar("_N", bound=np.generic)
_SCRATCH = {"FLAT_SCRATCH_LO": "scratch_low", "FLAT_SCRATCH_HI": "scratch_high"}


class Start(msgspec.Struct, frozen=True):
    """What waves start with.

    Attributes:
        templates: u8 [wave, bytes]: each wave up to its first vector registers.
        patches: Registers that hold numbers of the workgroup.
        wave: Lanes.
        vectors: Vector registers of a wave, AGPRs included.
        accumulator_offset: Number of the register where AGPRs begin.
        lds_bytes: Of a workgroup.
        scratch_bytes: Of a wave.
        keep_finite: Whether an f16 overflow becomes the largest finite number.
        marks: What the mode changes for floats (see `mode_marks`).

    """

    templates: NDArray[np.uint8]
    patches: NDArray[np.void]
    wave: Wave
    vectors: int
    accumulator_offset: int
    lds_bytes: int
    scratch_bytes: int
    keep_finite: bool
    marks: str


def start(
    kernel: Kernel, architecture: str, geometry: Geometry, pointers: Pointers, kernarg: bytes
) -> Start:
    """Put together what the waves of a launch start with.

    Args:
        kernel: The kernel.
        architecture: Key of the target's architecture.
        geometry: The shape of the launch.
        pointers: Addresses for user registers.
        kernarg: Bytes of the arguments, for those that registers hold from the start.

    Raises:
        FileMistake: The descriptor counts fewer registers than it asks for.

    """
    words = user_words(kernel, architecture, pointers, kernarg)
    found = _of_shape(kernel, architecture, geometry.block, geometry.dynamic_lds_bytes)
    templates = found.templates.copy()
    users = np.array(words, dtype=np.uint32).view(np.uint8)
    templates[:, place(WAVE, "scalars") :][:, : users.size] = users
    return msgspec.structs.replace(found, templates=templates)


# A kernel is launched again and again with the same shape.
@lru_cache(maxsize=64)
def _of_shape(
    kernel: Kernel, architecture: str, block: tuple[int, int, int], dynamic_lds_bytes: int
) -> Start:
    """Put together what waves start with but for their user registers, which are 0."""
    found = kernel.descriptor
    header: NDArray[np.void] = np.zeros(1, dtype=WAVE)
    header["mode"] = mode(kernel, architecture)
    codes = system_codes(kernel, architecture)
    patches = [
        (codes[name], PATCHES.index(what)) for name, what in GROUP_NUMBERS.items() if name in codes
    ]
    patches += [*_trap_temporaries(architecture), *_scratch_registers(kernel, architecture)]
    lane_bytes = found.private_bytes
    if kernel.metadata.uses_dynamic_stack:
        lane_bytes = max(lane_bytes, DYNAMIC_STACK_BYTES)
    vectors, offset = _vectors(kernel, architecture)
    geometry = Geometry((1, 1, 1), block)
    return Start(
        _fixed(_templates(kernel, architecture, geometry, header, codes.get(WAVE_INFO))),
        np.array(patches, dtype=PATCH),
        found.wave,
        vectors,
        offset,
        found.group_bytes + dynamic_lds_bytes,
        -(-lane_bytes // 4) * 4 * found.wave,
        bool(found.fields["rsrc1"]["FP16_OVFL"]),
        marks_of_start(int(header["mode"][0]), architecture),
    )


def _vectors(kernel: Kernel, architecture: str) -> tuple[int, int]:
    """Give the number of vector registers, AGPRs included, and where AGPRs begin."""
    count = kernel.descriptor.vgprs
    offset = kernel.descriptor.fields["rsrc3"].get("ACCUM_OFFSET")
    if offset is not None:
        return count, 4 * (offset + 1)
    if architectures()[architecture].accumulators == "agpr":
        return OWN_FILE_OFFSET + count, OWN_FILE_OFFSET
    return count, max(count, OWN_FILE_OFFSET)


@cache
def _trap_temporaries(architecture: str) -> tuple[tuple[int, int], ...]:
    """Give the trap temporaries that hold numbers of the workgroup."""
    found = []
    for number in range(TTMPS):
        names = {row.name for row in _word(f"TTMP{number}", architecture)}
        if any(name.endswith("WORKGROUP_ID_X") for name in names):
            found.append((TTMP + number, PATCHES.index("group_x")))
        if any(name.endswith("WORKGROUP_ID_Y") for name in names):
            found.append((TTMP + number, PATCHES.index("group_yz_packed")))
    return tuple(found)


def _scratch_registers(kernel: Kernel, architecture: str) -> list[tuple[int, int]]:
    """Give the scalar registers that hold the address of scratch memory."""
    halves = [PATCHES.index(what) for what in _SCRATCH.values()]
    if has_scratch_offset(architecture):
        firsts = scratch_codes(kernel)
        return [(first + at, what) for first in firsts for at, what in enumerate(halves)]
    codes = numbers("source_code", architecture)
    return [
        (codes[name], what) for name, what in zip(_SCRATCH, halves, strict=True) if name in codes
    ]


@cache
def _word(word: str, architecture: str) -> tuple[BitsRow, ...]:
    return tuple(row for row in abi().bits if row.word == word and row.holds_for(architecture))


def _templates(
    kernel: Kernel,
    architecture: str,
    geometry: Geometry,
    header: NDArray[np.void],
    info: int | None,
) -> NDArray[np.uint8]:
    """Give each wave up to its first vector registers, which hold the work-item's numbers."""
    wave = kernel.descriptor.wave
    enabled = kernel.descriptor.fields["rsrc2"]["ENABLE_VGPR_WORKITEM_ID"] + 1
    ids = _item_ids(architecture, geometry.block, enabled)
    waves, code = geometry.waves(wave), codes_of(architecture).exec
    made = np.zeros((waves, VECTORS + ids.shape[0] * wave * 4), dtype=np.uint8)
    for number in range(waves):
        record = made[number, : WAVE.itemsize].view(WAVE)
        record[:] = header
        own = record[0]
        own["number"] = number
        lanes = min(geometry.items - number * wave, wave)
        mask = (1 << lanes) - 1
        own["scalars"][code : code + 2] = (mask & WORD, mask >> 32)
        if info is not None:
            own["scalars"][info] = wave_info(number, waves, architecture)
        for temporary, shift in _wave_numbers(architecture):
            own["scalars"][temporary] |= np.uint32(number << shift)
        items = ids[:, number * wave : number * wave + lanes]
        made[number, VECTORS:].view(np.uint32).reshape(ids.shape[0], wave)[:, :lanes] = items
    return made


@cache
def _wave_numbers(architecture: str) -> tuple[tuple[int, int], ...]:
    """Give the trap temporaries that hold the number of the wave, and from which bit on."""
    return tuple(
        (TTMP + number, row.lo)
        for number in range(TTMPS)
        for row in _word(f"TTMP{number}", architecture)
        if row.name == "WAVE_IN_WORKGROUP"
    )


@lru_cache(maxsize=64)
def _item_ids(architecture: str, block: tuple[int, int, int], enabled: int) -> NDArray[np.uint32]:
    """Give the numbers of all work-items along so many axes: u32 [register, work-item]."""
    x, y, z = block
    flat = np.arange(x * y * z, dtype=np.uint32)
    parts = [flat % x, flat // x % y, flat // (x * y)]
    if not _word("workitem_id", architecture):
        return _fixed(np.stack(parts[:enabled]))
    fields = bit_fields("workitem_id", architecture)
    packed = np.zeros_like(flat)
    for axis, part in list(zip(_AXES, parts, strict=True))[:enabled]:
        packed |= part << np.uint32(fields[f"WORKITEM_ID_{axis}"].lo)
    return _fixed(packed[np.newaxis])


def _fixed(array: NDArray[_N]) -> NDArray[_N]:
    """Let nobody write into what all launches read."""
    array.flags.writeable = False
    return array
