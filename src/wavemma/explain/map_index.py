"""Every map there is, with the operands that have it, and which of them a loop may follow."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from wavemma.explain.claim import in_register, seen
from wavemma.explain.operand import Operand
from wavemma.explain.operand_fields import formats_alike, roles_of
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import Wave
from wavemma.layouts import Bit, Layout, Role
from wavemma.layouts.movement import select_half

ALONG: dict[Role, str] = {"a": "col", "b": "row"}
# C and D have one layout.
LETTER_CLASS: dict[Role, Role] = {"c": "d"}


class Use(NamedTuple):
    """An operand that has a layout."""

    instruction: Instruction
    role: Role
    wave: Wave
    formats: tuple[str, ...]
    half: int


@cache
def index() -> dict[Layout, tuple[Use, ...]]:
    """List every layout there is with the operands that have it."""
    found: dict[Layout, list[Use]] = {}
    for instruction in catalog.instructions():
        if not instruction.is_matrix:
            continue
        for role in roles_of(instruction):
            for formats in formats_alike(instruction, role):
                for wave in instruction.waves:
                    layout = instruction.layout(role, wave, formats[0])
                    use = Use(instruction, role, wave, formats, 0)
                    found.setdefault(layout, []).append(use)
                    if layout.stride_bits > layout.element_bits:
                        high = select_half(layout, 1)
                        found.setdefault(high, []).append(use._replace(half=1))
    return {layout: tuple(uses) for layout, uses in found.items()}


def fits(use: Use, view: Layout, asked: Operand) -> bool:
    """Whether a loop of an operand may follow the map of another.

    That is so if both fill as many lanes and registers, or if it is the same operand of an
    instruction of the same shape.
    """
    own = asked.layout
    same = LETTER_CLASS.get(use.role, use.role) == LETTER_CLASS.get(asked.role, asked.role)
    if same and use.instruction.shape == asked.instruction.shape:
        return view.elements_count == own.elements_count
    size = (own.wave, own.slots, in_register(own))
    return (view.wave, view.slots, in_register(view)) == size


def repeated_views(asked: Operand) -> Iterator[tuple[Layout, tuple[Use, ...], int]]:
    """Yield maps of the same operand with a shorter k, as many as fill it; the shortest last."""
    own = seen(asked.layout)
    along = ALONG.get(asked.role)
    if along is None or asked.instruction.is_sparse:
        return
    for layout, uses in index().items():
        alike = tuple(
            use for use in uses if use.role == asked.role and not use.instruction.is_sparse
        )
        view = seen(layout)
        times = own.size[along] // view.size.get(along, own.size[along])
        if alike and times > 1 and (view.wave, view.slots * times) == (own.wave, own.slots):
            longer = _repeated(view, along, times)
            if longer.extents == own.extents:
                yield longer, alike, times


def _repeated(view: Layout, along: str, times: int) -> Layout:
    """Put several of a map after one another along k, in registers that follow one another."""
    size = view.size[along]
    more = range(size.bit_length() - 1, (size * times).bit_length() - 1)
    return msgspec.structs.replace(
        view,
        extents=tuple((name, n * times if name == along else n) for name, n in view.extents),
        slot_bits=(*view.slot_bits, *(Bit(along, position) for position in more)),
    )
