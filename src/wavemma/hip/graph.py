"""Graphs: work that is noted now and done later, as often as the program wants."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Work = Callable[[], str | None]
"""Does what a call puts on a stream; gives the name of an error, or None."""


@dataclass(eq=False)
class Node:
    """One piece of work.

    Attributes:
        kind: The end of its enumerator's name, such as "Kernel".
        work: What it does.
        after: What must be done before.

    """

    kind: str
    work: Work
    after: list["Node"] = field(default_factory=list)


@dataclass(eq=False)
class Graph:
    """Nodes in the order in which they were added."""

    nodes: list[Node] = field(default_factory=list)

    def add(self, kind: str, work: Work, after: Iterable[Node] = ()) -> Node:
        """Add work that is done after other nodes."""
        node = Node(kind, work, list(after))
        self.nodes.append(node)
        return node

    def remove(self, node: Node) -> None:
        """Take a node out, and what leads from and to it."""
        self.nodes.remove(node)
        for each in self.nodes:
            each.after = [before for before in each.after if before is not node]

    def ordered(self) -> list[Node] | None:
        """Give the nodes so that each is behind those that must be done before; None if none is."""
        ordered: dict[Node, None] = {}
        while len(ordered) < len(self.nodes):
            ready = [
                node
                for node in self.nodes
                if node not in ordered and all(before in ordered for before in node.after)
            ]
            if not ready:
                return None
            ordered |= dict.fromkeys(ready)
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

    def add(self, stream: int, kind: str, work: Work) -> None:
        """Note work of one of the streams."""
        self.last[stream] = [self.graph.add(kind, work, self.last.get(stream, ()))]

    def join(self, stream: int, nodes: Iterable[Node]) -> None:
        """Let the next work of a stream be done after some nodes, too."""
        own = self.last.setdefault(stream, [])
        own += [node for node in nodes if node not in own]
