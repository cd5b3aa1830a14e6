"""Is this index of a sparse A legal?"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.answer import Answer
from wavemma.explain.operand import Asked, asked_of, conflicts_of, evidence_of, notes_of
from wavemma.explain.sparsity import PAIR_NOTE, index_operand
from wavemma.explain.spots import Spot, spots
from wavemma.fragments.compressed import IndexFault, check_index
from wavemma.fragments.unpack import Disagreement
from wavemma.layouts import GROUP, KEPT

Array = npt.NDArray[Any]

_NOTHING: Mapping[str, int] = {}

ASCEND_NOTE = (
    "Hardware is seen to take each place for itself; groups that do not ascend were never compared"
    " with it."
)


class IndexVerdict(Answer, frozen=True, kw_only=True, tag=True):
    """Whether an index operand is legal.

    Attributes:
        asked: The index operand.
        is_legal: Every group ascends and all copies agree.
        groups: Groups that were looked at.
        faults: Groups whose places do not ascend.
        fault: The first one in words; empty if there is none.
        places: Where its bits stand.
        disagreement: The first place whose copies differ, in words; empty if there is none.

    """

    asked: Asked
    is_legal: bool
    groups: int
    faults: int
    fault: str
    places: tuple[Spot, ...]
    disagreement: str


def verify_index(
    array: Array,
    target: str,
    instruction: str,
    *,
    wave: int | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> IndexVerdict:
    """Check the registers of an index.

    Args:
        array: uint32 [..., register, lane]; [..., lane] too if the index is one register.
        target: Such as "gfx942".
        instruction: A mnemonic.
        wave: Lanes of the wave; the target's default if None.
        modifiers: Values by the keys of `moves.CHOICES`: which part of the registers is read.

    Raises:
        ArrayMistake: Wrong type or shape.
        EncodingMistake: The instruction is not sparse.
        Unsupported: Where that part of the register stands is unknown.
        WavemmaError: As for `operand`.

    """
    chosen = index_operand(target, instruction, wave=wave, modifiers=modifiers, must_be_known=True)
    registers = chosen.instruction.registers("index", chosen.wave)
    found = check_index(
        _registers(array, registers, chosen.wave),
        chosen.instruction,
        wave=chosen.wave,
        effects=chosen.effects,
    )
    places: tuple[Spot, ...] = ()
    if found.fault is not None:
        named = [{"i": found.fault.row, "g": found.fault.group, "s": s} for s in range(KEPT)]
        places = spots(chosen.layout.place(**each)[0] for each in named)
    return IndexVerdict(
        asked=asked_of(chosen),
        is_legal=found.fault is None and found.disagreement is None,
        groups=found.groups,
        faults=found.fault.faults if found.fault else 0,
        fault=_fault_text(found.fault) if found.fault else "",
        places=places,
        disagreement=_disagreement_text(found.disagreement) if found.disagreement else "",
        evidence=evidence_of(chosen),
        conflicts=conflicts_of(chosen),
        notes=(PAIR_NOTE, ASCEND_NOTE, *notes_of(chosen, modifiers)),
    )


def _registers(array: Array, registers: int, wave: int) -> npt.NDArray[np.uint32]:
    """Take index words as registers and lanes."""
    if array.dtype != np.uint32:
        raise ArrayMistake(
            f"Index registers must be uint32; the array is {array.dtype}.",
            subject=str(array.dtype),
            hint=f"Shape: [..., {registers}, {wave}]: register, lane.",
        )
    if array.size == 0:
        raise ArrayMistake(
            f"Index registers must hold words; an array of shape {list(array.shape)} has none.",
            subject=array.shape,
            hint=f"Shape: [..., {registers}, {wave}]: register, lane.",
        )
    if registers == 1 and (array.ndim < 2 or array.shape[-2] != 1):
        array = array[..., None, :]
    return array


def _fault_text(fault: IndexFault) -> str:
    low, high = fault.pair
    batch = f"tile {list(fault.batch)}, " if fault.batch else ""
    first = fault.group * GROUP
    return (
        f"{batch}row {fault.row}, k {first}..{first + GROUP - 1}: places {low} and {high}"
        f" (0x{low | high << 2:x}) do not ascend"
    )


def _disagreement_text(found: Disagreement) -> str:
    row, group, kept = (found.element[letter] for letter in "igs")
    lanes = " and ".join(str(place.lane) for place in found.places)
    values = " and ".join(map(str, found.values))
    batch = f"tile {list(found.batch)}, " if found.batch else ""
    return (
        f"{batch}row {row}, group {group}, kept element {kept}: lanes {lanes} give places {values}"
    )
