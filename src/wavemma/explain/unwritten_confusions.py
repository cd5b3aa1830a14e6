"""Faults of results that never reach the output."""

from collections.abc import Iterator

import numpy as np

from wavemma.explain.claim import in_register
from wavemma.explain.store_confusions import store_text
from wavemma.explain.suspect import NOWHERE, Fault, Suspect, element_table
from wavemma.explain.tile_sample import Sample, middle
from wavemma.explain.whole_lines import Line, listed, named_lines, whole_lines

_OFTEN = 0.9
_LINES: tuple[Line, ...] = ("row", "column")


def unwritten(sample: Sample) -> Iterator[Suspect]:
    """Suspect that some results were never stored: those that the data show, and usual ones."""
    layout = sample.layout
    whole = np.arange(layout.elements_count)
    for missing in missing_sets(sample):
        source = np.where(np.isin(whole, list(missing)), NOWHERE, whole)
        what = _missing_words(sample, missing)
        fault = Fault("unwritten", what, f"Store every result: {store_text(layout)}")
        yield Suspect(fault, "store", source=source)


def missing_sets(sample: Sample) -> Iterator[set[int]]:
    """Yield sets of elements of a tile that may be missing: what the data show, and halves."""
    whole = np.arange(sample.layout.elements_count)
    half, lanes = sample.layout.slots // 2, sample.layout.wave // 2
    places = _places(sample)
    sets = [set(map(int, whole[mask])) for mask in _blank(sample)]
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


def _blank(sample: Sample) -> Iterator[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Find elements that hold the same filling in nearly all tiles, and should not."""
    differs = ~sample.close(sample.want, sample.got)
    fills = [np.zeros_like(sample.got), np.full_like(sample.got, np.nan)]
    fills += [] if sample.c is None else [sample.c]
    known = len(fills)
    wrong = sample.got[differs & np.isfinite(sample.got)]
    if wrong.size:
        fills.append(np.full_like(sample.got, middle(wrong)))
    for number, fill in enumerate(fills):
        same = (sample.got == fill) | (np.isnan(sample.got) & np.isnan(fill))
        blank = (same & differs).mean(axis=0) > 0
        always = (same | ~differs).mean(axis=0) >= _OFTEN
        found = np.asarray(blank & always)
        # Any other filling may be a result, so that it says nothing of whole tiles.
        if found.any() and (number < known or not found.all()):
            yield found


def _missing_words(sample: Sample, missing: set[int]) -> str:
    """Say which results are missing by row or column, register or lane, or by count."""
    total = sample.layout.elements_count
    if len(missing) == total:
        _, rows, columns = sample.grid
        if sample.differing == sample.grid[0] * rows * columns:
            return "nothing was written: every tile is unwritten"
        return (
            f"whole tiles were never written: {sample.differing} of"
            f" {sample.grid[0] * rows * columns}"
        )
    lines = [(line, whole_lines(missing, sample.shape, line)) for line in _LINES]
    texts = [f"{named_lines(line, found)} of each tile" for line, found in lines if found]
    texts += _by_place(sample, missing)
    if not texts:
        return f"never stored: {len(missing)} of {total} results of a tile"
    named = f"never stored: {texts[0]}"
    return f"{named} ({texts[1]})" if len(texts) > 1 else named


def _by_place(sample: Sample, missing: set[int]) -> list[str]:
    """Name the registers, or the lanes, that hold just these elements."""
    places, total = _places(sample), sample.layout.elements_count
    slots = {slot for number, _, slot in places if number in missing}
    lanes = {lane for number, lane, _ in places if number in missing}
    if len(missing) == total * len(slots) // sample.layout.slots:
        word = "registers v" if in_register(sample.layout) == 1 else "slots "
        return [f"{word}{listed(slots)} of every lane"]
    if len(missing) == total * len(lanes) // sample.layout.wave:
        return [f"all results of lanes {listed(lanes)}"]
    return []
