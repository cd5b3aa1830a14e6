"""Seeded faults: every one is found and called by its name, and noise is called none of them."""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

from tests.explain.kernel import Kernel, operand, turned
from wavemma.errors import ArrayMistake
from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

pytestmark = pytest.mark.facts


class Seed(NamedTuple):
    """A fault and what a diagnosis must call it; `word` stands in what it says."""

    target: str
    op: str
    kinds: tuple[str, ...]
    word: str
    arrays: dict[str, Any]
    wave: int | None = None

    def __str__(self) -> str:
        return f"{self.target}-{self.op}-{'+'.join(self.kinds)}-{self.word}".replace(" ", "_")


class Bench(NamedTuple):
    """An instruction to put faults into."""

    target: str
    kernel: Kernel
    rival: tuple[str, str, int]
    rival_targets: str
    dtype: Any


F16 = np.float16
BENCHES = [
    Bench("gfx908", Kernel("cdna1", "v_mfma_f32_16x16x16f16", 64, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 64), "gfx1201", F16),
    Bench("gfx90a", Kernel("cdna2", "v_mfma_f64_16x16x4f64", 64, (16, 16, 4)),
          ("cdna2", "v_mfma_f32_16x16x4f32", 64), "gfx90a", np.float64),
    Bench("gfx942", Kernel("cdna3", "v_mfma_f32_16x16x16_f16", 64, (16, 16, 16)),
          ("cdna3", "v_mfma_f64_16x16x4_f64", 64), "gfx942", F16),
    Bench("gfx950", Kernel("cdna4", "v_mfma_f32_16x16x32_bf16", 64, (16, 16, 32)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 64), "gfx1201", ml_dtypes.bfloat16),
    Bench("gfx1100", Kernel("rdna3", "v_wmma_f32_16x16x16_f16", 32, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_f16", 32), "gfx1201", F16),
    Bench("gfx1151", Kernel("rdna3.5", "v_wmma_f32_16x16x16_bf16", 64, (16, 16, 16)),
          ("rdna4", "v_wmma_f32_16x16x16_bf16", 64), "gfx1201", ml_dtypes.bfloat16),
    Bench("gfx1201", Kernel("rdna4", "v_wmma_f32_16x16x16_f16", 32, (16, 16, 16)),
          ("rdna3", "v_wmma_f32_16x16x16_f16", 32), "gfx1100", F16),
    Bench("gfx1250", Kernel("cdna5", "v_wmma_f32_16x16x32_f16", 32, (16, 16, 32)),
          ("rdna3", "v_wmma_f32_16x16x16_f16", 32), "gfx1100", F16),
]  # fmt: skip


def _inputs(bench: Bench, number: int) -> tuple[dict[str, Any], Any]:
    """Draw A, B and C of 3 x 3 tiles and 3 steps, typed, and D as wanted."""
    m, n, k = bench.kernel.shape
    random = np.random.default_rng(number)
    a = random.standard_normal((3 * m, 3 * k)).astype(bench.dtype)
    b = random.standard_normal((3 * k, 3 * n)).astype(bench.dtype)
    c = random.standard_normal((3 * m, 3 * n)).astype(np.float32)
    want = a.astype(float) @ b.astype(float) + c
    return {"a": a, "b": b, "c": c}, want


def _seeds_of(bench: Bench, number: int) -> Iterator[Seed]:
    """Put the same faults into each instruction."""
    kernel, wave = bench.kernel, bench.kernel.wave
    inputs, want = _inputs(bench, number)
    a, b, c = (inputs[name].astype(float) for name in "abc")
    own = operand(kernel.arch, kernel.op, "D", wave)
    rival = operand(*bench.rival[:2], "D", bench.rival[2])
    plain = {"want": want}
    every = {**plain, **inputs}

    def seed(kinds: Any, word: str, got: Any, given: dict[str, Any]) -> Seed:
        kinds = (kinds,) if isinstance(kinds, str) else kinds
        return Seed(bench.target, kernel.op, kinds, word, {"got": got, **given}, wave)

    stored = kernel.run(a, b, c, map=rival.map)
    yield seed("store map", bench.rival_targets, stored, plain)
    yield seed("store map", bench.rival_targets, stored, every)
    yield seed("transpose", "each tile", kernel.run(a, b, c, map=turned(own.map)), plain)
    yield seed("k step", "step 1 of 3 along k is missing", kernel.run(a, b, c, steps=[0, 2]), every)
    yield seed(
        "k step", "step 2 of 3 along k is added", kernel.run(a, b, c, steps=[0, 1, 2, 2]), every
    )
    yield seed("k step", "first tile of A and B", kernel.run(a, b, c, steps=[0, 0, 0]), every)
    yield seed("c", "C is not added", want - c, every)
    yield seed("c", "C is added twice", want + c, {**plain, "c": inputs["c"]})
    yield seed("c", bench.rival_targets, kernel.run(a, b, _loaded(kernel, c, rival.map)), every)
    yield seed("sign", "subtracted", 2 * c - want, every)
    half = own.slots // 2
    kept = kernel.run(a, b, c, fill=np.nan, keep=lambda lane, slot: lane * 0 + slot < half)
    yield seed("unwritten", "of every lane were never stored", kept, plain)
    lanes = kernel.run(a, b, c, fill=-7.0, keep=lambda lane, slot: lane < wave // 2)
    yield seed("unwritten", f"lanes {wave // 2}..{wave - 1}", lanes, plain)
    yield seed("transpose", "whole output", want.T, {"want": want})
    if own.lanes == wave:
        yield seed("flat thread", "1 x 2 waves", _flat(kernel, a, b, c, (1, 2)), plain)
    yield seed(
        ("c", "store map"), bench.rival_targets, kernel.run(a, b, 0 * c, map=rival.map), every
    )
    yield seed(
        ("k step", "store map"),
        "step 1 of 3",
        kernel.run(a, b, c, map=rival.map, steps=[0, 2]),
        every,
    )


def _loaded(kernel: Kernel, c: Any, load: Any) -> Any:
    """Load C of each tile by another map."""
    own = operand(kernel.arch, kernel.op, "D", kernel.wave)
    lane, slot = np.meshgrid(np.arange(own.lanes), np.arange(own.slots), indexing="ij")
    found = np.zeros_like(c)
    m, n, _ = kernel.shape
    for row in range(0, c.shape[0], m):
        for column in range(0, c.shape[1], n):
            tile = c[row : row + m, column : column + n]
            out = found[row : row + m, column : column + n]
            out[own.map(lane, slot)] = tile[load(lane, slot)]
    return found


def _flat(kernel: Kernel, a: Any, b: Any, c: Any, grid: tuple[int, int]) -> Any:
    """Store with the thread's number of workgroups of several waves; a fourth column is cut off."""
    m, n, _ = kernel.shape
    out = np.zeros((a.shape[0], b.shape[1]))
    for row in range(0, a.shape[0], m):
        for column in range(0, b.shape[1], n):
            place = (row // m % grid[0], column // n % grid[1])
            tile = kernel.tile(a[row : row + m], b[:, column : column + n],
                               c[row : row + m, column : column + n])  # fmt: skip
            number = place[0] * grid[1] + place[1]
            kernel.store(out, tile, (row, column), wave_number=number)
    return out


def _load_seeds() -> Iterator[Seed]:
    """Faults of loads: other maps of A and B, other orders of k in one of them."""
    cases = [
        ("gfx1201", BENCHES[6].kernel, "A", ("rdna3", "v_wmma_f32_16x16x16_f16"), "load map", "A is"),
        ("gfx1201", BENCHES[6].kernel, "B", ("rdna4", "v_wmma_f32_16x16x16_fp8_fp8"), "k order", "B is"),
        ("gfx942", BENCHES[2].kernel, "A", None, "load map", "A is loaded with rows and columns"),
        ("gfx1250", BENCHES[7].kernel, "A", "contiguous", "k order", "neighbouring k"),
        ("gfx950", BENCHES[3].kernel, "B", "reversed", "none", ""),
    ]  # fmt: skip
    for number, (target, kernel, letter, load, kind, word) in enumerate(cases):
        bench = next(each for each in BENCHES if each.target == target)
        inputs, want = _inputs(bench, 500 + number)
        a, b, c = (inputs[name].astype(float) for name in "abc")
        own = operand(kernel.arch, kernel.op, letter, kernel.wave)
        if load is None:
            map_ = turned(own.map)
        elif load == "contiguous":
            map_ = lambda lane, slot: (lane % 16, 16 * (lane // 16) + slot)  # noqa: E731
        elif load == "reversed":
            map_ = lambda lane, slot, own=own: (31 - own.map(lane, slot)[0], own.map(lane, slot)[1])  # noqa: E731
        else:
            rival = operand(*load, letter, kernel.wave)
            map_ = lambda lane, slot, r=rival: r.map(lane, np.minimum(slot, r.slots - 1))  # noqa: E731
        got = kernel.run(a, b, c, **{f"load_{letter.lower()}": map_})
        yield Seed(target, kernel.op, (kind,), word, {"got": got, "want": want, **inputs})


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
            ("A as uint8", a.view(np.uint8), b), ("A as uint8, B as uint8", a.view(np.uint8), b.view(np.uint8)),
        ):  # fmt: skip
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
    yield Seed("gfx90a", "v_mfma_f32_16x16x16f16", ("subnormals",), "count as zero",
               {"got": flushed @ b.astype(float), "want": a.astype(float) @ b.astype(float), "a": a, "b": b})  # fmt: skip
    for side, word in (("a", "whole of A"), ("b", "whole of B")):
        a, b = (random.standard_normal((48, 48)).astype(F16) for _ in range(2))
        left = a.T if side == "a" else a
        right = b.T if side == "b" else b
        yield Seed("gfx942", "v_mfma_f32_16x16x16_f16", ("transpose",), word, {
            "got": left.astype(float) @ right.astype(float),
            "want": a.astype(float) @ b.astype(float), "a": a, "b": b})  # fmt: skip


def _half_seeds() -> Iterator[Seed]:
    """Faults of halves and of copies."""
    random = np.random.default_rng(88)
    want = random.standard_normal((32, 48))
    none = np.zeros_like(want)
    for target, arch, read, word in (
        ("gfx1100", "rdna3", lambda slot: slot // 2 if slot % 2 == 0 else None, "two results"),
        ("gfx1201", "rdna4", lambda slot: 2 * slot if slot < 4 else 1 / 0, "takes one result"),
    ):
        kernel = Kernel(arch, "v_wmma_f16_16x16x16_f16", 32, (16, 16, 16))
        out = np.zeros_like(want)
        for row in range(0, 32, 16):
            for column in range(0, 48, 16):
                tile = want[row : row + 16, column : column + 16]
                slots = 4 if arch == "rdna4" else 8
                kernel.store(out, tile, (row, column), read=read, slots=slots)
        yield Seed(target, kernel.op, ("halves",), word, {"got": out, "want": want})
    for target, op, arch, wave, limit in (
        ("gfx1100", "v_wmma_f32_16x16x16_f16", "rdna3", 32, 16),
        ("gfx1151", "v_wmma_f32_16x16x16_bf16", "rdna3.5", 64, 16),
        ("gfx1101", "v_wmma_i32_16x16x16_iu8", "rdna3", 64, 32),
    ):
        own = operand(arch, op, "D", wave)
        lane, slot = np.meshgrid(np.arange(wave), np.arange(own.slots), indexing="ij")
        held = np.zeros((16, 16))
        held[own.map(lane, slot)] = lane
        whole = np.round(want * 1000) if "i32" in op else want
        start = np.round(random.standard_normal(want.shape) * 1000)
        got = np.where(np.tile(held, (2, 3)) < limit, whole, none) + start
        yield Seed(target, op, ("replication",), f"lanes {limit}..",
                   {"got": got, "want": whole + start, "c": start}, wave)  # fmt: skip


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
        byte = (product(scale_a, scale_b) - c) * np.repeat([[1], [2]], 16, 0) + c
        only = {name: made[name] for name in ("want", "c")}
        yield Seed(target, op, ("scale",), "each row is wrong", {**only, "got": byte[::1]})


def _seeds() -> list[Seed]:
    found = [seed for number, bench in enumerate(BENCHES) for seed in _seeds_of(bench, number)]
    return [*found, *_load_seeds(), *_value_seeds(), *_half_seeds(), *_scale_seeds()]


SEEDS = _seeds()


def test_there_are_enough_seeds() -> None:
    assert len(SEEDS) >= 120
    assert len({seed.target for seed in SEEDS}) >= 9
    assert len(Counter(kind for seed in SEEDS for kind in seed.kinds)) >= 15


@pytest.mark.parametrize("seed", SEEDS, ids=str)
def test_every_seeded_fault_is_found_by_its_name(seed: Seed) -> None:
    start = time.perf_counter()
    found = diagnose(seed.target, seed.op, **seed.arrays, wave=seed.wave)
    assert time.perf_counter() - start < 10
    if seed.kinds == ("none",):
        assert found.verdict == "none"
        return
    assert found.verdict in ("explained", "ambiguous"), found
    best = found.explanations[0]
    assert sorted(fault.kind for fault in best.faults) == sorted(seed.kinds), found
    assert seed.word in " ".join(fault.what for fault in best.faults), best
    assert best.share > 0.99 or seed.kinds == ("flat thread",)
    assert all(fault.fix for fault in best.faults)
