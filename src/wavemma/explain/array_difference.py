"""How much two arrays of one shape differ."""

import msgspec
import numpy as np

from wavemma.formats.dtypes import Array


class ArrayDifference(msgspec.Struct, frozen=True):
    """How an argument differs after two runs.

    Attributes:
        argument: Its position.
        output: What it is written to, if it is.
        type: Of its elements.
        elements: How many there are.
        differing: How many of them have other bits.
        largest: The largest distance of two finite numbers, 0 if there is none.

    """

    argument: int
    output: str | None
    type: str
    elements: int
    differing: int
    largest: float


def array_difference(
    argument: int, output: str | None, one: Array, other: Array
) -> ArrayDifference:
    """Compare bit by bit; arguments as the record has them."""
    rows = [np.ascontiguousarray(each).reshape(-1) for each in (one, other)]
    size = rows[0].dtype.itemsize
    left, right = (each.view(np.uint8).reshape(-1, size) for each in rows)
    where = (left != right).any(axis=1)
    largest = 0.0
    if where.any() and one.dtype.kind != "c":
        with np.errstate(invalid="ignore", over="ignore"):
            distances = np.abs(np.subtract(*(each[where].astype(np.float64) for each in rows)))
        largest = float(np.max(distances[np.isfinite(distances)], initial=0.0))
    return ArrayDifference(argument, output, str(one.dtype), one.size, int(where.sum()), largest)
