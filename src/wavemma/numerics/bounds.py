"""How far from exact a model can be: what one step may cost at most.

A step adds M, the products of `length` elements, to an accumulator. Its result differs from the
exact sum by at most `products` times the sum of |a*b| in the step, `state` times the largest
that the accumulator or the sum can be, and `least`. Rounding to nearest costs half a unit in the
last place, cutting a whole one; a term that is floored to a grid costs a unit of the grid.

A grid follows from the largest of the terms, which lies on it whole: the accumulator's 24 bits
do where it is the largest, else the product whose factors have the largest exponents. So one
term fewer is cut than there are, and never is the accumulator cut by a grid of its own.
"""

import math
from dataclasses import dataclass, replace
from functools import singledispatch

from wavemma.errors import Unsupported
from wavemma.formats.format import Format
from wavemma.numerics.chained import Chain, FirstNanChain
from wavemma.numerics.complement import Complement
from wavemma.numerics.exact import Exact
from wavemma.numerics.floored import Floored
from wavemma.numerics.integer import Wrapping
from wavemma.numerics.model import Model
from wavemma.numerics.pairwise import FlushedPairwise
from wavemma.numerics.path import Path, Setting
from wavemma.numerics.results import has_short_range
from wavemma.numerics.scaled import BlockScaled
from wavemma.numerics.truncated import Truncated

_F32_UNIT = 2.0**-24
_F32_LEAST = 2.0**-126
_F32_HALF_SUBNORMAL = 2.0**-150
_ACCUMULATOR_GRID = 2.0**-26
_F32_BITS = 24
_PRODUCT_GRID_BITS = 24


@dataclass(frozen=True)
class StepError:
    """What one step may cost.

    Attributes:
        length: Products of a step.
        products: Times the sum of |a*b| in the step.
        state: Times what the accumulator and the result can be at most.
        least: Added, whatever the numbers are.
        aligned: A subnormal factor counts with the size of the smallest normal number, as
            alignment takes its exponent.
        flushed: Subnormal factors are read as zero.
        end: Times the result, once an instruction.
        end_least: Added once an instruction.
        scaled_least: Times the largest scale of B, added for each step.

    """

    length: int
    products: float = 0.0
    state: float = 0.0
    least: float = 0.0
    aligned: bool = False
    flushed: bool = False
    end: float = 0.0
    end_least: float = 0.0
    scaled_least: float = 0.0


def step_error(model: Model, setting: Setting) -> StepError:
    """Bound what a step of a model costs while no sum overflows.

    Args:
        model: The model.
        setting: Formats and options of the instruction.

    Raises:
        Unsupported: No bound is known for the model's rule.

    """
    return _of(model.whole_path(setting))


@singledispatch
def _of(path: Path) -> StepError:
    raise Unsupported(f"No bound of the error is known for {type(path).__name__}.", subject=path)


@_of.register
def _integer(path: Wrapping) -> StepError:
    """Integers are exact as long as they stay in range."""
    return StepError(path.length)


@_of.register
def _chain(path: Chain) -> StepError:
    if path.state[0].bits > 32:
        return StepError(path.length, state=2.0**-53, least=5e-324)
    return StepError(path.length, state=_F32_UNIT, least=_F32_HALF_SUBNORMAL)


@_of.register
def _first_nan_chain(path: FirstNanChain) -> StepError:
    form = path.setting.d
    found = _chain(path)
    if form.bits >= path.state[0].bits:
        return found
    return replace(found, end=_nearest(form), end_least=form.min_subnormal / 2)


@_of.register
def _exact(path: Exact) -> StepError:
    return StepError(path.length, state=_F32_UNIT, least=_F32_HALF_SUBNORMAL)


@_of.register
def _pairwise(path: FlushedPairwise) -> StepError:
    """Round products that f32 does not hold, each level of the tree, then the accumulator.

    Each operation may flush.
    """
    wide = path.setting.a.precision + path.setting.b.precision > _F32_BITS
    levels = math.log2(path.length) + int(wide)
    operations = 2 * path.length + 1
    return StepError(
        path.length,
        products=levels * _F32_UNIT * (1 + levels * _F32_UNIT),
        state=_F32_UNIT,
        least=operations * _F32_LEAST,
        flushed=True,
    )


@_of.register
def _truncated(path: Truncated) -> StepError:
    """Cut products, floor their sum and the accumulator, floor all, round.

    Of even and odd k apart, the smaller sum is floored once more.
    """
    halves = 2 if path.parity else 1
    cut = _cut(path.length // halves, path.setting)
    cut += halves - 1 if cut else 0
    joined = 2.0**-32 + 2.0**-31 + _F32_UNIT
    return StepError(
        path.length,
        products=(cut + 1) * 2.0**-24,
        state=joined,
        least=joined * _F32_LEAST,
        aligned=True,
    )


@_of.register
def _complement(path: Complement) -> StepError:
    """Cut three terms, a unit each, to a grid of products and accumulator, and round.

    Even a product that lies on the grid costs a unit where its sign is not the accumulator's.
    """
    form = path.setting.d
    if has_short_range(form):
        least = path.length * _ACCUMULATOR_GRID * form.min_normal + _least(form)
        lost = 0.0
    else:
        # A result is flushed once a step, C once an instruction.
        least = lost = _F32_LEAST
    return StepError(
        path.length,
        products=(path.length + 1) * 2.0**-24,
        state=path.length * _ACCUMULATOR_GRID + _narrowing(form),
        least=least,
        aligned=True,
        flushed=path.flush_inputs,
        end_least=lost,
    )


@_of.register
def _floored(path: Floored) -> StepError:
    """Floor products to grids of groups, groups and accumulator to a common one, and round."""
    form = path.setting.d
    groups = path.length // path.group
    floor = form.min_normal if has_short_range(form) else _F32_LEAST
    return StepError(
        path.length,
        products=(_cut(path.group, path.setting) + groups) * 2.0**-24,
        state=groups * _ACCUMULATOR_GRID + _narrowing(form),
        least=groups * _ACCUMULATOR_GRID * floor + _least(form),
        aligned=True,
    )


@_of.register
def _block_scaled(path: BlockScaled) -> StepError:
    """Round each sum of a block's chain but the first, each scale, then the accumulator."""
    setting = path.setting
    spare = _F32_BITS - _bits_of_sums(setting, path.length)
    chain = 0 if spare >= 0 else path.length - 1
    scales = [form.precision for form in (setting.scale_a, setting.scale_b) if form]
    rounded = sum(bits > 1 and spare < sum(scales[: n + 1]) for n, bits in enumerate(scales))
    roundings = chain + min(rounded, 1 if path.at_once else 2)
    growth = 1 + 2 * roundings * _F32_UNIT
    return StepError(
        path.length,
        products=roundings * _F32_UNIT * growth,
        state=_F32_UNIT,
        least=2 * _F32_HALF_SUBNORMAL,
        scaled_least=0.0 if path.at_once else _F32_HALF_SUBNORMAL,
    )


def _cut(count: int, setting: Setting) -> int:
    """Count the products of a group that its grid can cut: not the one that it follows from."""
    factors = (setting.a, setting.b)
    highest = sum(math.frexp(form.max_value)[1] - 1 for form in factors)
    finest = math.prod(form.min_subnormal for form in factors)
    if not setting.scale_block and math.ldexp(1.0, highest - _PRODUCT_GRID_BITS) <= finest:
        return 0
    lowest = sum(form.precision - 1 for form in factors)
    return count - 1 if lowest <= _PRODUCT_GRID_BITS else count


def _bits_of_sums(setting: Setting, count: int) -> int:
    """Count the bits that hold every sum of so many products."""
    factors = (setting.a, setting.b)
    largest = math.prod(form.max_value for form in factors) * count
    return math.frexp(largest / math.prod(form.min_subnormal for form in factors))[1]


def _nearest(form: Format) -> float:
    return float(2.0**-form.precision)


def _narrowing(form: Format) -> float:
    """Give what D's format costs a step: f32 and short ranges round, else f32 is cut."""
    if form.bits >= 32 or has_short_range(form):
        return _nearest(form)
    return 2 * _nearest(form) + _F32_UNIT


def _least(form: Format) -> float:
    """Give what D's format costs a step near zero, as `_narrowing` does elsewhere."""
    if form.bits >= 32 or has_short_range(form):
        return form.min_subnormal / 2
    return form.min_subnormal + _F32_HALF_SUBNORMAL
