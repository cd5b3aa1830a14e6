"""Launches as work: what is copied when a call plans one, and what happens when it is done."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from wavemma.errors import LaunchMistake, MemoryMistake, UnknownName
from wavemma.hip.calls.places import bytes_at, pointer_at
from wavemma.hip.device_heap import HEAP, heap_bytes
from wavemma.hip.device_printing import HEADER_BYTES, formats_of, printed
from wavemma.hip.graph import Work
from wavemma.hip.host import Function, Host, LaunchRecord
from wavemma.machine.geometry import Geometry
from wavemma.objects import KernelMetadata

_PRINTF = "hidden_printf_buffer"
_PRINT_BYTES = 4 << 20
# The keys of the list that may stand instead of an array of arguments.
_BUFFER, _SIZE, _END = 1, 2, 3
_REFUSED = "hipErrorInvalidConfiguration"

Sizes = tuple[int, int, int]
Take = Callable[[KernelMetadata], bytes]
"""Gives the bytes of the arguments that a kernel takes."""


class Shape(NamedTuple):
    """How a kernel is launched.

    Attributes:
        grid: Blocks.
        block: Threads of a block.
        dynamic_bytes: Dynamic shared memory.
        whole_grid: Whether all blocks must run side by side.

    """

    grid: Sizes
    block: Sizes
    dynamic_bytes: int
    whole_grid: bool = False


def plan_launch(host: Host, function: Function | None, shape: Shape, take: Take) -> Work | str:
    """Copy the arguments of a launch; the work runs the kernel to its end.

    Args:
        host: The state.
        function: The kernel; None is told as an error.
        shape: How it is launched.
        take: Gives its arguments.

    """
    if function is None:
        return "hipErrorInvalidDeviceFunction"
    try:
        data = take(function.kernel.metadata)
    except (LaunchMistake, UnknownName) as error:
        host.complain(str(error))
        return _REFUSED
    return partial(_launch, host, function, shape, data)


def _launch(host: Host, function: Function, shape: Shape, data: bytes) -> str | None:
    """Run a kernel, print what it printed, and count its time."""
    try:
        kernel, module = function.kernel, function.image.module
        hidden = {**_print_buffer(host, kernel.metadata), **_heap(host, kernel.metadata)}
        host.registered.before_launch()
        # Which memory is registered counts when the launch begins, not when it is planned.
        data = host.registered.exchanged(data)
        try:
            ran = host.device.launch(
                module,
                function.name,
                shape.grid,
                shape.block,
                data,
                dynamic_lds_bytes=shape.dynamic_bytes,
                seconds=host.watchdog_seconds,
                whole_grid=shape.whole_grid,
                hidden=hidden,
            )
        finally:
            host.registered.after_launch()
            if _PRINTF in hidden:
                _print(host, module.found.printf)
    except (LaunchMistake, UnknownName, MemoryMistake) as error:
        host.complain(str(error))
        return _REFUSED
    cycles, seconds = host.time_of(module, kernel, ran, Geometry(shape.grid, shape.block))
    host.modelled_seconds += seconds
    total = int(ran.block_counts.sum())
    host.launches.append(
        LaunchRecord(function.name, shape.grid, shape.block, ran.seconds, seconds, cycles, total)
    )
    return None


def from_pointers(arguments: int) -> Take:
    """Read each argument at its own pointer, in the size that the kernel has for it."""

    def take(found: KernelMetadata) -> bytes:
        data = bytearray(found.kernarg_segment_size)
        if found.explicit and not arguments:
            raise LaunchMistake(f"{found.name} takes arguments; none were passed.")
        for place, each in enumerate(found.explicit):
            pointer = pointer_at(arguments + 8 * place)
            data[each.offset : each.offset + each.size] = bytes_at(pointer, each.size)
        return bytes(data)

    return take


def from_list(extra: int) -> Take:
    """Read the arguments from one buffer that a list of keys and values names."""

    def take(found: KernelMetadata) -> bytes:
        values: dict[int, int] = {}
        place = extra
        while (key := pointer_at(place)) != _END:
            values[key] = pointer_at(place + 8)
            place += 16
        if _BUFFER not in values or _SIZE not in values:
            raise LaunchMistake(f"The list of {found.name}'s arguments has no buffer or no size.")
        size = min(pointer_at(values[_SIZE]), found.kernarg_segment_size)
        return bytes_at(values[_BUFFER], size)

    return take


def _has(found: KernelMetadata, kind: str) -> bool:
    return any(each.value_kind == kind for each in found.hidden)


def _heap(host: Host, found: KernelMetadata) -> dict[str, int]:
    """Give the memory that kernels allocate from: the same one to all that ask for it."""
    if not _has(found, HEAP):
        return {}
    if not host.heap:
        size = host.heap_bytes
        host.heap = host.memory.allocate(size, "heap of kernels")
        host.memory.write(host.heap, heap_bytes(size))
    return {HEAP: host.heap}


def _print_buffer(host: Host, found: KernelMetadata) -> dict[str, int]:
    """Empty the buffer that a kernel prints into, if it prints."""
    if not _has(found, _PRINTF):
        return {}
    if not host.print_buffer:
        host.print_buffer = host.memory.allocate(HEADER_BYTES + _PRINT_BYTES, "printf buffer")
    header = (0).to_bytes(4, "little") + _PRINT_BYTES.to_bytes(4, "little")
    host.memory.write(host.print_buffer, header)
    return {_PRINTF: host.print_buffer}


def _print(host: Host, noted: tuple[str, ...]) -> None:
    used = int.from_bytes(host.memory.read(host.print_buffer, 4), "little")
    if not used:
        return
    data = host.memory.read(host.print_buffer + HEADER_BYTES, min(used, _PRINT_BYTES))
    for each in printed(data, formats_of(noted)):
        host.write(each.text, each.is_error)
    if used > _PRINT_BYTES:
        host.complain(
            f"A kernel may print {_PRINT_BYTES:,} bytes of formats and arguments; this one printed"
            " more, which is lost."
        )
