"""Faults of finished results: off by one and the same number."""

from collections.abc import Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Sample, middle


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
