"""A stand-in for the machine: kernels by name, in NumPy, and a process that runs programs on it."""

import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from wavemma.errors import KernelFault, WatchdogExpired
from wavemma.hip.process import run_program
from wavemma.hip.program import Order
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.load import Module, load
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.objects import listing
from wavemma.tables.targets import target


class Ran(NamedTuple):
    seconds: float
    block_counts: np.ndarray


class NumpyDevice:
    """Runs kernels that are written below; `scale` is `a[i] = a[i] * factor + blocks`."""

    def __init__(self, target_name: str, memory: DeviceMemory) -> None:
        self.memory = memory
        self.target = target(target_name)

    def load(self, data: bytes) -> Module:
        return load(data, self.memory, self.target.name)

    def launch(
        self,
        module: Module,
        name: str,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: Sequence[object] | bytes,
        **_options: object,
    ) -> Ran:
        assert isinstance(arguments, bytes)
        kernel = next(known for known in KERNELS if known in name)
        KERNELS[kernel](self.memory, grid, block, arguments)
        wave = module.kernel(name).descriptor.wave
        count = len(code_of(listing(module.found, wave), wave).blocks)
        return Ran(0.25, np.zeros(count, dtype=np.uint64))


def scale(memory: DeviceMemory, grid: tuple[int, ...], block: tuple[int, ...], data: bytes) -> None:
    address, factor, count = struct.unpack_from("<Qfi", data)
    values = memory.array(address, np.float32, (count,))
    blocks = np.arange(count) // block[0]
    assert blocks.max(initial=0) < grid[0]
    values[:] = values * np.float32(factor) + np.float32(grid[0])


def breaks(memory: DeviceMemory, *_: object) -> None:
    raise KernelFault("breaks: reads or writes 4 bytes at 0x10, outside of every allocation.")


def loops(memory: DeviceMemory, *_: object) -> None:
    raise WatchdogExpired("loops ran for 1 s without an end.")


def confuses(memory: DeviceMemory, *_: object) -> None:
    raise ZeroDivisionError("a fault in the machine")


KERNELS: dict[str, Callable[..., None]] = {
    "scale": scale,
    "breaks": breaks,
    "loops": loops,
    "confuses": confuses,
}


def main() -> None:
    order = msgspec.json.decode(
        sys.argv[1].encode(), type=Order, dec_hook=lambda _, text: Path(text)
    )
    run_program(order, lambda memory: NumpyDevice(order.target, memory))


if __name__ == "__main__":
    main()
