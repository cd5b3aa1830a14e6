"""Nodes of graphs: kernels, copies, fills and calls of the host, as records describe them."""

import ctypes

from wavemma.hip.calls.boxes import box_copy
from wavemma.hip.calls.copies import copy, fill
from wavemma.hip.calls.graphs import add_node, child_work
from wavemma.hip.calls.launches import function_of
from wavemma.hip.calls.places import sizes_at
from wavemma.hip.calls.planned_launch import Shape, from_list, from_pointers, plan_launch
from wavemma.hip.graph import Executable, Node, Work
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

_KERNEL, _MEMSET, _HOST = "hipKernelNodeParams", "hipMemsetParams", "hipHostNodeParams"
_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@answers("hipGraphAddKernelNode")
def add_kernel(
    host: Host, node: int, graph: int, after: int, count: int, record: int
) -> str | None:
    """Add the launch of a kernel; its arguments are copied now."""
    return add_node(host, node, graph, (after, count), "Kernel", _kernel(host, record))


@answers("hipGraphAddMemcpyNode1D")
def add_copy(
    host: Host,
    node: int,
    graph: int,
    after: int,
    count: int,
    target: int,
    source: int,
    size: int,
    kind: int,
) -> str | None:
    """Add a copy of bytes."""

    def work() -> str | None:
        return copy(host, target, source, size, kind)

    return add_node(host, node, graph, (after, count), "Memcpy", work)


@answers("hipGraphAddMemcpyNode")
def add_box_copy(
    host: Host, node: int, graph: int, after: int, count: int, record: int
) -> str | None:
    """Add a copy of a box."""
    return add_node(host, node, graph, (after, count), "Memcpy", box_copy(host, record))


@answers("hipGraphAddMemsetNode")
def add_fill(host: Host, node: int, graph: int, after: int, count: int, record: int) -> str | None:
    """Add a fill of rows."""
    return add_node(host, node, graph, (after, count), "Memset", _fill(host, record))


@answers("hipGraphAddHostNode")
def add_host(host: Host, node: int, graph: int, after: int, count: int, record: int) -> str | None:
    """Add a call of a function of the program."""
    return add_node(host, node, graph, (after, count), "Host", _call(host, record))


@answers("hipGraphAddChildGraphNode")
def add_child(host: Host, node: int, graph: int, after: int, count: int, child: int) -> str | None:
    """Add all that another graph has now."""
    return add_node(host, node, graph, (after, count), "Graph", child_work(host, child))


@answers("hipGraphAddEmptyNode")
def add_empty(host: Host, node: int, graph: int, after: int, count: int) -> str | None:
    """Add a node that only others wait for."""
    return add_node(host, node, graph, (after, count), "Empty", lambda: None)


@answers("hipGraphKernelNodeSetParams")
def set_kernel(host: Host, node: int, record: int) -> str | None:
    """Let a node launch another kernel, or with other arguments."""
    found, work = host.handles.get(node), _kernel(host, record)
    if not isinstance(found, Node) or isinstance(work, str):
        return "hipErrorInvalidValue"
    found.work = work
    return None


@answers("hipGraphExecKernelNodeSetParams")
def set_kernel_of_executable(host: Host, executable: int, node: int, record: int) -> str | None:
    """Let a graph that can be done launch another kernel, or with other arguments."""
    return _replaced(host, executable, node, _kernel(host, record))


@answers("hipGraphExecMemcpyNodeSetParams1D")
def set_copy_of_executable(
    host: Host, executable: int, node: int, target: int, source: int, size: int, kind: int
) -> str | None:
    """Let a graph that can be done copy something else."""
    return _replaced(host, executable, node, lambda: copy(host, target, source, size, kind))


def _replaced(host: Host, executable: int, node: int, work: Work | str) -> str | None:
    graph, found = host.handles.get(executable), host.handles.get(node)
    if not isinstance(graph, Executable) or not isinstance(found, Node) or isinstance(work, str):
        return "hipErrorInvalidValue"
    if found not in graph.works:
        return "hipErrorInvalidValue"
    graph.works[found] = work
    return None


def _kernel(host: Host, record: int) -> Work | str:
    if not record:
        return "hipErrorInvalidValue"

    def value(name: str) -> int:
        return host.field_of(_KERNEL, name, record)

    grid, block = (
        sizes_at(record + host.record_of(_KERNEL, name)[0]) for name in ("gridDim", "blockDim")
    )
    arguments, extra = value("kernelParams"), value("extra")
    take = from_list(extra) if extra else from_pointers(arguments)
    shape = Shape(grid, block, value("sharedMemBytes"))
    return plan_launch(host, function_of(host, value("func")), shape, take)


def _fill(host: Host, record: int) -> Work | str:
    if not record:
        return "hipErrorInvalidValue"
    names = ("dst", "elementSize", "height", "pitch", "value", "width")
    target, size, height, pitch, value, width = (
        host.field_of(_MEMSET, name, record) for name in names
    )
    if size not in (1, 2, 4) or (height > 1 and width * size > pitch):
        return "hipErrorInvalidValue"
    word = (value & (1 << 8 * size) - 1).to_bytes(size, "little")

    def work() -> str | None:
        for row in range(height):
            error = fill(host, target + row * pitch, word, width)
            if error:
                return error
        return None

    return work


def _call(host: Host, record: int) -> Work | str:
    function = host.field_of(_HOST, "fn", record) if record else 0
    if not function:
        return "hipErrorInvalidValue"
    data = host.field_of(_HOST, "userData", record)

    def work() -> None:
        _FUNCTION(function)(data)

    return work
