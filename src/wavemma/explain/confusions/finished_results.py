"""Faults of finished results: off by one and the same number, clipped, or cut to fewer bits."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Floats, Sample, middle
from wavemma.formats import number_format

_LEAST_WHOLE = 0.25


def offsets(sample: Sample) -> Iterator[Suspect]:
    """Suspect that one and the same number was added to every result."""
    with np.errstate(invalid="ignore"):
        found = sample.got - sample.want
    found = found[np.isfinite(found)]
    usual = middle(found)
    shifted = sample.want + usual
    if usual == 0 or sample.close(shifted, sample.want).all():
        return
    fault = Fault(
        "offset",
        f"{usual:.6g} is added to every result",
        "Look for a bias, or an accumulator that holds a number before the first step.",
    )
    yield Suspect(fault, "result", lambda each: each.want + usual)


def clipped(sample: Sample) -> Iterator[Suspect]:
    """Suspect results that are clipped at 0, or are whole numbers of fewer bits."""
    ways: list[tuple[str, Callable[[Floats], Floats]]] = [
        ("results below 0 are 0, as a ReLU leaves them", lambda found: np.maximum(found, 0.0))
    ]
    form = number_format(sample.asked.format)
    if not form.is_float:
        ways.append(("results are numbers of f32, whose bits are read as whole numbers", _f32_bits))
    for bits in (16, 8) if not form.is_float else ():
        ways.append((f"results are clipped to {bits} bits with a sign", _clipped(bits)))
        ways.append((f"only the low {bits} bits of results are kept, with a sign", _low(bits)))
    for what, change in ways:
        if not sample.close(change(sample.want), sample.want).all():
            fix = f"Look at what becomes of D, of type {form.name}, behind the loop."
            yield Suspect(Fault("clip", what, fix), "result", _of_want(change))


def whole_results(sample: Sample) -> Iterator[Suspect]:
    """Suspect that results of floats are made whole numbers."""
    form = number_format(sample.asked.format)
    if not form.is_float:
        return
    for word, change in (("rounded", np.rint), ("cut", np.trunc)):
        made = change(sample.want)
        # Where nearly all become zero, all that came next to nothing would look so.
        if np.count_nonzero(made) >= _LEAST_WHOLE * made.size:
            fix = f"Look at what becomes of D, of type {form.name}, behind the loop."
            fault = Fault("clip", f"results are {word} to whole numbers", fix)
            yield Suspect(fault, "result", _of_want(change), alone=True)


def _of_want(change: Callable[[Floats], Floats]) -> Callable[[Sample], Floats]:
    return lambda sample: change(sample.want)


def _f32_bits(found: Floats) -> Floats:
    return found.astype(np.float32).view(np.int32).astype(np.float64)


def _clipped(bits: int) -> Callable[[Floats], Floats]:
    largest = 2.0 ** (bits - 1)
    return lambda found: np.clip(found, -largest, largest - 1)


def _low(bits: int) -> Callable[[Floats], Floats]:
    largest = 2.0 ** (bits - 1)
    return lambda found: np.mod(found + largest, 2 * largest) - largest
