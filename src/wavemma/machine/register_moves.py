"""Moves of whole vector registers from and to memory."""

from abc import ABC, abstractmethod
from typing import Generic, Literal, TypeVar

V = TypeVar("V")
Space = Literal["global", "flat", "scratch", "lds"]
"""What an address counts in: device memory; that or one of the others by its high half; the
memory of one lane; the memory of the workgroup."""


class RegisterMoves(ABC, Generic[V]):
    """The part of a wave that moves registers that follow each other as they are."""

    @abstractmethod
    def load_registers(self, space: Space, address: V, size_bytes: int, first: int) -> None:
        """Read bytes of each active lane into registers; nothing changes after a fault.

        Args:
            space: What the address counts in.
            address: As `WaveState.load` takes it.
            size_bytes: How many; 1 and 2 give zeros above.
            first: Number of the first register.

        """

    @abstractmethod
    def store_registers(self, space: Space, address: V, size_bytes: int, first: int) -> None:
        """Write bytes of each active lane, in order; arguments as for `load_registers`."""
