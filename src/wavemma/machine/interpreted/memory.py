"""What a workgroup on NumPy arrays reaches: device memory, LDS, scratch and its barrier."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wavemma.machine.compiled.state import Fault
from wavemma.machine.memory.apertures import apertures
from wavemma.machine.memory.device_memory import FREED, READABLE, WRITABLE, DeviceMemory
from wavemma.machine.register_moves import Space

if TYPE_CHECKING:
    from wavemma.machine.interpreted.wave import ArrayWave

_HIGH = 32


class Stopped(Exception):
    """A wave did what it must not."""

    def __init__(
        self,
        kind: Fault,
        address: int = 0,
        lane: int = 0,
        size_bytes: int = 0,
        *,
        writes: bool = False,
    ) -> None:
        self.kind = kind
        self.address = address
        self.lane = lane
        self.size_bytes = size_bytes
        self.writes = writes
        super().__init__(kind.name)


class GroupMemory:
    """Memory and barrier of one workgroup.

    Args:
        memory: Device memory.
        lds_bytes: Size of the workgroup's own memory.
        waves: How many waves it has.

    """

    def __init__(self, memory: DeviceMemory, lds_bytes: int, waves: int) -> None:
        self.memory = memory
        self.lds: NDArray[np.uint8] = np.zeros(lds_bytes, dtype=np.uint8)
        self.expected = waves
        self.arrived = 0
        self.phase = 0

    def arrive(self) -> None:
        """Count one wave at the barrier."""
        self.arrived += 1
        self._complete()

    def leave(self) -> None:
        """Expect one wave less, since it has ended."""
        self.expected -= 1
        self._complete()

    def _complete(self) -> None:
        if self.arrived and self.arrived >= self.expected:
            self.arrived = 0
            self.phase += 1

    def read(
        self, wave: "ArrayWave", space: Space, address: int, size_bytes: int, lane: int
    ) -> bytes:
        """Read bytes of one lane.

        Raises:
            Stopped: They lie outside.

        """
        where, place = _resolve(space, address)
        if where == "global":
            self._check(place, size_bytes, lane, READABLE)
            return self.memory.read(place, size_bytes)
        data, index = self._own(wave, where, place, size_bytes, lane)
        return data[index].tobytes()

    def write(self, wave: "ArrayWave", space: Space, address: int, data: bytes, lane: int) -> None:
        """Write bytes of one lane.

        Raises:
            Stopped: They lie outside, or must not be written.

        """
        where, place = _resolve(space, address)
        if where == "global":
            self._check(place, len(data), lane, WRITABLE)
            self.memory.write(place, data)
            return
        own, index = self._own(wave, where, place, len(data), lane, writes=True)
        own[index] = np.frombuffer(data, dtype=np.uint8)

    def _own(
        self,
        wave: "ArrayWave",
        space: Space,
        address: int,
        size_bytes: int,
        lane: int,
        *,
        writes: bool = False,
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Find bytes in LDS or scratch, whose words of all lanes lie side by side."""
        places = np.arange(address, address + size_bytes)
        if space == "lds":
            if address + size_bytes > self.lds.size:
                raise Stopped(Fault.OUTSIDE_LDS, address, lane, size_bytes, writes=writes)
            return self.lds, places
        if address + size_bytes > wave.scratch.size // wave.size:
            raise Stopped(Fault.OUTSIDE_SCRATCH, address, lane, size_bytes, writes=writes)
        return wave.scratch, places // 4 * 4 * wave.size + 4 * lane + places % 4

    def _check(self, address: int, size_bytes: int, lane: int, wanted: int) -> None:
        memory, writes = self.memory, wanted == WRITABLE
        page = (address - memory.start) // 4096
        inside = 0 <= page < memory.pages
        record = memory.records[memory.table[page] if inside else 0]
        held = int(record["start"]) <= address and address + size_bytes <= int(record["end"])
        if not held:
            raise Stopped(Fault.OUT_OF_RANGE, address, lane, size_bytes, writes=writes)
        flags = int(record["flags"])
        if not flags & wanted:
            kind = Fault.FREED if flags & FREED else Fault.READ_ONLY
            raise Stopped(kind, address, lane, size_bytes, writes=writes)


def _resolve(space: Space, address: int) -> tuple[Space, int]:
    """Find the space that a generic address lies in."""
    if space != "flat":
        return space, address
    high, low = address >> _HIGH, address & (1 << _HIGH) - 1
    if high == apertures()["shared_base"]:
        return "lds", low
    if high == apertures()["private_base"]:
        return "scratch", low
    return "global", address
