"""The kernels of a code object, called as functions: `kernels["gemm"][grid, block](a, b, c, n)`."""

import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, SupportsIndex

import msgspec
import numpy as np

from wavemma.errors import FileMistake, LaunchMistake, MemoryMistake
from wavemma.machine.arguments.segment import pointer_places
from wavemma.machine.arguments.signature import Signature
from wavemma.machine.array_arguments import on_device
from wavemma.machine.device import Device
from wavemma.machine.job import Report
from wavemma.machine.load import Module
from wavemma.machine.shared_device import shared_device
from wavemma.objects import code_objects

Sizes = SupportsIndex | Sequence[SupportsIndex]
_GRID_AND_BLOCK = 2


class BoundKernel(msgspec.Struct, frozen=True):
    """A kernel with the shape of its launch: call it with the kernel's arguments."""

    kernel: "LoadedKernel"
    grid: Sizes
    block: Sizes
    dynamic_lds_bytes: int = 0

    def __call__(
        self,
        *arguments: object,
        signature: Signature | None = None,
        seconds: float | None = None,
        ordered: bool = False,
        cooperative: bool = False,
        interpreted: bool = False,
    ) -> Report:
        """Run the kernel and wait for its end.

        Args:
            arguments: One each of the kernel's. Arrays for pointers: NumPy's (and what has DLPack)
                are copied to the device before, and back if they may be written; a `DeviceArray`
                is not copied. Numbers where their types are known; else NumPy scalars.
            signature: Types of the arguments, such as "float*, int", where nothing tells them.
            seconds: How long it may take, compiling included; None for ever.
            ordered: Whether workgroups start in order, on one thread.
            cooperative: Whether all workgroups run side by side, as for a sync of the grid.
            interpreted: Whether to run on NumPy arrays: thousands of times slower, for debugging.

        Returns:
            What it did: host seconds, and how often each block of code ran.

        Raises:
            LaunchMistake: The target cannot do it, or the arguments are others.
            MemoryMistake: There is no room for it.
            KernelFault: The kernel did what it must not; arrays of NumPy are as they were.
            Unsupported: It came to an instruction that cannot be run.
            WatchdogExpired: It took too long.

        """
        device, module, name = self.kernel.device, self.kernel.module, self.kernel.name
        noted = module.found.debug.parameters(name)
        pointers = pointer_places(module.kernel(name).metadata, signature, noted)
        with on_device(device.memory, name, arguments, pointers) as (values, copy_back):
            report = device.launch(
                module,
                name,
                self.grid,
                self.block,
                values,
                dynamic_lds_bytes=self.dynamic_lds_bytes,
                seconds=seconds,
                whole_grid=cooperative,
                ordered=ordered,
                interpreted=interpreted,
                signature=signature,
            )
            copy_back()
        return report


class LoadedKernel(msgspec.Struct, frozen=True):
    """A kernel on a device: index it with grid and block to launch it.

    Attributes:
        name: As in the code object.
        device: Where it runs.
        module: Its code object there.
        owner: Keeps the code object loaded.

    """

    name: str
    device: Device
    module: Module
    owner: object

    def __getitem__(self, shape: tuple[Any, ...]) -> BoundKernel:
        """Choose the launch: `kernel[grid, block]` or `kernel[grid, block, dynamic_lds_bytes]`.

        Args:
            shape: Workgroups, then work-items of one, each a number or up to three; then bytes
                of LDS besides what the kernel declares.

        Raises:
            LaunchMistake: It is neither.

        """
        given = shape if isinstance(shape, tuple) else (shape,)
        if len(given) not in (_GRID_AND_BLOCK, _GRID_AND_BLOCK + 1):
            raise LaunchMistake(
                f"A launch of {self.name} must give grid and block, and LDS bytes if there are"
                f" any: kernel[grid, block] or kernel[grid, block, bytes]; got {len(given)}.",
                subject=len(given),
                hint='For example kernels["gemm"][(8, 8), 128](a, b, c, n).',
            )
        return BoundKernel(self, *given)


class Kernels(Mapping[str, LoadedKernel]):
    """The kernels of a code object that lies on a device, by name.

    Args:
        data: The code object, or a bundle.
        device: Where to put it.

    """

    def __init__(self, data: bytes, device: Device) -> None:
        self.device = device
        self.module = device.load(data)
        self._unloaded = weakref.finalize(self, _unload, self.module)

    def __getitem__(self, name: str) -> LoadedKernel:
        """Find a kernel.

        Args:
            name: Its symbol; or what its source calls it, where only one is so called.

        Raises:
            UnknownName: Offers the nearest names.

        """
        symbol = self.module.found.kernel_called(name).name
        return LoadedKernel(symbol, self.device, self.module, self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.module.found.kernels)

    def __len__(self) -> int:
        return len(self.module.found.kernels)

    def __repr__(self) -> str:
        return f"Kernels({', '.join(self)}; {self.module.found.target})"

    def variable(self, name: str, dtype: Any = np.uint8) -> "np.ndarray[Any, np.dtype[Any]]":  # noqa: ANN401 - NumPy's own
        """Give a variable of the device as a NumPy array; no copy.

        Args:
            name: As in the code object.
            dtype: NumPy type of its elements.

        Raises:
            LaunchMistake: There is none of that name, or its size is no multiple of the type's.

        """
        found = self.module.variables.get(name)
        kind = np.dtype(dtype)
        if found is None or found.size_bytes % kind.itemsize:
            why = (
                "is none of the code object's" if found is None else f"has {found.size_bytes} bytes"
            )
            raise LaunchMistake(
                f"A variable must be one of the code object, of whole elements; {name!r} {why}.",
                subject=name,
                allowed=self.module.variables,
                hint=f"There are: {', '.join(self.module.variables) or 'none'}.",
            )
        shape = (found.size_bytes // kind.itemsize,)
        return self.module.memory.array(found.address, kind, shape)

    def unload(self) -> None:
        """Give its memory back, as happens with the last reference, too."""
        self._unloaded()


def _unload(module: Module) -> None:
    # Closed memory has been given back already.
    with suppress(MemoryMistake):
        module.unload()


def load(
    source: Path | str | bytes, *, target: str | None = None, device: Device | None = None
) -> Kernels:
    """Load a code object: `wavemma.load("k.hsaco")["gemm"][grid, block](a, b, c, n)`.

    Args:
        source: A file, or its bytes: an ELF file, or an offload bundle.
        target: Which code object of a bundle; not needed where there is one.
        device: Where to put it; a device of the code's target that this process shares if None.

    Raises:
        FileMistake: It cannot be read, is damaged, or no code object.
        LaunchMistake: It is for another target than the device.
        MemoryMistake: There is no room.

    """
    data = bytes(source) if isinstance(source, bytes | bytearray) else _read(Path(source))
    if device is None:
        targets = sorted({each.target for each in code_objects(data, target)})
        if len(targets) != 1:
            raise FileMistake(
                "A target must be named where a file holds code for several or none; this one has"
                f" {', '.join(targets) or 'none'}.",
                subject=target,
                allowed=targets,
            )
        device = shared_device(targets[0])
    return Kernels(data, device)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileMistake(
            f"{path} must be a file that can be read: {error.strerror}.", subject=path
        ) from None
