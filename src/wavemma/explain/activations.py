"""Functions that kernels put results through behind the loop, by the names they go by."""

from collections.abc import Callable, Iterator
from math import erf
from typing import NamedTuple

import numpy as np

from wavemma.explain.tile_sample import Floats, middle

_TANH_INNER = 0.7978845608028654
_TANH_CUBE = 0.044715
_QUICK = 1.702
_LARGEST = 6.0
_LEAST_NEGATIVE = 8
_OFTEN = 0.9
_NEAR = 1e-3
_erf = np.frompyfunc(erf, 1, 1)


class Activation(NamedTuple):
    """A function of one result.

    Attributes:
        name: As in "through a ReLU".
        formula: As written in a formula of the output.
        of: The function.
        of_whole: Whether it makes whole numbers of whole numbers.

    """

    name: str
    formula: str
    of: Callable[[Floats], Floats]
    of_whole: bool = False


def _sigmoid(x: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-x))
    return found


def _gelu(x: Floats) -> Floats:
    return 0.5 * x * (1 + np.asarray(_erf(x / np.sqrt(2)), np.float64))


def _gelu_of_tanh(x: Floats) -> Floats:
    found: Floats = 0.5 * x * (1 + np.tanh(_TANH_INNER * (x + _TANH_CUBE * x**3)))
    return found


# The commoner first: where numbers cannot tell two apart, the first is named.
ACTIVATIONS: tuple[Activation, ...] = (
    Activation("a ReLU", "relu", lambda x: np.maximum(x, 0.0), of_whole=True),
    Activation("the absolute value", "abs", np.abs, of_whole=True),
    Activation("SiLU (Swish)", "silu", lambda x: x * _sigmoid(x)),
    Activation("GELU", "gelu", _gelu),
    Activation("GELU by tanh", "gelu_tanh", _gelu_of_tanh),
    Activation("quick GELU", "quick_gelu", lambda x: x * _sigmoid(_QUICK * x)),
    Activation("ReLU6", "relu6", lambda x: np.clip(x, 0.0, _LARGEST)),
    Activation("a square", "square", np.square, of_whole=True),
    Activation("a squared ReLU", "relu_squared", lambda x: np.maximum(x, 0.0) ** 2),
    Activation("ELU", "elu", lambda x: np.where(x < 0, np.expm1(np.minimum(x, 0.0)), x)),
    Activation("a sigmoid", "sigmoid", _sigmoid),
    Activation("tanh", "tanh", np.tanh),
    Activation("exp", "exp", np.exp),
    Activation("1 / x", "reciprocal", lambda x: 1 / x),
    Activation("the square root of the absolute value", "sqrt_abs", lambda x: np.sqrt(np.abs(x))),
    Activation("a clip at -1 and 1", "clip_1", lambda x: np.clip(x, -1.0, 1.0)),
    Activation("min(x, 0)", "min_0", lambda x: np.minimum(x, 0.0), of_whole=True),
)


def leaky_relus(of: Floats, came: Floats) -> Iterator[Activation]:
    """Give the leaky ReLU that makes some numbers of others, if one does most of them.

    Args:
        of: What goes into it.
        came: What came out, the same shape.

    """
    low = (of < 0) & np.isfinite(came)
    if np.count_nonzero(low) < _LEAST_NEGATIVE:
        return
    slope = middle(came[low] / of[low])
    if not 0 < slope < 1 or np.isclose(came[low], slope * of[low], _NEAR).mean() < _OFTEN:
        return
    named = float(f"{slope:.3g}")
    slope = named if abs(slope - named) <= _NEAR * slope else slope
    name, formula = f"a leaky ReLU of slope {slope:g}", f"leaky_relu_{slope:g}"
    yield Activation(name, formula, lambda x: np.where(x < 0, slope * x, x))
