"""The elements of an output that are wrong: the first of them, and how far off they all are."""

import msgspec
import numpy as np

from wavemma.explain.explanation import Place, place_of
from wavemma.explain.spots import Spot, spots
from wavemma.explain.tile_sample import Sample
from wavemma.explain.wrong_pattern import constant, striking

_SHOWN = 4


class WrongElement(msgspec.Struct, frozen=True):
    """An element that is not what was wanted.

    Attributes:
        at: Where in the whole output.
        got: What came.
        want: What was wanted.
        places: Where the instruction leaves it.

    """

    at: Place
    got: float
    want: float
    places: tuple[Spot, ...]


class Deviation(msgspec.Struct, frozen=True):
    """How far the wrong elements are off.

    Attributes:
        count: Wrong elements of those looked at.
        first: The first of them.
        largest: The largest difference of finite numbers, absolute.
        relative: The largest one relative to what was wanted, where that is not 0.
        least_ratio: The smallest got / want of wrong elements.
        largest_ratio: The largest.
        constant: The value of every element that came, right or wrong, if it is one.
        striking: What is striking about the wrong ones: one value, or one part of each tile.

    """

    count: int
    first: tuple[WrongElement, ...]
    largest: float
    relative: float
    least_ratio: float
    largest_ratio: float
    constant: float | None = None
    striking: tuple[str, ...] = ()


def deviation(looked: Sample) -> Deviation:
    """Measure the wrong elements of a sample."""
    wrong = ~looked.close(looked.want, looked.got)
    got, want = looked.got[wrong], looked.want[wrong]
    finite = np.isfinite(got) & np.isfinite(want)
    difference = np.abs(got - want)[finite]
    counts = finite & (want != 0)
    ratios = got[counts] / want[counts]
    return Deviation(
        int(wrong.sum()),
        tuple(_element(looked, int(t), int(e)) for t, e in np.argwhere(wrong)[:_SHOWN]),
        float(difference.max(initial=0.0)),
        float(np.abs(ratios - 1).max(initial=0.0)),
        float(ratios.min()) if ratios.size else 1.0,
        float(ratios.max()) if ratios.size else 1.0,
        constant(looked),
        striking(looked, wrong),
    )


def _element(looked: Sample, tile: int, element: int) -> WrongElement:
    layout = looked.asked.layout
    indices: dict[str, int] = {}
    rest = element
    for letter, size in reversed(layout.extents):
        rest, indices[letter] = divmod(rest, size)
    return WrongElement(
        place_of(looked, tile, element),
        float(looked.got[tile, element]),
        float(looked.want[tile, element]),
        spots(layout.place(**indices)),
    )
