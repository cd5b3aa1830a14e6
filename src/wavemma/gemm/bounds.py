"""How far a product can be from the exact one under its model, element by element."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from wavemma.formats import Format, number_format
from wavemma.gemm.factors import Factors
from wavemma.gemm.operands import Array
from wavemma.gemm.plan import Plan
from wavemma.isa import catalog
from wavemma.numerics.bounds import StepError, step_error
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

Floats = npt.NDArray[np.float64]

# A growth beyond this says nothing any more; it also keeps the exponential finite.
_MOST_GROWTH = 64.0
# The bound itself is worked out in float64, whose sums over k round.
_OWN_ROUNDING = 1 + 2.0**-30


def product_bound(made: Plan, factors: Factors, c: Array | None) -> Floats:
    """Bound the error of every element of a product, as long as nothing overflows.

    The bound grows with the sum of |a*b| and |c| of the element, the number of steps, and what
    the model loses in each.

    Args:
        made: The plan of the product.
        factors: A and B as they were multiplied.
        c: [..., M, N] as given, or None.

    Returns:
        [..., M, N], greatest |D - exact|.

    Raises:
        Unsupported: No bound is known for the model.

    """
    setting = _setting(made)
    step = step_error(model(made.model), setting)
    start = None if c is None else np.abs(_wide(c))
    return bound(step, setting, factors, start, steps=made.steps)


def _setting(made: Plan) -> Setting:
    """Tell the model what the instruction would; k is the dense one where A is sparse."""
    d = number_format(made.d)
    setting = Setting(number_format(made.a), number_format(made.b), d, d, depth=made.shape[2])
    if not made.scales:
        return setting
    scale_a, scale_b = (number_format(name) for name in made.scales)
    block = catalog.instruction(made.instruction, made.target).matrix.scale_block
    return replace(setting, scale_a=scale_a, scale_b=scale_b, scale_block=block)


def bound(
    step: StepError, setting: Setting, factors: Factors, start: Floats | None, *, steps: int
) -> Floats:
    """Bound the error of products of numbers.

    Args:
        step: What one step of the model costs.
        setting: Formats and options; its depth is the k of one instruction.
        factors: A and B.
        start: |C| [..., M, N], or None.
        steps: Instructions along k.

    """
    left, right = np.abs(_wide(factors.a)), np.abs(_wide(factors.b))
    seen = Factors(
        _sizes(left, setting.a, step),
        _sizes(right, setting.b, step),
        factors.scale_a,
        factors.scale_b,
    )
    with np.errstate(all="ignore"):
        size = np.matmul(*seen.scaled())
        total = size if start is None else size + start
        lost = _lost(left, right, size, setting, step)
        # Infinite sizes that cost nothing cost nothing.
        own = size * step.products if step.products else np.zeros_like(size)
        return np.asarray(_grown(own, total, step, setting, steps, factors.scale_b) + lost)


def _grown(
    own: Floats,
    total: Floats,
    step: StepError,
    setting: Setting,
    steps: int,
    scale_b: Floats | None,
) -> Floats:
    """Add what all steps cost to the products' own; each may enlarge what the next work on."""
    count = steps * -(-max(setting.depth, 1) // step.length)
    relative = count * step.state + steps * step.end
    growth = math.exp(min(relative + step.products, _MOST_GROWTH)) * _OWN_ROUNDING
    absolute: Floats | float = count * step.least + steps * step.end_least
    if scale_b is not None:
        largest = np.max(scale_b, axis=-2, keepdims=True, initial=0.0)
        absolute = absolute + count * step.scaled_least * largest
    found: Floats = (own + total * relative + absolute) * growth
    return found


def _sizes(sizes: Floats, form: Format, step: StepError) -> Floats:
    """Give the sizes of factors as alignment sees them."""
    if not (step.aligned or form.ignored) or not form.is_float:
        return sizes
    found: Floats = np.where(sizes > 0, np.maximum(sizes, form.min_normal), 0.0)
    return found


def _lost(left: Floats, right: Floats, size: Floats, setting: Setting, step: StepError) -> Floats:
    """Bound what is lost before the sum: subnormal factors read as zero, low bits dropped."""
    found = np.zeros_like(size)
    if step.flushed:
        for form, own, other, across in (
            (setting.a, left, right, False),
            (setting.b, right, left, True),
        ):
            small = np.where(own < form.min_normal, own, 0.0)
            if small.any():
                found = found + (np.matmul(other, small) if across else np.matmul(small, other))
    dropped = sum(2.0 ** (1 - form.precision) for form in (setting.a, setting.b) if form.ignored)
    if dropped:
        found = found + size * (dropped + dropped**2)
    return found


def _wide(array: Array) -> Floats:
    return np.asarray(array).astype(np.float64)
