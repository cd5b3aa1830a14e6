"""Faults of C: dropped, counted too often, subtracted, or loaded by another map."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions.loads import loaded
from wavemma.explain.loop_map import by_source, map_text, maps_like, store_text
from wavemma.explain.suspect import NOWHERE, Fault, Suspect
from wavemma.explain.tile_sample import Array, Floats, Sample

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
