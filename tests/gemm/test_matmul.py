"""A product has the bits of the instructions issued one by one, and mistakes are told."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.errors import ArrayMistake, UnknownInstruction, Unsupported
from wavemma.execute import execute
from wavemma.formats import number_format
from wavemma.formats.dtypes import dtype_of
from wavemma.fragments import fragments_of, pack, unpack
from wavemma.gemm.choice import is_dense
from wavemma.gemm.matmul import matmul, multiply
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.layouts.algebra import contiguous_k
from wavemma.tables.targets import architectures, targets_of

INTEGERS = {"i8": np.int8, "iu8": np.int8, "iu4": ml_dtypes.int4}


def dense_rows() -> list[Instruction]:
    return [
        instruction
        for architecture in architectures()
        for instruction in catalog.of_architecture(architecture)
        if is_dense(instruction)
    ]


DENSE = dense_rows()


def dtype(format: str) -> Any:
    return INTEGERS.get(format) or dtype_of(number_format(format)) or np.float32


def drawn(generator: np.random.Generator, shape: tuple[int, ...], format: str) -> Any:
    if format in INTEGERS:
        return generator.integers(-8, 8, shape).astype(dtype(format))
    if format == "i32":
        return generator.integers(-(1 << 20), 1 << 20, shape).astype(np.int32)
    return generator.uniform(-2, 2, shape).astype(dtype(format))


def issued(
    instruction: Instruction, formats: tuple[str, str], a: Any, b: Any, c: Any, order: Any
) -> Any:
    """Run the loop that a kernel runs: pack a tile, execute, k ascending, zeros at the edges."""
    m, n, k = instruction.shape
    fragments = fragments_of(instruction, None, {"a": formats[0], "b": formats[1]})
    codes = {r: instruction.formats[r].index(f) for r, f in zip("ab", formats, strict=True)}
    effects = {f"format_{role}": code for role, code in codes.items()}
    effects |= {"signed_a": 1, "signed_b": 1}
    sizes = (a.shape[0], b.shape[1], a.shape[1])
    rows, columns, depth = (-(-s // t) for s, t in zip(sizes, (m, n, k), strict=True))
    whole_a = padded(bits(a, formats[0]), rows * m, depth * k)
    whole_b = padded(bits(b, formats[1]), depth * k, columns * n)
    whole_c = padded(bits(c, instruction.formats["d"][0]), rows * m, columns * n)
    for i in range(0, rows * m, m):
        for j in range(0, columns * n, n):
            state = placed(whole_c[i : i + m, j : j + n], fragments["c"], instruction)
            for step in range(0, depth * k, k):
                tile_a = whole_a[i : i + m, step : step + k][:, order]
                tile_b = whole_b[step : step + k, j : j + n][order]
                registers = {
                    "a": placed(tile_a, fragments["a"], instruction),
                    "b": placed(tile_b, fragments["b"], instruction),
                    "c": state,
                }
                state = execute(instruction, registers, effects=effects)
            tile = unpack(state, fragments["d"])
            whole_c[i : i + m, j : j + n] = tile[0] if instruction.blocks > 1 else tile
    return whole_c[: a.shape[0], : b.shape[1]]


def placed(tile: Any, fragment: Any, instruction: Instruction) -> Any:
    """Pack one tile; an instruction of several blocks gets it in the first."""
    if instruction.blocks > 1:
        tile = np.stack([tile, *[np.zeros_like(tile)] * (instruction.blocks - 1)])
    return pack(np.ascontiguousarray(tile.astype(fragment.dtype)), fragment)


def bits(array: Any, format: str) -> Any:
    form = number_format(format)
    raw = np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")
    return raw & raw.dtype.type(form.codes - 1)


def padded(codes: Any, rows: int, columns: int) -> Any:
    return np.pad(codes, ((0, rows - codes.shape[0]), (0, columns - codes.shape[1])))


def test_counts() -> None:
    assert len(DENSE) == 261 - 78 - 6 - 1  # without sparse, scaled, and C unlike D


@pytest.mark.parametrize("instruction", DENSE, ids=lambda i: f"{i.architecture}-{i.name}")
def test_product_equals_the_instructions_one_by_one(instruction: Instruction) -> None:
    generator = np.random.default_rng(sum(map(ord, instruction.name)))
    target = instruction.targets[-1]
    m, n, k = instruction.shape
    sides = [instruction.formats["a"], instruction.formats["b"]]
    formats = tuple(side[generator.integers(len(side))] for side in sides)
    a = drawn(generator, (m + 3, 2 * k + 1), formats[0])
    b = drawn(generator, (2 * k + 1, n + 5), formats[1])
    c = drawn(generator, (m + 3, n + 5), instruction.formats["c"][0])
    got = matmul(a, b, c, target=target, op=instruction.name)
    want = issued(instruction, (formats[0], formats[1]), a, b, c, np.arange(k))
    assert np.array_equal(bits(got, instruction.formats["d"][0]), want)


@pytest.mark.parametrize(
    ("target", "op"),
    [("gfx1201", "v_wmma_f32_16x16x16_f16"), ("gfx950", "v_mfma_f32_16x16x32_f16")],
)
def test_contiguous_order_is_that_of_the_registers(target: str, op: str) -> None:
    instruction = catalog.instruction(op, target)
    generator = np.random.default_rng(7)
    k = instruction.shape[2]
    a = (generator.standard_normal((16, k)) * 30).astype(np.float16)
    b = (generator.standard_normal((k, 16)) * 30).astype(np.float16)
    c = np.zeros((16, 16), np.float32)
    order = contiguous_k(instruction.layout("a"), instruction.layout("b"))
    assert order is not None
    places = np.argsort(order)
    want = issued(instruction, ("f16", "f16"), a, b, c, places)
    got = multiply(a, b, target=target, op=op, k_order="contiguous")
    assert np.array_equal(got.d.view(np.uint32), want)


def test_orders_of_k_differ_in_bits_on_rdna4() -> None:
    generator = np.random.default_rng(1)
    a = (generator.standard_normal((64, 64)) * 100).astype(np.float16)
    first = matmul(a, a, target="gfx1201")
    second = matmul(a, a, target="gfx1201", k_order="contiguous")
    assert (first.view(np.uint32) != second.view(np.uint32)).any()
    # Both lie within the bound of the model, which is far below the numbers' own size.
    exact = a.astype(float) @ a.astype(float)
    for made in (first, second):
        assert np.abs(made - exact).max() < 64 * 2.0**-22 * (np.abs(a.astype(float)) @ np.abs(
            a.astype(float)
        )).max()  # fmt: skip


def test_batches_views_and_types() -> None:
    generator = np.random.default_rng(2)
    a = generator.standard_normal((3, 1, 40, 24)).astype(ml_dtypes.bfloat16)
    b = generator.standard_normal((2, 24, 40)).astype(ml_dtypes.bfloat16)
    got = matmul(a, b, target="gfx942")
    assert got.shape == (3, 2, 40, 40)
    assert got.dtype == np.float32
    one = matmul(a[2, 0], b[1], target="gfx942")
    assert np.array_equal(got[2, 1].view(np.uint32), one.view(np.uint32))
    turned = np.asfortranarray(a[0, 0]).T
    again = matmul(turned[:, ::2], a[0, 0][::2], target="gfx942")
    flat = matmul(turned[:, ::2].copy(), a[0, 0][::2].copy(), target="gfx942")
    assert np.array_equal(again.view(np.uint32), flat.view(np.uint32))


def test_integers_are_exact_and_wrap() -> None:
    a = np.full((16, 4096), 127, np.int8)
    got = matmul(a, a.T.copy(), target="gfx1100")
    assert got.dtype == np.int32
    assert (got == 127 * 127 * 4096).all()
    start = np.full((16, 16), 2**31 - 1, np.int32)
    wrapped = matmul(a, a.T.copy(), start, target="gfx1100")
    assert (wrapped == 127 * 127 * 4096 - 2**31 - 1).all()
    most = np.full((16, 16), 255, np.uint8)
    unsigned = matmul(most, most, target="gfx1201")
    assert (unsigned == 255 * 255 * 16).all()


@pytest.mark.parametrize(("m", "n", "k"), [(0, 4, 4), (4, 0, 4), (4, 4, 0), (0, 0, 0)])
def test_empty_products(m: int, n: int, k: int) -> None:
    a, b = np.ones((m, k), np.float16), np.ones((k, n), np.float16)
    got = matmul(a, b, target="gfx942")
    assert got.shape == (m, n)
    assert not got.any()


def test_the_fastest_wide_instruction_is_chosen() -> None:
    f16 = np.ones((32, 32), np.float16)
    assert multiply(f16, f16, target="gfx1100").plan.instruction == "v_wmma_f32_16x16x16_f16"
    assert multiply(f16, f16, target="gfx950").plan.d == "f32"
    f32 = f16.astype(np.float32)
    assert multiply(f32, f32, target="gfx942").plan.a == "f32"
    xf32 = multiply(f32, f32, target="gfx942", op="v_mfma_f32_16x16x8_xf32")
    assert xf32.plan.a == "xf32"


def test_plan_counts_what_a_kernel_issues() -> None:
    a, b = np.ones((33, 40), np.float16), np.ones((40, 17), np.float16)
    plan = multiply(a, b, target="gfx1100").plan
    assert (plan.tiles, plan.steps, plan.instructions, plan.waves) == (3 * 2, 3, 18, 6)
    assert plan.registers == 8 + 8 + 8
    assert plan.cycles == 3 * 32
    assert plan.model_grade == "H"


def test_types_that_the_target_lacks() -> None:
    a = np.ones((16, 16), np.float64)
    with pytest.raises(ArrayMistake, match="gfx1100 has no dense instruction for A f64 and B f64"):
        matmul(a, a, target="gfx1100")
    with pytest.raises(ArrayMistake, match="type complex128, which no matrix instruction takes"):
        matmul(a.astype(complex), a, target="gfx1100")
    with pytest.raises(ArrayMistake, match="takes A f16, B f16, C f32; given A f64"):
        matmul(a, a, target="gfx1100", op="v_wmma_f32_16x16x16_f16")


def test_shapes_that_do_not_fit() -> None:
    a = np.ones((16, 16), np.float16)
    with pytest.raises(ArrayMistake, match=r"must fit together; given A \[16, 16\], B \[8, 16\]"):
        matmul(a, a[:8], target="gfx1100")
    with pytest.raises(ArrayMistake, match="two axes or more"):
        matmul(a[0], a, target="gfx1100")
    with pytest.raises(ArrayMistake, match="batch axes must broadcast"):
        matmul(np.ones((2, 4, 4), np.float16), np.ones((3, 4, 4), np.float16), target="gfx1100")
    with pytest.raises(ArrayMistake, match="waves of 64 lanes; 32 was given"):
        matmul(a, a, target="gfx942", wave=32)


def test_instructions_that_cannot_loop() -> None:
    a = np.ones((16, 32), np.float16)
    brain = a.astype(ml_dtypes.bfloat16)
    with pytest.raises(Unsupported, match="cannot run in a loop over k"):
        matmul(brain, brain.T, target="gfx1250", op="v_wmma_bf16f32_16x16x32_bf16")
    with pytest.raises(UnknownInstruction, match="Closest"):
        matmul(a, a.T, target="gfx1201", op="v_wmma_f32_16x16x32_f16")


def test_targets_have_a_default_for_f16() -> None:
    a = np.ones((16, 16), np.float16)
    for architecture in architectures():
        for target in targets_of(architecture):
            assert (matmul(a, a, target=target) == 16).all()


HALVES = [row for row in DENSE if row.formats["d"] == ("f16",) and "f16" in row.formats["a"]]


@pytest.mark.parametrize("instruction", HALVES, ids=lambda i: f"{i.architecture}-{i.name}")
def test_a_sum_that_overflows_on_the_way_stays_infinite(instruction: Instruction) -> None:
    generator = np.random.default_rng(5)
    a, b = ((generator.standard_normal((32, 64)) * 100).astype(np.float16) for _ in "ab")
    c = np.zeros((32, 32), np.float16)
    order = np.arange(instruction.shape[2])
    want = issued(instruction, ("f16", "f16"), a, b.T, c, order)
    got = matmul(a, b.T, target=instruction.targets[-1], op=instruction.name)
    assert np.isinf(got).any()
    assert np.array_equal(got.view(np.uint16), want)
