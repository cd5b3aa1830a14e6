"""Causes that one output cannot tell apart are all named, and the inputs that can do."""

from typing import Any

import numpy as np
import pytest

from tests.explain.seed import BENCHES, Bench, inputs_of
from wavemma.explain.difference import Diagnosis, diagnose
from wavemma.explain.telling_inputs import telling_inputs
from wavemma.render.terminal import as_text

BY_TARGET = [pytest.param(bench, id=bench.target) for bench in BENCHES]


def _order(size: int) -> Any:
    return np.arange(size).reshape(-1, 2).T.ravel()


def _in_tiles(array: Any, size: int, axis: int) -> Any:
    """Put rows (columns) of each tile into the order of `_order`."""
    order = np.concatenate([start + _order(size) for start in range(0, array.shape[axis], size)])
    return array.take(order, axis=axis)


def _without_c(bench: Bench) -> tuple[Any, Any]:
    inputs, _ = inputs_of(bench, 7)
    return inputs["a"].astype(float), inputs["b"].astype(float)


def _causes(found: Diagnosis) -> str:
    every = [*found.explanations, *found.alternatives]
    return "\n".join(", and ".join(fault.what for fault in each.faults) for each in every)


@pytest.mark.parametrize("given", ["want", "factors"])
@pytest.mark.parametrize("bench", BY_TARGET)
def test_moved_rows_may_be_those_of_a_or_of_d(bench: Bench, given: str) -> None:
    a, b = _without_c(bench)
    m, n, _ = bench.kernel.shape
    typed = {"a": a.astype(bench.dtype), "b": b.astype(bench.dtype)}
    arrays = {"want": a @ b} if given == "want" else typed
    for axis, size, line, letter in ((0, m, "rows", "A"), (1, n, "columns", "B")):
        got = _in_tiles(a @ b, size, axis)
        found = diagnose(bench.target, bench.kernel.op, got, **arrays)
        assert found.verdict == "ambiguous"
        assert f"the {line} of {letter} are loaded in the order 0, 2, 4" in _causes(found)
        assert {"store map", "load map"} <= {
            fault.kind for each in (*found.explanations, *found.alternatives)
            for fault in each.faults
        }  # fmt: skip
        assert all(each.told_by == "inputs" for each in found.alternatives), found.alternatives


@pytest.mark.parametrize("bench", BY_TARGET)
def test_the_inputs_named_tell_moved_rows_apart(bench: Bench) -> None:
    made = telling_inputs(bench.target, bench.kernel.op)
    a, b, c = (made[name].astype(float) for name in "abc")
    m, n, _ = bench.kernel.shape
    for axis, size, letter in ((0, m, "A"), (1, n, "B")):
        factors = [_in_tiles(a, m, 0), b] if letter == "A" else [a, _in_tiles(b, n, 1)]
        loaded = factors[0] @ factors[1] + c
        found = diagnose(bench.target, bench.kernel.op, loaded, **made)
        assert found.verdict == "ambiguous"
        assert f"of {letter} are loaded" in found.alternatives[0].faults[0].what
        # C is right where rows of A are moved, and where C and D share a wrong map.
        assert [found.explanations[0].faults[0].kind] == ["shared map"]
        assert {each.told_by for each in found.alternatives} == {"nothing"}
        stored = diagnose(bench.target, bench.kernel.op, _in_tiles(a @ b + c, size, axis), **made)
        assert stored.verdict == "explained", stored.alternatives
        assert stored.explanations[0].faults[0].kind == "store map"


@pytest.mark.parametrize("bench", BY_TARGET)
def test_exchanged_factors_and_a_transposed_store(bench: Bench) -> None:
    a, b = _without_c(bench)
    m, n, _ = bench.kernel.shape
    want = (a @ b)[:m, :n]
    found = diagnose(bench.target, bench.kernel.op, want.T, want)
    assert "stored with rows and columns exchanged" in _causes(found)
    assert "A and B were passed in each other's place" in _causes(found)
    made = telling_inputs(bench.target, bench.kernel.op)
    product = made["want"] - made["c"].astype(float)
    tiles = product.reshape(2, m, 2, n).swapaxes(1, 3).reshape(2 * m, 2 * n)
    passed = diagnose(bench.target, bench.kernel.op, tiles + made["c"].astype(float), **made)
    assert passed.explanations[0].faults[0].kind == "shared map"
    (other,) = passed.alternatives
    assert "passed in each other's place" in other.faults[0].what
    assert other.told_by == "nothing"


@pytest.mark.parametrize("bench", BY_TARGET)
def test_a_whole_transpose_and_column_major_factors(bench: Bench) -> None:
    a, b = _without_c(bench)
    found = diagnose(bench.target, bench.kernel.op, (a @ b).T, a @ b)
    assert "the whole output is transposed" in _causes(found)
    assert "between row-major and column-major libraries" in _causes(found)
    assert {each.told_by for each in found.alternatives} == {"inputs"}
    made = telling_inputs(bench.target, bench.kernel.op)
    a, b, c = (made[name].astype(float) for name in "abc")
    passed = diagnose(bench.target, bench.kernel.op, b.T @ a.T + c, **made)
    assert passed.verdict == "explained"
    assert "column-major" in passed.explanations[0].faults[0].what


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (np.s_[[3, 7]], ("never stored: rows 3, 7 of each", "zero in each tile: rows 3, 7 of A")),
        (np.s_[:, 5], ("never stored: column 5 of each", "zero in each tile: column 5 of B")),
        (np.s_[8:], ("never stored: rows 8..15 of each", "zero in each tile: rows 8..15 of A")),
        (np.s_[:], ("nothing was written", "A or B is zero everywhere")),
    ],
    ids=("rows", "column", "half", "all"),
)
@pytest.mark.parametrize("bench", [each for each in BENCHES if each.kernel.shape[0] == 16], ids=str)
def test_zeros_may_be_loaded_or_never_stored(bench: Bench, cut: Any, words: Any) -> None:
    a, b = _without_c(bench)
    want = (a @ b)[:16, :16]
    got = want.copy()
    got[cut] = 0
    found = diagnose(bench.target, bench.kernel.op, got, want)
    assert all(word in _causes(found) for word in words), _causes(found)


def test_the_sentence_names_causes_and_inputs() -> None:
    rng = np.random.default_rng(0)
    want = rng.standard_normal((16, 16))
    op = "v_wmma_f32_16x16x16_f16"
    text = " ".join(
        as_text(diagnose("gfx1100", op, want[_order(16)], want), width=80, colour=False).split()
    )
    assert "2 causes cannot be told apart from this output; the likeliest comes first." in text
    assert "likeliest the store loop follows the map of D" in text
    assert "or the rows of A are loaded in the order 0, 2, 4" in text
    assert f"These inputs tell them apart: wavemma diagnose gfx1100 {op} --inputs DIR" in text


def test_what_no_input_tells_apart_is_said() -> None:
    """A k order of A does what its inverse does in B, whatever the numbers are."""
    op, order = "v_wmma_f32_16x16x16_f16", np.arange(16).reshape(2, 2, 4).swapaxes(0, 1).ravel()
    made = telling_inputs("gfx1201", op, steps=3)
    a, b, c = (made[name].astype(float) for name in "abc")
    from_k = np.concatenate([16 * step + order for step in range(3)])
    found = diagnose("gfx1201", op, a[:, from_k] @ b + c, **made)
    assert {each.told_by for each in found.alternatives} == {"nothing"}
    assert {text[:11] for text in _causes(found).splitlines()} == {"A is loaded", "B is loaded"}
    text = " ".join(as_text(found, width=80, colour=False).split())
    assert "--inputs" not in text
    assert "(*) Gives what the first gives with any inputs: only the code can tell." in text


def test_any_inputs_are_claimed_only_where_both_do_the_same() -> None:
    """A sixteenth of the sums is one of 16 steps, or a factor; half of two steps is one of two."""
    op = "v_wmma_f32_16x16x16_f16"
    ones = diagnose("gfx1100", op, np.full((16, 16), 16.0), np.full((16, 16), 256.0))
    assert "only one of 16 steps" in _causes(ones)
    assert "1/16 of what it should be" in _causes(ones)
    made = telling_inputs("gfx1100", op)
    a, b, c = (made[name].astype(float) for name in "abc")
    half = diagnose("gfx1100", op, a[:, :16] @ b[:16] + c, **made)
    assert "step 2 of 2" in _causes(half)
    assert "first half of K" in _causes(half)
    for found in (ones, half):
        assert not {each.told_by for each in found.alternatives} & {"nothing"}
        text = " ".join(as_text(found, width=80, colour=False).split())
        assert "with any inputs" not in text
        assert "with these inputs" in text


def test_c_and_d_of_one_wrong_map_without_c_is_a_store_fault() -> None:
    want = np.random.default_rng(0).standard_normal((16, 16))
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", want[_order(16)], want)
    assert found.explanations[0].faults[0].kind == "store map"
    assert "share" not in _causes(found)


def test_steps_of_ones_need_inputs_of_as_many_steps() -> None:
    op, ones = "v_wmma_f32_16x16x16_f16", np.ones((64, 64), np.float16)
    found = diagnose("gfx1100", op, np.full((64, 64), 48.0), a=ones, b=ones)
    assert (found.verdict, found.steps) == ("ambiguous", 4)
    assert "step 1 of 4" in _causes(found)
    assert "--inputs DIR --steps 4 writes" in " ".join(
        as_text(found, width=80, colour=False).split()
    )
