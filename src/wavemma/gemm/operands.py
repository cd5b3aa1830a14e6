"""Arrays as bits of a number format: which formats an array can be, and its codes."""

from typing import Any, NamedTuple

import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.formats import number_format
from wavemma.formats.dlpack import as_array
from wavemma.formats.dtypes import codes_of, formats_of, known_dtypes

Array = npt.NDArray[Any]


class Matrix(NamedTuple):
    """One operand of a product.

    Attributes:
        array: The numbers, [..., rows, columns].
        formats: Names of the formats that they can be, the closest first.
        signed: Whether integers are read as signed.

    """

    array: Array
    formats: tuple[str, ...]
    signed: bool

    def codes(self, format: str) -> Array:
        """Give the bits of every element as unsigned integers, one element each."""
        return codes_of(self.array, number_format(format))


def matrix(value: npt.ArrayLike, name: str, *, any_real: bool = False) -> Matrix:
    """Take an array as an operand.

    Args:
        value: Numbers [..., rows, columns] of a type that some format has: NumPy's, ml_dtypes',
            or anything that gives itself as an array or through DLPack.
        name: What it is, for the message.
        any_real: Take integers and floats that no format has, too: they are to be rounded.

    Raises:
        ArrayMistake: Fewer than two axes, or a type that no format has.

    """
    array = _array(value)
    if array.ndim < 2:
        raise ArrayMistake(
            f"{name} must have two axes or more, [..., rows, columns]; it has shape"
            f" {list(array.shape)}.",
            subject=array.shape,
        )
    formats, signed = formats_of(array.dtype)
    if not formats and not (any_real and array.dtype.kind in "iuf"):
        known = known_dtypes()
        raise ArrayMistake(
            f"{name} has type {array.dtype}, which no matrix instruction takes.",
            subject=str(array.dtype),
            allowed=known,
            hint=f"Types: {', '.join(known)}.",
        )
    return Matrix(array, formats, signed)


def _array(value: npt.ArrayLike) -> Array:
    array = as_array(value)
    # The other byte order is the same numbers; compiled code reads this machine's.
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
