"""The maps that a kernel's loop may follow by mistake, and what they are called."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np

from wavemma.errors import Unsupported
from wavemma.explain.claim import seen, transposed
from wavemma.explain.layout_search import Owner, nearest
from wavemma.explain.map_index import Use, fits, index, repeated_views
from wavemma.explain.operand import Operand
from wavemma.explain.suspect import Source
from wavemma.layouts import Layout
from wavemma.layouts.formula import element_formulas, register_formulas


class LoopMap(NamedTuple):
    """A map that a loop may follow: its view, the operands that have it, and how it is used."""

    view: Layout
    uses: tuple[Use, ...]
    flipped: bool = False
    times: int = 1


class Named(NamedTuple):
    """A map of a loop and whose it is; None where it is nobody's of alike registers."""

    view: Layout
    owner: Owner | None


def maps_like(layout: Layout) -> Iterator[LoopMap]:
    """Yield the maps of matrices of the same size, with the operands that have them.

    The plain maps come first, then those with rows and columns exchanged.
    """
    for flipped in (False, True):
        for view, uses in _maps(flipped=flipped).get(layout.extents, {}).items():
            yield LoopMap(view, tuple(uses), flipped)


def repeated_maps(asked: Operand) -> Iterator[LoopMap]:
    """Yield the maps of the same operand of shorter instructions, several after one another."""
    for view, uses, times in repeated_views(asked):
        yield LoopMap(view, uses, times=times)


@cache
def _maps(*, flipped: bool) -> dict[tuple[tuple[str, int], ...], dict[Layout, list[Use]]]:
    """Group all maps by the size of their matrix."""
    found: dict[tuple[tuple[str, int], ...], dict[Layout, list[Use]]] = {}
    for each, uses in index().items():
        view = transposed(seen(each)) if flipped else seen(each)
        found.setdefault(view.extents, {}).setdefault(view, []).extend(uses)
    return found


def by_source(
    asked: Operand, found: Iterable[tuple[Source, LoopMap]]
) -> Iterator[tuple[Source, Named]]:
    """Join maps that do the same here, and name the likeliest of them; the right one is left out.

    That is a map of the same operand, then the instruction's own with rows and columns exchanged,
    then one of another operand.
    """
    joined: dict[bytes, tuple[Source, list[LoopMap]]] = {}
    for source, each in found:
        if (source != np.arange(len(source))).any():
            joined.setdefault(source.tobytes(), (source, []))[1].append(each)
    for source, maps in joined.values():
        named = [owner for each in _grouped(asked, maps) for owner in _owners(asked, each)]
        best = min(named, key=lambda each: _unlikely(asked, each), default=None)
        yield source, Named(maps[0].view, best)


def _grouped(asked: Operand, maps: list[LoopMap]) -> Iterator[LoopMap]:
    """Join the operands of maps that are used alike, those with other registers left out."""
    groups: dict[tuple[bool, int], list[Use]] = {}
    for each in maps:
        uses = [use for use in each.uses if each.times > 1 or fits(use, each.view, asked)]
        groups.setdefault((each.flipped, each.times), []).extend(uses)
    for (flipped, times), uses in groups.items():
        yield LoopMap(maps[0].view, tuple(uses), flipped, times)


def _owners(asked: Operand, each: LoopMap) -> Iterator[Owner]:
    if each.uses:
        owner = nearest(each.uses, asked, flipped=each.flipped)
        yield msgspec.structs.replace(owner, times=each.times)


def _unlikely(asked: Operand, owner: Owner) -> tuple[bool, bool, bool]:
    """Order owners: the smallest is the likeliest to be meant."""
    same = owner.operand == asked.letter or {owner.operand, asked.letter} == {"C", "D"}
    own = same and owner.instruction == asked.instruction.name and asked.target in owner.targets
    return (not (same and not owner.transposed), not own, owner.transposed)


def map_text(asked: Operand, named: Named) -> str:
    """Name the map of a loop by whose it is, or by its formulas."""
    if named.owner is not None:
        return f"the map of {owner_text(named.owner)}"
    own = seen(asked.layout)
    alike = msgspec.structs.replace(
        named.view,
        element_bits=own.element_bits,
        stride_bits=own.stride_bits,
        offset_bits=own.offset_bits,
    )
    return f"another map: {store_text(alike)}"


def owner_text(owner: Owner) -> str:
    """Name an operand that has a map."""
    text = f"{owner.operand} of {owner.instruction} on {', '.join(owner.targets)}, wave{owner.wave}"
    if owner.times > 1:
        text += f", {owner.times} of them after one another along k"
    return f"{text}, rows and columns exchanged" if owner.transposed else text


def store_text(layout: Layout) -> str:
    """Write a map as formulas."""
    try:
        found = register_formulas(layout)
    except Unsupported:
        found = element_formulas(layout)
    return "; ".join(f"{name} = {text}" for name, text in found.items())
