"""Kernels that Triton compiles, launched: NumPy says what they must give, `matmul` which bits."""

import importlib
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import wavemma
from wavemma.errors import KernelFault, LaunchMistake
from wavemma.machine.device import Device
from wavemma.machine.tally import executed
from wavemma.machine.triton_kernel import load_compiled

pytestmark = pytest.mark.oracle
TARGETS = ["gfx1100", "gfx1201", "gfx942"]
FEWER = ["gfx1100", "gfx1201", pytest.param("gfx942", marks=pytest.mark.nightly)]
"""For kernels without matrix instructions, in which the third target differs least."""
SECONDS = 200


@pytest.fixture
def kernels(monkeypatch, tmp_path) -> Any:
    """An oracle: where Triton is missing the test fails, and ./check all installs it."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    return importlib.import_module("tests.oracles.triton_kernels")


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(9)


def put(device: Device, values: np.ndarray) -> tuple[int, np.ndarray]:
    """Copy an array to the device; give its address and the memory there."""
    address = device.memory.allocate(values.nbytes, "an array of a test")
    there = device.memory.array(address, values.dtype, values.shape)
    there[...] = values
    return address, there


def matrix_names(report, target: str) -> set[str]:
    found = executed(report.code, report.block_counts, target)
    return {each.name for each in found if each.is_matrix}


def drawn(generator, kind: type, shape: tuple[int, ...]) -> np.ndarray:
    if np.dtype(kind) == np.int8:
        return generator.integers(-128, 128, shape).astype(kind)
    return generator.normal(size=shape).astype(kind)


def multiplied(kernels, target, word, a, b, blocks=(64, 64, 32), **options):
    """Run the product of a matrix by Triton; give C and the report."""
    tl = importlib.import_module("triton.language")
    is_whole = a.dtype.kind == "i"
    rows, depth, columns = *a.shape, b.shape[1]
    constants = dict(zip(("BM", "BN", "BK"), blocks, strict=True))
    is_even = not any(
        size % block for size, block in zip((rows, columns, depth), blocks, strict=True)
    )
    constants |= {"SUM": tl.int32 if is_whole else tl.float32, "MASKED": not is_even}
    types = [f"*{word}", f"*{word}", "*i32" if is_whole else "*fp32", "i32", "i32", "i32"]
    built = kernels.compiled(kernels.multiply, target, types, constants, aligned=is_even, **options)
    device = Device(target)
    kernel = load_compiled(device, built)
    places = [put(device, each)[0] for each in (a, b)]
    place, c = put(device, np.zeros((rows, columns), np.int32 if is_whole else np.float32))
    grid = (math.ceil(rows / blocks[0]), math.ceil(columns / blocks[1]))
    report = kernel.launch(grid, [*places, place, rows, columns, depth], seconds=SECONDS)
    assert built.metadata.shared > 0 or blocks[2] <= 16
    return c, report


# The instruction; where there are two, that of large blocks and that of small ones.
PRODUCTS = [
    ("gfx1100", "fp16", np.float16, "v_wmma_f32_16x16x16_f16"),
    ("gfx1100", "bf16", ml_dtypes.bfloat16, "v_wmma_f32_16x16x16_bf16"),
    ("gfx1100", "i8", np.int8, "v_wmma_i32_16x16x16_iu8"),
    ("gfx1201", "fp16", np.float16, "v_wmma_f32_16x16x16_f16"),
    ("gfx1201", "bf16", ml_dtypes.bfloat16, "v_wmma_f32_16x16x16_bf16"),
    ("gfx1201", "i8", np.int8, "v_wmma_i32_16x16x16_iu8"),
    ("gfx1201", "fp8e4nv", ml_dtypes.float8_e4m3fn, "v_wmma_f32_16x16x16_fp8_fp8"),
    ("gfx1201", "fp8e5", ml_dtypes.float8_e5m2, "v_wmma_f32_16x16x16_bf8_bf8"),
    ("gfx942", "fp16", np.float16, "v_mfma_f32_32x32x8_f16 v_mfma_f32_16x16x16_f16"),
    pytest.param(
        *("gfx942", "bf16", ml_dtypes.bfloat16),
        "v_mfma_f32_32x32x8_bf16 v_mfma_f32_16x16x16_bf16",
        marks=pytest.mark.nightly,
    ),
    pytest.param(
        *("gfx942", "i8", np.int8),
        "v_mfma_i32_32x32x16_i8 v_mfma_i32_16x16x32_i8",
        marks=pytest.mark.nightly,
    ),
    (
        *("gfx942", "fp8e4b8", ml_dtypes.float8_e4m3fnuz),
        "v_mfma_f32_32x32x16_fp8_fp8 v_mfma_f32_16x16x32_fp8_fp8",
    ),
    pytest.param(
        *("gfx942", "fp8e5b16", ml_dtypes.float8_e5m2fnuz),
        "v_mfma_f32_32x32x16_bf8_bf8 v_mfma_f32_16x16x32_bf8_bf8",
        marks=pytest.mark.nightly,
    ),
]
VARIANTS = [
    ((128, 64, 96), (64, 64, 32), {}),
    # Edges behind masks, more waves, a deeper pipeline; a wave alone.
    ((70, 54, 90), (64, 32, 32), {"num_warps": 8, "num_stages": 3}),
    ((32, 16, 64), (16, 16, 32), {"num_warps": 1, "num_stages": 1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "blocks", "options"), VARIANTS, ids=["even", "edges", "alone"])
@pytest.mark.parametrize(("target", "word", "kind", "op"), PRODUCTS)
def test_products_have_the_bits_of_matmul(
    kernels, generator, target, word, kind, op, sizes, blocks, options
) -> None:
    rows, columns, depth = sizes
    op = op.split()[-1 if min(blocks) < 32 else 0]
    a, b = drawn(generator, kind, (rows, depth)), drawn(generator, kind, (depth, columns))
    c, report = multiplied(kernels, target, word, a, b, blocks, **options)
    assert matrix_names(report, target) == {op}
    # Triton loads k as it lies in memory.
    want = np.asarray(wavemma.matmul(a, b, target=target, op=op, k_order="contiguous"))
    assert np.array_equal(c.view(np.uint32), want.view(np.uint32))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.allclose(c, exact, rtol=0, atol=0 if np.dtype(kind) == np.int8 else 1e-3)


@pytest.mark.slow
def test_types_without_an_instruction_are_converted(kernels, generator) -> None:
    a = drawn(generator, ml_dtypes.float8_e5m2, (32, 32))
    b = drawn(generator, ml_dtypes.float8_e5m2, (32, 32))
    c, report = multiplied(kernels, "gfx1100", "fp8e5", a, b, (32, 32, 32))
    assert matrix_names(report, "gfx1100") == {"v_wmma_f32_16x16x16_f16"}
    halves = a.astype(np.float16), b.astype(np.float16)
    want = np.asarray(wavemma.matmul(*halves, target="gfx1100", k_order="contiguous"))
    assert np.array_equal(c.view(np.uint32), want.view(np.uint32))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_float32_goes_without_matrix_instructions(kernels, generator, target) -> None:
    a, b = drawn(generator, np.float32, (32, 48)), drawn(generator, np.float32, (48, 32))
    c, report = multiplied(kernels, target, "fp32", a, b, (32, 32, 16))
    assert not matrix_names(report, target)
    assert np.allclose(c, a.astype(np.float64) @ b, rtol=0, atol=1e-5)


@pytest.mark.slow
def test_float32_goes_through_its_own_matrix_instructions(kernels, generator) -> None:
    a, b = drawn(generator, np.float32, (32, 48)), drawn(generator, np.float32, (48, 32))
    c, report = multiplied(kernels, "gfx942", "fp32", a, b, (32, 32, 16))
    (op,) = matrix_names(report, "gfx942")
    assert op == "v_mfma_f32_32x32x4_xf32"
    want = np.asarray(wavemma.matmul(a, b, target="gfx942", op=op, k_order="contiguous"))
    assert np.array_equal(c.view(np.uint32), want.view(np.uint32))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("target", TARGETS)
def test_parts_of_k_meet_in_atomics(kernels, generator, target, kind) -> None:
    """Sums that every order gives; one sign, as cancelling costs RDNA3 the last bits."""
    a, b = (generator.integers(0, 3, (64, 256)).astype(np.float16) for _ in range(2))
    b = np.ascontiguousarray(b.T)
    types = ["*fp16", "*fp16", "*fp32" if kind is np.float32 else "*fp16", "i32", "i32"]
    constants = {"PARTS": 4, "BM": 32, "BN": 32, "BK": 32}
    device = Device(target)
    built = kernels.compiled(kernels.multiply_parts, target, types, constants)
    kernel = load_compiled(device, built)
    place, c = put(device, np.full((64, 64), 5, kind))
    arguments = [put(device, a)[0], put(device, b)[0], place, 64, 256]
    kernel.launch((2, 2, 4), arguments, seconds=SECONDS)
    assert np.array_equal(c, 5 + a.astype(np.float64) @ b.astype(np.float64))


def softmax(scores: np.ndarray) -> np.ndarray:
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("target", TARGETS)
def test_attention(kernels, generator, target, causal) -> None:
    heads, length, width = 2, 128, 32
    q, k, v = (drawn(generator, np.float16, (heads, length, width)) for _ in range(3))
    constants = {"BM": 64, "BN": 32, "WIDTH": width, "CAUSAL": causal}
    types = ["*fp16", "*fp16", "*fp16", "*fp32", "i32", "fp32"]
    device = Device(target)
    kernel = load_compiled(device, kernels.compiled(kernels.attend, target, types, constants))
    place, out = put(device, np.zeros((heads, length, width), np.float32))
    arguments = [*(put(device, each)[0] for each in (q, k, v)), place, length, width**-0.5]
    report = kernel.launch((length // 64, heads), arguments, seconds=SECONDS)
    used = "v_mfma_f32_32x32x8_f16" if target == "gfx942" else "v_wmma_f32_16x16x16_f16"
    assert matrix_names(report, target) == {used}
    scores = q.astype(np.float64) @ np.swapaxes(k, 1, 2).astype(np.float64) * width**-0.5
    if causal:
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    assert np.abs(out - softmax(scores) @ v.astype(np.float64)).max() < 2e-3


@pytest.mark.slow
@pytest.mark.parametrize("target", FEWER)
def test_softmax_of_rows(kernels, generator, target) -> None:
    x = drawn(generator, np.float32, (5, 777))
    built = kernels.compiled(
        kernels.soften, target, ["*fp32", "*fp32", "i32"], {"BLOCK": 1024}, aligned=False
    )
    device = Device(target)
    place, out = put(device, np.zeros_like(x))
    load_compiled(device, built).launch(5, [put(device, x)[0], place, 777], seconds=SECONDS)
    assert np.allclose(out, softmax(x.astype(np.float64)), rtol=1e-5, atol=0)


@pytest.mark.slow
@pytest.mark.parametrize("target", FEWER)
def test_sort_scan_and_histogram(kernels, generator, target) -> None:
    x = generator.permutation(256).astype(np.int32) % 61
    device = Device(target)
    outs = [put(device, np.zeros(size, np.int32)) for size in (256, 256, 1, 64)]
    types, constants = ["*i32"] * 5, {"BLOCK": 256, "BINS": 64}
    kernel = load_compiled(device, kernels.compiled(kernels.order, target, types, constants))
    arguments = [put(device, x)[0], *(place for place, _ in outs)]
    kernel.launch(1, arguments, seconds=SECONDS)
    ordered, sums, greatest, counts = (there for _, there in outs)
    assert np.array_equal(ordered, np.sort(x))
    assert np.array_equal(sums, np.cumsum(x))
    assert greatest[0] == np.argmax(x)
    assert np.array_equal(counts, np.bincount(x, minlength=64))


@pytest.mark.slow
@pytest.mark.parametrize("target", FEWER)
def test_functions_of_many_instructions(kernels, generator, target) -> None:
    x, y = (drawn(generator, np.float32, (512,)) for _ in range(2))
    whole = generator.integers(0, 1 << 31, 512).astype(np.int32)
    divisor = 977
    device = Device(target)
    places = [put(device, each)[0] for each in (x, y, whole)]
    place, out = put(device, np.zeros(512, np.float32))
    place_of_quotients, quotients = put(device, np.zeros(512, np.int32))
    types = ["*fp32", "*fp32", "*i32", "i32", "*fp32", "*i32"]
    built = kernels.compiled(kernels.compute, target, types, {"BLOCK": 256}, aligned=False)
    kernel = load_compiled(device, built)
    kernel.launch(2, [*places, divisor, place, place_of_quotients], seconds=SECONDS)
    a, b, n = x.astype(np.float64), y.astype(np.float64), whole.astype(np.int64)
    want = np.sqrt(np.abs(a)) + np.exp(b) - np.log(np.abs(a) + 1) + np.sin(a) * np.cos(b)
    want += a / (np.abs(b) + 1) + np.vectorize(math.erf)(a) + np.floor(b * 4)
    assert np.allclose(out, want, rtol=1e-5, atol=1e-5)
    exact = n // divisor * 1000 + n % 7 + (n * divisor >> 32)
    assert np.array_equal(quotients, exact.astype(np.int32))


@pytest.mark.parametrize("target", TARGETS)
def test_a_lock_between_workgroups(kernels, target) -> None:
    device = Device(target)
    lock, total = put(device, np.zeros(1, np.int32)), put(device, np.zeros(1, np.int32))
    amounts = put(device, np.arange(40, dtype=np.int32))
    built = kernels.compiled(kernels.add_one_at_a_time, target, ["*i32"] * 3, {})
    kernel = load_compiled(device, built)
    kernel.launch(40, [lock[0], total[0], amounts[0]], seconds=SECONDS)
    assert (lock[1][0], total[1][0]) == (0, 40 * 39 // 2)


def test_what_goes_wrong_is_told(kernels) -> None:
    built = kernels.compiled(
        kernels.soften, "gfx1100", ["*fp32", "*fp32", "i32"], {"BLOCK": 1024}, aligned=False
    )
    with pytest.raises(LaunchMistake, match="is for gfx1100, the device is a gfx1201"):
        load_compiled(Device("gfx1201"), built)
    device = Device("gfx1100")
    kernel = load_compiled(device, built)
    place, _ = put(device, np.zeros((2, 100), np.float32))
    told = r"(?s)soften takes 3 arguments besides .*got 2.*x \(\*fp32\).*columns \(i32\)"
    with pytest.raises(LaunchMistake, match=told):
        kernel.launch(1, [place, place])
    with pytest.raises(LaunchMistake, match="Argument 2 of soften"):
        kernel.launch(1, [place, place, 1.5])
    with pytest.raises(
        KernelFault, match=r"(?s)soften: .* (reads|writes) 4 bytes .*0 bytes behind its end"
    ):
        kernel.launch(3, [place, place, 100])
