"""The three steps around a division that make it exact: scale, refine, mend."""

from typing import NamedTuple, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.fused import add_to_odd
from wavemma.machine.meaning import meaning
from wavemma.machine.semantics.vector.floats import is_negative
from wavemma.machine.semantics.vector.scaling import scaled
from wavemma.machine.value_type import ValueType
from wavemma.numerics.powers import with_sign

V = TypeVar("V")


class _Kind(NamedTuple):
    """What the steps must know of a format."""

    integer: Lane
    fraction: int
    top: int
    step: int
    far: int
    low: int
    lost: int
    least_normal: float


_F32 = _Kind(Lane.I32, 23, 0xFF, 64, 96, 23, 150, 2.0**-126)
_F64 = _Kind(Lane.I64, 52, 0x7FF, 128, 768, 53, 1075, 2.0**-1022)
_FRACTION = _F64.fraction


def _field(e: Engine[V], x: V, kind: _Kind) -> V:
    """Give the exponent's bits, I32."""
    bits = e.and_(e.lshr(e.bitcast(x, kind.integer), kind.fraction), kind.top)
    return bits if kind.integer is Lane.I32 else e.convert(bits, Lane.I32)


def _times(e: Engine[V], x: V, power: int) -> V:
    if e.lane(x) is Lane.F64:
        return scaled(e, x, e.constant(Lane.I32, power))
    return e.convert(e.mul(e.convert(x, Lane.F64), 2.0**power), Lane.F32)


def _is_subnormal(e: Engine[V], x: V, kind: _Kind) -> V:
    size = e.abs(x)
    return e.and_(e.lt(e.constant(e.lane(x), 0.0), size), e.lt(size, kind.least_normal))


def _scale(e: Engine[V], a: V, b: V, c: V, kind: _Kind) -> tuple[V, V]:
    """Scale numerator or denominator (`a` is one of them) so that no step leaves the range."""
    lane = e.lane(a)
    one = e.constant(lane, 1.0)
    never, always = e.lt(a, a), e.or_(e.eq(a, a), e.is_nan(a))
    far = e.le(e.constant(Lane.I32, kind.far), e.sub(_field(e, c, kind), _field(e, b, kind)))
    small_b = _is_subnormal(e, b, kind)
    small_inverse = _is_subnormal(e, e.div(one, b), kind)
    small_quotient = _is_subnormal(e, e.div(c, b), kind)
    low = e.le(_field(e, c, kind), kind.low)
    is_b, is_c = e.eq(a, b), e.eq(a, c)
    up, down = _times(e, a, kind.step), _times(e, a, -kind.step)
    zero = e.or_(e.eq(b, 0.0), e.eq(c, 0.0))
    cases = (
        (zero, e.constant(lane, float("nan")), never),
        (far, e.select(is_b, up, a), always),
        (small_b, up, never),
        # The documents scale such a denominator up, out of range, and take the inverse of an f32
        # in f64; quotients come out right, as they do on hardware, if it goes down.
        (e.and_(small_inverse, small_quotient), e.select(is_b, down, a), always),
        (small_inverse, down, never),
        (small_quotient, e.select(is_c, up, a), always),
        (low, up, never),
    )
    value, mask = a, never
    for condition, own, flag in reversed(cases):
        value = e.select(condition, own, value)
        mask = e.or_(e.and_(condition, flag), e.and_(e.not_(condition), mask))
    return value, mask


@meaning("division_scale_f32", "a:f32 b:f32 c:f32", "d:f32 d_mask:mask", grade="D", is_long=True)
def division_scale_f32(e: Engine[V], a: V, b: V, c: V) -> tuple[V, V]:
    """Scale numerator or denominator; the mask says that the quotient must be scaled back."""
    return _scale(e, a, b, c, _F32)


@meaning("division_scale_f64", "a:f64 b:f64 c:f64", "d:f64 d_mask:mask", grade="D", is_long=True)
def division_scale_f64(e: Engine[V], a: V, b: V, c: V) -> tuple[V, V]:
    """Scale numerator or denominator; the mask says that the quotient must be scaled back."""
    return _scale(e, a, b, c, _F64)


def _scaled_once(e: Engine[V], values: tuple[V, V, V], power: int, unit: float) -> V:
    """Multiply, add and scale f64 with one rounding.

    Args:
        e: The engine.
        values: Two factors, and a term that the sum is close to.
        power: Of two; what the sum is scaled by.
        unit: The distance of numbers that become subnormals.

    """
    a, b, c = values
    found = e.fma(a, b, c)
    lost = e.fma(a, b, e.sub(c, found))
    # Between two units only a tie needs to know what the sum has lost.
    shift = with_sign(e, e.constant(Lane.F64, unit * 2.0**_FRACTION), found)
    near = e.sub(e.add(found, shift), shift)
    rest = e.sub(found, near)
    up, down = e.lt(e.constant(Lane.F64, 0.0), lost), e.lt(lost, 0.0)
    away = e.select(up, e.constant(Lane.F64, unit / 2), -unit / 2)
    tie = e.and_(e.eq(e.abs(rest), unit / 2), e.or_(up, down))
    near = e.select(tie, e.add(found, away), near)
    small = e.lt(e.abs(found), unit * 2.0**_FRACTION)
    near = with_sign(e, e.abs(near), found)
    return scaled(e, e.select(small, near, found), e.constant(Lane.I32, power))


@meaning("division_refine_f32", "a:f32 b:f32 c:f32 vcc:mask", "d:f32", grade="D", is_long=True)
def division_refine_f32(e: Engine[V], a: V, b: V, c: V, vcc: V) -> V:
    """Do the last step of a quotient and, where the mask says so, undo its scaling in the same."""
    x, y, z = (e.convert(value, Lane.F64) for value in (a, b, c))
    large = e.lt(e.constant(Lane.I32, _F32.top >> 1), _field(e, c, _F32))
    factor = e.select(large, e.constant(Lane.F64, 2.0**_F32.step), 2.0**-_F32.step)
    back = e.convert(e.mul(add_to_odd(e, e.mul(x, y), z), factor), Lane.F32)
    return e.select(vcc, back, e.fma(a, b, c))


@meaning("division_refine_f64", "a:f64 b:f64 c:f64 vcc:mask", "d:f64", grade="D", is_long=True)
def division_refine_f64(e: Engine[V], a: V, b: V, c: V, vcc: V) -> V:
    """Do the last step of a quotient and, where the mask says so, undo its scaling in the same."""
    large = e.lt(e.constant(Lane.I32, _F64.top >> 1), _field(e, c, _F64))
    found = e.fma(a, b, c)
    up = _times(e, found, _F64.step)
    down = _scaled_once(e, (a, b, c), -_F64.step, 2.0 ** (_F64.step - 1074))
    return e.select(vcc, e.select(large, up, down), found)


def _is_lost(e: Engine[V], b: V, c: V, kind: ValueType) -> V:
    """Tell which quotients c/b are below half of the least number, by their exponents."""
    own = {"f32": _F32, "f64": _F64}[kind.name]
    distance = e.sub(_field(e, c, own), _field(e, b, own))
    return e.lt(distance, -own.lost)


@meaning("division_mend", "a b c", typed=True, is_long=True)
def division_mend(e: Engine[V], a: V, b: V, c: V, kind: ValueType) -> V:
    """Give the quotient `a` of c by b its sign, and what special numbers make of it.

    A NaN where both are finite comes of steps that overflowed, as hardware takes it.
    """
    lane = e.lane(a)
    infinity, nan = (e.constant(lane, float(word)) for word in ("inf", "nan"))
    zero = e.constant(lane, 0.0)
    infinite_b, infinite_c = (e.eq(e.abs(x), float("inf")) for x in (b, c))
    zero_b, zero_c = e.eq(b, 0.0), e.eq(c, 0.0)
    size = e.select(e.is_nan(a), infinity, e.abs(a))
    if kind.name != "f16":
        size = e.select(_is_lost(e, b, c, kind), zero, size)
    size = e.select(e.or_(infinite_b, zero_c), zero, size)
    size = e.select(e.or_(zero_b, infinite_c), infinity, size)
    size = e.select(e.or_(e.and_(zero_b, zero_c), e.and_(infinite_b, infinite_c)), nan, size)
    negative = e.xor(is_negative(e, b), is_negative(e, c))
    found = e.select(negative, e.neg(size), size)
    return e.select(e.or_(e.is_nan(b), e.is_nan(c)), nan, found)
