"""Launches of kernels, by host function or by module function."""

from collections.abc import Callable

from wavemma.errors import LaunchMistake, MemoryMistake, UnknownName
from wavemma.hip.calls.events import Event
from wavemma.hip.calls.places import bytes_at, pointer_at, sizes_at
from wavemma.hip.device_printing import HEADER_BYTES, formats_of, printed
from wavemma.hip.host import Function, Host, LaunchRecord
from wavemma.hip.interface import answers
from wavemma.objects import KernelMetadata

_PRINTF = "hidden_printf_buffer"
_PRINT_BYTES = 4 << 20
# The keys of the list that may stand instead of an array of arguments.
_BUFFER, _SIZE, _END = 1, 2, 3

Sizes = tuple[int, int, int]


def launch(
    host: Host,
    function: Function | None,
    grid: Sizes,
    block: Sizes,
    arguments: Callable[[KernelMetadata], bytes],
    dynamic_bytes: int,
    *,
    whole_grid: bool = False,
) -> str | None:
    """Run a kernel to its end, print what it printed, and count its time.

    Args:
        host: The state.
        function: The kernel; None is told as an error.
        grid: Blocks.
        block: Threads of a block.
        arguments: Gives the bytes of the arguments.
        dynamic_bytes: Dynamic shared memory.
        whole_grid: Whether all blocks must run side by side.

    """
    if function is None:
        return "hipErrorInvalidDeviceFunction"
    try:
        kernel = function.kernel
        module = function.image.module
        found = kernel.metadata
        hidden = _print_buffer(host, found)
        try:
            ran = host.device.launch(
                module,
                function.name,
                grid,
                block,
                arguments(found),
                dynamic_lds_bytes=dynamic_bytes,
                seconds=host.watchdog_seconds,
                whole_grid=whole_grid,
                hidden=hidden,
            )
        finally:
            if hidden:
                _print(host, module.found.printf)
    except (LaunchMistake, UnknownName, MemoryMistake) as error:
        host.complain(str(error))
        return "hipErrorInvalidConfiguration"
    cycles, seconds = host.time_of(module, kernel, ran)
    host.modelled_seconds += seconds
    total = int(ran.block_counts.sum())
    host.launches.append(
        LaunchRecord(function.name, grid, block, ran.seconds, seconds, cycles, total)
    )
    return None


@answers("hipLaunchKernel")
def launch_kernel(
    host: Host, stub: int, grid: int, block: int, arguments: int, dynamic: int, _stream: int
) -> str | None:
    """Launch the kernel that a host function stands for."""
    take = _from_pointers(arguments)
    return launch(host, host.functions.get(stub), sizes_at(grid), sizes_at(block), take, dynamic)


@answers("hipLaunchCooperativeKernel")
def launch_cooperative(
    host: Host, stub: int, grid: int, block: int, arguments: int, dynamic: int, _stream: int
) -> str | None:
    """Launch with all blocks side by side."""
    take = _from_pointers(arguments)
    function = host.functions.get(stub)
    blocks, threads = sizes_at(grid), sizes_at(block)
    return launch(host, function, blocks, threads, take, dynamic, whole_grid=True)


@answers("hipExtLaunchKernel")
def launch_between_events(
    host: Host,
    stub: int,
    grid: int,
    block: int,
    arguments: int,
    dynamic: int,
    _stream: int,
    start: int,
    stop: int,
    _flags: int,
) -> str | None:
    """Launch, and record an event before and after."""
    _record(host, start)
    take = _from_pointers(arguments)
    error = launch(host, host.functions.get(stub), sizes_at(grid), sizes_at(block), take, dynamic)
    _record(host, stop)
    return error


@answers("hipModuleLaunchKernel")
def launch_of_module(
    host: Host,
    handle: int,
    *numbers: int,
) -> str | None:
    """Launch a function of a module."""
    grid, block, rest = numbers[:3], numbers[3:6], numbers[6:]
    dynamic, _stream, arguments, extra = rest
    take = _from_list(extra) if extra else _from_pointers(arguments)
    function = _function(host, handle)
    return launch(host, function, _three(grid), _three(block), take, dynamic)


@answers("hipModuleLaunchCooperativeKernel")
def launch_cooperative_of_module(host: Host, handle: int, *numbers: int) -> str | None:
    """Launch a function of a module with all blocks side by side."""
    grid, block, rest = numbers[:3], numbers[3:6], numbers[6:]
    dynamic, _stream, arguments = rest
    take = _from_pointers(arguments)
    function = _function(host, handle)
    return launch(host, function, _three(grid), _three(block), take, dynamic, whole_grid=True)


@answers("hipExtModuleLaunchKernel")
def launch_of_module_between_events(host: Host, handle: int, *numbers: int) -> str | None:
    """Launch a function of a module; the size of the grid is in threads."""
    items, block, rest = numbers[:3], numbers[3:6], numbers[6:]
    dynamic, _stream, arguments, extra, start, stop, _flags = rest
    if any(threads == 0 or each % threads for each, threads in zip(items, block, strict=True)):
        host.complain(f"A grid of {items} threads must be whole blocks of {block}.")
        return "hipErrorInvalidConfiguration"
    x, y, z = (each // threads for each, threads in zip(items, block, strict=True))
    _record(host, start)
    take = _from_list(extra) if extra else _from_pointers(arguments)
    error = launch(host, _function(host, handle), (x, y, z), _three(block), take, dynamic)
    _record(host, stop)
    return error


def _function(host: Host, handle: int) -> Function | None:
    """Find a function by the handle of a module's function, or by its host function."""
    found = host.handles.get(handle)
    return found if isinstance(found, Function) else host.functions.get(handle)


def _three(numbers: tuple[int, ...]) -> Sizes:
    x, y, z = numbers
    return x, y, z


def _from_pointers(arguments: int) -> Callable[[KernelMetadata], bytes]:
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


def _from_list(extra: int) -> Callable[[KernelMetadata], bytes]:
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


def _record(host: Host, event: int) -> None:
    found = host.handles.get(event)
    if isinstance(found, Event):
        found.seconds = host.seconds()


def _print_buffer(host: Host, found: KernelMetadata) -> dict[str, int]:
    """Empty the buffer that a kernel prints into, if it prints."""
    if all(each.value_kind != _PRINTF for each in found.hidden):
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
