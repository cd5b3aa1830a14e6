"""Accesses of memory by a rare way: it costs the usual one nothing but a test."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

V = TypeVar("V")
Places = Callable[..., Sequence[Any]]
"""Engine and lanes to an address, I64, and how many bytes there are, I32, of each word by turns."""


class RareWay(msgspec.Struct, Generic[V]):
    """Where the words of an access lie that do not follow each other.

    Attributes:
        name: Of the function that finds the places; there is one for each.
        places: What it does.
        lanes: Its first arguments, I32 lanes.
        numbers: Its further arguments, one I32 each, which it takes as lanes.
        size_bytes: Of the access; less than a word is one.

    """

    name: str
    places: Places
    lanes: Sequence[V]
    numbers: Sequence[V]
    size_bytes: int

    @property
    def part_bytes(self) -> int:
        """Bytes at one place."""
        return min(self.size_bytes, 4)

    @property
    def words(self) -> int:
        """How many places there are."""
        return max(self.size_bytes // 4, 1)


Usual = Callable[[], tuple[V, V]]
"""Gives an address and how many bytes there are, as `WaveState.load` takes them."""


class RareWays(ABC, Generic[V]):
    """The part of a wave that reaches device memory by one of two ways."""

    @abstractmethod
    def load_either(
        self, is_rare: V, rare: Callable[[], RareWay[V]], usual: Usual[V], size_bytes: int
    ) -> list[V]:
        """Read bytes of each lane.

        Args:
            is_rare: Which way, one BOOL.
            rare: Gives the one.
            usual: Gives the other one.
            size_bytes: As for `WaveState.load`, which tells the result.

        """

    @abstractmethod
    def store_either(
        self,
        is_rare: V,
        rare: Callable[[], RareWay[V]],
        usual: Usual[V],
        words: Sequence[V],
        size_bytes: int,
    ) -> None:
        """Write bytes of each lane; arguments as for `load_either` and `WaveState.store`."""
