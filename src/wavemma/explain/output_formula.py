"""Which formula of A, B and C an output follows: functions of it, factors, biases."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wavemma.explain.activations import ACTIVATIONS, leaky_relus
from wavemma.explain.suspect import multiplied
from wavemma.explain.tile_sample import Floats, Sample, middle

_MOST = 0.999
_SPREAD = 64.0
_NEAR = 1e-4
_DIGITS = 4
_LINES = ((2, "row"), (1, "column"))


class Formula(NamedTuple):
    """A formula and what it gives.

    Attributes:
        text: Such as "relu(a @ b + c)".
        values: What it gives of the sample.

    """

    text: str
    values: Floats


def formula_of(sample: Sample, values: Floats) -> str:
    """Find the formula that numbers follow.

    Args:
        sample: The sample, with A and B.
        values: want or got of it.

    Returns:
        The formula; empty if none is known.

    """
    found = sample.factors
    if found is None:
        return ""
    product = multiplied(found.scaled_a, found.scaled_b)
    for each in _formulas(sample, product, values):
        if _follows(sample, each.values, values):
            return each.text
    return ""


def _formulas(sample: Sample, product: Floats, values: Floats) -> Iterator[Formula]:
    """Yield the simpler formulas first, then those whose numbers are read off the values."""
    c = sample.c
    alone = Formula("a @ b", product)
    inner = [alone] if c is None else [Formula("a @ b + c", product + c), alone]
    yield from inner
    yield from _activated(inner, c)
    for one in inner:
        for each in leaky_relus(one.values, values):
            yield Formula(f"{each.formula}({one.text})", each.of(one.values))
    yield from _weighted(sample, product, values)
    if sample.shape[0] > 1:
        return
    for one in inner:
        yield from _by_lines(sample, one, values)
    if c is not None:
        for line in _by_lines(sample, alone, values - c):
            yield Formula(f"{line.text} + c", line.values + c)


def _activated(inner: list[Formula], c: Floats | None) -> Iterator[Formula]:
    """Yield functions of the plain formulas, and of the products before C is added."""
    for each in ACTIVATIONS:
        for one in inner:
            yield Formula(f"{each.formula}({one.text})", each.of(one.values))
        if c is not None:
            yield Formula(f"{each.formula}(a @ b) + c", each.of(inner[-1].values) + c)


def _weighted(sample: Sample, product: Floats, values: Floats) -> Iterator[Formula]:
    """Yield the products with a factor, C with one, and one and the same number added."""
    terms = [product] if sample.c is None else [product, sample.c]
    for shift in (False, True):
        columns = [*terms, np.ones_like(product)] if shift else terms
        matrix = np.stack([each.ravel() for each in columns], axis=1)
        finite = np.isfinite(values.ravel()) & np.isfinite(matrix).all(axis=1)
        if finite.sum() <= 2 * len(columns):
            return
        weights, _, rank, _ = np.linalg.lstsq(matrix[finite], values.ravel()[finite], rcond=None)
        if rank < len(columns):
            return
        weights = np.array([_round(each) for each in weights.tolist()])
        names = ["a @ b", "c"][: len(terms)] + [""] * shift
        pairs = zip(weights.tolist(), names, strict=True)
        text = " + ".join(_term(weight, name) for weight, name in pairs if weight)
        yield Formula(text or "0", (matrix @ weights).reshape(product.shape))


def _round(weight: float) -> float:
    """Take the number of few digits that a weight is near; 0 for next to nothing."""
    if abs(weight) < _NEAR:
        return 0.0
    short = float(f"{weight:.{_DIGITS}g}")
    return short if abs(short - weight) <= _NEAR * abs(weight) else weight


def _term(weight: float, name: str) -> str:
    if not name:
        return f"{weight:.6g}"
    if weight == 1:
        return name
    return f"{weight:.6g}*({name})" if " " in name else f"{weight:.6g}*{name}"


def _by_lines(sample: Sample, one: Formula, values: Floats) -> Iterator[Formula]:
    """Yield a formula with a number for each row or column, added or multiplied."""
    shape = (-1, *sample.shape[1:])
    inner, whole = one.values.reshape(shape), values.reshape(shape)
    for axis, line in _LINES:
        made = inner + _lines(whole - inner, axis)
        yield Formula(f"{one.text} + bias[{line}]", made.reshape(values.shape))
    for axis, line in _LINES:
        made = inner * _lines(whole / inner, axis)
        yield Formula(f"({one.text}) * scale[{line}]", made.reshape(values.shape))
    rows = inner * _lines(whole / inner, 2)
    made = rows * _lines(whole / rows, 1)
    text = f"({one.text}) * scale_a[row] * scale_b[column]"
    yield Formula(text, made.reshape(values.shape))


def _lines(numbers: Floats, axis: int) -> Floats:
    """Take the middle of the finite numbers of each line."""
    found = np.apply_along_axis(middle, axis, np.where(np.isfinite(numbers), numbers, 0.0))
    return np.expand_dims(found, axis)


def _follows(sample: Sample, made: Floats, values: Floats) -> bool:
    """Whether numbers are those made, and those made are more than one beside what sums lose."""
    held = made[np.isfinite(made)]
    if not held.size:
        return False
    lost = sample.tolerance * (sample.scale + abs(middle(held)))
    if np.abs(held - middle(held)).mean() <= _SPREAD * lost:
        return False
    return bool(sample.close(made, values).mean() >= _MOST)
