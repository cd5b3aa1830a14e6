"""Policies: each instruction gives one, a user's own runs in the same kernel, wrong ones too."""

import dataclasses
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.gemm.test_matmul import DENSE, bits, drawn
from wavemma.clang_builtins.call import builtin
from wavemma.errors import ArrayMistake, OutOfRange, Unsupported
from wavemma.gemm.instruction_policy import InstructionPolicy, is_plain, policy_of
from wavemma.gemm.lane_kernel import run_lanes
from wavemma.gemm.matmul import matmul, multiply
from wavemma.gemm.policies import ComputePolicy, TilePolicy, smallest_tile
from wavemma.isa.instruction import Instruction

WmmaRdna3F16Policy = policy_of("v_wmma_f32_16x16x16_f16", "gfx1100")

A = np.random.default_rng(0).standard_normal((40, 50)).astype(np.float16)
B = np.random.default_rng(1).standard_normal((50, 33)).astype(np.float16)
C = np.random.default_rng(2).standard_normal((40, 33)).astype(np.float32)


class HandWritten(ComputePolicy):
    """The policy of the tutorial, by the builtin and the formulas that people write."""

    thread_tile_m = 16
    thread_tile_n = 16
    effective_lanes = 32
    k_step = 16

    def zero(self, lane: int) -> Any:
        return np.zeros(8, np.float32)

    def load_a(self, tile_a: Any, lane: int) -> Any:
        return tile_a[lane % 16]

    def load_b(self, tile_b_t: Any, lane: int) -> Any:
        return tile_b_t[lane % 16]

    def mma(self, accumulator: Any, a: Any, b: Any) -> Any:
        return builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", target="gfx1100")(
            a, b, accumulator
        )

    def store_c(self, tile_c: Any, accumulator: Any, lane: int) -> None:
        for g in range(8):
            tile_c[2 * g + lane // 16, lane % 16] = accumulator[g]


class WrongStore(HandWritten):
    """The store loop of gfx12 behind the instruction of gfx11: case 8."""

    def store_c(self, tile_c: Any, accumulator: Any, lane: int) -> None:
        for g in range(8):
            tile_c[g + 8 * (lane // 16), lane % 16] = accumulator[g]


class Scalar(ComputePolicy):
    """One lane, plain multiply-adds, without any matrix instruction."""

    thread_tile_m = 8
    thread_tile_n = 8
    effective_lanes = 1
    k_step = 4

    def zero(self, lane: int) -> Any:
        return np.zeros(64, np.float32)

    def load_a(self, tile_a: Any, lane: int) -> Any:
        return tile_a.reshape(32, -1)

    def load_b(self, tile_b_t: Any, lane: int) -> Any:
        return tile_b_t.reshape(32, -1)

    def mma(self, accumulator: Any, a: Any, b: Any) -> Any:
        left = a.reshape(*a.shape[:-1], 8, 4).astype(np.float32)
        right = b.reshape(*b.shape[:-1], 8, 4).astype(np.float32)
        made = np.einsum("...ik,...jk->...ij", left, right)
        return accumulator + made.reshape(accumulator.shape)

    def store_c(self, tile_c: Any, accumulator: Any, lane: int) -> None:
        tile_c[...] = accumulator.reshape(8, 8, -1)


def check_row(instruction: Instruction, wave: Any) -> None:
    generator = np.random.default_rng(sum(map(ord, instruction.name)))
    target = instruction.targets[0]
    pair = [instruction.formats[role][-1] for role in ("a", "b")]
    policy = policy_of(instruction.name, target, wave=wave, a=pair[0], b=pair[1])
    m, n, k = policy.thread_tile_m, policy.thread_tile_n, policy.k_step
    a, b = drawn(generator, (m + 3, k + 2), pair[0]), drawn(generator, (k + 2, n + 1), pair[1])
    c = drawn(generator, (m + 3, n + 1), instruction.formats["c"][0])
    got = run_lanes(a, b, c, smallest_tile(policy), policy)
    want = matmul(a, b, c, target=target, op=instruction.name, wave=wave)
    form = instruction.formats["d"][0]
    assert np.array_equal(bits(got, form), bits(want, form))


@pytest.mark.parametrize("instruction", DENSE[::11], ids=lambda i: f"{i.architecture}-{i.name}")
def test_a_row_gives_a_policy(instruction: Instruction) -> None:
    check_row(instruction, instruction.waves[-1])


@pytest.mark.slow
@pytest.mark.parametrize("instruction", DENSE, ids=lambda i: f"{i.architecture}-{i.name}")
def test_every_row_gives_a_policy(instruction: Instruction) -> None:
    for wave in instruction.waves:
        check_row(instruction, wave)


def test_the_policy_of_the_tutorial_is_one_line() -> None:
    policy = WmmaRdna3F16Policy
    sizes = (policy.thread_tile_m, policy.thread_tile_n, policy.effective_lanes, policy.k_step)
    assert sizes == (16, 16, 32, 16)
    assert is_plain(policy)
    fast = matmul(A, B, C, target="gfx1100", compute=policy)
    assert np.array_equal(fast.view(np.uint32), matmul(A, B, C, target="gfx1100").view(np.uint32))


def test_a_hand_written_policy_has_the_same_bits() -> None:
    made = multiply(A, B, C, target="gfx1100", compute=HandWritten())
    want = matmul(A, B, C, target="gfx1100")
    assert np.array_equal(made.d.view(np.uint32), want.view(np.uint32))
    assert (made.plan.instruction, made.plan.model) == ("HandWritten", "own")
    assert (made.plan.model_grade, made.plan.cycles, made.plan.registers) == ("unknown", None, None)


def test_case_8_a_wrong_store_loop() -> None:
    a, b = A[:16, :48], B[:48, :16]
    want = matmul(a, b, target="gfx1100")
    got = matmul(a, b, target="gfx1100", compute=WrongStore())
    rows = np.arange(16)
    assert np.array_equal(got, want[(2 * rows % 16) + rows // 8])


def test_case_9_half_of_k_is_never_used() -> None:
    ones = np.ones((16, 32), np.float16)
    wrong = dataclasses.replace(WmmaRdna3F16Policy, k_step=32)
    assert not is_plain(wrong)
    assert (matmul(ones, ones.T, target="gfx1100", compute=wrong) == 16).all()
    assert (matmul(ones, ones.T, target="gfx1100", compute=WmmaRdna3F16Policy) == 32).all()
    # It is the first half of each 32, whatever the numbers are.
    a, b = A[:16, :32], B[:32, :16]
    got = matmul(a, b, target="gfx1100", compute=wrong)
    want = matmul(a[:, :16], b[:16], target="gfx1100")
    assert np.array_equal(got.view(np.uint32), want.view(np.uint32))
    assert not np.array_equal(got, matmul(a, b, target="gfx1100"))


def test_an_instruction_s_policy_with_one_part_changed() -> None:
    class Swapped(InstructionPolicy):
        def load_a(self, tile_a: Any, lane: int) -> Any:
            return super().load_a(tile_a, lane ^ 1)

    fields = {f.name: getattr(WmmaRdna3F16Policy, f.name) for f in dataclasses.fields(Swapped)}
    made = multiply(A, B, target="gfx1100", compute=Swapped(**fields))
    swapped = np.zeros((48, 50), np.float16)
    swapped[:40] = A
    swapped = swapped[np.arange(48) ^ 1]
    want = matmul(swapped, B, target="gfx1100")[:40]
    assert np.array_equal(made.d.view(np.uint32), want.view(np.uint32))
    assert made.plan.instruction == "v_wmma_f32_16x16x16_f16"


def test_a_policy_without_a_matrix_instruction() -> None:
    a = np.random.default_rng(3).integers(-9, 9, (20, 30)).astype(np.float32)
    b = np.random.default_rng(4).integers(-9, 9, (30, 11)).astype(np.float32)
    tile = TilePolicy(32, 32, 8)
    made = multiply(a, b, target="gfx1100", tile=tile, compute=Scalar())
    assert np.array_equal(made.d, a @ b)
    assert made.plan.blocking is not None
    assert (made.plan.blocking.waves_per_block, made.plan.blocking.threads_per_block) == (16, 16)


def test_tiles_of_the_tutorial() -> None:
    a, b = np.ones((100, 70), np.float16), np.ones((70, 64), np.float16)
    tile = TilePolicy(32, 32, 32, num_buffers=2)
    plan = multiply(a, b, target="gfx1100", tile=tile).plan
    assert plan.blocking is not None
    assert plan.blocking.blocks == 4 * 2
    assert (plan.blocking.waves_per_block, plan.blocking.threads_per_block) == (4, 128)
    assert plan.blocking.lds_bytes == (32 + 32) * 32 * 2 * 2
    assert (plan.waves, plan.steps, plan.instructions) == (32, 6, 192)
    assert plan.cycles == 6 * 32


def test_k_runs_to_the_end_of_a_staged_tile() -> None:
    a = np.array([[0.0]], np.float16)
    c = np.array([[-0.0]], np.float32)
    tile = TilePolicy(32, 32, 64)
    for target in ("gfx1100", "gfx1201", "gfx90a", "gfx942"):
        policy = policy_of(multiply(a, a, target=target).plan.instruction, target)
        slow = run_lanes(a, a, c, tile, policy)
        fast = matmul(a, a, c, target=target, tile=tile)
        assert np.array_equal(slow.view(np.uint32), fast.view(np.uint32))


def test_orders_batches_and_types() -> None:
    generator = np.random.default_rng(5)
    a = generator.standard_normal((2, 1, 20, 40)).astype(ml_dtypes.bfloat16)
    b = generator.standard_normal((3, 40, 17)).astype(ml_dtypes.bfloat16)
    op = "v_wmma_f32_16x16x16_bf16"
    policy = policy_of(op, "gfx1201", k_order="contiguous")
    want = matmul(a, b, target="gfx1201", op=op, k_order="contiguous")
    assert np.array_equal(matmul(a, b, target="gfx1201", compute=policy), want)
    fields = {f.name: getattr(policy, f.name) for f in dataclasses.fields(policy)}

    class Same(InstructionPolicy):
        """Nothing changed, but no longer plain."""

    got = matmul(a, b, target="gfx1201", compute=Same(**fields))
    assert np.array_equal(got.view(np.uint32), want.view(np.uint32))


MISTAKES = [
    ({"tile": TilePolicy(24, 32, 16)}, OutOfRange, "block_tile_m must be a multiple of 16"),
    ({"tile": TilePolicy(32, 32, 8)}, OutOfRange, "k_tile_size must be a multiple of 16"),
    ({"tile": TilePolicy(256, 256, 128)}, OutOfRange, "at most 65,536 bytes of LDS"),
    ({"tile": TilePolicy(128, 128, 16)}, OutOfRange, "at most 1,024 threads"),
    ({"compute": policy_of("v_wmma_f32_16x16x16_f16", "gfx1201")}, ArrayMistake, "of gfx1201"),
    ({"compute": WmmaRdna3F16Policy, "op": "v_wmma_f16_16x16x16_f16"}, ArrayMistake, "Leave op"),
    ({"compute": policy_of("v_wmma_f32_16x16x16_bf16", "gfx1100")}, ArrayMistake, "A in bf16"),
]


@pytest.mark.parametrize(("options", "error", "sentence"), MISTAKES)
def test_mistakes(options: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        matmul(A, B, target="gfx1100", **options)


def test_policies_that_do_not_hold_together() -> None:
    class ShortLoad(HandWritten):
        def load_a(self, tile_a: Any, lane: int) -> Any:
            return tile_a[lane % 16, : 8 + lane % 2]

    class OtherType(HandWritten):
        def mma(self, accumulator: Any, a: Any, b: Any) -> Any:
            return accumulator.astype(np.float64)

    with pytest.raises(ArrayMistake, match="load_a must give"):
        matmul(A, B, target="gfx1100", compute=ShortLoad())
    with pytest.raises(ArrayMistake, match="mma must give an accumulator as it got it"):
        matmul(A, B, target="gfx1100", compute=OtherType())
    with pytest.raises(ArrayMistake, match="C must have the accumulator's type float32"):
        matmul(A, B, C.astype(np.float64), target="gfx1100", compute=HandWritten())
    with pytest.raises(OutOfRange, match="block_tile_m must be positive"):
        TilePolicy(0, 16, 16)
    with pytest.raises(OutOfRange, match="num_buffers must be 1 or 2"):
        TilePolicy(16, 16, 16, 3)
    with pytest.raises(Unsupported, match="cannot run in a loop"):
        policy_of("v_swmmac_f32_16x16x32_f16", "gfx1201")
    with pytest.raises(OutOfRange, match="waves of 64"):
        policy_of("v_mfma_f32_16x16x16_f16", "gfx942", wave=32)


class _Own(InstructionPolicy):
    """Nothing changed, but it runs lane by lane."""


def _both(policy: InstructionPolicy) -> list[InstructionPolicy]:
    return [policy, _Own(**{f.name: getattr(policy, f.name) for f in dataclasses.fields(policy)})]


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx1250"])
def test_integers_are_read_by_the_sign_of_the_policy_or_refused(target: str) -> None:
    a, b = np.array([[-1, -2]], np.int8), np.array([[255], [3]], np.uint8)
    op = {"gfx1250": "v_wmma_i32_16x16x64_iu8"}.get(target, "v_wmma_i32_16x16x16_iu8")
    for policy in _both(policy_of(op, target, signed=(True, False))):
        assert matmul(a, b, target=target, compute=policy).tolist() == [[-255 - 6]]
    for policy in _both(policy_of(op, target)):
        with pytest.raises(ArrayMistake, match="takes B as signed integers; uint8 is unsigned"):
            matmul(a, b, target=target, compute=policy)
        assert matmul(a, b.view(np.int8), target=target, compute=policy).tolist() == [[1 - 6]]


def test_elements_of_another_format_are_refused_in_every_way_to_run() -> None:
    for policy in _both(WmmaRdna3F16Policy):
        with pytest.raises(ArrayMistake, match="takes A in f16; given f32/xf32"):
            matmul(A.astype(np.float32), B, target="gfx1100", compute=policy)


def test_what_is_no_policy_is_refused() -> None:
    class Half(HandWritten):
        k_step = 1.5  # type: ignore[assignment]

    for wrong in (HandWritten, 3):
        with pytest.raises(ArrayMistake, match="compute must be a ComputePolicy"):
            matmul(A, B, target="gfx1100", compute=wrong)  # type: ignore[arg-type]
    with pytest.raises(OutOfRange, match=r"must be whole numbers; 1\.5"):
        matmul(A, B, target="gfx1100", compute=Half(), tile=TilePolicy(16, 16, 16))
