"""Faults of the loops that load A and B."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from wavemma.errors import Unsupported
from wavemma.explain.claim import seen
from wavemma.explain.loop_map import Named, by_source, map_text, maps_like, repeated_maps
from wavemma.explain.operand import Operand
from wavemma.explain.suspect import (
    NOWHERE,
    Fault,
    Source,
    Suspect,
    base_product,
    element_table,
    needed,
)
from wavemma.explain.tile_sample import Array, Floats, Sample
from wavemma.explain.whole_lines import Line, line_order
from wavemma.layouts import Layout, Role
from wavemma.layouts.formula import element_formulas, place_formulas

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")


def load_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A or B is loaded by another operand's map, plain or transposed."""
    found = sample.factors
    if found is None or sample.asked.instruction.is_sparse:
        return
    for side in SIDES:
        asked = sample.asked.sibling(side)
        layout = seen(asked.layout)
        for source, named in sources(asked):
            if order_of_k(side, layout, source) is None and not _leaves_out(layout, source):
                yield load(side, "load map", _load_words(asked, named), sample, source)


def _load_words(asked: Operand, named: Named) -> str:
    owner = named.owner
    if owner is not None and owner.transposed:
        own = owner.instruction == asked.instruction.name and asked.target in owner.targets
        if own and owner.operand == asked.letter:
            return f"{asked.letter} is loaded with rows and columns exchanged in each tile"
    return f"{asked.letter} is loaded by {map_text(asked, named)}"


def loaded(layout: Layout, loop: Layout) -> Source:
    """Find which element of memory lies at each element if a loop by another map loads them.

    Args:
        layout: Where hardware looks for the elements.
        loop: The map of the loop.

    Returns:
        For each element that hardware means, the one that was put there; NOWHERE for zero.

    """
    source = np.full(layout.elements_count, NOWHERE, dtype=np.int64)
    lanes, slots = 1 << len(layout.lane_bits), min(layout.slots, loop.slots)
    source[element_table(layout, lanes)[:slots]] = element_table(loop, lanes)[:slots]
    return source


def sources(asked: Operand) -> Iterator[tuple[Source, Named]]:
    """Yield what loops by other maps do when they load an operand, and whose maps they are."""
    layout = seen(asked.layout)
    return by_source(
        asked,
        ((loaded(layout, each.view), each) for each in (*maps_like(layout), *repeated_maps(asked))),
    )


def replication(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the copies of A or B in the upper lanes were not loaded."""
    layout = sample.layout
    roles: tuple[Role, ...] = ("a", "b")
    copies = max(len(sample.asked.sibling(role).layout.copies) for role in roles)
    step = layout.wave // copies
    limit = step
    while limit < layout.wave:
        lanes = np.zeros(layout.elements_count, dtype=np.int64)
        lanes[element_table(layout, layout.wave)] = np.arange(layout.wave)
        fault = Fault(
            "replication",
            f"A or B is not loaded in lanes {limit}..{layout.wave - 1}: the results of these lanes"
            " add no product",
            f"Load A and B in every lane: lanes {step} and up hold the same as lane % {step}.",
        )
        yield Suspect(fault, "product", _masked(lanes < limit))
        limit *= 2


def _masked(keep: Array) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found: Floats = np.where(keep, base_product(sample), 0.0)
        return found

    return product


def rearranged(side: Side, strip: Floats, depth: int, source: Source) -> Floats:
    """Move elements inside of each instruction's share of a strip."""
    axis = -1 if side == "a" else -2
    short = -strip.shape[axis] % depth
    padding = [(0, 0)] * strip.ndim
    padding[axis] = (0, short)
    moved = np.pad(strip, padding)
    if side == "b":
        moved = np.swapaxes(moved, -1, -2)
    tiles, blocks, outer, total = moved.shape
    cut = moved.reshape(tiles, blocks, outer, total // depth, depth)
    # [tiles, steps, blocks, M, K] for A and [tiles, steps, blocks, K, N] for B.
    axes = (0, 3, 1, 2, 4) if side == "a" else (0, 3, 1, 4, 2)
    cut = cut.transpose(axes)
    flat = cut.reshape(tiles, cut.shape[1], -1)
    held = np.where(source == NOWHERE, 0.0, flat[..., np.maximum(source, 0)])
    back = held.reshape(cut.shape)
    if side == "a":
        return back.transpose(0, 2, 3, 1, 4).reshape(tiles, blocks, outer, total)
    return back.transpose(0, 2, 1, 3, 4).reshape(tiles, blocks, total, outer)


def load(
    side: Side,
    kind: str,
    what: str,
    sample: Sample,
    source: Source,
    order: Source | None = None,
) -> Suspect:
    """Suspect a load; if it only changes the order of k, that is given."""
    depth = sample.depth

    def change(each: Sample) -> Floats:
        found = needed(each)
        if side == "a":
            return rearranged("a", found.a, depth, source) * found.scale_a
        return rearranged("b", found.b, depth, source) * found.scale_b

    fault = Fault(kind, what, load_fix(side, sample))
    return Suspect(fault, side, change, always=_pairing(side, sample, order))


def _pairing(side: Side, sample: Sample, order: Source | None) -> tuple[str, bytes] | tuple[()]:
    """Write down which k of B meets each k of A; block scales, which stay, meet others again."""
    if order is None or sample.asked.instruction.is_scaled:
        return ()
    pairs = order if side == "a" else np.argsort(order)
    return "k pairs", np.ascontiguousarray(pairs, np.int64).tobytes()


def order_of_k(side: Side, layout: Layout, source: Source) -> Source | None:
    """Find the order of k of a loop that changes nothing else; None of any other."""
    letter: Line = "column" if side == "a" else "row"
    rows, columns = layout.size["row"], layout.size["col"]
    return line_order(source, (source.size // (rows * columns), rows, columns), letter)


def _leaves_out(layout: Layout, source: Source) -> bool:
    """Whether a loop only leaves elements out: a half of k, or lines, whosever map it has."""
    own = np.arange(layout.elements_count)
    return bool(((source == own) | (source == NOWHERE)).all())


def load_fix(side: Side, sample: Sample) -> str:
    """Tell how A or B must be loaded."""
    layout = sample.asked.sibling(side).layout
    try:
        found = element_formulas(layout)
    except Unsupported:
        found = place_formulas(layout)
    text = "; ".join(f"{name} = {formula}" for name, formula in found.items())
    return f"Load {side.upper()} with {text}"
