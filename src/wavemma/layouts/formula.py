"""A Layout as readable formulas, derived from its bits.

`lane = i + 16*(k // 4)` says that the low bits of the lane are all bits of i and the next ones
the bits of k from the third on. Runs of neighbouring bits become one term each.

In every formula `lane` is the lane within the wave: a thread's number modulo the wave's size.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from wavemma.errors import Unsupported
from wavemma.layouts.layout import REGISTER_BITS, Layout

Syntax = Literal["python", "c"]

_DIVIDE: dict[Syntax, str] = {"python": "//", "c": "/"}
_NO_NAMES: Mapping[str, str] = {}


class _Source(NamedTuple):
    """A bit of a number: its name, the bit, and how many bits the number has in all."""

    name: str
    position: int
    total: int


class _Run(NamedTuple):
    """Neighbouring bits of a source that land side by side, the lowest at `target`."""

    source: _Source
    length: int
    target: int


# A bit of a result: a bit of some number, or a constant 0 or 1.
_ResultBit = _Source | int


def place_formulas(
    layout: Layout, syntax: Syntax = "python", names: Mapping[str, str] = _NO_NAMES
) -> dict[str, str]:
    """Write where an element lies, from its indices.

    Args:
        layout: Any layout, with or without modifiers.
        syntax: Integer division as Python or as C writes it (all numbers are >= 0).
        names: Other names for the indices, by letter.

    Returns:
        `lane` (of the first copy) and `slot` in terms of the indices, `vgpr` and `bit` in terms
        of `slot`; `bit` is the lowest bit, counted in register `vgpr`.

    Raises:
        Unsupported: The lanes are moved in a way that no short formula describes.

    """
    divide = _DIVIDE[syntax]
    lane_bits, rotation = _moved_lanes(layout, _index_sources(layout, layout.lane_bits, names))
    lane = _sum(lane_bits, divide, layout.copies[0])
    if rotation:
        lane = f"({lane} + {rotation}) % {layout.wave}"
    slot = _sum(_index_sources(layout, layout.slot_bits, names), divide)
    return {"lane": lane, "slot": slot, **_register_formulas(layout, divide)}


def element_formulas(
    layout: Layout, syntax: Syntax = "python", names: Mapping[str, str] = _NO_NAMES
) -> dict[str, str]:
    """Write which element lies at a place, from `lane` and `slot`.

    Args:
        layout: A layout whose lanes and blocks are not moved.
        syntax: Integer division as Python or as C writes it.
        names: Other names for the indices, by letter.

    Returns:
        A formula for each index, in the order of the extents. They hold for the lanes that
        hold anything.

    Raises:
        Unsupported: The layout has moves, so one place may hold several elements.

    """
    slot_bits = len(layout.slot_bits)
    slots = [_Source("slot", position, slot_bits) for position in range(slot_bits)]
    return _element_formulas(layout, slots, syntax, names)


def register_formulas(
    layout: Layout, syntax: Syntax = "python", names: Mapping[str, str] = _NO_NAMES
) -> dict[str, str]:
    """Write which element lies at a place, from `lane`, register `v` and number `n` in it.

    `n` counts the elements of the operand inside of register v from the low bits; it does not
    appear where a register holds one.

    Args:
        layout: A layout whose lanes and blocks are not moved.
        syntax: Integer division as Python or as C writes it.
        names: Other names for the indices, by letter.

    Returns:
        A formula for each index, in the order of the extents.

    Raises:
        Unsupported: The layout has moves, or its elements run over the borders of registers.

    """
    stride = layout.stride_bits
    if max(stride, REGISTER_BITS) % min(stride, REGISTER_BITS):
        raise Unsupported(
            f"Elements of {stride} bits run over the borders of registers, so no formula counts"
            " them by register.",
            hint="Use the formulas of lane and slot.",
        )
    within = min(max(REGISTER_BITS // stride, 1).bit_length() - 1, len(layout.slot_bits))
    below = max(stride // REGISTER_BITS, 1).bit_length() - 1
    above = len(layout.slot_bits) - within
    slots = [_Source("n", position, within) for position in range(within)]
    slots += [_Source("v", below + position, below + above) for position in range(above)]
    return _element_formulas(layout, slots, syntax, names)


def _element_formulas(
    layout: Layout, slots: Sequence[_Source], syntax: Syntax, names: Mapping[str, str]
) -> dict[str, str]:
    """Write each index as a sum of pieces of the lane and of what numbers the slots."""
    if layout.has_moves:
        raise Unsupported(
            "Modifiers that move lanes or blocks let several elements share a place.",
            hint="Ask for the places of elements instead.",
        )
    lane_total = layout.wave.bit_length() - 1
    lanes = [_Source("lane", position, lane_total) for position in range(len(layout.lane_bits))]
    sources = dict(zip(layout.lane_bits + layout.slot_bits, [*lanes, *slots], strict=True))
    return {
        names.get(index, index): _sum(
            [sources[bit] for bit in sorted(sources) if bit.letter == index], _DIVIDE[syntax]
        )
        for index, _ in layout.extents
    }


def _register_formulas(layout: Layout, divide: str) -> dict[str, str]:
    """Write register and lowest bit of a slot."""
    stride, offset = layout.stride_bits, layout.offset_bits
    if stride == REGISTER_BITS:
        return {"vgpr": "slot", "bit": str(offset)}
    if offset:
        start = f"{stride}*slot + {offset}"
        if layout.registers == 1:
            return {"vgpr": "0", "bit": start}
        return {
            "vgpr": f"({start}) {divide} {REGISTER_BITS}",
            "bit": f"({start}) % {REGISTER_BITS}",
        }
    if stride % REGISTER_BITS == 0:
        return {"vgpr": f"{stride // REGISTER_BITS}*slot", "bit": "0"}
    if REGISTER_BITS % stride == 0:
        count = REGISTER_BITS // stride
        return {"vgpr": f"slot {divide} {count}", "bit": f"{stride}*(slot % {count})"}
    return {
        "vgpr": f"{stride}*slot {divide} {REGISTER_BITS}",
        "bit": f"{stride}*slot % {REGISTER_BITS}",
    }


def _index_sources(
    layout: Layout, bits: Sequence[tuple[str, int]], names: Mapping[str, str]
) -> list[_ResultBit]:
    """Name the index bits of a lane or slot; bits of the block that are fixed become constants."""
    total = {index: size.bit_length() - 1 for index, size in layout.extents}
    sources: list[_ResultBit] = []
    for index, position in bits:
        source: _ResultBit = _Source(names.get(index, index), position, total[index])
        if index == "b" and layout.block_sources:
            values = {number >> position & 1 for number in layout.block_sources}
            source = values.pop() if len(values) == 1 else source
        sources.append(source)
    return sources


def _moved_lanes(layout: Layout, bits: list[_ResultBit]) -> tuple[list[_ResultBit], int]:
    """Apply the moves of lanes: bits that become constants, and what is added to the lane."""
    sources = layout.lane_sources
    if not sources:
        return bits, 0
    rotation = sources[0]
    if rotation and all(
        source == (lane + rotation) % layout.wave for lane, source in enumerate(sources)
    ):
        return bits, rotation
    moved: list[_ResultBit] = []
    for position, bit in enumerate(bits):
        values = [source >> position & 1 for source in sources]
        if len(set(values)) == 1:
            moved.append(values[0])
        elif values == [lane >> position & 1 for lane in range(layout.wave)]:
            moved.append(bit)
        else:
            raise Unsupported("No short formula describes how these lanes are moved.")
    return moved, 0


def _sum(bits: Sequence[_ResultBit], divide: str, constant: int = 0) -> str:
    """Write a number from its bits, lowest first."""
    constant += sum(bit << target for target, bit in enumerate(bits) if isinstance(bit, int))
    runs = _runs(bits)
    lone = len(runs) == 1 and not constant
    terms = [_term(run, divide, lone=lone) for run in runs]
    if constant or not terms:
        terms.append(str(constant))
    return " + ".join(terms)


def _runs(bits: Sequence[_ResultBit]) -> list[_Run]:
    """Join neighbouring bits of one source that stay neighbours."""
    runs: list[_Run] = []
    for target, bit in enumerate(bits):
        if isinstance(bit, int):
            continue
        if runs and _continues(runs[-1], bit, target):
            runs[-1] = runs[-1]._replace(length=runs[-1].length + 1)
        else:
            runs.append(_Run(bit, 1, target))
    return runs


def _continues(run: _Run, bit: _Source, target: int) -> bool:
    """Say whether a bit is the next one of a run."""
    following = run.source._replace(position=run.source.position + run.length)
    return bit == following and target == run.target + run.length


def _term(run: _Run, divide: str, *, lone: bool) -> str:
    """Write one run: cut the bits out of their source, then shift them to their target."""
    source, length, target = run
    text = source.name
    if source.position:
        text += f" {divide} {1 << source.position}"
    if source.position + length < source.total:
        text += f" % {1 << length}"
    if text != source.name and (target or not lone):
        text = f"({text})"
    return f"{1 << target}*{text}" if target else text
