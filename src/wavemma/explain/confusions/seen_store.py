"""Where results landed, as the output itself shows it: for stores that follow no known map."""

from collections.abc import Iterator

import msgspec
import numpy as np

from wavemma.explain.confusions.stores import store_fix
from wavemma.explain.loop_map import store_text
from wavemma.explain.suspect import NOWHERE, Fault, Source, Suspect, element_table
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.layouts import Layout
from wavemma.layouts.layout import Bit

_TILES = 4
_ENOUGH = 0.98
_LEAST = 0.25
_SHOWN = 3


def seen_maps(sample: Sample) -> Iterator[Suspect]:
    """Suspect the map of bits by which the results of each tile were stored."""
    source = _kept(sample)
    loop = None if source is None else _loop(sample.layout, source)
    if loop is not None:
        what = f"the store loop follows another map: {store_text(loop)}"
        fault = Fault("store map", what, store_fix(sample))
        yield Suspect(fault, "store", source=source, seen=True)


def seen_places(sample: Sample) -> Iterator[Suspect]:
    """Suspect the places at which the results of each tile are found, whatever their order."""
    source = _kept(sample)
    if source is not None:
        lost = "; others are not stored, or over others" if (source == NOWHERE).any() else ""
        what = f"results lie at other places of their tiles: {_examples(sample, source)}{lost}"
        fault = Fault("store map", what, store_fix(sample))
        yield Suspect(fault, "store", source=source, seen=True)


def _kept(sample: Sample) -> Source | None:
    """Give what is found, looked for once; None where all results are in their places."""
    if "seen places" not in sample.kept:
        found = _found(sample) if sample.differing else None
        # Where results are missing and no other is misplaced, there is no map to tell.
        is_right = found is None or ((found == np.arange(len(found))) | (found == NOWHERE)).all()
        sample.kept["seen places"] = None if is_right else found
    source: Source | None = sample.kept["seen places"]
    return source


def _found(sample: Sample) -> Source | None:
    """Find which result lies at each element, the same in several tiles; None if few do."""
    maps = [_places(sample, tile) for tile in range(min(len(sample.tiles), _TILES))]
    votes = np.stack(maps)
    first = votes.max(axis=0)
    # A result that two tiles find at two places is found by chance in one of them.
    agreed = ((votes == first) | (votes == NOWHERE)).all(axis=0)
    source = np.where(agreed, first, NOWHERE)
    known = source[source != NOWHERE]
    # What is filled alike in all tiles is not stored.
    first = sample.got[: len(maps)]
    stored = ~((first == first[:1]) | np.isnan(first)).all(axis=0)
    stored |= len(maps) == 1
    if np.count_nonzero(stored) < _LEAST * len(source):
        return None
    if len(known) < _ENOUGH * np.count_nonzero(stored):
        return None
    if len(np.unique(known)) < _ENOUGH * len(known):
        return None
    return np.asarray(source, np.int64)


def _places(sample: Sample, tile: int) -> Source:
    """Find each number that came among those wanted; NOWHERE what is not there or not alone."""
    want, got = sample.want[tile], sample.got[tile]
    order = np.argsort(want, kind="stable")
    ordered = want[order]
    after = np.clip(np.searchsorted(ordered, got), 1, len(ordered) - 1)
    left = np.abs(got - ordered[after - 1]) <= np.abs(ordered[after] - got)
    nearest = np.where(left, after - 1, after)
    place = np.where(sample.close(ordered[nearest], got), order[nearest], NOWHERE)
    return np.asarray(np.where(_alone(sample, ordered)[nearest], place, NOWHERE), np.int64)


def _alone(sample: Sample, ordered: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Say which of the numbers in order have no other near them."""
    near = sample.close(ordered[1:], ordered[:-1])
    return ~(np.append(near, False) | np.insert(near, 0, False))


def _loop(layout: Layout, source: Source) -> Layout | None:
    """Find the loop that stores so, if each bit of lane and slot is one bit of row or column."""
    target = np.full(len(source), NOWHERE, np.int64)
    known = source != NOWHERE
    target[source[known]] = np.flatnonzero(known)
    held = target[element_table(layout, 1 << len(layout.lane_bits))]
    rows, columns = layout.size["row"], layout.size["col"]
    names = {
        (1 << place) * (columns if letter == "row" else 1): Bit(letter, place)
        for letter, size in (("row", rows), ("col", columns))
        for place in range(size.bit_length() - 1)
    }
    lanes = [names.get(int(held[0, 1 << bit])) for bit in range(len(layout.lane_bits))]
    slots = [names.get(int(held[1 << bit, 0])) for bit in range(len(layout.slot_bits))]
    every = [bit for bit in (*lanes, *slots) if bit is not None]
    if layout.size.get("b", 1) > 1 or len(set(every)) < len(lanes) + len(slots):
        return None
    loop = msgspec.structs.replace(
        layout,
        lane_bits=tuple(bit for bit in lanes if bit),
        slot_bits=tuple(bit for bit in slots if bit),
    )
    same = held == element_table(loop, 1 << len(layout.lane_bits))
    return loop if (same | (held == NOWHERE)).all() else None


def _examples(sample: Sample, source: Source) -> str:
    _, m, n = sample.shape
    wrong = np.flatnonzero((source != np.arange(len(source))) & (source != NOWHERE))[:_SHOWN]
    texts = []
    for place in wrong.tolist():
        here, own = (divmod(int(each) % (m * n), n) for each in (place, source[place]))
        texts.append(f"D[{here[0]}][{here[1]}] holds D[{own[0]}][{own[1]}]")
    return f"{', '.join(texts)}, ..."
