"""Elements of a fragment that lie side by side: what one vector load or store can move."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavemma.fragments import Fragment
from wavemma.layouts import Place


class Run(NamedTuple):
    """Elements in one register, at one bit, in lanes that follow each other.

    Attributes:
        start: Number of the first element of the run.
        length: Elements.
        word: Register times lanes plus lane, of the first element.
        bit: Lowest bit of each element in its register.

    """

    start: int
    length: int
    word: int
    bit: int


def runs(fragment: Fragment, letter: str, count: int, **others: int) -> tuple[Run, ...]:
    """Find the runs along one index of a matrix, first copies only.

    Args:
        fragment: The operand, where modifiers put it.
        letter: The index that varies.
        count: Its extent.
        **others: The other indices.

    """
    places = [fragment.layout.place(**{letter: n}, **others)[0] for n in range(count)]
    return tuple(_runs(places, fragment.lanes))


def _runs(places: Sequence[Place], lanes: int) -> Iterator[Run]:
    start = 0
    for end in range(1, len(places) + 1):
        if end < len(places) and _follows(places[end - 1], places[end]):
            continue
        first = places[start]
        yield Run(start, end - start, first.register * lanes + first.lane, first.bit_lo)
        start = end


def _follows(first: Place, second: Place) -> bool:
    same = (first.register, first.bit_lo) == (second.register, second.bit_lo)
    return same and second.lane == first.lane + 1
