"""Faults that leave NaN: in A or B, or where a sum has infinities of both signs."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions.unwritten_results import missing_sets
from wavemma.explain.scope import crossed, each_tile, lines_of_whole
from wavemma.explain.suspect import Fault, Suspect, base_product
from wavemma.explain.tile_sample import Floats, Sample, Truths
from wavemma.explain.whole_lines import Line, named_lines, whole_lines

_OFTEN = 0.9
_OF: dict[Line, str] = {"row": "A", "column": "B"}
_FIX = (
    "Look for numbers of A and B that are NaN or were never set, such as those of shared memory"
    " that no lane filled, and for inf - inf or 0 * inf."
)


def only_nan(sample: Sample) -> bool:
    """Whether every wrong value of a sample is NaN."""
    wrong = sample.got[~sample.close(sample.want, sample.got)]
    return bool(wrong.size and np.isnan(wrong).all())


def nan_lines(sample: Sample) -> Iterator[Suspect]:
    """Suspect NaN in A or B where rows or columns of the whole output hold nothing else."""
    if not only_nan(sample):
        return
    for inside, line, lines in _found(sample):
        if line is not None and crossed(sample, line):
            named = lines_of_whole(sample, line, lines)
            what = f"every wrong value is NaN: NaN, or an element never set, in {named} of"
            yield _suspect(f"{what} {_OF[line]}", inside)


def nan_parts(sample: Sample) -> Iterator[Suspect]:
    """Suspect NaN in A or B where parts of tiles, or whole ones, hold nothing else."""
    if not only_nan(sample):
        return
    for inside, line, lines in _found(sample):
        start = "every wrong value is NaN: NaN, or an element never set, in"
        if line is None:
            what = f"{start} A or B, or inf - inf in the sum, in {each_tile(sample)}"
            yield _suspect(what, inside)
        elif not crossed(sample, line):
            named = named_lines(line, lines)
            yield _suspect(f"{start} {named} of {_OF[line]}, in {each_tile(sample)}", inside)


def _found(sample: Sample) -> Iterator[tuple[Truths, Line | None, set[int]]]:
    """Yield parts of a tile that hold NaN: all of it, or whole lines."""
    elements = np.arange(sample.want.shape[1])
    for missing in missing_sets(sample):
        inside = np.isin(elements, list(missing))
        if np.isnan(sample.got[:, inside]).mean() < _OFTEN:
            continue
        if inside.all():
            yield inside, None, set()
            continue
        for line in _OF:
            lines = whole_lines(missing, sample.shape, line)
            if lines:
                yield inside, line, lines


def _suspect(what: str, inside: Truths) -> Suspect:
    return Suspect(Fault("nan", what, _FIX), "product", _filled(inside), alone=True)


def _filled(inside: Truths) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found: Floats = np.where(inside, np.nan, base_product(sample))
        return found

    return product
