"""Graphs: made node by node or by a capture, and done as often as the program wants."""

from collections.abc import Sequence
from functools import partial

from wavemma.hip.calls.places import pointer_at, put_int, put_pointer
from wavemma.hip.calls.streams import stream_of
from wavemma.hip.declarations import enumerators
from wavemma.hip.graph import Executable, Graph, Node, Wait, Work
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

_WORD = 8


@answers("hipGraphCreate")
def create(host: Host, graph: int, _flags: int) -> str | None:
    """Make a graph without nodes."""
    return _made(host, graph, Graph())


@answers("hipGraphDestroy")
def destroy(host: Host, graph: int) -> str | None:
    """Forget a graph."""
    return _forgotten(host, graph, Graph)


@answers("hipGraphExecDestroy")
def destroy_executable(host: Host, executable: int) -> str | None:
    """Forget a graph that can be done."""
    return _forgotten(host, executable, Executable)


@answers("hipGraphClone")
def clone(host: Host, copy: int, graph: int) -> str | None:
    """Copy a graph."""
    found = host.handles.get(graph)
    if not isinstance(found, Graph):
        return "hipErrorInvalidValue"
    copies = {node: Node(node.kind, node.work, wait=node.wait) for node in found.nodes}
    for node, own in copies.items():
        own.after = [copies[before] for before in node.after]
    return _made(host, copy, Graph(list(copies.values())))


@answers("hipGraphInstantiate", "hipGraphInstantiateWithFlags")
def instantiate(host: Host, executable: int, graph: int, *_others: int) -> str | None:
    """Put the nodes of a graph in an order in which they can be done."""
    found = host.handles.get(graph)
    ordered = found.ordered() if isinstance(found, Graph) else None
    if ordered is None:
        return "hipErrorInvalidValue"
    return _made(host, executable, Executable({node: node.work for node in ordered}))


@answers("hipGraphLaunch")
def launch(host: Host, executable: int, stream: int) -> str | None:
    """Do everything that a graph holds."""
    found = host.handles.get(executable)
    if not isinstance(found, Executable):
        return "hipErrorInvalidValue"
    if stream_of(host, stream) is None:
        return "hipErrorInvalidHandle"
    if stream in host.captures:
        return host.put(stream, "Graph", found.run)
    for piece in found.pieces():
        if isinstance(piece, Wait):
            host.hold(stream, piece)
        elif error := host.put(stream, "Graph", piece):
            return error
    return None


@answers("hipGraphUpload")
def upload(host: Host, executable: int, _stream: int) -> str | None:
    """Check a graph: there is nowhere to bring it to."""
    found = host.handles.get(executable)
    return None if isinstance(found, Executable) else "hipErrorInvalidValue"


@answers("hipGraphGetNodes")
def get_nodes(host: Host, graph: int, nodes: int, count: int) -> str | None:
    """List the nodes, or count them."""
    found = host.handles.get(graph)
    if not isinstance(found, Graph):
        return "hipErrorInvalidValue"
    return _listed(host, found.nodes, nodes, count)


@answers("hipGraphGetRootNodes")
def get_root_nodes(host: Host, graph: int, nodes: int, count: int) -> str | None:
    """List the nodes that need no other, or count them."""
    found = host.handles.get(graph)
    if not isinstance(found, Graph):
        return "hipErrorInvalidValue"
    return _listed(host, [node for node in found.nodes if not node.after], nodes, count)


@answers("hipGraphNodeGetDependencies")
def get_dependencies(host: Host, node: int, nodes: int, count: int) -> str | None:
    """List what must be done before a node, or count it."""
    found = host.handles.get(node)
    if not isinstance(found, Node):
        return "hipErrorInvalidValue"
    return _listed(host, found.after, nodes, count)


@answers("hipGraphNodeGetType")
def get_type(host: Host, node: int, kind: int) -> str | None:
    """Tell what a node does."""
    found = host.handles.get(node)
    if not isinstance(found, Node) or not kind:
        return "hipErrorInvalidValue"
    put_int(kind, enumerators()[f"hipGraphNodeType{found.kind}"])
    return None


@answers("hipGraphDestroyNode")
def destroy_node(host: Host, node: int) -> str | None:
    """Take a node out of its graph."""
    found = host.handles.pop(node, None)
    if not isinstance(found, Node):
        return "hipErrorInvalidValue"
    for each in host.handles.values():
        if isinstance(each, Graph) and found in each.nodes:
            each.remove(found)
    return None


@answers("hipGraphAddDependencies")
def add_dependencies(host: Host, graph: int, before: int, after: int, count: int) -> str | None:
    """Let nodes be done after others, pair by pair."""
    first, second = _nodes(host, before, count), _nodes(host, after, count)
    if first is None or second is None or not isinstance(host.handles.get(graph), Graph):
        return "hipErrorInvalidValue"
    for one, other in zip(first, second, strict=True):
        other.after.append(one)
    return None


def add_node(
    host: Host, node: int, graph: int, after: Sequence[int], kind: str, work: Work | str
) -> str | None:
    """Add a node.

    Args:
        host: The state.
        node: Where its handle goes.
        graph: Handle of the graph.
        after: Address and number of the handles of what must be done before.
        kind: What it does.
        work: How; the name of an error if it cannot be done.

    """
    found, before = host.handles.get(graph), _nodes(host, *after)
    if not isinstance(found, Graph) or before is None or not node:
        return "hipErrorInvalidValue"
    if isinstance(work, str):
        return work
    put_pointer(node, host.new_handle(found.add(kind, work, before)))
    return None


def child_work(host: Host, graph: int) -> Work | str:
    """Give the work of all nodes that a graph has now."""
    found = host.handles.get(graph)
    ordered = found.ordered() if isinstance(found, Graph) else None
    if ordered is None:
        return "hipErrorInvalidValue"
    return partial(Executable.run, Executable({node: node.work for node in ordered}))


def _made(host: Host, place: int, what: object) -> str | None:
    if not place:
        return "hipErrorInvalidValue"
    put_pointer(place, host.new_handle(what))
    return None


def _forgotten(host: Host, handle: int, kind: type) -> str | None:
    if not isinstance(host.handles.get(handle), kind):
        return "hipErrorInvalidValue"
    del host.handles[handle]
    return None


def _nodes(host: Host, place: int, count: int) -> list[Node] | None:
    """Read handles of nodes; None if one is none."""
    found = [host.handles.get(pointer_at(place + _WORD * n)) for n in range(count)]
    nodes = [each for each in found if isinstance(each, Node)]
    return nodes if len(nodes) == count else None


def _listed(host: Host, nodes: Sequence[Node], place: int, count: int) -> str | None:
    """Write handles as far as there is room, and how many there are."""
    if not count:
        return "hipErrorInvalidValue"
    if place:
        handles = {each: handle for handle, each in host.handles.items() if isinstance(each, Node)}
        for number, node in enumerate(nodes[: pointer_at(count)]):
            handle = handles.get(node) or host.new_handle(node)
            put_pointer(place + _WORD * number, handle)
    put_pointer(count, len(nodes))
    return None
