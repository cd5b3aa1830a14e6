"""Scaled products against the exact twin, scales given and chosen."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.gemm.test_matmul import bits, dtype
from tests.twin import dot, same
from wavemma.errors import ArrayMistake, UnknownFormat, Unsupported
from wavemma.formats import decode, number_format
from wavemma.gemm.accuracy import accuracy
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.bounds import product_bound
from wavemma.gemm.matmul import matmul, multiply
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import architectures

SCALED = [
    instruction
    for architecture in architectures()
    for instruction in catalog.of_architecture(architecture)
    if instruction.is_matrix and instruction.is_scaled
]
MX = "v_mfma_scale_f32_16x16x128_f8f6f4"


def codes(generator: np.random.Generator, shape: tuple[int, ...], format: str) -> Any:
    """Finite codes of a format, as its type."""
    form = number_format(format)
    drawn = generator.integers(0, form.codes, shape, dtype=np.uint64)
    drawn = np.where(np.isfinite(decode(form, drawn)), drawn, np.uint64(1))
    return drawn.astype(np.uint8).view(dtype(format))


def element(
    instruction: Instruction, formats: dict[str, str], a: Any, b: Any, c: int, scales: Any
) -> tuple[str, int]:
    """One element by the twin, instruction by instruction; A and B are whole instructions."""
    block = instruction.matrix.scale_block
    k = instruction.shape[2]
    rule = "scaled_reference" if instruction.architecture == "cdna4" else "cdna5_scaled"
    options: dict[str, Any] = {"block": block}
    if rule == "cdna5_scaled":
        options |= {f"scale_{s}_format": formats[f"scale_{s}"] for s in "ab"}
    for first in range(0, len(a), k):
        part = slice(first, first + k)
        own = slice(first // block, (first + k) // block)
        c = dot(
            rule, [*map(int, a[part])], [*map(int, b[part])], c,
            a_format=formats["a"], b_format=formats["b"],
            scale_a=[*map(int, scales[0][own])], scale_b=[*map(int, scales[1][own])], **options,
        )  # fmt: skip
    return rule, c


def one(name: str) -> int:
    """The code of the scale 1."""
    return int(np.flatnonzero(decode(number_format(name), np.arange(256)) == 1)[0])


def check(instruction: Instruction, formats: dict[str, str], seed: int) -> None:
    generator = np.random.default_rng(seed)
    m, n, k = instruction.shape
    block = instruction.matrix.scale_block
    rows, columns, depth = m + 3, n + 1, 2 * k
    a, b = (
        codes(generator, (rows, depth), formats["a"]),
        codes(generator, (depth, columns), formats["b"]),
    )
    c = generator.standard_normal((rows, columns)).astype(np.float32)
    near = [
        int(np.flatnonzero(decode(number_format(formats[f"scale_{s}"]), np.arange(256)) == 1)[0])
        for s in "ab"
    ]
    scale_a = (near[0] + generator.integers(-9, 9, (rows, depth // block))).astype(np.uint8)
    scale_b = (near[1] + generator.integers(-9, 9, (depth // block, columns))).astype(np.uint8)
    scales = BlockScales(scale_a, scale_b, formats["scale_a"], formats["scale_b"])
    target = instruction.targets[-1]
    got = matmul(a, b, c, target=target, op=instruction.name, scales=scales)
    for _ in range(8):
        i, j = int(generator.integers(rows)), int(generator.integers(columns))
        own = (scale_a[i], scale_b[:, j])
        left, right = bits(a, formats["a"])[i], bits(b, formats["b"])[:, j]
        rule, want = element(instruction, formats, left, right, int(c.view(np.uint32)[i, j]), own)
        assert same(rule, int(got.view(np.uint32)[i, j]), want), (formats, i, j)


def pairs(instruction: Instruction) -> list[dict[str, str]]:
    """Every format of A with some of B, and the scale formats that go with them."""
    found = []
    for number, a in enumerate(instruction.formats["a"]):
        b = instruction.formats["b"][(number + 1) % len(instruction.formats["b"])]
        for left, right in dict.fromkeys([(a, a), (a, b)]):
            for scale in instruction.formats["scale_a"]:
                free = left == right == "fp4"
                if scale == "e8m0" or free:
                    found.append({"a": left, "b": right, "scale_a": scale, "scale_b": scale})
    return found


def test_counts() -> None:
    assert len(SCALED) == 6


@pytest.mark.parametrize("instruction", SCALED, ids=lambda i: f"{i.architecture}-{i.name}")
def test_row_equals_the_twin(instruction: Instruction) -> None:
    check(instruction, pairs(instruction)[-1], 1)


@pytest.mark.slow
@pytest.mark.parametrize("instruction", SCALED, ids=lambda i: f"{i.architecture}-{i.name}")
def test_row_equals_the_twin_in_all_formats(instruction: Instruction) -> None:
    for seed, formats in enumerate(pairs(instruction)):
        check(instruction, formats, seed)


@pytest.mark.parametrize("instruction", SCALED, ids=lambda i: f"{i.architecture}-{i.name}")
def test_case_29_one_scale_doubles_a_block_of_a_row(instruction: Instruction) -> None:
    m, _, k = instruction.shape
    block = instruction.matrix.scale_block
    form = instruction.formats["a"][0]
    ones = np.ones((m, k)).astype(dtype(form))
    scales = np.full((m, k // block), 0x7F, np.uint8)
    scales[5, 1] = 0x80
    common = {"target": instruction.targets[0], "op": instruction.name}
    got = matmul(ones, ones.T.copy(), **common, scales=BlockScales(a=scales))
    want = np.full((m, m), float(k))
    want[5] += block
    assert np.array_equal(got, want)
    assert (matmul(ones, ones.T.copy(), **common) == k).all()


def test_scales_by_type_and_nan_scales() -> None:
    ones = np.ones((16, 128), ml_dtypes.float8_e4m3fn)
    half = np.full((16, 4), 0.5).astype(ml_dtypes.float8_e8m0fnu)
    got = matmul(ones, ones.T.copy(), target="gfx950", scales=BlockScales(a=half))
    assert (got == 64).all()
    byte = np.full((16, 4), 0x7F, np.uint8)
    byte[2, 3] = 0xFF
    given = BlockScales(a=byte, allow_nan=True)
    spoilt = matmul(ones, ones.T.copy(), target="gfx950", scales=given)
    assert np.isnan(spoilt[2]).all()
    assert (np.delete(spoilt, 2, axis=0) == 128).all()


@pytest.mark.parametrize(
    ("side", "target", "name", "nan", "place"),
    [
        ("a", "gfx950", "e8m0", 0xFF, "row 2, block 3"),
        ("b", "gfx950", "e8m0", 0xFF, "block 3, column 2"),
        ("a", "gfx1250", "e5m3", 0xFF, "row 2, block 3"),
        ("b", "gfx1250", "e4m3", 0x7F, "block 3, column 2"),
        ("b", "gfx1250", "e4m3", 0xFF, "block 3, column 2"),
    ],
)
def test_nan_scales_are_refused_unless_asked_for(
    side: str, target: str, name: str, nan: int, place: str
) -> None:
    ones = np.ones((16, 128), ml_dtypes.float4_e2m1fn)
    byte = np.full((16, 4), one(name), np.uint8)
    byte[2, 3] = nan
    given = {side: byte if side == "a" else byte.T, "a_format": name, "b_format": name}
    with pytest.raises(ArrayMistake) as caught:
        matmul(ones, ones.T.copy(), target=target, scales=BlockScales(**given))
    assert f"The scales of {side.upper()} must be numbers; that of {place} is NaN" in str(
        caught.value
    )
    assert f"({nan:#04x} in {name}), and 1 of 64 are" in str(caught.value)
    assert "allow_nan=True" in str(caught.value)
    got = matmul(ones, ones.T.copy(), target=target, scales=BlockScales(**given, allow_nan=True))
    spoilt = got if side == "a" else got.T
    assert np.isnan(spoilt[2]).all()
    assert (np.delete(spoilt, 2, axis=0) == 128).all()
    largest = nan ^ 1  # The neighbouring code is a number.
    byte[2, 3] = largest
    assert np.isfinite(
        matmul(ones, ones.T.copy(), target=target, scales=BlockScales(**given))
    ).any()


@pytest.mark.parametrize("pair", [("fp4", "fp4"), ("fp8_ocp", "fp6"), ("bf8_ocp", "bf6")])
def test_numbers_are_quantised(pair: tuple[str, str]) -> None:
    generator = np.random.default_rng(8)
    a, b = generator.standard_normal((20, 200)), generator.standard_normal((200, 18))
    made = multiply(a, b, target="gfx950", scales=Quantise(*pair))
    assert (made.plan.a, made.plan.b, made.plan.scales) == (*pair, ("e8m0", "e8m0"))
    exact = a @ b
    error = np.abs(made.d - exact).mean() / np.abs(exact).mean()
    assert 0 < error < {"fp4": 0.3, "fp8_ocp": 0.1, "bf8_ocp": 0.25}[pair[0]]
    whole = np.round(generator.uniform(-4, 4, (16, 128)))
    small = np.where(np.abs(whole) == 4, 4, np.clip(whole, -3, 3))
    same_numbers = matmul(small, small.T.copy(), target="gfx1250", scales=Quantise("fp4", "fp4"))
    assert np.array_equal(same_numbers, small @ small.T)


MISTAKES = [
    ({"scales": BlockScales(a=np.zeros((16, 3), np.uint8))}, ArrayMistake, r"\[..., 16, 4\]"),
    ({"scales": BlockScales(a=np.zeros((16, 4)))}, ArrayMistake, "codes as integers"),
    ({"scales": BlockScales(a=np.full((16, 4), 256))}, ArrayMistake, "codes 0..255"),
    ({"scales": BlockScales(a_format="e5m3")}, UnknownFormat, "scales of A must be e8m0; 'e5m3'"),
    ({"scales": BlockScales(), "k_order": "contiguous"}, Unsupported, "calculator's order"),
    ({"scales": BlockScales(), "prune": True}, ArrayMistake, "sparse A with scales"),
    ({"scales": BlockScales(), "op": "v_mfma_f32_16x16x32_f16"}, ArrayMistake, "a dense inst"),
    ({"scales": Quantise("fp5", "fp4")}, UnknownFormat, "'fp5' is not a number format"),
    ({"scales": Quantise("f16", "fp4")}, ArrayMistake, "no scaled instruction for A f16"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "error", "sentence"), MISTAKES)
def test_mistakes(options: dict[str, Any], error: type[Exception], sentence: str) -> None:
    ones = np.ones((16, 128), ml_dtypes.float8_e4m3fn)
    with pytest.raises(error, match=sentence):
        matmul(ones, ones.T.copy(), target="gfx950", **options)


def test_targets_and_pairs_without_scales() -> None:
    ones = np.ones((16, 128), ml_dtypes.float4_e2m1fn)
    with pytest.raises(ArrayMistake, match="gfx942 has no scaled instruction"):
        matmul(ones, ones.T.copy(), target="gfx942", scales=BlockScales())
    mixed = BlockScales(a_format="e5m3", b_format="e8m0")
    with pytest.raises(UnknownFormat, match="must have one format where both are fp4"):
        matmul(ones, ones.T.copy(), target="gfx1250", scales=mixed)
    infinite = np.full((4, 32), np.inf)
    with pytest.raises(ArrayMistake, match="must be finite"):
        matmul(infinite, infinite.T, target="gfx950", scales=Quantise("fp4", "fp4"))


def test_empty_products() -> None:
    ones = np.ones((16, 128), ml_dtypes.float8_e4m3fn)
    common = {"target": "gfx950", "scales": BlockScales()}
    assert matmul(ones[:0], ones.T.copy(), **common).shape == (0, 16)
    assert not matmul(ones[:, :0], ones.T[:0].copy(), **common).any()


def test_a_scaled_product_keeps_its_bound() -> None:
    generator = np.random.default_rng(9)
    for target in ("gfx950", "gfx1250"):
        a = generator.standard_normal((20, 300)).astype(ml_dtypes.float8_e5m2)
        b = generator.standard_normal((300, 11)).astype(ml_dtypes.float8_e4m3fn)
        scale_a = generator.integers(100, 155, (20, 10)).astype(np.uint8)
        scale_b = generator.integers(100, 155, (10, 11)).astype(np.uint8)
        made = multiply(a, b, target=target, scales=BlockScales(scale_a, scale_b))
        factors = made.factors()
        wide_a, wide_b = factors.scaled()
        powers = np.repeat(np.ldexp(1.0, scale_a.astype(int) - 127), 32, axis=1)[:, :300]
        assert np.array_equal(wide_a, a.astype(float) * powers)
        powers = np.repeat(np.ldexp(1.0, scale_b.astype(int) - 127), 32, axis=0)[:300]
        assert np.array_equal(wide_b, b.astype(float) * powers)
        most = product_bound(made.plan, factors, None)
        found = accuracy(made.d, wide_a, wide_b, None, number_format("f32"), most)
        assert found.max_share is not None
        assert 0 < found.max_share <= 1


@pytest.mark.parametrize("kind", ["i1", "i8", "u2", "f2", "f8"])
def test_any_real_numbers_are_quantised(kind: str) -> None:
    numbers = np.array([[0, 1, 2, 3, 4, 6], [6, 4, 3, 2, 1, 0]])
    want = (numbers @ numbers.T).astype(np.float32)
    for target in ("gfx950", "gfx1250"):
        made = matmul(
            numbers.astype(kind),
            numbers.T.astype(kind),
            target=target,
            scales=Quantise("fp4", "fp4", "e8m0", "e8m0"),
        )
        assert np.array_equal(made, want)
    with pytest.raises(ArrayMistake, match="complex128"):
        matmul(numbers + 1j, numbers.T, target="gfx950", scales=Quantise("fp4", "fp4"))
