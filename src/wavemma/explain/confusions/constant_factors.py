"""Faults of one factor: of the products, or of every result with what C adds."""

from collections.abc import Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect, base_product, times
from wavemma.explain.tile_sample import Floats, Sample, middle
from wavemma.formats import number_format

_RATIOS = tuple(2.0**power for power in (-1, 1, -2, 2, -3, 3, -4, 4, -8, 8))
_SIDES = ("a", "b")
# FNUZ and OCP are families of 8-bit formats.
_FAMILY_BITS = 8
_LARGEST = 1024
_NEAR = 1e-3
_OFTEN = 0.5
_NAMED = {0.5: "half of", 2.0: "twice"}


def ratios(sample: Sample) -> Iterator[Suspect]:
    """Suspect a factor of the products: a power of two, or what the data show."""
    why, fix = _of_families(sample)
    if sample.asked.instruction.is_scaled:
        yield from _biases()
    base = base_product(sample)
    with np.errstate(invalid="ignore"):
        seen = _factor(sample, base, sample.got - sample.want + base)
    known = () if seen in (None, -1.0, *_RATIOS) else (seen,)
    for ratio in (*_RATIOS, *known):
        # What is no power of two is of no family and of no scale.
        of_formats = why if ratio in _RATIOS else ""
        what = f"{_words(ratio, 'every product')}{of_formats}"
        yield Suspect(Fault("ratio", what, fix), "product", times(ratio))


def _of_families(sample: Sample) -> tuple[str, str]:
    """Say that families of formats may be meant, where there are two and A and B do not tell."""
    chosen = sample.asked.instruction
    forms = [number_format(form) for role in _SIDES for form in chosen.formats[role]]
    if any(form.bits == _FAMILY_BITS for form in forms) and sample.factors is None:
        if chosen.is_scaled:
            return "; a scale is wrong", "Check the scales; give --a and --b to tell which."
        return (
            ": FNUZ read as OCP halves, OCP read as FNUZ doubles a factor once for each of A and"
            " B; or a scale is wrong",
            "Check the 8-bit format (FNUZ or OCP) and the scales; give --a and --b to tell which.",
        )
    return "", "Look for a factor (alpha, a scale) that is left out or applied twice."


def _biases() -> Iterator[Suspect]:
    """Suspect block scales that are all a step too large or too small."""
    for power, word, bias in ((1, "large", 128), (-1, "small", 126)):
        for count, letters in ((1, "A or of B"), (2, "A and of B")):
            fault = Fault(
                "scale",
                f"every scale of {letters} is 1 too {word}: every product is"
                f" {2.0 ** (power * count):g} times what it should be, as with an E8M0 bias of"
                f" {bias}",
                "Write scales as E8M0 codes: code = power of two + 127.",
            )
            yield Suspect(fault, "product", times(2.0 ** (power * count)))


def result_factors(sample: Sample) -> Iterator[Suspect]:
    """Suspect a factor of all results, C with them; without C that is one of the products."""
    ratio = None if sample.c is None else _factor(sample, sample.want, sample.got)
    if ratio is None:
        return
    if ratio == -1:
        kind, what = "sign", "factor -1: every result has the other sign"
        fix = "Look for a minus behind the loop, or neg modifiers on both C and A or B."
    else:
        kind, what = "ratio", _words(ratio, "every result")
        fix = "Look for a factor behind the loop (alpha, a scale of D) that is wrong or missing."
    yield Suspect(Fault(kind, what, fix), "result", lambda each: each.want * ratio)


def _factor(sample: Sample, want: Floats, got: Floats) -> float | None:
    """Find the factor of most elements; None where there is none worth naming."""
    counts = np.isfinite(want) & np.isfinite(got) & (want != 0) & (got != 0)
    if not counts.any():
        return None
    found = middle(got[counts] / want[counts])
    near = [each for each in _simple(found) if abs(found - each) <= _NEAR * abs(each)]
    factor = near[0] if near else found
    if sample.closely(factor * want[counts], got[counts]).mean() < _OFTEN:
        return None
    return factor if np.isfinite(factor) and factor != 1 else None


def _simple(found: float) -> Iterator[float]:
    """Yield the whole number, and the part of one, that a factor is near."""
    if 1 <= abs(found) <= _LARGEST:
        yield float(round(found))
    elif found and 1 <= abs(1 / found) <= _LARGEST:
        yield 1 / round(1 / found)


def _words(ratio: float, what: str) -> str:
    inverse = 1 / ratio
    whole = abs(ratio) < 1 and inverse == round(inverse)
    shown = f"{'-' if ratio < 0 else ''}1/{abs(inverse):.0f}" if whole else f"{ratio:.6g}"
    of = _NAMED.get(ratio, f"{shown} of" if whole else f"{shown} times")
    return f"factor {shown}: {what} is {of} what it should be"
