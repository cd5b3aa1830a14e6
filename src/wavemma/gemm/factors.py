"""What a product multiplied, as numbers: a sparse A filled up, scales beside their elements."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.gemm.operands import Array

Floats = npt.NDArray[np.float64]


class Factors(NamedTuple):
    """A and B of a product.

    Attributes:
        a: Numbers [..., M, K], zeros where a sparse A keeps nothing.
        b: Numbers [..., K, N].
        scale_a: The scale of each element of A, batch axes of its own; None without scales.
        scale_b: The same of B.

    """

    a: Array
    b: Array
    scale_a: Floats | None = None
    scale_b: Floats | None = None

    def scaled(self) -> tuple[Array, Array]:
        """Give A and B with their scales multiplied in."""
        return _times(self.a, self.scale_a), _times(self.b, self.scale_b)


def _times(numbers: Array, scale: Floats | None) -> Array:
    if scale is None:
        return numbers
    with np.errstate(all="ignore"):
        found: Array = numbers.astype(np.float64) * scale
    return found
