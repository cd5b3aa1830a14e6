"""Faults of finished results: rounded to a narrower format, or off by one and the same number."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.formats import Format, number_format, number_formats
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.rounding import Rounding

_NARROW_BITS = 16
_MODES: tuple[tuple[Rounding, str], ...] = (
    ("nearest_even", "rounded"),
    ("zero", "cut off, not rounded,"),
)


def rounded_results(sample: Sample) -> Iterator[Suspect]:
    """Suspect that finished results went through a format of 16 bits."""
    own = number_format(sample.asked.format)
    if not own.is_float or own.bits <= _NARROW_BITS:
        return
    for form in number_formats():
        if not form.is_float or form.bits != _NARROW_BITS or not form.has_sign:
            continue
        for mode, word in _MODES:
            change = _through(form, mode)
            if sample.close(change(sample), sample.want).all():
                continue
            fault = Fault(
                "rounding",
                f"results are {word} to {form.name} on their way to the output",
                f"Keep D in {own.name} up to the end, or compare with what {form.name} can hold.",
            )
            yield Suspect(fault, "result", change)


def offsets(sample: Sample) -> Iterator[Suspect]:
    """Suspect that one and the same number was added to every result."""
    with np.errstate(invalid="ignore"):
        found = sample.got - sample.want
    found = found[np.isfinite(found)]
    middle = float(np.median(found)) if found.size else 0.0
    shifted = sample.want + middle
    if middle == 0 or sample.close(shifted, sample.want).all():
        return
    fault = Fault(
        "offset",
        f"{middle:.6g} is added to every result",
        "Look for a bias, or an accumulator that holds a number before the first step.",
    )
    yield Suspect(fault, "result", lambda each: each.want + middle)


def _through(form: Format, mode: Rounding) -> Callable[[Sample], Floats]:
    def change(sample: Sample) -> Floats:
        codes = encode(form, sample.want, rounding=mode)
        return np.asarray(decode(form, codes), dtype=np.float64)

    return change
