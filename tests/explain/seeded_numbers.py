"""Seeded faults of numbers: signs, formats, subnormals, whole transposes, scales."""

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

from tests.explain.seed import F16, Seed
from wavemma.explain.telling_inputs import telling_inputs


def number_seeds() -> list[Seed]:
    """Give all of them."""
    return [*_value_seeds(), *_scale_seeds()]


def _value_seeds() -> Iterator[Seed]:
    """Faults of signs, formats and subnormals."""
    random = np.random.default_rng(77)
    for target, op, k in (
        ("gfx908", "v_mfma_i32_16x16x16i8", 16), ("gfx1100", "v_wmma_i32_16x16x16_iu8", 16),
        ("gfx1201", "v_wmma_i32_16x16x16_iu8", 16), ("gfx1250", "v_wmma_i32_16x16x64_iu8", 64),
    ):  # fmt: skip
        a, b = (
            random.integers(-128, 128, shape).astype(np.int8)
            for shape in ((32, 2 * k), (2 * k, 32))
        )
        want = a.astype(int) @ b.astype(int)
        for word, left, right in (
            ("A as uint8", a.view(np.uint8), b),
            ("A as uint8, B as uint8", a.view(np.uint8), b.view(np.uint8)),
        ):
            got = left.astype(int) @ right.astype(int)
            yield Seed(target, op, ("sign",), word, {"got": got, "want": want, "a": a, "b": b})
    for target, op, k, own, other in (
        ("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 32, "float8_e4m3fnuz", "float8_e4m3fn"),
        ("gfx950", "v_mfma_f32_16x16x32_fp8_fp8", 32, "float8_e4m3fn", "float8_e4m3fnuz"),
        ("gfx1201", "v_wmma_f32_16x16x16_fp8_fp8", 16, "float8_e4m3fn", "float8_e4m3fnuz"),
        ("gfx1250", "v_wmma_f32_16x16x64_bf8_bf8", 64, "float8_e5m2", "float8_e5m2fnuz"),
    ):
        one, two = np.dtype(getattr(ml_dtypes, own)), np.dtype(getattr(ml_dtypes, other))
        a, b = (random.standard_normal(shape).astype(one) for shape in ((32, 2 * k), (2 * k, 32)))
        want = a.astype(float) @ b.astype(float)
        got = a.view(two).astype(float) @ b.view(two).astype(float)
        yield Seed(
            target,
            op,
            ("number family",),
            "A is read as",
            {"got": got, "want": want, "a": a, "b": b},
        )
        got = a.astype(float) @ b.view(two).astype(float)
        yield Seed(
            target,
            op,
            ("number family",),
            "B is read as",
            {"got": got, "want": want, "a": a, "b": b},
        )
        yield Seed(target, op, ("ratio",), "1/2", {"got": want / 2, "want": want})
    a, b = (random.standard_normal((32, 32)).astype(ml_dtypes.bfloat16) for _ in range(2))
    want = a.astype(float) @ b.astype(float)
    got = a.view(F16).astype(float) @ b.view(F16).astype(float)
    yield Seed("gfx942", "v_mfma_f32_16x16x16_bf16", ("number format",), "read as f16",
               {"got": got, "want": want, "a": a, "b": b})  # fmt: skip
    a = (random.standard_normal((32, 32)) * 2.0**-14).astype(F16)
    b = random.standard_normal((32, 32)).astype(F16)
    flushed = np.where(np.abs(a) < 2.0**-14, 0, a).astype(float)
    made = {"got": flushed @ b.astype(float), "want": a.astype(float) @ b.astype(float)}
    given = {**made, "a": a, "b": b}
    yield Seed("gfx90a", "v_mfma_f32_16x16x16f16", ("subnormals",), "count as zero", given)
    for side, word in (("a", "whole of A"), ("b", "whole of B")):
        a, b = (random.standard_normal((48, 48)).astype(F16) for _ in range(2))
        left = a.T if side == "a" else a
        right = b.T if side == "b" else b
        yield Seed("gfx942", "v_mfma_f32_16x16x16_f16", ("transpose",), word, {
            "got": left.astype(float) @ right.astype(float),
            "want": a.astype(float) @ b.astype(float), "a": a, "b": b})  # fmt: skip


def _scale_seeds() -> Iterator[Seed]:
    """Faults of block scales."""
    for target, op in (
        ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"),
        ("gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4"),
    ):
        made = telling_inputs(target, op)
        a, b, c = (made[name].astype(float) for name in "abc")
        scale_a, scale_b = (2.0 ** (made[f"scale_{side}"].astype(float) - 127) for side in "ab")

        def product(one: Any, two: Any, a: Any = a, b: Any = b, c: Any = c) -> Any:
            return (a * np.repeat(one, 32, 1)) @ (b * np.repeat(two, 32, 0)) + c

        assert np.allclose(made["want"], product(scale_a, scale_b))
        yield Seed(
            target,
            op,
            ("scale",),
            "no scales",
            {**made, "got": product(scale_a * 0 + 1, scale_b * 0 + 1)},
        )
        rows = product(scale_a[np.arange(32) ^ 1], scale_b)
        yield Seed(target, op, ("scale",), "another row: row ^ 1", {**made, "got": rows})
        stale = product(scale_a, scale_b[np.arange(8) % 4])
        yield Seed(target, op, ("scale",), "the first step in every step", {**made, "got": stale})
        block = product(scale_a[:, np.arange(8) ^ 1], scale_b)
        yield Seed(target, op, ("scale",), "block ^ 1", {**made, "got": block})
        byte = (product(scale_a, scale_b) - c) * np.tile([[1], [2]], (16, 1)) + c
        only = {name: made[name] for name in ("want", "c")}
        yield Seed(target, op, ("scale",), "each row is wrong", {**only, "got": byte})
