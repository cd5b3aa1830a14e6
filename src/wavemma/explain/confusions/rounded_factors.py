"""Faults of A and B in fewer bits than they have, and of sums rounded inside of a step."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.formats import Format, number_format, number_formats
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.rounding import Rounding

Side = Literal["a", "b"]
_SIDES: tuple[tuple[Side, ...], ...] = (("a", "b"), ("a",), ("b",))
_LEAST_BITS = 8
_SUM_BITS = 16
# Results that are off by more, beside their usual size, are no matter of rounding.
_OFF = 0.25
_OFF_OF_SUMS = 2.0**-4
_MOST_K = 512
_TOGETHER = (1, 2, 4, 8)
_LIKELY = 0.9
_MODES: tuple[tuple[Rounding, str], ...] = (("nearest_even", "rounded"), ("zero", "cut off"))


def rounded_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A or B, or both, went through a coarser float format."""
    if sample.factors is None or not _is_near(sample, _OFF):
        return
    for form in number_formats():
        for mode, word in _MODES:
            for sides in _SIDES:
                if all(_is_coarser(sample, side, form, mode) for side in sides):
                    letters = " and ".join(sides).upper().replace("AND", "and")
                    fault = Fault(
                        "rounding",
                        f"{letters} {'are' if len(sides) > 1 else 'is'} {word} to {form.name}"
                        " before the multiplication",
                        f"Keep {letters} in the format of the instruction, or compare with what"
                        f" {form.name} can hold.",
                    )
                    change = _multiplied(sides, form, mode)
                    # Formats that hold the same numbers are one fault.
                    yield Suspect(fault, "product", change, alone=True, seen=True)


def rounded_terms(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the sum is rounded to 16 bits after every number of k, or every few."""
    own = number_format(sample.asked.format)
    found = sample.factors
    if found is None or not own.is_float or own.bits <= _SUM_BITS:
        return
    if found.a.shape[-1] > _MOST_K or not _is_near(sample, _OFF_OF_SUMS):
        return
    one = sample.reduced(1)
    for form in number_formats():
        if not (form.is_float and form.has_sign and form.bits == _SUM_BITS):
            continue
        for together in _TOGETHER:
            change = _summed(form, together)
            made = change(one) if one.c is None else change(one) + one.c
            if together < sample.depth and one.close(made, one.got).mean() >= _LIKELY:
                every = f"{together} of k" if together > 1 else "number of k"
                fault = Fault(
                    "rounding",
                    f"the sum is rounded to {form.name} after every {every}",
                    f"Accumulate in {own.name}; narrow the results at the end, if at all.",
                )
                yield Suspect(fault, "product", change, alone=True)


def _is_near(sample: Sample, most: float) -> bool:
    """Whether results are off, but by little."""
    with np.errstate(invalid="ignore"):
        off = np.abs(sample.got - sample.want)
    return bool(sample.differing and (off <= most * sample.scale).mean() >= _LIKELY)


def _held(form: Format, mode: Rounding, values: Floats) -> Floats:
    return np.asarray(decode(form, encode(form, values, rounding=mode)), dtype=np.float64)


def _is_coarser(sample: Sample, side: Side, form: Format, mode: Rounding) -> bool:
    """Whether the numbers of a side lose digits in a format."""
    own = number_format(sample.asked.instruction.formats[side][0])
    if not (own.is_float and form.is_float and form.has_sign and form.precision < own.precision):
        return False
    if form.bits < _LEAST_BITS or form.ignored:
        return False
    values = getattr(needed(sample), side)[:1, :1]
    return bool((_held(form, mode, values) != values).any())


def _multiplied(
    sides: tuple[Side, ...], form: Format, mode: Rounding
) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found = needed(sample)
        a = _held(form, mode, found.a) if "a" in sides else found.a
        b = _held(form, mode, found.b) if "b" in sides else found.b
        return multiplied(a * found.scale_a, b * found.scale_b)

    return product


def _summed(form: Format, together: int) -> Callable[[Sample], Floats]:
    """Add a few products at a time to C, round, and give what that adds to C."""

    def product(sample: Sample) -> Floats:
        found = needed(sample)
        start = np.zeros_like(sample.want) if sample.c is None else sample.c
        total = _held(form, "nearest_even", start)
        for first in range(0, found.a.shape[-1], together):
            cut = slice(first, first + together)
            part = multiplied(found.scaled_a[..., cut], found.scaled_b[..., cut, :])
            total = _held(form, "nearest_even", total + part)
        return total - start

    return product
