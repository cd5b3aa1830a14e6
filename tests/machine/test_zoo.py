"""Kernels of all kinds on three targets, at all levels and of both wave sizes, against NumPy."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import KernelFault, WatchdogExpired
from wavemma.machine.device import Device

SOURCE = (Path(__file__).parent / "zoo.hip").read_text(encoding="utf-8")
TARGETS, LEVELS, WAVES = ("gfx1100", "gfx1201"), ("-O0", "-O1", "-O2", "-O3"), (32, 64)
QUICK = [("gfx1100", "-O3", 32), ("gfx1201", "-O0", 64), ("gfx942", "-O3", 64)]
SLOW = [
    ("gfx1201", "-O3", 32), ("gfx1100", "-O0", 32), ("gfx1100", "-O2", 64), ("gfx942", "-O1", 64),
    ("gfx90a", "-O0", 64), ("gfx1250", "-O0", 32),
]  # fmt: skip
"""Those of the quick run and those of ./check all besides; all others run each night."""


def _mark(case: tuple[str, str, int]) -> list[pytest.MarkDecorator]:
    if case in QUICK:
        return []
    return [pytest.mark.slow] if case in SLOW else [pytest.mark.nightly]


ALL = [
    *product(TARGETS, LEVELS, WAVES),
    *product(["gfx908", "gfx90a", "gfx942", "gfx950"], LEVELS, [64]),
    *product(["gfx1250"], LEVELS, [32]),
]
CASES = [pytest.param(case, marks=_mark(case)) for case in ALL]


class Zoo:
    """Launches one kernel on arrays, which come back changed."""

    def __init__(self, target: str, level: str, wave: int = 32) -> None:
        self.device = Device(target)
        self.wave = wave
        options = [f"-DWAVE={wave}"]
        if wave == 64 and target in TARGETS:
            options.append("-mwavefrontsize64")
        self.module = self.device.load(linked(target, level, *options, source=SOURCE))
        self.random = np.random.default_rng(11)

    def run(
        self,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        *given: object,
        whole_grid: bool = False,
    ) -> list[np.ndarray]:
        arguments, views = [], []
        for each in given:
            if isinstance(each, np.ndarray):
                place = self.device.memory.allocate(each.nbytes, name)
                view = self.device.memory.array(place, each.dtype, each.shape)
                view[:] = each
                views.append(view)
                arguments.append(place)
            else:
                arguments.append(each)
        self.device.launch(
            self.module, name, grid, block, arguments, seconds=240, whole_grid=whole_grid
        )
        return views


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}{case[1]}-{case[2]}")
def zoo(request: pytest.FixtureRequest) -> Zoo:
    return Zoo(*request.param)


def test_reduction(zoo: Zoo) -> None:
    x = zoo.random.integers(-100, 100, (5, 1000)).astype(np.float32)
    _, out = zoo.run("reduce", 5, 256, x, np.zeros(5, np.float32), np.int32(1000))
    assert np.array_equal(out, x.sum(axis=1))


def test_softmax(zoo: Zoo) -> None:
    x = zoo.random.normal(size=(4, 100)).astype(np.float32) * 5
    _, out = zoo.run("softmax", 4, 64, x, np.zeros_like(x), np.int32(100))
    want = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.abs(out - want / want.sum(axis=1, keepdims=True)).max() < 1e-6


def test_histogram(zoo: Zoo) -> None:
    x = zoo.random.integers(0, 1 << 32, 3000, dtype=np.uint32)
    _, bins = zoo.run("histogram", 4, 128, x, np.zeros(64, np.uint32), np.int32(3000))
    assert np.array_equal(bins, np.bincount(x & 63, minlength=64))


def test_integers(zoo: Zoo) -> None:
    a = zoo.random.integers(-(1 << 31), 1 << 31, 128).astype(np.int32)
    b = zoo.random.integers(-1000, 1000, 128).astype(np.int32)
    b[:8] = [0, 1, -1, 2, 7, 1 << 30, -(1 << 31), 3]
    _, _, out, wide = zoo.run(
        "integers", 2, 64, a, b, np.zeros((128, 8), np.int32), np.zeros((128, 4), np.uint64)
    )
    m = 1 << 32
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        y = y or 1
        ux, uy = x % m, y % m
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        bits = [
            quotient,
            x - quotient * y,
            ux // uy,
            ux % uy,
            ux.bit_count() + 32 - (ux | 1).bit_length(),
            (x >> (uy & 31)) ^ (ux << (uy & 31)),
            min(x, y),
            x * y >> 32,
        ]
        assert [int(n) % m for n in out[i]] == [n % m for n in bits], (x, y)
        p, q = ux << 32 | uy, (uy << 20 | 12345)
        words = [p * q, p // q, p % q, (p >> (uy & 63)) + (p << (ux & 63))]
        assert wide[i].tolist() == [n % (1 << 64) for n in words], (x, y)


def same_bits(got: np.ndarray, want: np.ndarray) -> None:
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(got), nan)
    kind = f"u{got.itemsize}"
    assert np.array_equal(got[~nan].view(kind), want[~nan].view(kind))


def test_doubles(zoo: Zoo) -> None:
    bits = zoo.random.integers(0, 1 << 64, (2, 128), dtype=np.uint64)
    a, b = bits.view(np.float64)
    a[:4], b[:4] = [0.0, np.inf, -1.0, 1e308], [0.0, 1.0, 1e-300, 1e-10]
    _, _, out = zoo.run("doubles", 2, 64, a, b, np.zeros((128, 4)))
    with np.errstate(all="ignore"):
        for place, want in enumerate((a + b, None, a / b, np.sqrt(np.abs(a)))):
            if want is not None:
                same_bits(np.ascontiguousarray(out[:, place]), want)


def test_halves(zoo: Zoo) -> None:
    bits = zoo.random.integers(0, 1 << 16, (2, 128), dtype=np.uint16)
    a, b = bits.view(np.float16)
    _, _, out = zoo.run("halves", 2, 64, a, b, np.zeros((128, 4), np.float16))
    with np.errstate(all="ignore"):
        for place, want in enumerate((a + b, a * b, a / b)):
            same_bits(np.ascontiguousarray(out[:, place]), want)


def test_divergence(zoo: Zoo) -> None:
    x = zoo.random.integers(-5, 1000, 128).astype(np.int32)
    _, out = zoo.run("divergent", 2, 64, x, np.full(128, -1, np.int32))
    for start, got in zip(x.tolist(), out.tolist(), strict=True):
        n, steps = start, 0
        while n > 1:
            n, steps = (3 * n + 1 if n & 1 else n // 2), steps + 1
        assert got == (steps if start >= 0 else -1), start


def test_recursion(zoo: Zoo) -> None:
    x = np.arange(64, dtype=np.uint32)
    _, out = zoo.run("recursion", 1, 64, x, np.zeros(64, np.uint32))
    assert np.array_equal(out, 2 * (x & 3) + 3)


def test_spills(zoo: Zoo) -> None:
    x = zoo.random.integers(0, 50, 37).astype(np.int32)
    _, out = zoo.run("spills", 1, 64, x, np.zeros(64, np.int32), np.int32(37))
    for t in range(64):
        own = [int(x[(t + i) % 37]) * (i + 1) for i in range(70)]
        for _ in range(3):
            for i in range(70):
                own[i] = (own[i] + own[(i * 7 + int(x[t % 37])) % 70 & 63]) % (1 << 32)
        want = 0
        for value in own:
            want ^= value
        assert int(out[t]) % (1 << 32) == want


def test_three_dimensions(zoo: Zoo) -> None:
    (out,) = zoo.run("ids", (3, 2, 2), (4, 5, 3), np.zeros(720, np.uint32))
    gz, gy, gx, z, y, x = np.unravel_index(np.arange(720), (2, 2, 3, 3, 5, 4))
    assert np.array_equal(out, x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20)


def test_waves_wait_for_each_other(zoo: Zoo) -> None:
    (out,) = zoo.run("flag", 1, 4 * zoo.wave, np.zeros(zoo.wave, np.uint32))
    assert np.array_equal(out, 7 + np.arange(zoo.wave))


def test_workgroups_wait_for_each_other(zoo: Zoo) -> None:
    _, count = zoo.run("spin", 16, 64, np.zeros(1, np.uint32), np.zeros(1, np.uint32))
    assert count.tolist() == [16]


def test_other_lanes(zoo: Zoo) -> None:
    x = zoo.random.integers(-100, 100, 64).astype(np.int32)
    _, out = zoo.run("shuffles", 1, 64, x, np.zeros((4, 64), np.int32))
    waves = x.reshape(-1, zoo.wave)
    assert np.array_equal(out[0], np.repeat(x.reshape(2, 32).sum(axis=1), 32))
    assert np.array_equal(out[1], np.repeat(waves[:, 0], zoo.wave))
    assert np.array_equal(out[2], np.roll(x.reshape(4, 16), 1, axis=1).ravel())
    below = np.cumsum(waves > 0, axis=1) - (waves > 0)
    assert np.array_equal(out[3], below.ravel())


def test_elements_chosen_by_all_lanes(zoo: Zoo) -> None:
    x = zoo.random.integers(-1000, 1000, 64).astype(np.int32)
    for first, second in ((3, 7), (15, 14), (0, 0)):
        _, out = zoo.run(
            "choices", 1, 64, x, np.zeros(64, np.int32), np.int32(first), np.int32(second)
        )
        for t in range(64):
            own = [int(x[t + i & 63]) for i in range(16)]
            own[first] += 1000
            total = own[second]
            own[second] = own[first + 1 & 15] * 3
            for each in own:
                total = total * 5 + each
            assert int(out[t]) % (1 << 32) == total % (1 << 32), (first, second, t)


def test_parts_of_words(zoo: Zoo) -> None:
    x = zoo.random.integers(0, 1 << 32, 128, dtype=np.uint32)
    _, out = zoo.run("parts", 1, 64, x, np.zeros((3, 64), np.uint32))
    data = x.view(np.uint8).reshape(2, 64, 4).astype(np.int64)
    halves = x.view(np.uint16).reshape(2, 64, 2).astype(np.int64)
    signed = x.view(np.int8).reshape(2, 64, 4).astype(np.int64)
    product = signed[0, :, 1] * signed[1, :, 3] & 0xFF
    first = product | halves[0, :, 1] + data[1, :, 2] << 16
    second = data[0, :, 3] + data[1, :, 1] | (halves[0, :, 1] * halves[1, :, 0] & 0xFFFF) << 16
    third = data[0, :, 2] - halves[1, :, 0].astype(np.int16)
    assert np.array_equal(out, np.stack([first, second, third]) & 0xFFFFFFFF)


def test_scan(zoo: Zoo) -> None:
    x = zoo.random.integers(0, 1 << 32, (3, 256), dtype=np.uint32)
    _, out = zoo.run("scan", 3, 256, x, np.zeros_like(x))
    assert np.array_equal(out, np.cumsum(x, axis=1, dtype=np.uint32))


def test_histogram_in_memory(zoo: Zoo) -> None:
    x = zoo.random.integers(0, 1000, 700, dtype=np.uint32)
    bins, sums = np.zeros(10, np.uint32), np.zeros(3, np.float32)
    _, bins, sums = zoo.run("global_histogram", 3, 64, x, bins, sums, np.int32(700))
    assert np.array_equal(bins, np.bincount(x % 10, minlength=10))
    assert np.array_equal(sums, np.bincount(x % 3, minlength=3))


def test_steps_of_the_whole_grid(zoo: Zoo) -> None:
    groups, steps = 12, 5
    values = np.zeros((steps + 1, groups), np.uint32)
    values[0] = zoo.random.integers(0, 1 << 32, groups, dtype=np.uint32)
    arguments = (np.zeros(1, np.uint32), values, np.int32(groups), np.int32(steps))
    arrived, got = zoo.run("grid_steps", groups, 64, *arguments, whole_grid=True)
    for step in range(steps):
        assert np.array_equal(got[step + 1], got[step] + np.roll(got[step], -1))
    assert np.array_equal(got[0], values[0])
    assert arrived[0] == groups * steps


def test_some_leave_before_a_barrier(zoo: Zoo) -> None:
    count = 4 * zoo.wave
    x = zoo.random.integers(-20, 50, count).astype(np.int32)
    x[zoo.wave + 3] = 77
    _, out = zoo.run("early", 1, count, x, np.full(count, 5, np.int32))
    want = np.where(x < 0, -1, zoo.wave + 3)
    assert np.array_equal(out[: count // 2], want[: count // 2])
    assert (out[count // 2 :] == 5).all()


def test_signed_numbers_of_64_bits(zoo: Zoo) -> None:
    bits = zoo.random.integers(-(1 << 63), 1 << 63, (2, 64))
    bits[1, ::3] >>= 40
    a, b = bits
    a[:3], b[:3] = [-(1 << 63), 7, -7], [0, -2, 2]
    _, _, out = zoo.run("signed_wide", 1, 64, a, b, np.zeros((64, 4), np.int64))
    for x, y, got in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        y = y or 1
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        last = x - y if x < y else int(float(x))
        want = [quotient, x - quotient * y, (x >> (y & 63)) * y, last]
        # Where a double is 2**63, no number of 64 bits is the result.
        count = 3 if last == 1 << 63 else 4
        assert [n % (1 << 64) for n in got[:count]] == [n % (1 << 64) for n in want[:count]], (x, y)


def test_an_endless_loop_is_stopped() -> None:
    zoo = Zoo("gfx1100", "-O3")
    # The kernel is compiled by a run that ends.
    zoo.run("spin", 16, 64, np.zeros(1, np.uint32), np.zeros(1, np.uint32))
    lock = zoo.device.memory.allocate(4, "lock")
    count = zoo.device.memory.allocate(4, "count")
    zoo.device.memory.write(lock, b"\1\0\0\0")
    with pytest.raises(WatchdogExpired, match=r"spin (ran for|was still .*) 0\.2 s"):
        zoo.device.launch(zoo.module, "spin", 16, 64, [lock, count], seconds=0.2)
    with pytest.raises(KernelFault, match="'global_atomic"):
        zoo.device.launch(zoo.module, "spin", (2,), 64, [0, count], seconds=5)
