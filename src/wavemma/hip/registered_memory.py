"""Memory of the program itself that kernels may reach, at an address of the device.

Kernels reach device memory alone, so each range has a double there: addresses among the arguments
of a launch are exchanged. While a launch runs the program's call waits: what the program wrote is
copied before it, and what kernels wrote behind it.
"""

import ctypes
from dataclasses import dataclass, field

import msgspec
import numpy as np

_WORD = 8


class Range(msgspec.Struct, frozen=True):
    """One range of the program's memory.

    Attributes:
        address: In the program.
        size_bytes: Of it.
        double: Address of its double in device memory.

    """

    address: int
    size_bytes: int
    double: int

    def offset_of(self, address: int) -> int | None:
        """Tell how far in the range an address of the program lies; None if it does not."""
        offset = address - self.address
        return offset if 0 <= offset < self.size_bytes else None


@dataclass
class RegisteredMemory:
    """All ranges, by their address in the program."""

    ranges: dict[int, Range] = field(default_factory=dict)

    def on_device(self, address: int) -> int | None:
        """Give the device's address for one of the program."""
        for each in self.ranges.values():
            offset = each.offset_of(address)
            if offset is not None:
                return each.double + offset
        return None

    def home(self, address: int) -> int:
        """Give the program's address for one of a double; any other as it is."""
        for each in self.ranges.values():
            if 0 <= address - each.double < each.size_bytes:
                return each.address + address - each.double
        return address

    def holds(self, address: int, size_bytes: int) -> bool:
        """Tell whether bytes of the program lie in one range."""
        found = (each.offset_of(address) for each in self.ranges.values())
        ends = (each.address + each.size_bytes for each in self.ranges.values())
        return any(
            offset is not None and address + size_bytes <= end
            for offset, end in zip(found, ends, strict=True)
        )

    def exchanged(self, arguments: bytes) -> bytes:
        """Give arguments of a kernel with the device's addresses for those of the program.

        Args:
            arguments: All bytes; addresses lie at multiples of 8 in them, in records too.

        """
        words = np.frombuffer(arguments[: len(arguments) // _WORD * _WORD], dtype="<u8").copy()
        for each in self.ranges.values():
            inside = words - np.uint64(each.address) < each.size_bytes
            words[inside] += np.uint64((each.double - each.address) % (1 << 64))
        return words.tobytes() + arguments[words.nbytes :]

    def before_launch(self) -> None:
        """Let kernels see what the program wrote."""
        for each in self.ranges.values():
            ctypes.memmove(each.double, each.address, each.size_bytes)

    def after_launch(self) -> None:
        """Let the program see what kernels wrote."""
        for each in self.ranges.values():
            ctypes.memmove(each.address, each.double, each.size_bytes)
