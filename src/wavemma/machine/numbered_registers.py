"""Registers whose number is known only when an instruction runs."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

V = TypeVar("V")


class NumberedRegisters(ABC, Generic[V]):
    """The part of a wave that finds registers by numbers that it computes."""

    @abstractmethod
    def vector_at(self, number: V) -> V:
        """Read the vector register that one I32 numbers, I32 lanes; register 0 if there is none."""

    @abstractmethod
    def set_vector_at(self, number: V, value: V) -> None:
        """Write I32 lanes into the register that one I32 numbers where lanes are active, if any."""

    @abstractmethod
    def scalar_at(self, code: V) -> V:
        """Read the scalar register by a code, one I32: at most vcc's; that of code 0 if higher."""

    @abstractmethod
    def set_scalar_at(self, code: V, value: V) -> None:
        """Write one I32 into the register of a code, one I32; nothing if it is above vcc's."""
