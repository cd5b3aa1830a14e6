"""The LLVM engine gives the bits of the array engine, at every level of the processor."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.engines.lanes import on_llvm, operands
from tests.engines.levels import JITS
from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane

I32, I64, F32, F64, BOOL = Lane.I32, Lane.I64, Lane.F32, Lane.F64, Lane.BOOL
FLOATS, INTEGERS = (F32, F64), (I32, I64)
Meaning = Callable[..., Any]

BINARY = ["add", "sub", "mul"]
COMPARE = ["eq", "lt", "le"]
OTHER = {I32: F32, F32: I32, I64: F64, F64: I64}


def meanings() -> list[tuple[str, Meaning, Lane, int, Lane]]:
    """Name, meaning, lane of the operands, their number, lane of the result."""
    table: list[tuple[str, Meaning, Lane, int, Lane]] = []
    for lane in (*INTEGERS, *FLOATS):
        names = [*BINARY, "max", "min", *(["div"] if lane.is_float else ["and_", "or_", "xor"])]
        table += [(name, _call(name), lane, 2, lane) for name in names]
        table += [(name, _call(name), lane, 2, BOOL) for name in COMPARE]
        table.append(("neg", _call("neg"), lane, 1, lane))
        table.append(
            ("bitcast", lambda e, x, to=OTHER[lane]: e.bitcast(x, to), lane, 1, OTHER[lane])
        )
        table.append(("select", lambda e, x, y, z: e.select(e.lt(x, y), z, y), lane, 3, lane))
    for lane in INTEGERS:
        table += [(name, _shifted(name, lane), lane, 2, lane) for name in ("shl", "lshr", "ashr")]
        table.append(("leading_zeros", _call("leading_zeros"), lane, 1, lane))
        table.append(("unsigned_lt", _call("unsigned_lt"), lane, 2, BOOL))
        table.append(("not_", _call("not_"), lane, 1, lane))
        table += [
            (f"to {to.value}", _to(to), lane, 1, to) for to in (I32, I64, F32, F64) if to != lane
        ]
    table.append(("zero_extend", lambda e, x: e.zero_extend(x, I64), I32, 1, I64))
    for lane in FLOATS:
        table += [(name, _call(name), lane, 1, lane) for name in ("abs", "floor", "trunc")]
        table.append(("is_nan", _call("is_nan"), lane, 1, BOOL))
        other = F64 if lane is F32 else F32
        table.append((f"to {other.value}", _to(other), lane, 1, other))
        table += [(f"to {to.value}", _whole(to), lane, 1, to) for to in INTEGERS]
    table.append(
        ("keep_and_set", lambda e, x: e.keep_and_set(x, 0x7F80F0F0, 0x400303), I32, 1, I32)
    )
    halves = ("add", "sub", "and_", "or_", "max", "min", "twice")
    table += [(f"i16 {name}", _on_halves(name), I32, 2, I32) for name in halves]
    table.append(("fma", _call("fma"), F32, 3, F32))
    table.append(("bool", _truth, I32, 2, BOOL))
    return table


def _call(name: str) -> Meaning:
    return lambda e, *values: getattr(e, name)(*values)


def _on_halves(name: str) -> Meaning:
    def meaning(e: Engine[Any], x: Any, y: Any) -> Any:
        first, second = e.convert(x, Lane.I16), e.lshr(e.convert(y, Lane.I16), 3)
        if name == "twice":
            return e.twice(e.shl(first, 2))
        chosen = e.select(e.eq(second, 0), first, getattr(e, name)(first, second))
        return e.convert(chosen, I32)

    return meaning


def _to(lane: Lane) -> Meaning:
    return lambda e, x: e.convert(x, lane)


def _shifted(name: str, lane: Lane) -> Meaning:
    return lambda e, x, y: getattr(e, name)(x, e.and_(y, lane.bits - 1))


def _whole(lane: Lane) -> Meaning:
    """Float to integer, with what does not fit dropped as the contract demands."""

    def meaning(e: Engine[Any], x: Any) -> Any:
        fits = e.lt(e.abs(x), 2.0 ** (lane.bits - 2))
        return e.select(fits, e.convert(x, lane), e.constant(lane, 7))

    return meaning


def _truth(e: Engine[Any], x: Any, y: Any) -> Any:
    return e.xor(e.or_(e.lt(x, y), e.not_(e.eq(x, y))), e.and_(e.lt(y, x), e.le(x, y)))


TABLE = meanings()


def test_count() -> None:
    assert len(TABLE) == 95


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[2].value}")
def test_same_bits(level: str, row: tuple[str, Meaning, Lane, int, Lane]) -> None:
    name, meaning, lane, count, result = row
    if name == "fma":
        arrays = [each[: each.size // 64 * 64] for each in operands(lane, count)]
    else:
        arrays = operands(lane, count)
    want = np.broadcast_to(meaning(ArrayEngine(), *arrays), arrays[0].shape)
    got = on_llvm(JITS[level], f"{name} {lane}", meaning, arrays, result)
    if result is BOOL:
        want = want.astype(np.int32)
    if result.is_float:
        both_nan = np.isnan(got) & np.isnan(want)
        got, want = (np.where(both_nan, 0, each).view(f"u{each.itemsize}") for each in (got, want))
    assert np.array_equal(got, want)


@pytest.mark.parametrize("level", [level for level in JITS if level != "baseline"])
def test_fma_of_f64(level: str) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(512) * 2.0 ** rng.integers(-540, 500, 512) for _ in range(3)]
    arrays[2][:256] = -arrays[0][:256] * arrays[1][:256]
    want = ArrayEngine().fma(*arrays)
    got = on_llvm(JITS[level], "fma f64", _call("fma"), arrays, F64)
    assert np.array_equal(got.view(np.uint64), want.view(np.uint64))


def _near_whole(rng: np.random.Generator, lane: Lane) -> np.ndarray:
    """Whole numbers, their neighbours and others, all small enough for i32."""
    kind = np.float32 if lane is F32 else np.float64
    whole = rng.integers(-(2**24), 2**24, 1024).astype(kind)
    moved = np.nextafter(whole, rng.choice([-np.inf, np.inf], 1024).astype(kind))
    zeros = np.array([0.0, -0.0, 0.5, -0.5, 1e-30, -1e-30, 1.0, -1.0] * 4, dtype=kind)
    return np.concatenate([whole, moved, rng.standard_normal(1024).astype(kind), zeros])


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16, 32])
def test_floor_to_integer(level: str, width: int) -> None:
    for lane, to in ((F32, I32), (F64, I64)):
        array = _near_whole(np.random.default_rng(2), lane)
        name = f"floor_to_integer {lane}"
        got = on_llvm(JITS[level], name, _call("floor_to_integer"), [array], to, width)
        assert np.array_equal(got, np.floor(array.astype(np.float64)).astype(got.dtype))


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16, 32])
def test_larger_size(level: str, width: int) -> None:
    for lane in FLOATS:
        finite = operands(lane, 1)[0]
        finite = finite[np.isfinite(finite)]
        x, y = (np.ascontiguousarray(each.ravel()) for each in np.meshgrid(finite, finite))
        x, y = (np.resize(each, -(-each.size // 32) * 32) for each in (x, y))
        want = np.copysign(np.maximum(np.abs(x), np.abs(y)), x)
        for made in (
            ArrayEngine().larger_size(x, y),
            on_llvm(JITS[level], f"larger_size {lane}", _call("larger_size"), [x, y], lane, width),
        ):
            assert np.array_equal(made.view(f"u{x.itemsize}"), want.view(f"u{x.itemsize}"))


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16, 32])
def test_ashr_out(level: str, width: int) -> None:
    grid = np.meshgrid(operands(I32, 1)[0], [0, 1, 8, 30, 31, 32, 33, 63, 64, 255, 2**31 - 1])
    x, amount = (np.resize(each.ravel().astype(np.int32), 256) for each in grid)
    want = x.astype(np.int64) >> np.minimum(amount, 63)
    for made in (
        ArrayEngine().ashr_out(x, amount),
        on_llvm(JITS[level], "ashr_out", _call("ashr_out"), [x, amount], I32, width),
    ):
        assert np.array_equal(made, want)


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16, 32])
def test_sums_rounded_as_told(level: str, width: int) -> None:
    """Against exact numbers: the nearest f64 that the direction allows."""
    rng = np.random.default_rng(3)
    x, y = (rng.integers(-(2**20), 2**20, 512) * 2.0 ** rng.integers(-40, 40, 512) for _ in "xy")
    z = rng.standard_normal(512) * 2.0 ** rng.integers(-60, 60, 512)
    z[:64] = -x[:64] * y[:64]
    x[64:80], z[80:96] = 0.0, 0.0
    rows = list(zip(x.tolist(), y.tolist(), z.tolist(), strict=True))
    sums = [Fraction(x) + Fraction(z) for x, _, z in rows]
    fused = [Fraction(x) * Fraction(y) + Fraction(z) for x, y, z in rows]
    for name, given, want in (
        ("add_down", [x, z], [_below(each) for each in sums]),
        ("fma_down", [x, y, z], [_below(each) for each in fused]),
        ("fma_to_zero", [x, y, z], [_below(e) if e > 0 else -_below(-e) for e in fused]),
    ):
        assert np.array_equal(_call(name)(ArrayEngine(), *given), np.array(want))
        made = on_llvm(JITS[level], name, _call(name), given, F64, width)
        assert np.array_equal(made, np.array(want))


def _below(exact: Fraction) -> float:
    near = exact.numerator / exact.denominator
    return near if near <= exact else math.nextafter(near, -math.inf)


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16])
def test_every_finite_half(level: str, width: int) -> None:
    codes = np.arange(1 << 16, dtype=np.uint16)
    finite = np.resize(codes[np.isfinite(codes.view(np.float16))], 1 << 16)
    want = finite.view(np.float16).astype(np.float32).view(np.int32)
    words = finite.astype(np.int32)
    for made in (
        ArrayEngine().half_to_f32(words),
        on_llvm(JITS[level], "half", _call("half_to_f32"), [words], F32, width),
    ):
        assert np.array_equal(made.view(np.int32), want)


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [4, 16, 32])
def test_words_of_f64(level: str, width: int) -> None:
    numbers = np.random.default_rng(4).standard_normal(256)
    words = numbers.view(np.int32).reshape(-1, 2)
    low, high = (np.ascontiguousarray(words[:, place]) for place in (0, 1))
    jit, engine = JITS[level], ArrayEngine()
    joined = on_llvm(jit, "join_words", _call("join_words"), [low, high], F64, width)
    assert np.array_equal(joined, numbers)
    assert np.array_equal(engine.join_words(low, high), numbers)
    assert np.array_equal(on_llvm(jit, "low", _call("low_word"), [numbers], I32, width), low)
    assert np.array_equal(engine.low_word(numbers), low)


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("width", [1, 4, 16, 32])
def test_bytes(level: str, width: int) -> None:
    grid = np.meshgrid(np.arange(256, dtype=np.uint8), np.arange(256, dtype=np.uint8))
    x, y = (np.ascontiguousarray(each.ravel()) for each in grid)
    numbers = list(zip(x.tolist(), y.tolist(), strict=True))
    for name, meant in (
        ("sub_bytes", [max(one - other, 0) for one, other in numbers]),
        ("max_bytes", [max(pair) for pair in numbers]),
    ):
        words = [x.view(np.int32), y.view(np.int32)]
        for made in (
            _call(name)(ArrayEngine(), *words),
            on_llvm(JITS[level], name, _call(name), words, I32, width),
        ):
            assert made.view(np.uint8).tolist() == meant
