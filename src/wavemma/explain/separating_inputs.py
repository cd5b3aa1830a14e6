"""Small inputs, the smallest first, that may tell two ways of summing apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.formats import Format, decode, encode
from wavemma.formats.integers import integer_range

Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

BATCH = 1 << 12
# Exponents at which ways of summing part: near, at the width of f16 and f32, and a few bits below.
_EXPONENTS = (0, 1, 2, 12, 23, 24, 25, 26, 30, 8, 16, 48, 126, 149)
_PLACES = (1, 2, 4, 8, 16, 32)
_SEED = 5
_MOST_DRAWN = 6


class Pool(NamedTuple):
    """Numbers to build inputs of, the simplest first.

    Attributes:
        values: Finite numbers that every format in question holds exactly; never 0.
        special: Infinity and NaN as far as every format has them.

    """

    values: Numbers
    special: Numbers


class Trial(NamedTuple):
    """Inputs of many sums.

    Attributes:
        a: [inputs, k].
        b: [inputs, k].
        c: [inputs].

    """

    a: Numbers
    b: Numbers
    c: Numbers


Judge = Callable[[Trial], Flags]
"""Tells which inputs separate."""


def pool(forms: Sequence[Format], *, signed: bool = True) -> Pool:
    """Collect simple numbers and edges that all formats hold.

    Args:
        forms: Formats of one operand on the targets in question.
        signed: How integers are read whose format leaves the sign open.

    """
    found = {x for form in forms for x in _candidates(form, signed=signed) if x}
    values = np.array(sorted(found, key=_simplicity), dtype=np.float64)
    for form in forms:
        values = values[_held(form, values, signed=signed)]
    special = [np.inf, -np.inf] if all(form.infinity for form in forms) else []
    special += [np.nan] if all(form.has_nan for form in forms) else []
    return Pool(values, np.array(special))


def _candidates(form: Format, *, signed: bool) -> list[float]:
    if not form.is_float:
        low, high = integer_range(form, signed=signed)
        return [x for x in (1, 2, high, high - 1, high - 7, low, -1, -8) if low <= x <= high]
    powers = [2.0 ** (sign * e) for e in _EXPONENTS for sign in (1, -1)]
    step = 2.0 ** -(form.precision - 1)
    edges = [1 + step, form.max_value, form.min_normal, form.min_subnormal]
    edges.append(form.min_normal - form.min_subnormal)
    inside = [x for x in (*powers, *edges) if 0 < x <= form.max_value]
    return [sign * x for x in inside for sign in (1, -1)]


def _simplicity(value: float) -> tuple[float, ...]:
    """Order by how far from one, few bits first, positive first."""
    fraction, exponent = np.frexp(value)
    return (abs(fraction) != 0.5, abs(int(exponent) - 1), value < 0)


def _held(form: Format, values: Numbers, *, signed: bool) -> Flags:
    """Tell which numbers a format holds exactly."""
    if not form.is_float:
        low, high = integer_range(form, signed=signed)
        return (values >= low) & (values <= high)
    if form.bits == np.dtype(np.float64).itemsize * 8:
        return np.isfinite(values)
    found: Flags = decode(form, encode(form, values, overflow="saturate")) == values
    return found


def trials(a: Pool, b: Pool, c: Pool, depth: int) -> Iterator[Trial]:
    """Yield inputs in batches: one product, two, three, drawn ones, and special values last.

    Args:
        a: Numbers of A.
        b: Numbers of B.
        c: Numbers of C.
        depth: k of the longest instruction in question.

    """
    starts = np.concatenate([[0.0], c.values])
    powers = _powers(a.values, b.values)
    every = np.concatenate([powers, _pairs(a.values, b.values)])
    places = [place for place in _PLACES if place < depth]
    yield from _built([(0,)], [every], starts, depth)
    yield from _built([(0, place) for place in places], [powers[:16], powers], starts[:5], depth)
    three = [(0, *more) for more in combinations(places, 2)]
    yield from _built(three, [powers[:16]] * 3, starts[:1], depth)
    yield from _drawn(every, starts, depth)
    if a.special.size:
        mixed = _pairs(np.concatenate([a.values[:2], a.special]), b.values[:2])
        yield from _built([(0, 1)], [mixed, mixed], np.concatenate([starts[:3], c.special]), depth)


def _powers(a: Numbers, b: Numbers) -> Numbers:
    """Give factors of products of both signs at the exponents in question, [pairs, 2]."""
    found: dict[float, tuple[int, float, float]] = {}
    for x, y in product(a[a > 0], b):
        (part, p), (other, q) = np.frexp(x), np.frexp(y)
        # Of the factors of one product those of most alike size are taken.
        if part * abs(other) == 0.25:
            apart = abs(int(p) - int(q))
            if found.get(x * y, (apart + 1,))[0] > apart:
                found[float(x * y)] = (apart, float(x), float(y))
    exponents = sorted({sign * e for e in _EXPONENTS for sign in (1, -1)}, key=abs)
    wanted = [sign * 2.0**e for e in exponents for sign in (1, -1)]
    return np.array([found[each][1:] for each in wanted if each in found]).reshape(-1, 2)


def _pairs(a: Numbers, b: Numbers) -> Numbers:
    """Give pairs of an `a` that is not negative and any of the simplest `b`, [pairs, 2]."""
    left, right = a[~(a < 0)], b[:8]
    i, j = np.indices((left.size, right.size))
    order = np.argsort((i + j).ravel(), kind="stable")
    return np.stack([left[i.ravel()[order]], right[j.ravel()[order]]], axis=-1)


def _built(
    places: Sequence[tuple[int, ...]], choices: Sequence[Numbers], starts: Numbers, depth: int
) -> Iterator[Trial]:
    """Yield every choice of pairs at every choice of places, in the order of their ranks."""
    sizes = (*(len(each) for each in choices), len(places), len(starts))
    grid = np.indices(sizes).reshape(len(sizes), -1)
    order = np.argsort(grid.sum(axis=0), kind="stable")
    for first in range(0, order.size, BATCH):
        ranks = grid[:, order[first : first + BATCH]]
        pairs = np.stack([choice[rank] for choice, rank in zip(choices, ranks, strict=False)], 1)
        yield _placed(np.array(places)[ranks[-2]], pairs, starts[ranks[-1]], depth)


def _placed(where: npt.NDArray[Any], pairs: Numbers, starts: Numbers, depth: int) -> Trial:
    """Put factors [inputs, products, 2] at their places [inputs, products] along k."""
    a, b = np.zeros((len(where), depth)), np.zeros((len(where), depth))
    np.put_along_axis(a, where, pairs[..., 0], axis=1)
    np.put_along_axis(b, where, pairs[..., 1], axis=1)
    return Trial(a, b, starts)


def _drawn(pairs: Numbers, starts: Numbers, depth: int) -> Iterator[Trial]:
    """Draw inputs of ever more products."""
    generator = np.random.default_rng(_SEED)
    for count in range(2, min(depth, _MOST_DRAWN) + 1):
        where = np.argsort(generator.random((BATCH, depth)), axis=1)[:, :count]
        drawn = pairs[generator.integers(0, len(pairs), (BATCH, count))]
        yield _placed(where, drawn, generator.choice(starts, BATCH), depth)


def cut_down(trial: Trial, still: Judge) -> Trial:
    """Make one input smaller as long as it still separates.

    Products are removed, then C; what is left moves to the lowest places that will do.

    Args:
        trial: One input, [1, k].
        still: Tells which inputs separate.

    """
    a, b, c = trial
    for k in np.flatnonzero(a[0]):
        a, b, c = _shrunk(Trial(a, b, c), _without(a, int(k)), b, still)
    nothing = Trial(a, b, np.zeros(1))
    found = _shifted(nothing if still(nothing).any() else Trial(a, b, c), still)
    for k in np.flatnonzero(found.a[0]):
        found = _lowered(found, int(k), still)
    return found


def _without(a: Numbers, k: int) -> Numbers:
    shorter = a.copy()
    shorter[0, k] = 0.0
    return shorter


def _shrunk(old: Trial, a: Numbers, b: Numbers, still: Judge) -> Trial:
    new = Trial(a, np.where(a == 0, 0.0, b), old.c)
    return new if still(new).any() else old


def _shifted(old: Trial, still: Judge) -> Trial:
    """Move all products down together as far as the input still separates."""
    used = np.flatnonzero(old.a[0])
    for by in range(int(used[0]) if used.size else 0, 0, -1):
        new = Trial(np.roll(old.a, -by, axis=1), np.roll(old.b, -by, axis=1), old.c)
        if still(new).any():
            return new
    return old


def _lowered(old: Trial, k: int, still: Judge) -> Trial:
    """Move the product at k to the lowest free place where the input still separates."""
    free = np.flatnonzero(old.a[0, :k] == 0)
    if not free.size:
        return old
    a, b = np.repeat(old.a, free.size, axis=0), np.repeat(old.b, free.size, axis=0)
    rows = np.arange(free.size)
    a[rows, free], b[rows, free] = old.a[0, k], old.b[0, k]
    a[:, k] = b[:, k] = 0.0
    flags = still(Trial(a, b, np.repeat(old.c, free.size)))
    if not flags.any():
        return old
    best = int(np.argmax(flags))
    return Trial(a[best : best + 1], b[best : best + 1], old.c)
