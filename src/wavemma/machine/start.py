"""What the waves of a launch start with: registers by the kernel's descriptor and the ABI."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.errors import Unsupported
from wavemma.machine.geometry import Geometry
from wavemma.machine.state import PATCH, PATCHES, VECTORS, WAVE
from wavemma.objects import Kernel
from wavemma.tables.abi import abi, bit_fields
from wavemma.tables.abi_rows import BitsRow
from wavemma.tables.targets import Wave

TTMP = 108
"""Source code of the first trap temporary."""
EXEC = 126
WORD = 0xFFFFFFFF
DYNAMIC_STACK_BYTES = 16384
"""Scratch of a work-item whose stack grows as it runs; no source tells hardware's."""
_AXES = ("X", "Y", "Z")
_PLAIN_FLOAT_MODE = {
    "FLOAT_ROUND_MODE_32": 0,
    "FLOAT_ROUND_MODE_16_64": 0,
    "FLOAT_DENORM_MODE_32": 3,
    "FLOAT_DENORM_MODE_16_64": 3,
}
"""Nearest even, subnormals kept: what every known compiler asks for."""


class Pointers(msgspec.Struct, frozen=True):
    """Addresses that user registers hold."""

    kernarg: int
    dispatch: int = 0
    queue: int = 0


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

    """

    templates: NDArray[np.uint8]
    patches: NDArray[np.void]
    wave: Wave
    vectors: int
    accumulator_offset: int
    lds_bytes: int
    scratch_bytes: int
    keep_finite: bool


def start(
    kernel: Kernel,
    architecture: str,
    geometry: Geometry,
    pointers: Pointers,
    kernarg: bytes,
    user_count: int | None = None,
) -> Start:
    """Put together what the waves of a launch start with.

    Args:
        kernel: The kernel.
        architecture: Key of the target's architecture.
        geometry: The shape of the launch.
        pointers: Addresses for user registers.
        kernarg: Bytes of the arguments, for those that registers hold from the start.
        user_count: User registers, the descriptor's own count if None.

    Raises:
        Unsupported: The kernel asks for a float mode that no compiler uses.

    """
    found = kernel.descriptor
    _check_mode(kernel)
    wave = found.wave
    scalars = np.zeros(128, dtype=np.uint32)
    users = _user_words(kernel, pointers, kernarg)
    count = found.fields["rsrc2"]["USER_SGPR_COUNT"] if user_count is None else user_count
    scalars[: len(users)] = users
    patches = [*_system(kernel, architecture, count), *_trap_temporaries(architecture)]
    templates = _templates(kernel, architecture, geometry, scalars)
    lane_bytes = found.private_bytes
    if kernel.metadata.uses_dynamic_stack:
        lane_bytes = max(lane_bytes, DYNAMIC_STACK_BYTES)
    offset = found.fields["rsrc3"].get("ACCUM_OFFSET")
    return Start(
        templates,
        np.array(patches, dtype=PATCH),
        wave,
        found.vgprs,
        4 * (offset + 1) if offset is not None else 256,
        found.group_bytes + geometry.dynamic_lds_bytes,
        -(-lane_bytes // 4) * 4 * wave,
        bool(found.fields["rsrc1"].get("FP16_OVFL", 0)),
    )


def _check_mode(kernel: Kernel) -> None:
    given = {name: kernel.descriptor.fields["rsrc1"][name] for name in _PLAIN_FLOAT_MODE}
    if given != _PLAIN_FLOAT_MODE:
        raise Unsupported(
            f"{kernel.name} asks for another float mode than nearest even with subnormals kept;"
            " no compiler is known to do so, and it is not modelled.",
            subject=str(given),
            hint="Build without flags that change rounding or flush subnormals.",
        )


def _user_words(kernel: Kernel, pointers: Pointers, kernarg: bytes) -> list[int]:
    """Give the user registers in the ABI's order, each group only if its flag is set."""
    flags = kernel.descriptor.fields["properties"]
    words: list[int] = []
    held = {
        "dispatch pointer": pointers.dispatch,
        "queue pointer": pointers.queue,
        "kernarg pointer": pointers.kernarg,
    }
    for row in sorted((r for r in abi().sgprs if r.kind == "user"), key=lambda r: r.position):
        if row.enable and flags.get(row.enable):
            size = _sizes()[row.enable]
            value = held.get(row.name, 0)
            if row.enable == "ENABLE_SGPR_PRIVATE_SEGMENT_SIZE":
                value = kernel.descriptor.private_bytes
            words += [value >> 32 * place & WORD for place in range(size)]
    preload = kernel.descriptor.fields["preload"]
    length = preload.get("LENGTH", 0)
    first = 4 * preload.get("OFFSET", 0)
    data = kernarg[first : first + 4 * length].ljust(4 * length, b"\0")
    return [*words, *np.frombuffer(data, dtype="<u4").tolist()]


def _sizes() -> dict[str, int]:
    return {row.name: row.sgprs for row in abi().bits if row.sgprs}


def _system(kernel: Kernel, architecture: str, first: int) -> list[tuple[int, int]]:
    """Give the registers behind the user ones that hold numbers of the workgroup."""
    flags = kernel.descriptor.fields["rsrc2"]
    rows = [r for r in abi().sgprs if r.kind == "system" and r.holds_for(architecture)]
    found, code = [], first
    for row in sorted(rows, key=lambda r: r.position):
        if not flags.get(row.enable):
            continue
        axis = row.enable.rpartition("_")[2]
        if axis in _AXES:
            found.append((code, PATCHES.index(f"group_{axis.lower()}")))
        code += 1
    return found


def _trap_temporaries(architecture: str) -> list[tuple[int, int]]:
    """Give the trap temporaries that hold numbers of the workgroup."""
    found = []
    for number in range(16):
        names = {row.name for row in _word(f"TTMP{number}", architecture)}
        if any(name.endswith("WORKGROUP_ID_X") for name in names):
            found.append((TTMP + number, PATCHES.index("group_x")))
        if any(name.endswith("WORKGROUP_ID_Y") for name in names):
            found.append((TTMP + number, PATCHES.index("group_yz_packed")))
    return found


def _word(word: str, architecture: str) -> list[BitsRow]:
    return [row for row in abi().bits if row.word == word and row.holds_for(architecture)]


def _templates(
    kernel: Kernel, architecture: str, geometry: Geometry, scalars: NDArray[np.uint32]
) -> NDArray[np.uint8]:
    """Give each wave up to its first vector registers, which hold the work-item's numbers."""
    wave = kernel.descriptor.wave
    ids = _item_ids(kernel, architecture, geometry)
    waves = geometry.waves(wave)
    made = np.zeros((waves, VECTORS + ids.shape[0] * wave * 4), dtype=np.uint8)
    for number in range(waves):
        header = made[number, : WAVE.itemsize].view(WAVE)[0]
        header["scalars"][:] = scalars
        header["number"] = number
        lanes = min(geometry.items - number * wave, wave)
        mask = (1 << lanes) - 1
        header["scalars"][EXEC : EXEC + 2] = (mask & WORD, mask >> 32)
        for temporary in range(16):
            for row in _word(f"TTMP{temporary}", architecture):
                if row.name == "WAVE_IN_WORKGROUP":
                    header["scalars"][TTMP + temporary] |= np.uint32(number << row.lo)
        own = ids[:, number * wave : (number + 1) * wave]
        made[number, VECTORS:].view(np.uint32).reshape(ids.shape[0], wave)[:, :lanes] = own
    return made


def _item_ids(kernel: Kernel, architecture: str, geometry: Geometry) -> NDArray[np.uint32]:
    """Give the numbers of all work-items: u32 [register, work-item]."""
    flat = np.arange(geometry.items, dtype=np.uint32)
    x, y, _ = geometry.block
    parts = [flat % x, flat // x % y, flat // (x * y)]
    enabled = kernel.descriptor.fields["rsrc2"]["ENABLE_VGPR_WORKITEM_ID"] + 1
    if not _word("workitem_id", architecture):
        return np.stack(parts[:enabled])
    fields = bit_fields("workitem_id", architecture)
    packed = np.zeros_like(flat)
    for axis, part in list(zip(_AXES, parts, strict=True))[:enabled]:
        packed |= part << np.uint32(fields[f"WORKITEM_ID_{axis}"].lo)
    return packed[np.newaxis]
