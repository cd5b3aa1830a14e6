"""Sparse products against the exact twin, and what A may be."""

from typing import Any

import numpy as np
import pytest

from tests.execute.rule_map import rule_of
from tests.gemm.test_matmul import bits, drawn
from tests.twin import dot, same
from wavemma.errors import ArrayMistake, Unsupported
from wavemma.gemm.matmul import matmul, multiply
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import architectures

SPARSE = [
    instruction
    for architecture in architectures()
    for instruction in catalog.of_architecture(architecture)
    if instruction.is_matrix and instruction.is_sparse
]
LOOPING = [each for each in SPARSE if each.formats["c"] == each.formats["d"]]
UNSIGNED = {"signed_a": True, "signed_b": True}


def sparse_a(
    generator: np.random.Generator, rows: int, k: int, format: str
) -> tuple[Any, Any, Any]:
    """A dense A with two numbers in each four, those numbers, and where they stand."""
    groups = k // 4
    order = generator.random((rows, groups, 4)).argsort(axis=-1)[..., :2]
    positions = np.sort(order, axis=-1).astype(np.uint8).reshape(rows, groups * 2)
    kept = drawn(generator, (rows, groups * 2), format)
    kept[kept == 0] = np.ones(1).astype(kept.dtype)[0]
    dense = np.zeros((rows, k), kept.dtype)
    places = np.repeat(np.arange(groups), 2) * 4 + positions
    np.put_along_axis(dense, places, kept, axis=1)
    return dense, kept, positions


def twin_element(
    instruction: Instruction, wave: int, formats: dict[str, str], a: Any, b: Any, c: int
) -> tuple[str, int]:
    """One element by the twin: kept products in order, instruction by instruction."""
    rule, options = rule_of(instruction, wave, formats)
    if formats["a"] in ("i8", "iu8", "iu4"):
        options |= UNSIGNED
    depth = instruction.shape[2] // 2
    short = -len(a) % depth
    left, right = [*map(int, a), *[0] * short], [*map(int, b), *[0] * short]
    for first in range(0, len(left), depth):
        part = slice(first, first + depth)
        c = dot(
            rule, left[part], right[part], c,
            a_format=formats["a"], b_format=formats["b"],
            c_format=formats["d"], d_format=formats["d"], **options,
        )  # fmt: skip
    return rule, c


def test_counts() -> None:
    assert len(SPARSE) == 78
    assert len(LOOPING) == 77


def check_row(instruction: Instruction, wave: Any) -> None:
    generator = np.random.default_rng(sum(map(ord, instruction.name)))
    m, n, k = instruction.shape
    formats = {role: instruction.formats[role][0] for role in "abcd"}
    dense, kept, positions = sparse_a(generator, m + 2, k + 4, formats["a"])
    b, c = (
        drawn(generator, (k + 4, n + 3), formats["b"]),
        drawn(generator, (m + 2, n + 3), formats["c"]),
    )
    common = {"target": instruction.targets[-1], "op": instruction.name, "wave": wave}
    got = bits(matmul(dense, b, c, **common), formats["d"])
    packed = bits(matmul(kept, b, c, positions=positions, **common), formats["d"])
    assert np.array_equal(got, packed)
    codes_a, codes_b, codes_c = (
        bits(kept, formats["a"]),
        bits(b, formats["b"]),
        bits(c, formats["c"]),
    )
    chosen = np.repeat(np.arange((k + 4) // 4), 2) * 4 + positions
    for _ in range(10):
        i, j = int(generator.integers(m + 2)), int(generator.integers(n + 3))
        column = codes_b[chosen[i], j]
        rule, want = twin_element(
            instruction, wave, formats, codes_a[i], column, int(codes_c[i, j])
        )
        kinds = {f"{role}_format": formats[role] for role in "abd"}
        assert same(rule, int(got[i, j]), want, **kinds)


@pytest.mark.parametrize("instruction", LOOPING[::7], ids=lambda i: f"{i.architecture}-{i.name}")
def test_row_equals_the_twin(instruction: Instruction) -> None:
    check_row(instruction, instruction.waves[-1])


@pytest.mark.slow
@pytest.mark.parametrize("instruction", LOOPING, ids=lambda i: f"{i.architecture}-{i.name}")
def test_row_equals_the_twin_in_every_wave(instruction: Instruction) -> None:
    for wave in instruction.waves:
        check_row(instruction, wave)


def test_pruning_keeps_the_largest_two() -> None:
    a = np.array([[1, -3, 2, 0.5, 0, 0, 7, 0]], np.float16)
    b = np.eye(8, dtype=np.float16)
    with pytest.raises(ArrayMistake, match=r"may have 2 elements[^\n]*\n.*prune=True"):
        matmul(a, b, target="gfx1201", op="v_swmmac_f32_16x16x32_f16")
    got = matmul(a, b, target="gfx1201", op="v_swmmac_f32_16x16x32_f16", prune=True)
    assert got.tolist() == [[0, -3, 2, 0, 0, 0, 7, 0]]
    assert np.array_equal(got, matmul(a, b, target="gfx1201", prune=True))


@pytest.mark.parametrize(("kind", "kept"), [(np.uint8, [255, 0, 3, 0]), (np.int8, [0, 2, 3, 0])])
def test_pruning_reads_bytes_as_their_type_does(kind: type, kept: list[int]) -> None:
    a = np.array([[255, 2, 3, 1]], np.uint8).view(kind)
    got = matmul(a, np.eye(4, dtype=kind), target="gfx1201", prune=True)
    assert got.tolist() == [kept]


def test_plan_of_a_sparse_product() -> None:
    a = np.zeros((20, 100), np.float16)
    plan = multiply(a, a.T, target="gfx942", prune=True).plan
    assert plan.is_sparse
    assert plan.instruction.startswith("v_smfmac")
    assert (plan.m, plan.n, plan.k) == (20, 20, 100)
    assert plan.steps == -(-100 // plan.shape[2])


def test_batches_and_any_k() -> None:
    generator = np.random.default_rng(1)
    dense, kept, positions = sparse_a(generator, 18, 40, "f16")
    b = generator.standard_normal((3, 40, 5)).astype(np.float16)
    got = matmul(kept, b, target="gfx950", positions=positions)
    assert got.shape == (3, 18, 5)
    for n in range(3):
        assert np.array_equal(got[n], matmul(dense, b[n], target="gfx950", prune=True))
    odd = matmul(dense[:, :37], b[0, :37], target="gfx950", prune=True)
    want = matmul(dense[:, :37].astype(np.float64), b[0, :37].astype(np.float64), target="gfx942")
    assert np.allclose(odd, want, rtol=1e-3, atol=1e-3)
    assert matmul(dense[:0], b[0], target="gfx950", prune=True).shape == (0, 5)
    nothing = matmul(dense[:, :0], b[0, :0], target="gfx950", prune=True)
    assert not nothing.any()


MISTAKES = [
    ({"positions": np.zeros((2, 4), np.uint8)}, ArrayMistake, "must ascend; those of group 0"),
    ({"positions": np.full((2, 4), 4)}, ArrayMistake, "positions must be 0..3; given 4 to 4"),
    ({"positions": np.zeros((2, 3), np.uint8)}, ArrayMistake, "of the shape of the packed A"),
    ({"positions": np.zeros((2, 4))}, ArrayMistake, "positions must be integers"),
    ({"prune": True, "k_order": "contiguous"}, Unsupported, "calculator's order"),
    ({"prune": True, "op": "v_wmma_f32_16x16x16_f16"}, ArrayMistake, "is a dense instruction"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "error", "sentence"), MISTAKES)
def test_mistakes(options: dict[str, Any], error: type[Exception], sentence: str) -> None:
    kept, b = np.ones((2, 4), np.float16), np.ones((8, 3), np.float16)
    with pytest.raises(error, match=sentence):
        matmul(kept if "positions" in options else b.T, b, target="gfx1201", **options)


def test_targets_without_sparse_rows() -> None:
    a = np.zeros((4, 4), np.float16)
    with pytest.raises(ArrayMistake, match="gfx1100 has no sparse instruction"):
        matmul(a, a, target="gfx1100", prune=True)
    with pytest.raises(ArrayMistake, match=r"A \[M, K/2\].*must fit together"):
        matmul(a, a, target="gfx1201", positions=a.astype(np.uint8))


def test_kept_elements_are_not_pruned_again() -> None:
    kept, places = np.ones((1, 2), np.float16), np.array([[0, 3]])
    with pytest.raises(ArrayMistake, match="prune is for a dense A"):
        matmul(kept, np.ones((4, 1), np.float16), target="gfx942", positions=places, prune=True)
