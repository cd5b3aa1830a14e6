"""Faults of whole rows and columns: what moves rows of D may as well have moved those of A.

A row of D is made of one row of A, and a column of D of one column of B. So an output whose rows
are moved, or zero, does not say by itself whether the store or the load is wrong, as long as C
adds nothing.
"""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions.loads import Side, load_fix, sources
from wavemma.explain.confusions.stores import all_store_maps, shared, store_fix
from wavemma.explain.confusions.unwritten_results import missing_sets
from wavemma.explain.scope import each_tile, tiles_count
from wavemma.explain.suspect import Fault, Source, Suspect, base_product, moving, needed
from wavemma.explain.tile_sample import Floats, Sample, Truths
from wavemma.explain.whole_lines import Line, line_order, listed_order, named_lines, whole_lines

_OF: dict[Side, Line] = {"a": "row", "b": "column"}


def moved_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A's rows or B's columns are moved as a wrong store would move those of D."""
    for suspect in all_store_maps(sample):
        for side, line in _OF.items():
            if suspect.source is not None:
                order = line_order(suspect.source, sample.shape, line)
                if order is not None:
                    yield _loaded(sample, side, order)


def moved_results(sample: Sample) -> Iterator[Suspect]:
    """Suspect the moves of rows or columns that a wrong load of A or B makes, in the store too."""
    if sample.asked.instruction.is_sparse:
        return
    blocks, m, n = sample.shape
    for side, line in _OF.items():
        shape = (blocks, m, sample.depth) if side == "a" else (blocks, sample.depth, n)
        for source, _ in sources(sample.asked.sibling(side)):
            order = line_order(source, shape, line)
            if order is not None:
                found = _stored(sample, side, order)
                yield found
                yield from shared(sample, found)
                yield _loaded(sample, side, order)


def seen_orders(sample: Sample) -> Iterator[Suspect]:
    """Suspect the order of rows or columns that the data themselves show, whoever's it is."""
    for side in _OF:
        order = _seen_order(sample, sample.want, sample.got, side)
        if order is not None:
            yield _stored(sample, side, order)
        if sample.c is not None:
            with np.errstate(invalid="ignore"):
                came = sample.got - sample.c
            order = _seen_order(sample, base_product(sample), came, side)
        if order is not None:
            yield from shared(sample, _stored(sample, side, order))
            yield _loaded(sample, side, order)


def _seen_order(sample: Sample, want: Floats, got: Floats, side: Side) -> Source | None:
    """Find which row (column) of what was wanted came as each; None where one is not found."""
    lines = [each.reshape(-1, *sample.shape) for each in (want, got)]
    if side == "b":
        lines = [np.swapaxes(each, 2, 3) for each in lines]
    wanted, came = lines
    alike = np.stack(
        [
            sample.close(wanted, came[:, :, number, None]).all(axis=(0, 1, 3))
            for number in range(came.shape[2])
        ]
    )
    if (alike.sum(axis=0) != 1).any() or (alike.sum(axis=1) != 1).any():
        return None
    order = alike.argmax(axis=1)
    return order if (order != np.arange(len(order))).any() else None


def exchanged_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A and B were passed in each other's place: D is transposed, and C is not."""
    blocks, m, n = sample.shape
    if m != n or sample.asked.instruction.is_sparse:
        return
    whole = np.arange(blocks * m * n).reshape(blocks, m, n)
    source = np.swapaxes(whole, 1, 2).ravel()
    fault = Fault(
        "transpose",
        "A and B were passed in each other's place, each with the other's map",
        "Exchange the arguments for A and B.",
    )
    yield Suspect(fault, "product", _moved_product(source), always=moving(source))


def zero_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the rows or columns that were not written come of zeros in A or B."""
    total = sample.want.shape[1]
    for missing in missing_sets(sample):
        inside = np.isin(np.arange(total), list(missing))
        if inside.all():
            # A tile that is right has neither: zeros everywhere would have spoilt it.
            if sample.differing < tiles_count(sample):
                continue
            what, fix = "A or B is zero everywhere", "Load A and B; look at how they are filled."
            yield Suspect(Fault("zeros", what, fix), "product", _zeroed_product(inside))
            continue
        for side, line in _OF.items():
            lines = whole_lines(missing, sample.shape, line)
            if lines:
                what = f"zero in {each_tile(sample)}: {named_lines(line, lines)} of {side.upper()}"
                fault = Fault("zeros", what, load_fix(side, sample))
                yield Suspect(fault, "product", _zeroed_product(inside))


def _stored(sample: Sample, side: Side, order: Source) -> Suspect:
    """Suspect that the rows, or the columns, of D are stored in some order."""
    what = f"the {_OF[side]}s of D are stored in the order {listed_order(order)}"
    fault = Fault("store map", what, store_fix(sample))
    return Suspect(fault, "store", source=_moved_whole(sample, side, order))


def _loaded(sample: Sample, side: Side, order: Source) -> Suspect:
    """Suspect that the rows of A, or the columns of B, are loaded in some order."""
    chosen = sample.asked.instruction
    besides = [" and its index"] if chosen.is_sparse and side == "a" else []
    besides += [f" and the scales of {side.upper()}"] if chosen.is_scaled else []
    what = (
        f"the {_OF[side]}s of {side.upper()}{''.join(besides)} are loaded in the order"
        f" {listed_order(order)}"
    )
    fault = Fault("load map", what, load_fix(side, sample))
    source = _moved_whole(sample, side, order)
    if sample.factors is None or besides:
        return Suspect(fault, "product", _moved_product(source), always=moving(source))
    return Suspect(fault, side, _moved_strip(side, order), always=moving(source))


def _moved_whole(sample: Sample, side: Side, order: Source) -> Source:
    """Say which element of a tile comes to lie at each if its rows or columns are moved."""
    whole = np.arange(sample.want.shape[1]).reshape(sample.shape)
    moved = whole[:, order] if side == "a" else whole[:, :, order]
    return np.asarray(moved.ravel(), np.int64)


def _moved_product(source: Source) -> Callable[[Sample], Floats]:
    return lambda sample: base_product(sample)[:, source]


def _zeroed_product(zero: Truths) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found: Floats = np.where(zero, 0.0, base_product(sample))
        return found

    return product


def _moved_strip(side: Side, order: Source) -> Callable[[Sample], Floats]:
    def strip(sample: Sample) -> Floats:
        found = needed(sample)
        if side == "a":
            return found.a[:, :, order] * found.scale_a
        return found.b[..., order] * found.scale_b

    return strip
