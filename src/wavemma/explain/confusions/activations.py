"""Faults of functions behind the loop: there where none should be, before C, or left out."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.activations import ACTIVATIONS, Activation, leaky_relus
from wavemma.explain.suspect import Fault, Suspect, base_product
from wavemma.explain.tile_sample import Floats, Sample, middle
from wavemma.formats import number_format

# How many times what sums may lose the results of a function must spread to be told at all.
_SPREAD = 64.0
_RELU = "relu"
_INVERSE = "reciprocal"


def activations(sample: Sample) -> Iterator[Suspect]:
    """Suspect functions of results, and of the products before C is added."""
    if not sample.differing:
        return
    for each in (*_known(sample), *leaky_relus(sample.want, sample.got)):
        # Results that are clipped at 0 have a fault of their own.
        if each.formula != _RELU and _tells(sample, each.of(sample.want)):
            what = f"every result went through {each.name}"
            fix = f"Take {each.name} out behind the loop, or compare with a want that has it."
            fault = Fault("activation", what, fix)
            yield Suspect(fault, "result", _of_want(each), alone=True)
    if sample.c is None:
        return
    base = base_product(sample)
    came = sample.got - sample.c
    for each in (*_known(sample), *leaky_relus(base, came)):
        if _tells(sample, each.of(base)):
            what = f"the products went through {each.name} before C was added"
            fix = f"Add C first; use {each.name} behind that, if at all, and in want too."
            fault = Fault("activation", what, fix)
            yield Suspect(fault, "product", _of_product(each), alone=True)


def missing_activations(sample: Sample) -> Iterator[Suspect]:
    """Suspect that what was wanted is a function of what came."""
    if not sample.differing:
        return
    if not _tells(sample, sample.want):
        return
    for each in (*_known(sample), *leaky_relus(sample.got, sample.want)):
        # What is its own inverse is there too often, if anything.
        if each.formula != _INVERSE and _tells(sample, each.of(sample.got)):
            what = f"{each.name} is missing: want is got put through it"
            fix = f"Put results through {each.name} behind the loop."
            yield Suspect(Fault("activation", what, fix), "whole", _without(each))


def _known(sample: Sample) -> Iterator[Activation]:
    """Yield the functions that results of the instruction may be put through."""
    is_float = number_format(sample.asked.format).is_float
    yield from (each for each in ACTIVATIONS if is_float or each.of_whole)


def _tells(sample: Sample, found: Floats) -> bool:
    """Whether numbers differ from one another by far more than sums may lose."""
    held = found[np.isfinite(found)]
    if not held.size:
        return False
    lost = sample.tolerance * (sample.scale + abs(middle(held)))
    return bool(np.abs(held - middle(held)).mean() > _SPREAD * lost)


def _of_want(each: Activation) -> Callable[[Sample], Floats]:
    return lambda sample: each.of(sample.want)


def _of_product(each: Activation) -> Callable[[Sample], Floats]:
    return lambda sample: each.of(base_product(sample))


def _without(each: Activation) -> Callable[[Sample], Floats]:
    """Give what came where the function of it is what was wanted, and what did not elsewhere."""

    def change(sample: Sample) -> Floats:
        held = sample.close(each.of(sample.got), sample.want)
        other = np.where(sample.got == np.inf, -np.inf, np.inf)
        found: Floats = np.where(held, sample.got, other)
        return found[None]

    return change
