"""Mistakes in a product's call that once gave wrong bits, a hang or another error."""

import os
import threading
import time
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.facts import facts_json
from wavemma.engines.jit import Jit
from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats import number_format
from wavemma.gemm.block_scales import BlockScales, Quantise
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


@pytest.mark.parametrize(
    "more",
    [
        {"prune": True},
        {"positions": np.broadcast_to(np.uint8(1), (2_000_000, 1_000_000))},
        {"scales": BlockScales()},
        {"scales": Quantise("fp4", "fp4")},
    ],
    ids=["pruned", "packed", "scaled", "quantised"],
)
def test_a_large_a_is_refused_before_anything_is_made_of_it(more: dict[str, Any]) -> None:
    one = np.ones((1, 1), ml_dtypes.float8_e4m3fn)
    deep = 1_000_000 if "positions" in more else 2_000_000
    a, b = np.broadcast_to(one, (2_000_000, deep)), np.broadcast_to(one, (2_000_000, 1))
    with pytest.raises(ArrayMistake, match=r"needs [24],000\.0 GB .* this machine has"):
        matmul(a, b, target="gfx950", **more)


F64 = np.ones((4, 4))
FP8 = np.ones((4, 4), ml_dtypes.float8_e4m3fnuz)
# What is asked, and who takes it: instructions.json says which rows have the types.
WHO_TAKES_IT = [
    ({"target": "gfx1100"}, F64, "Targets that have one: gfx90a, gfx942, gfx950, gfx1251."),
    ({"target": "gfx1251", "prune": True}, F64, "No target has one."),
    ({"target": "gfx90a"}, FP8, "Targets that have one: gfx942."),
    ({"target": "gfx950", "prune": True}, FP8, "Targets that have one: gfx942."),
    ({"target": "gfx942", "op": "v_mfma_f32_16x16x16_f16"}, F64,
     "Of gfx942 these take them: v_mfma_f64_16x16x4_f64, v_mfma_f64_4x4x4_4b_f64."),
    ({"target": "gfx908", "op": "v_mfma_f32_16x16x16f16"}, F64,
     "Targets that have one: gfx90a, gfx942, gfx950, gfx1251."),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "given", "sentence"), WHO_TAKES_IT)
def test_a_type_that_is_not_taken_is_told_with_who_takes_it(
    asked: dict[str, Any], given: np.ndarray, sentence: str
) -> None:
    with pytest.raises(ArrayMistake) as caught:
        matmul(given, given, **asked)
    assert sentence in str(caught.value)


@pytest.mark.facts
def test_those_are_the_rows_of_the_facts() -> None:
    rows = facts_json("instructions")["instructions"]
    f64 = [row for row in rows if row.get("types", {}).get("A") == "f64"]
    assert {t for row in f64 for t in row["targets"]} == {"gfx90a", "gfx942", "gfx950", "gfx1251"}
    assert not any(row["sparse"] for row in f64)
    names = {row["mnemonic"] for row in f64 if row["arch"] == "cdna3"}
    assert names == {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_4x4x4_4b_f64"}
    fnuz = {t for row in rows if row.get("fp8_variant") == "fnuz" for t in row["targets"]}
    assert fnuz == {"gfx942"}


def test_threads_are_counted_in_whole_numbers() -> None:
    ones = np.ones((2, 2), np.float16)
    for wrong in (0, 1.5):
        with pytest.raises(OutOfRange, match="threads must be a whole number, 1 or more"):
            matmul(ones, ones, target="gfx942", threads=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"scales": (F16, F16)},
            r"scales must be a .*BlockScales or .*Quantise; a tuple was given",
        ),
        ({"tile": (64, 64)}, r"tile must be a .*TilePolicy; a tuple was given"),
        ({"tile": "64x64"}, r"tile must be a .*TilePolicy; a str was given"),
    ],
)
def test_what_is_given_in_place_of_a_record_is_refused(given: dict, said: str) -> None:
    with pytest.raises(ArrayMistake, match=said):
        matmul(F16, F16, target="gfx1100", **given)
