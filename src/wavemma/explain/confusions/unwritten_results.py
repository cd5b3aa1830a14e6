"""Faults of results that never reach the output."""

from collections.abc import Iterable, Iterator

import numpy as np

from wavemma.explain.claim import in_register
from wavemma.explain.loop_map import store_text
from wavemma.explain.scope import each_tile, tiles_count
from wavemma.explain.suspect import NOWHERE, Fault, Suspect, element_table
from wavemma.explain.tile_sample import Sample, middle
from wavemma.explain.whole_lines import Line, listed, named_lines, whole_lines

_OFTEN = 0.9
_LEAST = 4
_LINES: tuple[Line, ...] = ("row", "column")


_STORED = (
    "If they are stored after all, each is stored as this one value: fill D with another before"
    " the launch to see which it is."
)


def unwritten(sample: Sample) -> Iterator[Suspect]:
    """Suspect that some results were never stored: those that the data show, and usual ones."""
    layout = sample.layout
    whole = np.arange(layout.elements_count)
    for missing in missing_sets(sample):
        source = np.where(np.isin(whole, list(missing)), NOWHERE, whole)
        what = _missing_words(sample, missing)
        fix = f"Store every result: {store_text(layout)}. {_STORED}"
        fault = Fault("unwritten", what, fix)
        yield Suspect(fault, "unwritten", source=source)


def missing_sets(sample: Sample) -> Iterator[set[int]]:
    """Yield sets of elements of a tile that may be missing: what the data show, and halves."""
    half, lanes = sample.layout.slots // 2, sample.layout.wave // 2
    places = _places(sample)
    sets = list(_blank(sample))
    sets.append({number for number, _, slot in places if slot >= half} if half else set())
    sets.append({number for number, lane, _ in places if lane >= lanes})
    yield from filter(None, sets)


def _places(sample: Sample) -> list[tuple[int, int, int]]:
    """List element, lane and slot of every place."""
    layout = sample.layout
    table = element_table(layout, layout.wave)
    return [
        (int(table[slot, lane]), lane, slot)
        for lane in range(layout.wave)
        for slot in range(layout.slots)
    ]


def _blank(sample: Sample) -> Iterator[set[int]]:
    """Find parts of a tile that hold the same filling in nearly all tiles, and should not."""
    differs = ~sample.close(sample.want, sample.got)
    fills = [np.zeros_like(sample.got), np.full_like(sample.got, np.nan)]
    fills += [] if sample.c is None else [sample.c]
    known = len(fills)
    wrong = sample.got[differs & np.isfinite(sample.got)]
    if wrong.size:
        fills.append(np.full_like(sample.got, middle(wrong)))
    for number, fill in enumerate(fills):
        same = (sample.got == fill) | (np.isnan(sample.got) & np.isnan(fill))
        filled = np.asarray(same.mean(axis=0) >= _OFTEN)
        blank = np.flatnonzero((same & differs).any(axis=0) & filled)
        if not blank.size:
            continue
        # Any other filling may be a result, so that it says nothing of whole tiles.
        if filled.all() and number < known:
            yield set(range(filled.size))
        elif not filled.all():
            yield _part(sample, set(map(int, blank)), set(map(int, np.flatnonzero(filled))))


def _part(sample: Sample, blank: set[int], filled: set[int]) -> set[int]:
    """Find the likeliest part of a tile that a loop may leave out; empty if there is none.

    Args:
        sample: The sample.
        blank: Elements that must be in the part.
        filled: Elements that may be: what was wanted there may be the filling itself.

    """
    every = list(range(sample.layout.elements_count))
    _, m, n = sample.shape
    held = {number: (lane, slot) for number, lane, slot in _places(sample)}
    keys = [
        {number: number // n % m for number in every},
        {number: number % n for number in every},
        {number: slot for number, (_, slot) in held.items()},
        {number: lane for number, (lane, _) in held.items()},
    ]
    # Whole lines are likelier than crossings, even if a wanted filling makes those smaller.
    # Where a lane has one result, any elements are those of some lanes: that says nothing.
    several = keys if sample.layout.slots > 1 else keys[:2]
    for choices in ([[key] for key in several], [keys[:2], keys[2:]]):
        parts = [_chosen(choice, blank) for choice in choices]
        found = [part for part in parts if len(part) >= _LEAST and part <= filled]
        if found:
            return min(found, key=len)
    return set()


def _chosen(keys: list[dict[int, int]], blank: set[int]) -> set[int]:
    """Take all elements that share their rows, columns, slots or lanes with blank ones."""
    chosen = [{key[number] for number in blank} for key in keys]
    # A part of a row or of a register is no loop's; of both, at least two are.
    if len(keys) > 1 and min(map(len, chosen)) < 2:
        return set()
    return {
        number
        for number in keys[0]
        if all(key[number] in ones for key, ones in zip(keys, chosen, strict=True))
    }


def _missing_words(sample: Sample, missing: set[int]) -> str:
    """Say which results are missing by row or column, register or lane, or by count."""
    total = sample.layout.elements_count
    if len(missing) == total:
        tiles = tiles_count(sample)
        if sample.differing == tiles:
            return "nothing was written: every tile is unwritten"
        return f"whole tiles were never written: {sample.differing} of {tiles}"
    lines = [(line, whole_lines(missing, sample.shape, line)) for line in _LINES]
    texts = [f"{named_lines(line, found)} of {each_tile(sample)}" for line, found in lines if found]
    texts = texts or _rectangle(sample, missing)
    texts += _by_place(sample, missing)
    named = f"never stored: {texts[0]}"
    return f"{named} ({texts[1]})" if len(texts) > 1 else named


def _by_place(sample: Sample, missing: set[int]) -> list[str]:
    """Name the registers, or the lanes, that hold just these elements."""
    places, total = _places(sample), sample.layout.elements_count
    slots = {slot for number, _, slot in places if number in missing}
    lanes = {lane for number, lane, _ in places if number in missing}
    if len(missing) == total * len(slots) // sample.layout.slots:
        return [f"{_named_slots(sample, slots)} of every lane"]
    if len(missing) == total * len(lanes) // sample.layout.wave:
        return [f"all results of lanes {listed(lanes)}"]
    if len(missing) == len(slots) * len(lanes):
        return [f"{_named_slots(sample, slots)} of lanes {listed(lanes)}"]
    return []


def _named_slots(sample: Sample, slots: Iterable[int]) -> str:
    if in_register(sample.layout) > 1:
        return f"slots {listed(slots)}"
    return f"registers {listed(slots, 'v')}"


def _rectangle(sample: Sample, missing: set[int]) -> list[str]:
    """Name the rows and the columns that cross at just these elements."""
    blocks, m, n = sample.shape
    rows, columns = ({each // n % m for each in missing}, {each % n for each in missing})
    if len(missing) != blocks * len(rows) * len(columns):
        return []
    crossing = f"{named_lines('row', rows)} in {named_lines('column', columns)}"
    return [f"{crossing} of {each_tile(sample)}"]
