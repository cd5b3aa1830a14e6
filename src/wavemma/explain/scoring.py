"""How well one or two faults explain an output."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from wavemma.explain.fault_output import SIDES, Part, prediction
from wavemma.explain.pair_bounds import PairBounds
from wavemma.explain.suspect import Fault
from wavemma.explain.tile_sample import Sample, Truths, middle

ENOUGH = 0.98
PAIR_TILES = 4
_CLASHES = {
    "shared": ("start", "store"),
    "start": ("shared",),
    "store": ("shared",),
}
_SAME = 0.002
_STEP = "k step"
_ROUNDING = "rounding"
_ROUNDED = 2.0**-6
_LIKELY = ENOUGH - 0.1
_FIRST = 4


class Scored(NamedTuple):
    """One or two faults, and how much they explain.

    Attributes:
        parts: The faults and what they make of the sample.
        share: Share of the elements that they explain, 0..1.
        left: Elements that they do not explain.
        first_left: The first of those: tile of the sample, and element.

    """

    parts: tuple[Part, ...]
    share: float
    left: int
    first_left: tuple[tuple[int, int], ...]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults in words."""
        return tuple(part.suspect.fault for part in self.parts)


def scored(sample: Sample, parts: Sequence[Part]) -> tuple[Scored, ...]:
    """Hold a sample against every fault, and against pairs of them if none is enough.

    Returns:
        The explanations, best first; of equal ones single faults first.

    """
    found = _ordered(_scored(sample, [part]) for part in parts)
    if not found or found[0].share < ENOUGH:
        found = _ordered([*found, *_pairs(sample, parts)])
    return tuple(found)


def unseen(sample: Sample, parts: Sequence[Part]) -> tuple[Fault, ...]:
    """List the faults that these inputs cannot show."""
    every = [(part.suspect.fault, *prediction(sample, [part])) for part in parts]
    return tuple(
        fault
        for fault, predicted, missing in every
        if len(predicted) == 1
        and sample.close(predicted[0], sample.want).all()
        and not missing.any()
    )


def _pairs(sample: Sample, parts: Sequence[Part]) -> Iterator[Scored]:
    """Score pairs on few tiles, and again on all where they do well."""
    few, single = sample.reduced(PAIR_TILES), sample.reduced(1)
    cut, head = ([_first(part, tiles) for part in parts] for tiles in (PAIR_TILES, 1))
    # What explains less of one tile cannot explain enough of the few, however right the others.
    least = 1 - len(few.tiles) * (1 - _LIKELY)
    bounds = PairBounds(single, head, least)
    # To round is slow, and changes little: what it cannot mend is left out.
    rough = replace(few, tolerance=max(few.tolerance, _ROUNDED))
    rounds = any(part.suspect.fault.kind == _ROUNDING for part in parts)
    near = [rounds and _is_likely(rough, [part]) for part in cut]
    for one, two in itertools.combinations(range(len(parts)), 2):
        if not _go_together(parts[one], parts[two]):
            continue
        if parts[two].suspect.fault.kind == _ROUNDING and not near[one]:
            continue
        if not bounds.allow(one, two):
            continue
        if not _is_likely(single, [head[one], head[two]], least):
            continue
        if _is_likely(few, [cut[one], cut[two]]):
            yield _scored(sample, [parts[one], parts[two]])


def _go_together(one: Part, two: Part) -> bool:
    """Whether two faults lie in two places, and what both do is known."""
    stages = one.suspect.stage, two.suspect.stage
    if one.suspect.alone or two.suspect.alone:
        return False
    if stages[0] == stages[1] or "whole" in stages or stages[1] in _CLASHES.get(stages[0], ()):
        return False
    return not (_is_no_step(one, stages[1]) or _is_no_step(two, stages[0]))


def _is_no_step(part: Part, other: str) -> bool:
    """Whether a fault of the product says nothing of products with another factor."""
    return part.suspect.stage == "product" and other in SIDES and part.suspect.fault.kind != _STEP


def _first(part: Part, tiles: int) -> Part:
    """Keep the first tiles of what a suspect makes."""
    value, product = part.value, part.product
    if value is not None:
        value = value[:, :tiles] if part.suspect.stage == "whole" else value[:tiles]
    return part._replace(value=value, product=None if product is None else product[:tiles])


def _scored(sample: Sample, parts: Sequence[Part]) -> Scored:
    right = _explained(sample, parts)
    left = np.argwhere(~right)
    first = tuple((int(tile), int(element)) for tile, element in left[:_FIRST])
    return Scored(tuple(parts), float(right.mean()), len(left), first)


def _explained(sample: Sample, parts: Sequence[Part]) -> Truths:
    """Say which elements some faults together explain."""
    predicted, missing = prediction(sample, parts)
    unknown = np.isnan(predicted).all(axis=0)
    right = np.zeros(sample.got.shape, dtype=np.bool_)
    for each in predicted:
        # Of several, one that does not apply is NaN, and says nothing of a NaN that came.
        right |= sample.close(each, sample.got) & (unknown | ~np.isnan(each))
    nothing = missing | np.zeros_like(right)
    if any(part.suspect.stage == "whole" for part in parts):
        nothing |= unknown & np.isfinite(sample.want)
    if nothing.any():
        right[nothing] = _filled(sample, nothing)
    return right


def _is_likely(sample: Sample, parts: Sequence[Part], least: float = _LIKELY) -> bool:
    """Whether some faults explain nearly all of a sample, or another share of it."""
    right = _explained(sample, parts)
    return bool(np.count_nonzero(right) >= least * right.size)


def _filled(sample: Sample, nothing: Truths) -> Truths:
    """Say where elements that nothing is stored to hold one and the same filling."""
    came = sample.got[nothing]
    fills = [came == 0, np.isnan(came)]
    if sample.c is not None:
        fills.append(came == sample.c[nothing])
    finite = came[np.isfinite(came)]
    if finite.size:
        fills.append(came == middle(finite))
    return np.asarray(max(fills, key=lambda each: each.mean()))


def _ordered(found: Iterable[Scored]) -> list[Scored]:
    """Order explanations, best first; shares that hardly differ count as equal."""
    return sorted(found, key=lambda each: (-round(each.share / _SAME), len(each.faults)))
