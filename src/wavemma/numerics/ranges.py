"""Ranges of numbers within which a fast path is right, for code that tests them as it runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.engines.machine import Machine
from wavemma.formats.format import Format
from wavemma.numerics.model import Model
from wavemma.numerics.path import Extent, Extents, Path, Setting

V = TypeVar("V")
# Limits that are tried for the exponents of A and B, and for both ends of C, widest first.
_FACTOR_LIMITS = (2000, 60, 48, 40, 32, 24, 16)
_SUM_LOW = (-2000, -96, -90, -76, -60, -48, -40, -32, -24)
_SUM_HIGH = (2000, 116, 100, 80, 60, 48, 40, 30)


@dataclass(frozen=True)
class Ranges:
    """Bounds of all numbers of A, of B and of C; zeros always lie inside."""

    a: Extent
    b: Extent
    c: Extent


@dataclass(frozen=True)
class FastPath:
    """A path with the ranges within which it is right."""

    path: Path
    ranges: Ranges


@lru_cache(maxsize=256)
def fast_path(model: Model, setting: Setting, products: int, machine: Machine) -> FastPath | None:
    """Give a model's fastest path for one instruction, right for numbers within fixed ranges.

    Args:
        model: How the sum is done.
        setting: Formats and options; one with scales has no fast path.
        products: How many products a chain adds at most.
        machine: The processor that it is to be fast on.

    Returns:
        The path with its ranges; None if the model has no path but the one for every input.

    """
    if setting.scale_block:
        return None
    for path in model.paths(setting)[:-1]:
        if not path.suits(machine):
            continue
        for ranges in _candidates(setting):
            if path.covers(Extents(ranges.a, ranges.b, ranges.c, products)):
                return FastPath(path, ranges)
    return None


def inside(e: Engine[V], form: Format, bounds: Extent, code: V) -> V:
    """Tell which codes stand for zero or for a number within bounds.

    Args:
        e: The engine.
        form: A float format.
        bounds: Exponents of leading bits, both ends included.
        code: I32 or I64 lanes; bits above the format's width must be zero.

    Returns:
        Truth lanes, false for infinities and NaN.

    """
    size = e.and_(code, form.codes - 1 - form.sign_bit)
    low, high = code_limits(form, bounds)
    fits = e.le(size, high)
    if low > 1:
        fits = e.and_(fits, e.or_(e.le(e.like(size, low), size), e.eq(size, 0)))
    if form.nan == "negative_zero":
        fits = e.and_(fits, e.not_(e.eq(code, form.sign_bit)))
    return fits


def code_limits(form: Format, bounds: Extent) -> tuple[int, int]:
    """Give the codes of the least and of the greatest positive number within bounds.

    Args:
        form: A float format.
        bounds: As `inside` takes them.

    """
    low, high = _first_code(form, bounds.low), _first_code(form, bounds.high + 1) - 1
    return low, min(high, form.max_code)


def _candidates(setting: Setting) -> Iterator[Ranges]:
    for limit, low, high in product(_FACTOR_LIMITS, _SUM_LOW, _SUM_HIGH):
        factors = [_clipped(form, -limit, limit) for form in (setting.a, setting.b)]
        yield Ranges(factors[0], factors[1], _clipped(setting.c, low, high))


def _clipped(form: Format, low: int, high: int) -> Extent:
    least, greatest = _ends(form)
    return Extent(max(low, least), min(high, greatest), finite=True)


def _ends(form: Format) -> Sequence[int]:
    """Give the exponents of the least and of the greatest number."""
    top = form.max_code >> form.fraction
    return form.min_exponent - form.fraction, top - form.bias


def _first_code(form: Format, exponent: int) -> int:
    """Give the least positive code whose number has at least an exponent; 1 for all."""
    if exponent >= form.min_exponent:
        return (exponent + form.bias) << form.fraction
    place = exponent - (form.min_exponent - form.fraction)
    return 1 << max(place, 0)
