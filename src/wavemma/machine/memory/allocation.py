"""A piece of device memory, and where addresses lie, in words."""

from collections.abc import Iterable

import msgspec


class Allocation(msgspec.Struct, frozen=True):
    """A piece of device memory.

    Attributes:
        number: Its record.
        address: Of its first byte.
        size_bytes: As asked for.
        name: For messages.
        is_ours: Whether no program asked for it: what a launch needs besides.

    """

    number: int
    address: int
    size_bytes: int
    name: str
    is_ours: bool = False

    @property
    def end(self) -> int:
        """The address behind its last byte."""
        return self.address + self.size_bytes

    def holds(self, address: int) -> bool:
        """Tell whether an address is inside."""
        return self.address <= address < self.end

    def __str__(self) -> str:
        """Say which one it is."""
        name = f"'{self.name}' " if self.name else ""
        return f"{name}0x{self.address:x} of {self.size_bytes:,} bytes"


def where_is(address: int, held: Iterable[Allocation], freed: Iterable[Allocation]) -> str:
    """Say where an address lies: in an allocation, in a freed one, or how far from the nearest.

    The nearest is one that a program asked for, if there is any.

    Args:
        address: Any address.
        held: The allocations.
        freed: Those that were given back, the latest first.

    """
    known = tuple(held)
    for each in known:
        if each.holds(address):
            return f"it is {address - each.address:,} bytes into {each}"
    for each in freed:
        if each.holds(address):
            return f"it is {address - each.address:,} bytes into {each}, which was freed"
    asked = [each for each in known if not each.is_ours]
    near = min(asked or known, key=lambda each: _distance(each, address), default=None)
    if near is None:
        return "there are no allocations"
    if address < near.address:
        return f"the nearest allocation is {near}: it is {near.address - address:,} bytes before it"
    return f"the nearest allocation is {near}: it is {address - near.end:,} bytes behind its end"


def _distance(found: Allocation, address: int) -> int:
    return max(found.address - address, address - found.end, 0)
