"""Graphs that wait in between: order, and what an error leaves undone."""

from collections.abc import Callable

from wavemma.hip.graph import Executable, Graph, Wait, Work


def noted(done: list[str], name: str, error: str | None = None) -> Work:
    def work() -> str | None:
        done.append(name)
        return error

    return work


def made(graph: Graph) -> Executable:
    ordered = graph.ordered()
    assert ordered is not None
    return Executable({node: node.work for node in ordered})


def test_waits_come_behind_all_that_does_not_need_them() -> None:
    done: list[str] = []
    graph, wait = Graph(), Wait(lambda: True, str)
    first = graph.add("Empty", noted(done, "look"), (), wait)
    graph.add("Kernel", noted(done, "behind"), [first])
    other = graph.add("Kernel", noted(done, "other"))
    graph.add("Memset", noted(done, "writes"), [other])
    found: list[Work | Wait] = list(made(graph).pieces())
    assert [each is wait for each in found] == [False, True, False]
    assert run(found) == [None, None]
    assert done == ["other", "writes", "behind"]


def test_an_error_before_a_wait_ends_the_graph() -> None:
    done: list[str] = []
    graph = Graph()
    first = graph.add("Kernel", noted(done, "fails", "hipErrorUnknown"))
    second = graph.add("Empty", noted(done, "look"), [first], Wait(lambda: True, str))
    graph.add("Kernel", noted(done, "behind"), [second])
    pieces = list(made(graph).pieces())
    assert run(pieces) == ["hipErrorUnknown", None]
    assert done == ["fails"]
    # Another launch begins anew.
    assert run(list(made(graph).pieces()))[0] == "hipErrorUnknown"


def run(pieces: list[Work | Wait]) -> list[str | None]:
    works: list[Callable[[], str | None]] = [p for p in pieces if not isinstance(p, Wait)]
    return [work() for work in works]
