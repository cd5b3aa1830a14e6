"""Faults of the loop along k: steps that are missing, repeated, or read stale tiles."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.suspect import (
    Fault,
    Suspect,
    base_product,
    multiplied,
    needed,
    times,
)
from wavemma.explain.tile_sample import Floats, Sample

_MOST_STEPS = 64
_FEW_STEPS = 8


def steps(sample: Sample) -> Iterator[Suspect]:
    """Suspect missing, repeated and stale steps along k."""
    found = sample.factors
    if found is None:
        yield from _step_ratios(sample)
        return
    count = found.a.shape[-1] // sample.depth
    if count == 1:
        return
    # Of many steps, which one is wrong is seen well enough by itself.
    many = count > _FEW_STEPS
    for step in _spread(count):
        what = _missing(sample, step, count)
        yield _step(sample, step, -1, what, alone=many and step + 1 < count)
        what = f"{_named(step, count)} is added twice"
        yield _step(sample, step, 1, what, alone=many)
    if count % 2 == 0 and not _ragged(sample):
        half = count // 2
        for name, first, last in (("first", 0, half), ("second", half, count)):
            what = f"only the {name} half of K is used ({count} steps)"
            yield _step_range(sample, first, last, what)
    if count > 2:
        yield _step_range(sample, 0, 1, f"only the first of {count} steps along k is used")
        yield _step_range(
            sample, count - 1, count, "each step forgets the sum before it: only the last counts"
        )
    yield from _stale_tiles(sample, count)
    yield from _short_strides(sample, count)


def _short_strides(sample: Sample, count: int) -> Iterator[Suspect]:
    """Suspect that A or B moves on along k by a part of a step."""
    depth, stride = sample.depth, sample.depth // 2
    while stride:
        for sides in (("a", "b"), ("a",), ("b",)):
            names = " and ".join(side.upper() for side in sides)
            moves = "move" if len(sides) > 1 else "moves"
            what = f"{names} {moves} on by {stride} along k with each step, not by {depth}"
            change = _strided(depth, stride, count, sides)
            yield Suspect(Fault("k step", what, _loop_fix(sample)), "product", change, alone=True)
        stride //= 2


def _strided(
    depth: int, stride: int, count: int, sides: tuple[str, ...]
) -> Callable[[Sample], Floats]:
    steps = np.arange(count)[:, None]
    own, short = (np.ravel(steps * each + np.arange(depth)) for each in (depth, stride))

    def product(each: Sample) -> Floats:
        found = needed(each)
        a = found.scaled_a[..., short if "a" in sides else own]
        b = found.scaled_b[..., short if "b" in sides else own, :]
        return multiplied(a, b)

    return product


def partial_products(sample: Sample) -> tuple[Floats, ...]:
    """Give what each step along k adds to the sum, [tiles, E] each."""
    if "partial products" not in sample.kept:
        depth = sample.depth
        sample.kept["partial products"] = tuple(
            _partial(sample, step * depth, (step + 1) * depth)
            for step in range(-(-needed(sample).a.shape[-1] // depth))
        )
    found: tuple[Floats, ...] = sample.kept["partial products"]
    return found


def _named(step: int, count: int) -> str:
    """Name a step, the first being step 1."""
    return f"step {step + 1} of {count} along k{' (the last)' if step + 1 == count else ''}"


def _ragged(sample: Sample) -> int:
    """Count the numbers of k in a last step that is no whole one."""
    given = sample.given.a
    return 0 if given is None else int(given.shape[-1]) % sample.depth


def _missing(sample: Sample, step: int, count: int) -> str:
    """Say that a step is missing, and of a last one that is no whole one that it is."""
    ragged, depth = _ragged(sample), sample.depth
    if not ragged or step + 1 < count:
        return f"{_named(step, count)} is missing, or A or B is zero in it"
    return (
        "the ragged last step along k is dropped, or A or B is zero in it:"
        f" K = {step * depth + ragged} = {step} * {depth} + {ragged}"
    )


def _spread(count: int) -> list[int]:
    """Choose steps to look at: all, or the first and last ones of many."""
    if count <= _MOST_STEPS:
        return list(range(count))
    return [*range(_MOST_STEPS // 2), *range(count - _MOST_STEPS // 2, count)]


def _partial(sample: Sample, first: int, last: int) -> Floats:
    """Multiply the numbers of k from first to before last."""
    found = needed(sample)
    return multiplied(found.scaled_a[..., first:last], found.scaled_b[..., first:last, :])


def _step(sample: Sample, step: int, sign: int, what: str, *, alone: bool) -> Suspect:
    depth = sample.depth

    def product(each: Sample) -> Floats:
        return base_product(each) + sign * _partial(each, step * depth, (step + 1) * depth)

    fault = Fault("k step", what, _loop_fix(sample))
    return Suspect(fault, "product", product, alone=alone)


def _step_range(sample: Sample, first: int, last: int, what: str) -> Suspect:
    depth = sample.depth

    def product(each: Sample) -> Floats:
        return _partial(each, first * depth, last * depth)

    return Suspect(Fault("k step", what, _loop_fix(sample)), "product", product)


def _stale_tiles(sample: Sample, count: int) -> Iterator[Suspect]:
    together = 1
    while together < count:
        for sides in (("a",), ("b",), ("a", "b")):
            yield _stale(sample, sides, together)
        together *= 2


def _stale(sample: Sample, sides: tuple[str, ...], together: int) -> Suspect:
    """Suspect that A or B of the first step, or of the first few together, is used again."""
    depth = sample.depth * together
    names = " and ".join(side.upper() for side in sides)

    def product(each: Sample) -> Floats:
        found = needed(each)
        own = np.arange(found.a.shape[-1] // sample.depth * sample.depth)
        a = found.scaled_a[..., own % depth if "a" in sides else own]
        b = found.scaled_b[..., own % depth if "b" in sides else own, :]
        return multiplied(a, b)

    what = (
        f"every step along k uses the first tile of {names}"
        if together == 1
        else f"every {depth} along k, {together} steps, use the first {depth} of {names}"
    )
    fault = Fault("k step", what, _loop_fix(sample))
    return Suspect(fault, "product", product, alone=together > 1)


def _step_ratios(sample: Sample) -> Iterator[Suspect]:
    """Suspect steps along k where only constant data are known: by the share that is there."""
    product = base_product(sample)
    if not product.size or np.ptp(product) != 0:
        return
    for ratio, what in (
        (1 / 2, "half of K was never used: a missing step along k"),
        (2.0, "K was used twice: a repeated step along k"),
        *((n / (n + 1), f"one of {n + 1} steps along k is missing") for n in (2, 3, 4, 5, 6, 7)),
        *((1 / n, f"only one of {n} steps along k is used") for n in (3, 4, 8, 16)),
    ):
        yield Suspect(Fault("k step", what, _loop_fix(sample)), "product", times(ratio))


def _loop_fix(sample: Sample) -> str:
    return f"Loop over all of K in steps of {sample.depth}, and move A and B on with each step."
