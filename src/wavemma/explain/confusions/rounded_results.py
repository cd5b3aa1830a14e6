"""Faults of 16 bits where there should be more: of finished results, of sums, and of C."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions.k_steps import partial_products
from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.formats import Format, number_format, number_formats
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.rounding import Rounding

_NARROW_BITS = 16
_MOST_STEPS = 64
_MODES: tuple[tuple[Rounding, str], ...] = (
    ("nearest_even", "rounded"),
    ("zero", "cut off, not rounded,"),
)


def rounded_results(sample: Sample) -> Iterator[Suspect]:
    """Suspect that finished results went through a format of 16 bits."""
    for form, mode, word in _ways(sample):
        change = _through(form, mode)
        if sample.close(change(sample), sample.want).all():
            continue
        fault = Fault(
            "rounding",
            f"results are {word} to {form.name} on their way to the output",
            f"Keep D in {sample.asked.format} up to the end, or compare with what {form.name} can"
            " hold.",
        )
        yield Suspect(fault, "result", change)


def rounded_starts(sample: Sample) -> Iterator[Suspect]:
    """Suspect that C went through a format of 16 bits."""
    start = sample.c
    if start is None:
        return
    for form, mode, word in _ways(sample):
        if not sample.close(_held(form, mode, start), start).all():
            fix = f"Keep C in {sample.asked.format}."
            fault = Fault("rounding", f"C is {word} to {form.name}", fix)
            yield Suspect(fault, "start", _start(form, mode))


def rounded_sums(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the accumulator is kept in a format of 16 bits from step to step."""
    found = sample.factors
    if found is None or not 2 <= -(-found.a.shape[-1] // sample.depth) <= _MOST_STEPS:
        return
    for form, mode, word in _ways(sample):
        fix = f"Keep the accumulator in {sample.asked.format} over all steps; narrow it at the end."
        what = f"the sum is {word} to {form.name} between the steps along k"
        yield Suspect(Fault("rounding", what, fix), "product", _summed(form, mode, whole=False))
        if sample.c is not None:
            what = f"C, and the sum between the steps along k, are {word} to {form.name}"
            yield Suspect(Fault("rounding", what, fix), "product", _summed(form, mode, whole=True))


def _ways(sample: Sample) -> Iterator[tuple[Format, Rounding, str]]:
    """Yield the formats that hold less than D, and the ways to come to them."""
    own = number_format(sample.asked.format)
    if not own.is_float or own.bits <= _NARROW_BITS:
        return
    for form in number_formats():
        if form.is_float and form.bits == _NARROW_BITS and form.has_sign:
            for mode, word in _MODES:
                yield form, mode, word


def _held(form: Format, mode: Rounding, numbers: Floats) -> Floats:
    return np.asarray(decode(form, encode(form, numbers, rounding=mode)), dtype=np.float64)


def _through(form: Format, mode: Rounding) -> Callable[[Sample], Floats]:
    return lambda sample: _held(form, mode, sample.want)


def _start(form: Format, mode: Rounding) -> Callable[[Sample], Floats]:
    return lambda sample: sample.want if sample.c is None else _held(form, mode, sample.c)


def _summed(form: Format, mode: Rounding, *, whole: bool) -> Callable[[Sample], Floats]:
    """Add step by step, C first, and give what that adds to C."""

    def product(sample: Sample) -> Floats:
        start = np.zeros_like(sample.want) if sample.c is None else sample.c
        with np.errstate(invalid="ignore"):
            found: Floats = _sums(sample, form, mode)[int(whole)] - start
        return found

    return product


def _sums(sample: Sample, form: Format, mode: Rounding) -> Floats:
    """Add step by step, from C as it is and from C held in the format, [2, tiles, E]."""
    key = f"sums in {form.name}, {mode}"
    if key not in sample.kept:
        start = np.zeros_like(sample.want) if sample.c is None else sample.c
        total = np.stack([start, _held(form, mode, start)])
        for part in partial_products(sample):
            total = _held(form, mode, total + part)
        sample.kept[key] = total
    found: Floats = sample.kept[key]
    return found
