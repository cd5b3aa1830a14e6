"""Mistakes in a product's call that once gave wrong bits, a hang or another error."""

import os
import threading
import time
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.engines.jit import Jit
from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats import number_format
from wavemma.gemm.block_scales import BlockScales
from wavemma.gemm.matmul import matmul
from wavemma.gemm.run import product
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

F16 = np.ones((32, 32), np.float16)


@pytest.mark.parametrize("order", ["contigous", "x", None, 3])
@pytest.mark.parametrize("target", ["gfx1201", "gfx1100"])
def test_a_misspelt_order_is_refused(order: Any, target: str) -> None:
    with pytest.raises(OutOfRange, match="k_order must be calculator or contiguous"):
        matmul(F16, F16, target=target, k_order=order)


def test_more_than_the_memory_is_refused() -> None:
    tall = np.ones((1, 1), np.float16)
    a, b = np.broadcast_to(tall, (2_000_000, 1)), np.broadcast_to(tall, (1, 2_000_000))
    with pytest.raises(ArrayMistake, match=r"needs 16,000\.0 GB .* this machine has"):
        matmul(a, b, target="gfx1100")


def test_the_other_byte_order_is_the_same_numbers() -> None:
    generator = np.random.default_rng(4)
    a = generator.standard_normal((24, 24)).astype(np.float16)
    want = matmul(a, a, target="gfx942")
    got = matmul(a.astype(">f2"), a, target="gfx942")
    assert np.array_equal(got.view(np.uint32), want.view(np.uint32))


def test_a_fork_while_another_thread_compiles_can_compile() -> None:
    """Ten times: the child of a fork must not wait for a lock that nobody holds."""
    for _ in range(10):
        started = threading.Event()
        thread = threading.Thread(target=compile_fresh, args=(started,))
        thread.start()
        started.wait()
        child = os.fork()
        if child == 0:
            compile_fresh(threading.Event())
            os._exit(0)
        thread.join()
        assert ended(child), "the child hangs"


def compile_fresh(started: threading.Event) -> None:
    started.set()
    f16, f32 = number_format("f16"), number_format("f32")
    setting = Setting(f16, f16, f32, f32, depth=16)
    codes = F16.view(np.uint16)
    product(codes, codes, model=model("complement_2"), setting=setting, k_step=16, jit=Jit())


def ended(child: int) -> bool:
    for _ in range(600):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status == 0
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


@pytest.mark.parametrize("more", [{"prune": True}, {"scales": BlockScales()}])
def test_more_than_the_memory_is_refused_in_every_form(more: dict[str, Any]) -> None:
    tall = np.ones((1, 1), ml_dtypes.float8_e4m3fn)
    a, b = np.broadcast_to(tall, (2_000_000, 1)), np.broadcast_to(tall, (1, 2_000_000))
    with pytest.raises(ArrayMistake, match=r"needs 16,000\.0 GB .* this machine has"):
        matmul(a, b, target="gfx950", **more)
