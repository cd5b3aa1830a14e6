"""Products from several threads at once, and in a forked process."""

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

import numpy as np
import pytest

from wavemma.engines.jit import Jit
from wavemma.errors import OutOfRange
from wavemma.formats.format import number_format
from wavemma.gemm.parallel import Workers, thread_count
from wavemma.gemm.run import product
from wavemma.numerics.dot import dot
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

F16, F32 = number_format("f16"), number_format("f32")
GIVEN = Setting(F16, F16, F32, F32)
NAMES = ["complement_2", "paired_4", "truncated_8", "flush_4"]


def operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    draw = [rng.standard_normal((40, 40)).astype(np.float16).view(np.uint16) for _ in "ab"]
    return draw[0][:, :32], draw[1][:32]


def run(name: str, jit: Jit) -> np.ndarray:
    a, b = operands()
    return product(a, b, model=model(name), setting=GIVEN, k_step=32, jit=jit, threads=2)


def test_threads_share_a_compiler() -> None:
    a, b = operands()
    jit = Jit()
    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(lambda name: run(name, jit), NAMES * 6))
    start = np.zeros((40, 40), dtype=np.uint32)
    for number, name in enumerate(NAMES * 6):
        assert np.array_equal(got[number], dot(model(name), GIVEN, a, b, start))


def in_child(jit: Jit, answer: Connection) -> None:
    answer.send([run(name, jit) for name in NAMES])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes fork on POSIX only")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_goes_on() -> None:
    """What the parent compiled serves the child, and the child compiles more."""
    jit = Jit()
    want = run(NAMES[0], jit)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=in_child, args=(jit, sender))
    child.start()
    assert receiver.poll(60)
    got = receiver.recv()
    child.join(60)
    assert child.exitcode == 0
    assert np.array_equal(got[0], want)


def test_workers_keep_the_order_of_items() -> None:
    for threads in (1, 3):
        with Workers(threads) as workers:
            assert workers.map(lambda item: item * item, range(20)) == [n * n for n in range(20)]
            assert workers.map(lambda item: item, [5]) == [5]


def test_workers_pass_errors_on() -> None:
    with pytest.raises(ZeroDivisionError), Workers(2) as workers:
        workers.map(lambda item: 1 // item, [1, 0, 2])


def test_thread_count() -> None:
    assert thread_count(None) >= 1
    assert thread_count(7) == 7
    with pytest.raises(OutOfRange, match="1 or more, got 0"):
        thread_count(0)
