"""Threads of launches: each is used again, and none keeps what it has done."""

import gc
import os
import threading
import weakref

import pytest

from wavemma.machine import crew
from wavemma.machine.crew import begin


class Work:
    """Notes the thread that did it."""

    def __init__(self) -> None:
        self.thread = 0

    def do(self) -> None:
        self.thread = threading.get_ident()


def done() -> Work:
    work = Work()
    assert begin(work.do).wait(10)
    return work


def test_an_idle_thread_does_the_next_work() -> None:
    crew._IDLE.clear()
    threads = {done().thread for _ in range(5)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_threads_work_side_by_side() -> None:
    gate = threading.Barrier(3)
    ends = [begin(lambda: gate.wait(10) and None) for _ in range(3)]
    assert all(each.wait(10) for each in ends)


def test_work_that_is_done_is_let_go() -> None:
    found = weakref.ref(done())
    for _ in range(100):
        gc.collect()
        if found() is None:
            return
    raise AssertionError("an idle thread keeps it")


def test_after_a_fault_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    crew._IDLE.clear()

    def fail() -> None:
        raise ZeroDivisionError

    assert begin(fail).wait(10)
    assert not crew._IDLE
    assert done().thread
    assert told


def test_a_child_has_threads_of_its_own() -> None:
    done()
    child = os.fork()
    if child == 0:
        os._exit(0 if begin(Work().do).wait(10) else 1)
    assert os.waitpid(child, 0)[1] == 0
