"""The matrices of a probe: inputs whose results tell apart what the silicon may do."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.explain.probe_point import Point
from wavemma.formats import Format, code_dtype, encode, number_format
from wavemma.formats.integers import integer_range

Codes = npt.NDArray[np.unsignedinteger[Any]]
Matrices = dict[str, Codes]
"""The matrices of one run of the instruction by role, as `fragments` shapes them."""
Maker = Callable[[Point], Iterator[Matrices]]

MAKERS: dict[str, Maker] = {}
DRAWN = 3
_SEED = 20_261_130
_WIDEST = 15
_SPREAD = 6
_NARROW = 8
_TOP = 0x7FFFFFFF
_KEPT = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
_GRID = 24


def maker(name: str) -> Callable[[Maker], Maker]:
    """Enter what makes the inputs of a kind of point."""

    def enter(function: Maker) -> Maker:
        MAKERS[name] = function
        return function

    return enter


def inputs_of(point: Point) -> tuple[Matrices, ...]:
    """Make the inputs of a point, the same at each call."""
    return tuple(_whole(point, each) for each in MAKERS[point.row.inputs](point))


@maker("sums")
def _sums(point: Point) -> Iterator[Matrices]:
    """Yield large pairs that cancel beside one small product at every k, then drawn numbers."""
    yield from _pairs(point)
    random = np.random.default_rng(_SEED)
    a, b, c = (_format(point, role) for role in "abc")
    m, n, depth = _sizes(point)
    for _ in range(DRAWN):
        left, right = _drawn(random, a, (m, depth)), _drawn(random, b, (depth, n))
        exponents = random.integers(-30, 12, (m, n))
        start = np.ldexp(random.uniform(-2, 2, (m, n)), exponents)
        start[random.random((m, n)) < 0.25] = 0
        made = {"a": left, "b": right, "c": _encoded(c, start)}
        yield made | _drawn_scales(point, random)


def _pairs(point: Point) -> Iterator[Matrices]:
    """Yield, row by row, a large pair at k 0 and 2 and a small product at the k of the row.

    Columns differ in how small: around the last bit of a grid of 24 bits below the pair.
    """
    a, b = _format(point, "a"), _format(point, "b")
    m, n, depth = _sizes(point)
    high = min(_top(a), _WIDEST), min(_top(b), _WIDEST)
    grid = sum(high) - _GRID
    low = max(_bottom(a), min(0, grid // 2))
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    small = np.clip(grid + 4 - np.arange(n) % 16 - low, _bottom(b), high[1])
    for first in range(0, min(depth, 2 * m), m):
        left, right = np.zeros((m, depth)), np.tile(signs * 2.0**small, (depth, 1))
        rows = np.arange(min(m, depth - first))
        left[rows, first + rows] = 2.0**low
        left[:, (0, 2)] = 2.0 ** high[0]
        right[0], right[2] = 2.0 ** high[1], -(2.0 ** high[1])
        yield {"a": _encoded(a, left), "b": _encoded(b, right)}


@maker("clamp")
def _clamp(point: Point) -> Iterator[Matrices]:
    """Yield sums that leave the range of i32 on their way in some orders and not in others."""
    random = np.random.default_rng(_SEED)
    a, b = _format(point, "a"), _format(point, "b")
    m, n, depth = _sizes(point)
    most = integer_range(a, signed=True)[1] * integer_range(b, signed=True)[1]
    for sign in (1, -1, 1):
        below = random.integers(0, 2 * most, (m, n))
        start = sign * (_TOP - below) - (sign < 0)
        yield {
            "a": _integers(random, a, (m, depth)),
            "b": _integers(random, b, (depth, n)),
            "c": start.astype(np.int64).astype(np.uint32),
        }


@maker("nan")
def _nan(point: Point) -> Iterator[Matrices]:
    """Yield a NaN, or what makes one, in each operand; row and column 0 have it."""
    a, b, c = (_format(point, role) for role in "abc")
    m, n, depth = _sizes(point)
    ones = {"a": _encoded(a, np.ones((m, depth))), "b": _encoded(b, np.ones((depth, n)))}
    for role, form in (("a", a), ("b", b)):
        for code in _nan_codes(form):
            yield ones | {role: _with(ones[role], code)}
    zeros = np.zeros((m, n), dtype=code_dtype(c))
    for code in _nan_codes(c):
        yield ones | {"c": _with(zeros, code)}
    infinity = a.infinity_code, b.infinity_code
    if infinity[0] is not None and infinity[1] is not None:
        yield ones | {"a": _with(ones["a"], infinity[0]), "b": _with(ones["b"], 0)}
        both = _with(ones["a"], infinity[0])
        both[0, 1] = infinity[0] | a.sign_bit
        yield ones | {"a": both}
        down = (c.infinity_code or 0) | c.sign_bit
        yield ones | {"a": _with(ones["a"], infinity[0]), "c": _with(zeros, down)}


@maker("underflow")
def _underflow(point: Point) -> Iterator[Matrices]:
    """Yield one negative product in the last step, smaller from row to row, beside zeros."""
    a, b = _format(point, "a"), _format(point, "b")
    m, n, depth = _sizes(point)
    for sign in (-1.0, 1.0):
        left, right = np.zeros((m, depth)), np.zeros((depth, n))
        left[:, -4] = a.min_subnormal
        right[-4] = sign * 2.0 ** np.clip(-np.arange(n) - 1, _bottom(b), 0)
        yield {"a": _encoded(a, left), "b": _encoded(b, right)}


@maker("places")
def _places(point: Point) -> Iterator[Matrices]:
    """Yield ones and zeros: D spells the k that a row's only one meets, then rows and columns."""
    m, n, depth = _sizes(point)
    met = 2 * depth if point.instruction.is_sparse else depth
    one = {role: _encoded(_format(point, role), np.ones(())) for role in "ab"}
    for first in range(0, depth, m):
        left = np.zeros((m, depth), dtype=one["a"].dtype)
        rows = np.arange(min(m, depth - first))
        left[rows, first + rows] = one["a"]
        spelt = np.arange(met)[:, None] >> np.arange(n)[None, :] & 1
        yield {"a": left, "b": (spelt * one["b"]).astype(one["b"].dtype)}
    for role, count in (("a", m), ("b", n)):
        for bit in range((count - 1).bit_length()):
            spelt = np.arange(count) >> bit & 1
            left, right = np.zeros((m, depth), one["a"].dtype), np.zeros((depth, n), one["b"].dtype)
            left[:, 0] = one["a"] * (spelt if role == "a" else 1)
            right[0] = one["b"] * (spelt if role == "b" else 1)
            yield {"a": left, "b": right}


def _whole(point: Point, made: Matrices) -> Matrices:
    """Add what the instruction takes besides: zeros for C, kept places, scales of one."""
    m, n, depth = _sizes(point)
    found = {"c": np.zeros((m, n), dtype=code_dtype(_format(point, "c"))), **made}
    if point.instruction.is_sparse:
        # Drawn, so that no group of the index looks like its neighbours.
        drawn = np.random.default_rng(_SEED).integers(0, len(_KEPT), depth // 2)
        kept = np.array(_KEPT)[drawn].reshape(-1)
        found["index"] = np.tile(kept.astype(np.uint8), (m, 1))
        if len(found["b"]) == depth:
            whole = np.zeros((2 * depth, n), dtype=found["b"].dtype)
            whole[4 * (np.arange(depth) // 2) + kept] = found["b"]
            found["b"] = whole
    for role in ("scale_a", "scale_b"):
        if point.instruction.is_scaled and role not in found:
            shape = point.operands.fragments[role].matrix_shape
            found[role] = _encoded(_format(point, role), np.ones(shape))
    return found


def _sizes(point: Point) -> tuple[int, int, int]:
    """Give rows, columns, and the products of one element: of a sparse A those it keeps."""
    m, n, _ = point.instruction.shape
    return m, n, point.setting.depth


def _format(point: Point, role: str) -> Format:
    return number_format(point.operands.formats[role])


def _encoded(form: Format, values: npt.NDArray[np.float64]) -> Codes:
    found: Codes = np.asarray(encode(form, values, overflow="saturate")).astype(code_dtype(form))
    return found


def _drawn(random: np.random.Generator, form: Format, shape: tuple[int, ...]) -> Codes:
    """Draw numbers: of narrow formats every finite one alike, else some powers of two around 1."""
    if form.bits <= _NARROW:
        codes = random.integers(0, form.max_code + 1, shape)
        signed = codes | form.sign_bit * random.integers(0, 2, shape)
        return np.where(codes, signed, 0).astype(code_dtype(form))
    values = random.uniform(1, 2, shape) * random.choice((-1, 1), shape)
    values = np.ldexp(values, random.integers(-_SPREAD, _SPREAD, shape))
    values[random.random(shape) < 0.1] = 0
    return _encoded(form, values)


def _drawn_scales(point: Point, random: np.random.Generator) -> Matrices:
    """Draw scales that lie far apart, for instructions that take some."""
    if not point.instruction.is_scaled:
        return {}
    return {
        role: _encoded(
            _format(point, role),
            np.ldexp(1.0, random.integers(-9, 9, point.operands.fragments[role].matrix_shape)),
        )
        for role in ("scale_a", "scale_b")
    }


def _integers(random: np.random.Generator, form: Format, shape: tuple[int, ...]) -> Codes:
    low, high = integer_range(form, signed=True)
    drawn = random.integers(low, high + 1, shape) & (form.codes - 1)
    return drawn.astype(code_dtype(form))


def _nan_codes(form: Format) -> tuple[int, ...]:
    """List NaNs of a format: quiet, with a sign, with more bits, and one that signals."""
    if form.nan_code is None:
        return ()
    if form.nan != "ieee":
        return (form.nan_code,)
    top = form.infinity_code or 0
    quiet = form.nan_code
    return tuple(dict.fromkeys((quiet, quiet | form.sign_bit, quiet | 1, top | 1)))


def _with(matrix: Codes, code: int) -> Codes:
    """Put a code into the first row and column."""
    found = matrix.copy()
    found[0, 0] = code
    return found


def _top(form: Format) -> int:
    """Give the exponent of the largest power of two."""
    return int(np.frexp(form.max_value)[1]) - 1


def _bottom(form: Format) -> int:
    """Give the exponent of the smallest power of two."""
    return int(np.frexp(form.min_subnormal)[1]) - 1
