"""Which pairs of faults can explain a tile at all: many at once, before each is looked at closely.

What a fault of the product makes is computed once; a second fault then adds another C to it, or
moves its elements, for all those products together.
"""

from collections.abc import Sequence

import numpy as np

from wavemma.explain.fault_output import SIDES, Part
from wavemma.explain.suspect import NOWHERE
from wavemma.explain.tile_sample import Floats, Sample, Truths

_LATER = ("shared", "start", "store", "unwritten")


class PairBounds:
    """Bounds for pairs of a fault of the product and one behind it.

    Args:
        sample: One tile.
        parts: The faults and what they make of that tile.
        least: Share of its elements that a pair must explain.

    """

    def __init__(self, sample: Sample, parts: Sequence[Part], least: float) -> None:
        self._sample, self._parts, self._least = sample, parts, least
        products = {
            number: part.product[0]
            for number, part in enumerate(parts)
            if part.suspect.stage in ("product", *SIDES) and part.product is not None
        }
        self._rows = {number: row for row, number in enumerate(products)}
        self._products = np.array(list(products.values()))
        self._known: dict[int, Truths] = {}

    def allow(self, one: int, two: int) -> bool:
        """Whether two faults, by their numbers, may explain enough; true where it is not known."""
        for first, second in ((one, two), (two, one)):
            if first in self._rows and self._parts[second].suspect.stage in _LATER:
                if second not in self._known:
                    self._known[second] = self._enough(self._parts[second])
                return bool(self._known[second][self._rows[first]])
        return True

    def _enough(self, part: Part) -> Truths:
        """Say which products explain enough with one later fault; what nothing is stored to may."""
        sample, stage, total = self._sample, part.suspect.stage, self._products
        source = part.suspect.source
        missing = np.zeros(total.shape[1], np.bool_) if source is None else source == NOWHERE
        if stage == "shared":
            total = _moved(total, part)
        if stage == "start" and part.value is not None:
            total = total + part.value[0]
        elif sample.c is not None:
            total = total + sample.c[0]
        if stage in ("store", "unwritten"):
            total = _moved(total, part)
        right = sample.close(total, sample.got) | missing
        return np.asarray(right.mean(axis=1) >= self._least)


def _moved(total: Floats, part: Part) -> Floats:
    source = part.suspect.source
    return total if source is None else total[:, np.maximum(source, 0)]
