"""Faults of the store loop: results that land at the wrong elements, or nowhere."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.layout_search import Owner
from wavemma.explain.loop_map import Named, by_source, map_text, maps_like, store_text
from wavemma.explain.suspect import NOWHERE, Fault, Source, Suspect, element_table, moving
from wavemma.explain.tile_sample import Sample
from wavemma.layouts import Layout
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


def all_store_maps(sample: Sample) -> tuple[Suspect, ...]:
    """Suspect every map there is, the right one excepted."""
    found = sample.kept.get("store maps")
    if found is None:
        # Several suspicions start from them, and to name them all takes a while.
        found = sample.kept["store maps"] = tuple(_every_map(sample))
    return found


def _every_map(sample: Sample) -> Iterator[Suspect]:
    for source, named in by_source(
        sample.asked,
        (
            (stored(sample.layout, each.view, lambda slot: slot), each)
            for each in maps_like(sample.layout)
        ),
    ):
        kind, what = _store_words(sample, named)
        yield Suspect(Fault(kind, what, store_fix(sample)), "store", source=source)


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
    for source, named in by_source(
        sample.asked, ((stored(layout, each.view, read), each) for each in maps_like(layout))
    ):
        own = _is_own(sample, named.owner) and not (named.owner and named.owner.transposed)
        by = "" if own else f", by {map_text(sample.asked, named)}"
        yield Suspect(Fault("halves", what + by, store_fix(sample)), "store", source=source)


def _is_own(sample: Sample, owner: Owner | None) -> bool:
    """Whether a map is that of D of the instruction itself."""
    asked = sample.asked
    if owner is None:
        return False
    return (owner.instruction, owner.wave) == (asked.instruction.name, asked.wave) and (
        owner.operand in ("C", "D") and asked.target in owner.targets
    )


def _store_words(sample: Sample, named: Named) -> tuple[str, str]:
    owner = named.owner
    if owner is None:
        return "store map", f"the store loop follows {map_text(sample.asked, named)}"
    if _is_own(sample, owner) and owner.transposed:
        return "transpose", ("each tile is stored with rows and columns exchanged")
    asked = sample.asked
    same = (owner.instruction, owner.transposed) == (asked.instruction.name, False)
    if same and asked.target in owner.targets and owner.wave != asked.wave:
        return "wave", (
            f"the store loop is that of wave{owner.wave}, but the wave has {asked.wave} lanes"
        )
    return "store map", f"the store loop follows {map_text(sample.asked, named)}"


def store_fix(sample: Sample) -> str:
    """Tell how results must be stored."""
    return f"Store with {store_text(sample.layout)}"
