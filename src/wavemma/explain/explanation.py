"""One or two faults that make an output, and what they leave unexplained."""

import msgspec

from wavemma.explain.scoring import Scored
from wavemma.explain.suspect import Fault
from wavemma.explain.tile_sample import Sample


class Place(msgspec.Struct, frozen=True):
    """An element of the whole output.

    Attributes:
        batch: Which matrix, counted over all batch axes.
        block: Which product of an instruction that computes several.
        row: In the whole matrix.
        column: In the whole matrix.

    """

    batch: int
    block: int
    row: int
    column: int


class Explanation(msgspec.Struct, frozen=True):
    """One or two faults that together make an output.

    Attributes:
        faults: The faults.
        share: Share of the elements looked at that they explain, 0..1.
        left: How many of the elements looked at they do not explain.
        first_left: The first of those.

    """

    faults: tuple[Fault, ...]
    share: float
    left: int
    first_left: tuple[Place, ...]


def explanation(looked: Sample, found: Scored) -> Explanation:
    """Say what faults explain and what they leave.

    Args:
        looked: The sample that they were held against.
        found: The faults.

    """
    places = tuple(place_of(looked, tile, element) for tile, element in found.first_left)
    return Explanation(found.faults, found.share, found.left, places)


def place_of(looked: Sample, tile: int, element: int) -> Place:
    """Find an element of a sample in the whole output.

    Args:
        looked: The sample.
        tile: Which of its tiles.
        element: Its number in the tile.

    """
    _, m, n = looked.shape
    batch, row, column = (int(each) for each in looked.tiles[tile])
    block, inside = divmod(element, m * n)
    return Place(batch, block, row * m + inside // n, column * n + inside % n)
