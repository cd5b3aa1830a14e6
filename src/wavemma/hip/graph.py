"""Graphs: work that is noted now and done later, as often as the program wants."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

Work = Callable[[], str | None]
"""Does what a call puts on a stream; gives the name of an error, or None."""


@dataclass(frozen=True)
class Wait:
    """What later work waits for.

    Attributes:
        is_ready: Whether it is there.
        reason: Says what it is, and what is there instead.

    """

    is_ready: Callable[[], bool]
    reason: Callable[[], str]


@dataclass(eq=False)
class Node:
    """One piece of work.

    Attributes:
        kind: The end of its enumerator's name, such as "Kernel".
        work: What it does.
        after: What must be done before.
        wait: What it waits for if it does nothing else; its work then only looks.

    """

    kind: str
    work: Work
    after: list["Node"] = field(default_factory=list)
    wait: Wait | None = None


@dataclass(eq=False)
class Graph:
    """Nodes in the order in which they were added."""

    nodes: list[Node] = field(default_factory=list)

    def add(
        self, kind: str, work: Work, after: Iterable[Node] = (), wait: Wait | None = None
    ) -> Node:
        """Add work, or a wait, that is done after other nodes."""
        node = Node(kind, work, list(after), wait)
        self.nodes.append(node)
        return node

    def remove(self, node: Node) -> None:
        """Take a node out, and what leads from and to it."""
        self.nodes.remove(node)
        for each in self.nodes:
            each.after = [before for before in each.after if before is not node]

    def ordered(self) -> list[Node] | None:
        """Give the nodes so that each is behind those that must be done before; None if none is.

        A node that waits is behind all that need not wait for it: one of those may end the wait.
        """
        ordered: dict[Node, None] = {}
        while len(ordered) < len(self.nodes):
            ready = [
                node
                for node in self.nodes
                if node not in ordered and all(before in ordered for before in node.after)
            ]
            if not ready:
                return None
            ordered |= dict.fromkeys([each for each in ready if not each.wait] or ready[:1])
        return list(ordered)


@dataclass(eq=False)
class Executable:
    """A graph that can be done, as it was when it was made.

    Attributes:
        works: What each of its nodes does, in an order that is right; they can be replaced.

    """

    works: dict[Node, Work]

    def run(self) -> str | None:
        """Do everything; stop at an error."""
        for work in self.works.values():
            error = work()
            if error:
                return error
        return None

    def pieces(self) -> Iterator[Work | Wait]:
        """Give waits and the work between them, in order; behind an error no work does anything."""
        errors: list[str] = []
        for wait, found in groupby(self.works.items(), lambda item: item[0].wait):
            if wait:
                yield wait
            else:
                part = Executable(dict(found))
                yield partial(_unless, errors, part.run)


def _unless(errors: list[str], work: Work) -> str | None:
    """Do work unless there was an error; note its own."""
    error = None if errors else work()
    errors += [error] if error else []
    return error


@dataclass(eq=False)
class Capture:
    """Streams whose work becomes a graph.

    Attributes:
        origin: The stream that began it.
        graph: What has been put on them so far.
        last: For each stream, the nodes that its next one is done after.
        is_valid: Whether no call has spoilt it.

    """

    origin: int
    graph: Graph = field(default_factory=Graph)
    last: dict[int, list[Node]] = field(default_factory=dict)
    is_valid: bool = True

    def add(self, stream: int, kind: str, work: Work, wait: Wait | None = None) -> None:
        """Note work, or a wait, of one of the streams."""
        self.last[stream] = [self.graph.add(kind, work, self.last.get(stream, ()), wait)]

    def join(self, stream: int, nodes: Iterable[Node]) -> None:
        """Let the next work of a stream be done after some nodes, too."""
        own = self.last.setdefault(stream, [])
        own += [node for node in nodes if node not in own]
