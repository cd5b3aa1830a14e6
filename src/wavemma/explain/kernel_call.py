"""One launch of a kernel with everything that it needs, and the device that it is put on."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

from wavemma.errors import LaunchMistake
from wavemma.formats.dtypes import Array
from wavemma.machine.arguments.segment import check_count, pointer_places
from wavemma.machine.array_arguments import check_numbers
from wavemma.machine.device import Device
from wavemma.machine.instrument import StoreTrace
from wavemma.machine.job import Report
from wavemma.machine.other_models import Models, checked_models
from wavemma.objects import Argument, CodeObject, Placed, code_objects
from wavemma.tables.targets import Wave, target

_BY_VALUE = "by_value"


class Given(msgspec.Struct, frozen=True):
    """One argument of a kernel.

    Attributes:
        array: For a pointer: what device memory holds before.
        scalar: For a value: a NumPy scalar, an address, or a number where its type is known.
        output: Where a pointer's memory goes afterwards, or None.

    """

    array: Array | None = None
    scalar: np.generic | float | None = None
    output: str | None = None


class KernelCall(msgspec.Struct, frozen=True, kw_only=True):
    """A launch.

    Attributes:
        code: A code object or bundle.
        kernel: Name of the kernel; the only one if "".
        grid: Workgroups along x, y and z.
        block: Work-items of a workgroup along x, y and z.
        given: The arguments, in order.
        target_name: Which code object of a bundle.
        dynamic_lds_bytes: LDS besides what the kernel declares.
        whole_grid: Whether all workgroups must run side by side (cooperative launch).
        ordered: Whether workgroups start in order, on one thread.
        seconds: How long it may take; None for ever.
        interpreted: Whether to run on NumPy arrays, thousands of times slower.
        models: INSTRUCTION=MODEL each: arithmetic models that matrix instructions follow instead
            of their own.

    """

    code: bytes
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    given: tuple[Given, ...]
    target_name: str | None = None
    dynamic_lds_bytes: int = 0
    whole_grid: bool = False
    ordered: bool = False
    seconds: float | None = None
    interpreted: bool = False
    models: tuple[str, ...] = ()


class KernelPlace:
    """A device with the code object and the arrays of a call in its memory.

    Args:
        call: The launch.
        models: Models of instructions besides those of the call.
        cache_folder: Where compiled code is kept; the user's cache folder if None.

    Attributes:
        name: Of the kernel.
        module: Its code object.
        models: Models that instructions follow instead of their own.
        views: Device memory of each argument that is an array, else None.

    Raises:
        FileMistake: The code object is damaged, or none.
        UnknownName: No such kernel.
        LaunchMistake: It takes another number of arguments.

    """

    def __init__(
        self, call: KernelCall, *, models: Models | None = None, cache_folder: Path | None = None
    ) -> None:
        self.call = call
        found = _chosen(call)
        self.name = found.kernel_called(call.kernel).name if call.kernel else _only(found.kernels)
        metadata = found.kernel(self.name).metadata
        check_count(metadata, len(call.given))
        elements = pointer_places(metadata, noted=found.debug.parameters(self.name))
        for position, given in enumerate(call.given):
            if given.array is not None:
                check_numbers(self.name, position, given.array, elements.get(position))
        self.models = {**checked_models(call.models, found.target), **(models or {})}
        self.device = Device(found.target, cache_folder=cache_folder, models=self.models)
        self.module = self.device.load(call.code)
        self._values: list[object] = []
        self.views: list[Array | None] = []
        for position, (each, argument) in enumerate(
            zip(call.given, metadata.explicit, strict=True)
        ):
            self._place(position, each, argument)

    def launch(self, *, models: Models | None = None, trace: StoreTrace | None = None) -> Report:
        """Run the kernel; raises what launches do.

        Args:
            models: Models of this launch; those of the place if None.
            trace: Sees every store.

        """
        call = self.call
        chosen = self.models if models is None else models
        return self.device.launch(
            msgspec.structs.replace(self.module, models=chosen),
            self.name,
            call.grid,
            call.block,
            self._values,
            dynamic_lds_bytes=call.dynamic_lds_bytes,
            seconds=call.seconds,
            whole_grid=call.whole_grid,
            ordered=call.ordered,
            interpreted=call.interpreted,
            trace=trace,
        )

    def restore(self) -> None:
        """Let all memory hold what it held before the first launch."""
        module = self.module
        self.device.memory.write(module.base, module.found.image.at(module.base))
        for given, view in zip(self.call.given, self.views, strict=True):
            if view is not None and given.array is not None:
                view[...] = given.array

    @property
    def wave(self) -> Wave:
        """Lanes of the kernel's waves."""
        return self.module.kernel(self.name).descriptor.wave

    @cached_property
    def listing(self) -> tuple[Placed, ...]:
        """All code of the code object, decoded for the kernel's waves."""
        return self.module.listing(self.wave)

    def _place(self, position: int, given: Given, argument: Argument) -> None:
        """Put an array into device memory, or take it as the bytes of a structure."""
        if given.array is None or not _may_be_pointer(argument):
            self._values.append(self._by_value(position, given, argument))
            self.views.append(None)
            return
        memory, array = self.device.memory, given.array
        name = f"argument {position}" + (f", {given.output}" if given.output else "")
        address = memory.allocate(max(array.nbytes, 1), name)
        view = memory.array(address, array.dtype, array.shape)
        view[...] = array
        self._values.append(address)
        self.views.append(view)

    def _by_value(self, position: int, given: Given, argument: Argument) -> object:
        if given.array is None:
            return given.scalar
        if given.output is not None or given.array.nbytes != argument.size:
            raise LaunchMistake(
                f"Argument {position} of {self.name} must be a value of {argument.size} bytes, or"
                f" an array of so many that is not written; got an array of {given.array.nbytes:,}"
                f" bytes{' to be written' if given.output is not None else ''}.",
                subject=position,
            )
        return given.array.tobytes()


def _may_be_pointer(argument: Argument) -> bool:
    """Tell whether an argument can be a pointer: one inside of a structure has no kind."""
    return argument.value_kind != _BY_VALUE


def _chosen(call: KernelCall) -> CodeObject:
    """Find the code object, and refuse one for another target than was named."""
    found = code_objects(call.code, call.target_name)[0]
    wanted = target(call.target_name).name if call.target_name else found.target
    if found.target != wanted:
        raise LaunchMistake(
            f"The code object must be for {wanted}, as was asked for; it is for {found.target}.",
            subject=wanted,
        )
    return found


def digest_of(array: Array) -> str:
    """Give the SHA-256 of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data).hexdigest()


def _only(kernels: Mapping[str, object]) -> str:
    if len(kernels) != 1:
        raise LaunchMistake(
            f"A kernel must be named where there are {len(kernels)}.",
            subject="",
            allowed=kernels,
            hint=f"They are: {', '.join(kernels)}.",
        )
    return next(iter(kernels))
