"""Faults of the store loop: results that land at the wrong elements, or nowhere."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np

from wavemma.errors import Unsupported
from wavemma.explain.claim import seen, transposed
from wavemma.explain.layout_search import Owner, Use, index, nearest
from wavemma.explain.operand import Operand
from wavemma.explain.suspect import NOWHERE, Fault, Source, Suspect, element_table, moving
from wavemma.explain.tile_sample import Sample
from wavemma.layouts import Layout
from wavemma.layouts.formula import element_formulas, register_formulas
from wavemma.layouts.layout import REGISTER_BITS

# Which slot of the hardware's layout a loop reads as its own slot; None if there is no result.
Reading = Callable[[int], int | None]


def store_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect every map there is that puts a result at a wrong place, plain or transposed."""
    for suspect in all_store_maps(sample):
        if _misplaces(suspect.source):
            yield suspect


def shared_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect that C is loaded by the same wrong map that D is stored by."""
    for suspect in all_store_maps(sample):
        yield from shared(sample, suspect)


def shared(sample: Sample, suspect: Suspect) -> Iterator[Suspect]:
    """Suspect a fault of the store of C too: products come to lie wrong, and C does not.

    To add C after the store gives the same. Without C it is the fault of the store alone.
    """
    source = suspect.source
    if sample.c is None or source is None:
        return
    what = (
        f"C and D share a wrong map: {suspect.fault.what}, and C is loaded by the same map, or"
        " added after the store"
    )
    fix = f"Load C and store D with {store_text(sample.layout)}"
    yield Suspect(Fault("shared map", what, fix), "shared", source=source, always=moving(source))


def short_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect the maps that put nothing at a wrong place, but leave results out."""
    for suspect in all_store_maps(sample):
        if not _misplaces(suspect.source):
            yield suspect


def _misplaces(source: Source | None) -> bool:
    if source is None:
        return False
    return bool(((source != NOWHERE) & (source != np.arange(len(source)))).any())


def all_store_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect every map there is, the right one excepted."""
    for source, owner in by_source(
        sample.asked,
        (
            (stored(sample.layout, view, lambda slot: slot), uses, flipped)
            for view, uses, flipped in maps_like(sample.layout)
        ),
    ):
        kind, what = _store_words(sample, owner)
        yield Suspect(Fault(kind, what, store_fix(sample)), "store", source=source)


def by_source(
    asked: Operand, found: Iterable[tuple[Source, tuple[Use, ...], bool]]
) -> Iterator[tuple[Source, Owner]]:
    """Join maps that do the same here, and name the likeliest of them; the right one is left out.

    That is a map of the same operand, then the instruction's own with rows and columns exchanged,
    then one of another operand.
    """
    joined: dict[bytes, tuple[Source, dict[bool, list[Use]]]] = {}
    for source, uses, flipped in found:
        if (source == np.arange(len(source))).all():
            continue
        first = joined.setdefault(source.tobytes(), (source, {}))
        first[1].setdefault(flipped, []).extend(uses)
    for source, groups in joined.values():
        owners = [nearest(uses, asked, flipped=flipped) for flipped, uses in groups.items()]
        yield source, min(owners, key=lambda each: _unlikely(asked, each))


def _unlikely(asked: Operand, owner: Owner) -> tuple[bool, bool, bool]:
    """Order owners: the smallest is the likeliest to be meant."""
    same = owner.operand == asked.letter or {owner.operand, asked.letter} == {"C", "D"}
    own = same and owner.instruction == asked.instruction.name and asked.target in owner.targets
    return (not (same and not owner.transposed), not own, owner.transposed)


def maps_like(layout: Layout) -> Iterator[tuple[Layout, tuple[Use, ...], bool]]:
    """Yield the maps of matrices of the same size, with the operands that have them.

    The plain maps come first, then those with rows and columns exchanged.
    """
    for flipped in (False, True):
        for view, uses in _maps(flipped=flipped).get(layout.extents, {}).items():
            yield view, tuple(uses), flipped


@cache
def _maps(*, flipped: bool) -> dict[tuple[tuple[str, int], ...], dict[Layout, list[Use]]]:
    """Group all maps by the size of their matrix."""
    found: dict[tuple[tuple[str, int], ...], dict[Layout, list[Use]]] = {}
    for each, uses in index().items():
        view = transposed(seen(each)) if flipped else seen(each)
        found.setdefault(view.extents, {}).setdefault(view, []).extend(uses)
    return found


def stored(layout: Layout, loop: Layout, reading: Reading) -> Source:
    """Find where elements land if a loop by another map stores them.

    Args:
        layout: Where results really lie.
        loop: The map of the loop.
        reading: The slot of a result that the loop reads as its own slot.

    Returns:
        For each element of the output, which result lands there; later stores win.

    """
    source = np.full(layout.elements_count, NOWHERE, dtype=np.int64)
    held, meant = element_table(layout, layout.wave), element_table(loop, layout.wave)
    for slot in range(loop.slots):
        real = reading(slot)
        if real is None or real < layout.slots:
            inside = meant[slot] != NOWHERE
            results = NOWHERE if real is None else held[real][inside]
            source[meant[slot][inside]] = results
    return source


def halves(sample: Sample) -> Iterator[Suspect]:
    """Suspect 16-bit results read as if packed where they are not, and the other way round."""
    layout = sample.layout
    if layout.element_bits * 2 != REGISTER_BITS:
        return
    packed = layout.stride_bits == layout.element_bits
    half = layout.offset_bits // layout.element_bits

    def read(slot: int) -> int | None:
        if packed:
            return 2 * slot
        return slot // 2 if slot % 2 == half else None

    what = (
        "the loop takes one result from each register, but each holds two (slots 2*v and 2*v + 1)"
        if packed
        else "the loop takes two results from each register, but each holds one, in its"
        f" {'high' if half else 'low'} 16 bits (vector elements 2*slot{' + 1' if half else ''})"
    )
    for source, owner in by_source(
        sample.asked,
        ((stored(layout, view, read), uses, flipped) for view, uses, flipped in maps_like(layout)),
    ):
        own = _is_own(sample, owner) and not owner.transposed
        by = "" if own else f", by the map of {owner_text(owner)}"
        yield Suspect(Fault("halves", what + by, store_fix(sample)), "store", source=source)


def _is_own(sample: Sample, owner: Owner) -> bool:
    """Whether a map is that of D of the instruction itself."""
    asked = sample.asked
    return (owner.instruction, owner.wave) == (asked.instruction.name, asked.wave) and (
        owner.operand in ("C", "D") and asked.target in owner.targets
    )


def _store_words(sample: Sample, owner: Owner) -> tuple[str, str]:
    if _is_own(sample, owner) and owner.transposed:
        return "transpose", ("each tile is stored with rows and columns exchanged")
    asked = sample.asked
    same = (owner.instruction, owner.transposed) == (asked.instruction.name, False)
    if same and asked.target in owner.targets and owner.wave != asked.wave:
        return "wave", (
            f"the store loop is that of wave{owner.wave}, but the wave has {asked.wave} lanes"
        )
    return "store map", f"the store loop follows the map of {owner_text(owner)}"


def owner_text(owner: Owner) -> str:
    """Name an operand that has a map."""
    text = f"{owner.operand} of {owner.instruction} on {', '.join(owner.targets)}, wave{owner.wave}"
    return f"{text}, rows and columns exchanged" if owner.transposed else text


def store_text(layout: Layout) -> str:
    """Write the right map of D as formulas."""
    try:
        found = register_formulas(layout)
    except Unsupported:
        found = element_formulas(layout)
    return "; ".join(f"{name} = {text}" for name, text in found.items())


def store_fix(sample: Sample) -> str:
    """Tell how results must be stored."""
    return f"Store with {store_text(sample.layout)}"
