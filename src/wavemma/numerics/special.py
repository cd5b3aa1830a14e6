"""Infinities and NaN in a step of a few products."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane
from wavemma.formats.format import Format
from wavemma.formats.rounding import narrow_bits, widen_bits
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.powers import is_negative, total, with_sign
from wavemma.numerics.results import cut_bits

V = TypeVar("V")
_INFINITY = 0x7F800000
_QUIET = 0x00400000
_SIGN = 0x80000000


@dataclass(frozen=True)
class NanBits:
    """The f32 bits that a step gives for a NaN.

    Args:
        factor: A factor is NaN.
        invalid: An infinity times zero, or infinities that oppose each other.

    """

    factor: int
    invalid: int


def made_nans(factor: dict[str, int], invalid: int, form: Format) -> NanBits:
    """Give a step's NaN bits, widened to f32, for results of a format.

    Args:
        factor: Code for a NaN factor by name of the result's format.
        invalid: f32 bits for an invalid operation.
        form: The result's format.

    """
    code = np.array(factor[form.name], dtype=np.uint32).view(np.int32)
    widened = widen_bits(ArrayEngine(), form, code)
    return NanBits(int(widened.view(np.uint32)), invalid)


def special_step(
    e: Engine[V], nans: NanBits, factors: Sequence[V], products: Sequence[V], c_bits: V
) -> tuple[V, V]:
    """Tell which results are infinite or NaN because an input is, and give their f32 bits.

    In this order: a NaN factor, an invalid product or sum of products, a NaN as C (quieted, its
    payload kept), products against an opposing C, and infinities.

    Args:
        e: The engine.
        nans: The bits of made NaNs.
        factors: All values of A and B in the step, f64.
        products: Their products, f64.
        c_bits: C as f32 bits, I32 lanes.

    Returns:
        Truth lanes, and I32 lanes that count where those hold.

    """
    c_size = e.and_(c_bits, 0x7FFFFFFF)
    c_value = e.convert(e.bitcast(c_bits, Lane.F32), Lane.F64)
    products_sum = total(e, products)
    everything = e.add(products_sum, c_value)
    is_special = e.not_(e.lt(e.abs(everything), float("inf")))
    factor_nan = e.is_nan(factors[0])
    for factor in factors[1:]:
        factor_nan = e.or_(factor_nan, e.is_nan(factor))
    invalid = e.constant(Lane.I32, nans.invalid)
    negative = e.select(is_negative(e, everything), e.constant(Lane.I32, _SIGN), 0)
    bits = e.select(e.is_nan(everything), invalid, e.or_(negative, _INFINITY))
    bits = e.select(e.lt(e.constant(Lane.I32, _INFINITY), c_size), e.or_(c_bits, _QUIET), bits)
    bits = e.select(e.is_nan(products_sum), invalid, bits)
    return is_special, e.select(factor_nan, e.constant(Lane.I32, nans.factor), bits)


@dataclass(frozen=True, kw_only=True)
class SpecialStep(Path):
    """A step in f64 on a state of f32 bits, for every input: finite sums, and special ones apart.

    Args:
        setting: Formats and options.
        nans: The bits of made NaNs.
        length: Products of a step.

    """

    setting: Setting
    nans: NanBits
    length: int
    operand: tuple[Lane, ...] = (Lane.F64, Lane.F64)
    state: tuple[Lane, ...] = (Lane.I32,)
    rows: int = 2
    vectors: int = 2

    @abstractmethod
    def finite(self, e: Engine[V], products: Sequence[V], powers: Sequence[V], bits: V) -> V:
        """Add products, whose powers are given, to f32 bits where all are finite."""

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Widen C to f32 bits."""
        return (widen_bits(e, self.setting.c, code),)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Narrow f32 bits that are in D's format already."""
        return narrow_bits(e, self.setting.d, state[0])

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one step."""
        (bits,) = state
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        powers = [e.mul(x[1], y[1]) for x, y in zip(a, b, strict=True)]
        finite = self.finite(e, products, powers, bits)
        factors = [x[0] for x in (*a, *b)]
        is_special, special = special_step(e, self.nans, factors, products, bits)
        special = cut_bits(e, self.setting.d, special)
        return (e.select(is_special, special, finite),)


def special_sum(e: Engine[V], products: Sequence[V], c: V, beyond: float) -> tuple[V, V]:
    """Tell which sums are infinite or NaN because a term is, and give them.

    Args:
        e: The engine.
        products: The products, f64.
        c: The accumulator, f64.
        beyond: A product of this size or more counts as an infinity.

    Returns:
        Truth lanes, and f32 lanes that count where those hold: an infinity, or some NaN.

    """
    infinity = e.constant(Lane.F64, float("inf"))
    terms = []
    for product in products:
        over = e.le(e.constant(Lane.F64, beyond), e.abs(product))
        terms.append(e.select(over, with_sign(e, infinity, product), product))
    everything = total(e, [*terms, c])
    return e.not_(e.lt(e.abs(everything), float("inf"))), e.convert(everything, Lane.F32)
