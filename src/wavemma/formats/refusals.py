"""Refusals of numbers that a format cannot hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavemma.errors import ArrayMistake
from wavemma.formats.format import Format


def refuse(form: Format, wrong: NDArray[np.bool_], numbers: NDArray[Any], reason: str) -> None:
    """Refuse numbers, naming the first and where it stands.

    Args:
        form: The format.
        wrong: Which numbers are refused.
        numbers: All numbers, the same shape.
        reason: What the format has or does, behind its name.

    Raises:
        ArrayMistake: Some number is wrong.

    """
    if not wrong.any():
        return
    first = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    place = f" at {[int(each) for each in first]}" if wrong.ndim else ""
    more = f" ({int(wrong.sum())} such of {wrong.size})" if wrong.size > 1 else ""
    number = float(numbers[first])
    raise ArrayMistake(f"{form.name} {reason}; got {number!r}{place}{more}.", subject=number)
