"""Seeded faults: every one is found and called by its name, and noise is called none of them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.explain.kernel import Kernel, operand, turned
from tests.explain.seed import BENCHES, F16, Bench, Seed, inputs_of
from tests.explain.seeded_loops import loop_seeds
from tests.explain.seeded_numbers import number_seeds
from wavemma.errors import ArrayMistake
from wavemma.explain.check_layout import check_layout
from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs
from wavemma.gemm.matmul import matmul
from wavemma.render.terminal import as_text

pytestmark = pytest.mark.facts

TILE = np.zeros((16, 16))
SEEDS = [*loop_seeds(), *number_seeds()]


@pytest.mark.parametrize("shape", [(0, 16), (16, 0), (0,), (0, 16, 16)])
def test_arrays_without_numbers(shape: tuple[int, ...]) -> None:
    empty, op = np.zeros(shape, np.float32), "v_wmma_f32_16x16x16_f16"
    for arrays in ({"want": empty, "got": TILE}, {"want": TILE, "got": empty}):
        with pytest.raises(ArrayMistake, match=r"Arrays must hold numbers; (want|got), of shape"):
            diagnose("gfx1100", op, **arrays)


def test_there_are_enough_seeds() -> None:
    assert len(SEEDS) >= 120
    assert len({seed.target for seed in SEEDS}) >= 9
    assert len(Counter(kind for seed in SEEDS for kind in seed.kinds)) >= 15


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_every_seeded_fault_is_found_by_its_name(seed: Seed) -> None:
    found = diagnose(seed.target, seed.op, **seed.arrays, wave=seed.wave)
    if seed.kinds == ("none",):
        assert found.verdict == "none"
        return
    assert found.verdict in ("explained", "ambiguous"), found
    best = found.explanations[0]
    assert sorted(fault.kind for fault in best.faults) == sorted(seed.kinds), found
    # Where a fault of A and one of B make the same output, both are named.
    alike = [
        fault for other in found.alternatives for fault in other.faults if fault.kind in seed.kinds
    ]
    assert seed.word in " ".join(fault.what for fault in (*best.faults, *alike)), found
    assert best.share > 0.99 or seed.kinds == ("flat thread",)
    assert all(fault.fix for fault in best.faults)


def _noise() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Outputs that no known fault makes."""
    random = np.random.default_rng(99)
    for bench in BENCHES:
        inputs, want = inputs_of(bench, 900)
        shuffled = random.permutation(want.ravel()).reshape(want.shape)
        rows = want[random.permutation(len(want))]
        yield bench.target, bench.kernel.op, {"got": shuffled, "want": want, **inputs}
        yield bench.target, bench.kernel.op, {"got": rows, "want": want, **inputs}
        yield (
            bench.target,
            bench.kernel.op,
            {"got": random.standard_normal(want.shape), "want": want},
        )


@pytest.mark.parametrize(("target", "op", "arrays"), list(_noise()))
def test_noise_is_none_of_these(target: str, op: str, arrays: dict[str, Any]) -> None:
    found = diagnose(target, op, **arrays)
    assert found.verdict == "none", found.explanations
    assert found.differing == found.tiles


@pytest.mark.parametrize("bench", BENCHES, ids=lambda bench: bench.target)
def test_equal_outputs_are_equal(bench: Bench) -> None:
    inputs, want = inputs_of(bench, 1)
    found = diagnose(bench.target, bench.kernel.op, want.astype(np.float32), want, **inputs)
    assert (found.verdict, found.differing, found.right) == ("equal", 0, 1.0)
    assert not found.repetitive
    # Only subnormals do not show with ordinary numbers.
    assert found.unseen <= 2


def test_case_8() -> None:
    """A gfx12 store loop after a gfx11 WMMA: got[r] = want[(2r mod 16) + r//8]."""
    want = np.random.default_rng(8).standard_normal((16, 16)).astype(np.float32)
    got = want[[(2 * r % 16) + r // 8 for r in range(16)]]
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, want)
    fault = found.explanations[0].faults[0]
    assert (found.verdict, fault.kind, found.explanations[0].share) == (
        "ambiguous",
        "store map",
        1.0,
    )
    assert "gfx1200, gfx1201, wave32" in fault.what
    assert fault.fix == "Store with row = (lane // 16) + 2*v; col = lane % 16"


@pytest.mark.parametrize("given", ["want", "factors"])
def test_case_9(given: str) -> None:
    """One step of K = 16 for a K = 32 product of ones."""
    got = np.full((16, 16), 16.0)
    ones = {"a": np.ones((16, 32), F16), "b": np.ones((32, 16), F16)}
    arrays = {"want": np.full((16, 16), 32.0)} if given == "want" else ones
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, **arrays)
    assert found.repetitive
    fault = found.explanations[0].faults[0]
    assert fault.kind == "k step"
    others = [each for other in found.alternatives for each in other.faults]
    words = " ".join(each.what for each in (fault, *others))
    assert (
        "half of K was never used" if given == "want" else "step 2 of 2 along k (the last)"
    ) in words
    assert "steps of 16" in fault.fix


@pytest.mark.parametrize("constant", [1.0, 0.0])
def test_equal_inputs_of_ones_tell_nothing(constant: float) -> None:
    a, b = np.full((32, 32), constant, F16), np.full((32, 32), constant, F16)
    want = a.astype(float) @ b.astype(float)
    found = diagnose("gfx1201", "v_wmma_f32_16x16x16_f16", want, a=a, b=b)
    assert (found.verdict, found.repetitive) == ("equal", True)
    assert found.unseen >= 5


def test_exact_bits_of_a_target_with_a_fault_are_explained() -> None:
    random = np.random.default_rng(3)
    a, b = (random.standard_normal((64, 64)).astype(F16) for _ in range(2))
    made = matmul(a, b, target="gfx942", op="v_mfma_f32_32x32x8_f16")
    got = np.zeros_like(made)
    own = operand("cdna3", "v_mfma_f32_32x32x8_f16", "D", 64)
    kernel = Kernel("cdna3", "v_mfma_f32_32x32x8_f16", 64, (32, 32, 8))
    for row in (0, 32):
        for column in (0, 32):
            kernel.store(got, made[row : row + 32, column : column + 32], (row, column),
                         map=turned(own.map))  # fmt: skip
    found = diagnose("gfx942", kernel.op, got, a=a, b=b)
    assert found.explanations[0].faults[0].kind == "transpose"


@pytest.mark.parametrize("blocked", ["v_mfma_f32_32x32x4_2b_f16", "v_mfma_f32_4x4x4_16b_f16"])
def test_blocks(blocked: str) -> None:
    made = telling_inputs("gfx942", blocked)
    want, c = made["want"], made["c"].astype(float)
    turned_blocks = np.swapaxes(want, -1, -2)
    first = diagnose("gfx942", blocked, turned_blocks, **made).explanations[0]
    assert [fault.kind for fault in first.faults] == ["transpose"]
    second = diagnose("gfx942", blocked, want - c, **made).explanations[0]
    assert [fault.kind for fault in second.faults] == ["c"]


@pytest.mark.slow
def test_a_fault_of_a_large_matrix_is_found() -> None:
    random = np.random.default_rng(5)
    a, b = (random.standard_normal((4096, 4096)).astype(F16) for _ in range(2))
    want = a.astype(np.float32) @ b.astype(np.float32)
    rows = np.arange(4096)
    local = rows % 16
    got = want[rows - local + (2 * local % 16) + local // 8]
    for arrays in ({"want": want}, {"want": want, "a": a, "b": b}, {"a": a, "b": b}):
        found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, **arrays)
        assert found.explanations[0].faults[0].kind == "store map"
        assert found.tiles == found.differing == 256 * 256


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"got": TILE}, "want must be given, or a and b"),
        ({"got": TILE, "want": np.zeros((16, 32))}, "must have one shape"),
        ({"got": np.zeros((8, 16)), "want": np.zeros((8, 16))}, "a whole tile of 16 x 16"),
        ({"got": np.zeros(16), "want": np.zeros(16)}, "must have shape"),
        ({"got": TILE, "a": TILE[:, :8], "b": TILE[:4]}, "must share K"),
        ({"got": TILE, "a": TILE[:, :8], "b": np.zeros((8, 32))}, "make a matrix"),
        ({"got": TILE, "want": TILE, "a": TILE[:8, :8], "b": TILE[:8]}, "must fit want"),
        ({"got": TILE, "want": TILE, "a": TILE[:, :0], "b": TILE[:0]}, "must hold numbers"),
        ({"got": TILE, "want": TILE, "c": TILE[:, :8]}, "shape of want"),
        ({"got": TILE * 1j, "want": TILE}, "real numbers"),
        ({"got": np.zeros((16, 16), "V3"), "want": TILE}, "numbers of a known type"),
        ({"got": np.full((16, 16), "x"), "want": TILE}, "numbers of one known type"),
    ],
)
def test_arrays_that_do_not_fit(arrays: dict[str, Any], reason: str) -> None:
    with pytest.raises(ArrayMistake) as caught:
        diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", **arrays)
    assert reason in str(caught.value)


def test_a_want_that_is_no_product_is_told() -> None:
    made = telling_inputs("gfx1100", "v_wmma_f32_16x16x16_f16")
    got = made["want"][::-1, ::-1]
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, made["want"] + 1,
                     a=made["a"], b=made["b"], c=made["c"])  # fmt: skip
    assert any("want is not a @ b + c" in note for note in found.notes)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, 1e300])
def test_special_numbers_are_compared_too(special: float) -> None:
    made = telling_inputs("gfx1100", "v_wmma_f32_16x16x16_f16")
    want = made["want"].copy()
    want[::5, ::3] = special
    assert diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", want.copy(), want).verdict == "equal"
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", want.T, want)
    assert found.explanations[0].faults[0].kind == "transpose"


def test_edges_and_batches() -> None:
    want = np.random.default_rng(4).standard_normal((3, 20, 40))
    got = want.copy()
    got[:, :16, :32] = 0
    found = diagnose("gfx1201", "v_wmma_f32_16x16x16_f16", got, want)
    assert (found.tiles, found.differing) == (6, 6)
    assert found.explanations[0].faults[0].kind == "unwritten"
    assert any("Edges" in note for note in found.notes)


def test_elements_that_a_fault_leaves_are_named_in_the_whole_output():
    rng = np.random.default_rng(1)
    want = rng.normal(size=(2, 64, 48))
    permuted = [2 * row % 16 + row // 8 for row in range(16)]
    got = want.reshape(2, 4, 16, 48)[:, :, permuted].reshape(2, 64, 48).copy()
    got[1, 37, 20] += 5
    got[1, 60, 47] *= 3
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, want).explanations[0]
    places = [(each.batch, each.block, each.row, each.column) for each in found.first_left]
    assert (found.left, places) == (2, [(1, 0, 37, 20), (1, 0, 60, 47)])
    text = as_text(
        diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, want), width=80, colour=False
    )
    assert "left       2 elements: D[37][20] of batch 1, D[60][47] of batch 1\n" in text
    assert "explains   over 99.9% of the elements\n" in text


def test_of_several_blocks_the_block_is_named():
    rng = np.random.default_rng(2)
    want = rng.normal(size=(16, 4, 4))
    got = -want
    got[5, 2, 3] = 7
    (found,) = diagnose("gfx942", "v_mfma_f32_4x4x4_16b_f16", got, want).explanations
    assert [(each.block, each.row, each.column) for each in found.first_left] == [(5, 2, 3)]


def test_an_order_of_k_that_block_scales_do_not_share() -> None:
    """CDNA4's lanes hold k 16*g .. 16*g + 15 and 64 more; loops often take 32 neighbours."""
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    made = telling_inputs("gfx950", op)
    a, b, c = (made[name].astype(float) for name in "abc")
    scale_a, scale_b = (2.0 ** (made[f"scale_{side}"].astype(float) - 127) for side in "ab")
    held = np.zeros(128, int)
    for group in range(4):
        for slot in range(32):
            held[slot % 16 + 16 * group + 64 * (slot // 16)] = slot + 32 * group
    order = np.concatenate([held, 128 + held])
    got = (a[:, order] * np.repeat(scale_a, 32, 1)) @ (b[order] * np.repeat(scale_b, 32, 0)) + c
    fault = diagnose("gfx950", op, got, **made).explanations[0].faults[0]
    assert fault.kind == "k order"
    assert fault.what == (
        "A and B are loaded with neighbouring k in each lane, and their block scales in the table's"
        " order"
    )


def test_other_registers_are_no_owner_and_the_formula_is_named() -> None:
    """A plain count of rows is the map of bytes of a sparse B, in four to a register."""
    want = np.random.default_rng(0).standard_normal((32, 32))
    rows = [v % 4 + 4 * half + 8 * (v // 4) for half in range(2) for v in range(16)]
    op, formula = "v_mfma_f32_32x32x8f16", "row = v + 16*(lane // 32); col = lane % 32"
    fault = diagnose("gfx90a", op, want[rows], want).explanations[0].faults[0]
    assert fault.what == f"the store loop follows another map: {formula}"
    assert check_layout("gfx90a", op, "D", formula).owners == ()
    assert check_layout("gfx90a", op, "D", formula.replace("v", "slot")).owners == ()


def test_two_shorter_maps_after_one_another_are_named() -> None:
    """RDNA4's K = 16 holds k 0-3 and 8-11 in the low lanes; on CDNA5 they are 0-7 and 16-23."""
    op, old = "v_wmma_f32_16x16x32_f16", operand("rdna4", "v_wmma_f32_16x16x16_f16", "A", 32)
    bench = next(each for each in BENCHES if each.target == "gfx1250")
    inputs, _ = inputs_of(bench, 3)

    def load(lane: Any, slot: Any) -> Any:
        row, k = old.map(lane, slot % 8)
        return row, k + 16 * (slot // 8)

    a, b, c = (inputs[name].astype(float) for name in "abc")
    found = diagnose("gfx1250", op, bench.kernel.run(a, b, c, load_a=load), **inputs)
    what = found.explanations[0].faults[0].what
    assert "the map of A of v_wmma_f32_16x16x16_f16 on gfx1170" in what
    assert "gfx1201, wave32, 2 of them after one another along k" in what
    made = check_layout("gfx1250", op, "A", lambda lane, slot: load(lane, slot))
    assert (made.owners[0].instruction, made.owners[0].times) == ("v_wmma_f32_16x16x16_f16", 2)
