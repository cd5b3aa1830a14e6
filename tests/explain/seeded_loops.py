"""Seeded faults of loops: stores, loads, steps along k, C, and lanes."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.explain.kernel import Kernel, operand, turned
from tests.explain.seed import BENCHES, Bench, Seed, inputs_of


def loop_seeds() -> list[Seed]:
    """Give all of them."""
    found = [seed for number, bench in enumerate(BENCHES) for seed in _seeds_of(bench, number)]
    return [*found, *_load_seeds(), *_half_seeds()]


def _seeds_of(bench: Bench, number: int) -> Iterator[Seed]:
    """Put the same faults into each instruction."""
    kernel, wave = bench.kernel, bench.kernel.wave
    inputs, want = inputs_of(bench, number)
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
    both = kernel.run(a, b, _loaded(kernel, c, rival.map), map=rival.map)
    yield seed("shared map", bench.rival_targets, both, every)
    yield seed("shared map", bench.rival_targets, both, {**plain, "c": inputs["c"]})
    yield seed("transpose", "each tile", kernel.run(a, b, c, map=turned(own.map)), plain)
    yield seed("k step", "step 2 of 3 along k is missing", kernel.run(a, b, c, steps=[0, 2]), every)
    yield seed(
        "k step",
        "step 3 of 3 along k (the last) is added",
        kernel.run(a, b, c, steps=[0, 1, 2, 2]),
        every,
    )
    yield seed("k step", "first tile of A and B", kernel.run(a, b, c, steps=[0, 0, 0]), every)
    yield seed("c", "C is not added", want - c, every)
    yield seed("c", "C is added twice", want + c, {**plain, "c": inputs["c"]})
    yield seed("c", bench.rival_targets, kernel.run(a, b, _loaded(kernel, c, rival.map)), every)
    yield seed("sign", "subtracted", 2 * c - want, every)
    half = own.slots // 2
    kept = kernel.run(a, b, c, fill=np.nan, keep=lambda lane, slot: lane * 0 + slot < half)
    yield seed("unwritten", "of every lane", kept, plain)
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
        "step 2 of 3",
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
        (BENCHES[6], "A", ("rdna3", "v_wmma_f32_16x16x16_f16"), "load map", "A is"),
        (BENCHES[6], "B", ("rdna4", "v_wmma_f32_16x16x16_fp8_fp8"), "k order", "B is"),
        (BENCHES[2], "A", None, "load map", "A is loaded with rows and columns"),
        (BENCHES[7], "A", "contiguous", "k order", "neighbouring k"),
        (BENCHES[3], "B", "reversed", "k order", "with k reversed"),
    ]
    for number, (bench, letter, load, kind, word) in enumerate(cases):
        target, kernel = bench.target, bench.kernel
        inputs, want = inputs_of(bench, 500 + number)
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
