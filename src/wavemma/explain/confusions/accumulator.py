"""Faults of C: dropped, counted too often, subtracted, or loaded by another map."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions.beyond_tiles import by_columns, of_columns
from wavemma.explain.confusions.loads import loaded
from wavemma.explain.loop_map import by_source, map_text, maps_like, store_text
from wavemma.explain.suspect import NOWHERE, Fault, Suspect, base_product
from wavemma.explain.tile_sample import Array, Floats, Sample

_NEAR = 1e-4
_OFTEN = 0.9
Change = Callable[[Sample], Floats]


def starts(sample: Sample) -> Iterator[Suspect]:
    """Suspect that C is dropped, doubled, negated, or loaded by another map."""
    if sample.c is None:
        return
    for factor, what, fix in (
        (
            0.0,
            "C is not added, or zero is loaded for it",
            "Load C into the accumulator before the first step.",
        ),
        (2.0, "C is added twice", "Add C once: in the accumulator or after the loop."),
        (-1.0, "C is subtracted", "Clear the neg bit of C."),
    ):
        yield Suspect(Fault("c", what, fix), "start", _scaled_start(factor))
    fault = Fault("c", "C is added without its sign", "Clear the modifier that makes C positive.")
    yield Suspect(fault, "start", _without_sign)
    count = 0 if sample.factors is None else sample.factors.a.shape[-1] // sample.depth
    if count > 1:
        what = f"C is added once in each of the {count} steps along k"
        fix = "Load C before the loop; in the loop D of a step is C of the next."
        yield Suspect(Fault("c", what, fix), "start", _scaled_start(float(count)))
    yield from _whole_orders(sample)
    layout = sample.layout
    for source, named in by_source(
        sample.asked, ((loaded(layout, each.view), each) for each in maps_like(layout))
    ):
        fault = Fault(
            "c",
            f"C is loaded by {map_text(sample.asked, named)}",
            f"Load C with {store_text(layout)}",
        )
        yield Suspect(fault, "start", _moved_start(source))


def _whole_orders(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the whole of C is read in the other order."""
    height, width = sample.given.want.shape[-2:]
    if sample.shape[0] > 1 or sample.grid[1:] == (1, 1):
        return
    fix = "Exchange the two strides of the load of C."
    words = {"the whole of C is used transposed": by_columns}
    if height != width:
        words = {
            f"C is read column by column ({height} apart), but lies row by row in memory ({width}"
            " apart)": by_columns,
            f"C is read row by row ({width} apart), but lies column by column in memory ({height}"
            " apart)": of_columns,
        }
    for what, change in words.items():
        yield Suspect(Fault("c", what, fix), "start", _with_whole(change), everywhere=True)


def _with_whole(change: Callable[[Array], Array]) -> Change:
    def start(sample: Sample) -> Floats:
        rows, columns = sample.positions()
        return sample.take(change(np.asarray(sample.given.c)), rows, columns)

    return start


def seen_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect factors of C, and of the products beside it, that the data show."""
    c, base = sample.c, base_product(sample)
    if c is None or not sample.differing:
        return
    matrix = np.stack([base.ravel(), c.ravel()], axis=1)
    came = sample.got.ravel()
    finite = np.isfinite(came) & np.isfinite(matrix).all(axis=1)
    found, _, rank, _ = np.linalg.lstsq(matrix[finite], came[finite], rcond=None)
    if rank < matrix.shape[1]:
        return
    if sample.closely((matrix @ found)[finite], came[finite]).mean() < _OFTEN:
        return
    of_products, of_c = (_simple(each) for each in found.tolist())
    if of_c in (-1.0, 0.0, 1.0, 2.0) or of_products == of_c:
        return
    what = f"C counts {of_c:.6g} times: got - want is {of_c - 1:.6g}*c"
    if of_products != 1:
        what = f"the products count {of_products:.6g} times, and C {of_c:.6g} times"
    fix = "Look for beta, the factor of C, or alpha, that of the products: left out, or used twice."

    def result(each: Sample) -> Floats:
        start = np.zeros_like(each.want) if each.c is None else each.c
        return (of_products * base_product(each) + of_c * start)[None]

    yield Suspect(Fault("c", what, fix), "whole", result, seen=True)


def _simple(weight: float) -> float:
    """Take the number of a few digits that a weight is near."""
    short = float(f"{weight:.4g}") if abs(weight) > _NEAR else 0.0
    return short if abs(short - weight) <= _NEAR * max(abs(weight), _NEAR) else weight


def _without_sign(sample: Sample) -> Floats:
    return np.abs(_scaled_start(1.0)(sample))


def _scaled_start(factor: float) -> Change:
    def start(sample: Sample) -> Floats:
        c = np.zeros_like(sample.want) if sample.c is None else sample.c
        return factor * c

    return start


def _moved_start(source: Array) -> Change:
    def start(sample: Sample) -> Floats:
        c = np.zeros_like(sample.want) if sample.c is None else sample.c
        found: Floats = np.where(source == NOWHERE, 0.0, c[:, np.maximum(source, 0)])
        return found

    return start
