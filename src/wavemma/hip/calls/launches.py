"""Launches of kernels, by host function or by module function."""

from wavemma.hip.calls.events import Event
from wavemma.hip.calls.places import sizes_at
from wavemma.hip.calls.planned_launch import (
    Shape,
    Sizes,
    from_list,
    from_pointers,
    plan_launch,
)
from wavemma.hip.graph import Work
from wavemma.hip.host import Function, Host
from wavemma.hip.interface import plans


@plans("Kernel", "hipLaunchKernel")
def launch_kernel(
    host: Host, stub: int, grid: int, block: int, arguments: int, dynamic: int, _stream: int
) -> Work | str:
    """Launch the kernel that a host function stands for."""
    shape = Shape(sizes_at(grid), sizes_at(block), dynamic)
    return plan_launch(host, host.functions.get(stub), shape, from_pointers(arguments))


@plans("Kernel", "hipLaunchCooperativeKernel")
def launch_cooperative(
    host: Host, stub: int, grid: int, block: int, arguments: int, dynamic: int, _stream: int
) -> Work | str:
    """Launch with all blocks side by side."""
    shape = Shape(sizes_at(grid), sizes_at(block), dynamic, whole_grid=True)
    return plan_launch(host, host.functions.get(stub), shape, from_pointers(arguments))


@plans("Kernel", "hipExtLaunchKernel")
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
) -> Work | str:
    """Launch, and record an event before and after."""
    shape = Shape(sizes_at(grid), sizes_at(block), dynamic)
    work = plan_launch(host, host.functions.get(stub), shape, from_pointers(arguments))
    return _between(host, start, stop, work)


@plans("Kernel", "hipModuleLaunchKernel")
def launch_of_module(host: Host, handle: int, *numbers: int) -> Work | str:
    """Launch a function of a module."""
    dynamic, _stream, arguments, extra = numbers[6:]
    shape = Shape(_three(numbers[:3]), _three(numbers[3:6]), dynamic)
    take = from_list(extra) if extra else from_pointers(arguments)
    return plan_launch(host, function_of(host, handle), shape, take)


@plans("Kernel", "hipModuleLaunchCooperativeKernel")
def launch_cooperative_of_module(host: Host, handle: int, *numbers: int) -> Work | str:
    """Launch a function of a module with all blocks side by side."""
    dynamic, _stream, arguments = numbers[6:]
    shape = Shape(_three(numbers[:3]), _three(numbers[3:6]), dynamic, whole_grid=True)
    return plan_launch(host, function_of(host, handle), shape, from_pointers(arguments))


@plans("Kernel", "hipExtModuleLaunchKernel")
def launch_of_module_between_events(host: Host, handle: int, *numbers: int) -> Work | str:
    """Launch a function of a module; the size of the grid is in threads."""
    items, block, rest = numbers[:3], numbers[3:6], numbers[6:]
    dynamic, _stream, arguments, extra, start, stop, _flags = rest
    if any(threads == 0 or each % threads for each, threads in zip(items, block, strict=True)):
        host.complain(f"A grid of {items} threads must be whole blocks of {block}.")
        return "hipErrorInvalidConfiguration"
    x, y, z = (each // threads for each, threads in zip(items, block, strict=True))
    take = from_list(extra) if extra else from_pointers(arguments)
    shape = Shape((x, y, z), _three(block), dynamic)
    return _between(host, start, stop, plan_launch(host, function_of(host, handle), shape, take))


def function_of(host: Host, handle: int) -> Function | None:
    """Find a function by the handle of a module's function, or by its host function."""
    found = host.handles.get(handle)
    return found if isinstance(found, Function) else host.functions.get(handle)


def _three(numbers: tuple[int, ...]) -> Sizes:
    x, y, z = numbers
    return x, y, z


def _between(host: Host, start: int, stop: int, work: Work | str) -> Work | str:
    """Record an event before work and one behind it."""
    if isinstance(work, str):
        return work

    def recorded() -> str | None:
        _record(host, start)
        error = work()
        _record(host, stop)
        return error

    return recorded


def _record(host: Host, event: int) -> None:
    found = host.handles.get(event)
    if isinstance(found, Event):
        found.seconds = host.seconds()
