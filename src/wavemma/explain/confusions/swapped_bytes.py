"""Faults of the order of bytes: those of each number of A or B are exchanged."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers

Side = Literal["a", "b"]
_SIDES: tuple[tuple[Side, ...], ...] = (("a", "b"), ("a",), ("b",))
_BYTES = (2, 4)


def swapped_bytes(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the bytes, or the halves, of numbers of A or B are in the other order."""
    strips = sample.strips
    if strips is None or not sample.differing:
        return
    for sides in _SIDES:
        sizes = {getattr(strips, side).dtype.itemsize for side in sides}
        if len(sizes) > 1 or not sizes & set(_BYTES):
            continue
        letters = " and ".join(side.upper() for side in sides)
        for unit, word in ((1, "bytes"), (2, "halves of 16 bits")):
            if unit < max(sizes):
                what = f"the {word} of each number of {letters} are in the other order"
                fix = f"Write the {word} of {letters} low ones first, as the hardware reads them."
                fault = Fault("number format", what, fix)
                yield Suspect(fault, "product", _multiplied(sides, unit), alone=True)


def _multiplied(sides: tuple[Side, ...], unit: int) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found = needed(sample)
        values = {"a": found.a, "b": found.b}
        for side in sides:
            form = sample.asked.instruction.formats[side][0]
            values[side] = numbers(_swapped(getattr(sample.strips, side), unit), form)
        return multiplied(values["a"] * found.scale_a, values["b"] * found.scale_b)

    return product


def _swapped(array: Array, unit: int) -> Array:
    """Turn the order of units of some bytes in each number."""
    raw = np.ascontiguousarray(array)
    parts = raw.view(np.dtype(f"u{unit}")).reshape(*raw.shape, -1)[..., ::-1]
    found: Array = np.ascontiguousarray(parts).view(raw.dtype).reshape(raw.shape)
    return found
