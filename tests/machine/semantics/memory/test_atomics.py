"""Atomics of every space against the ISA's text in plain numbers, one lane after the other."""

import itertools
import re
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import ml_dtypes
import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import Memory, tail
from tests.machine.semantics.memory.lines import FIRST, instructions, line, newer

TARGETS = {"gfx1100": "rdna3", "gfx1201": "rdna4", "gfx942": "cdna3"}
PREFIXES = ("global", "flat", "ds", "buffer")
RETURN = {"gfx1100": "glc", "gfx1201": "th:TH_ATOMIC_RETURN", "gfx942": "sc0"}
# ds_add_rtn_u32 and global_atomic_add_u32 are one word: "add".
NAME = re.compile(
    r"(?:(?:global|flat|buffer)_atomic_(?P<a>\w+?)|ds_(?P<b>\w+?)(?:_rtn)?)"
    r"_(?P<type>[biuf]\d+|bf16)"
)
WORDS = (
    "swap cmpswap storexchg cmpstore cmpst add pk_add sub rsub csub sub_clamp cond_sub wrap inc dec"
)
WORDS += " min max min_num max_num and or xor mskor"
SPECIAL_32 = [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000]
SPECIAL_32 += [0x7FC00000, 0x7F800001, 0xFFC00001, 0x00000001, 0x80000001, 0x00800000, 0x7F7FFFFF]
SPECIAL_32 += [0x3C003C00, 0x7C00FC00, 0x7E000400, 0x3F803F80, 0x00010001, 0x7BFF7BFF]


def signed(x: int, bits: int) -> int:
    return x - (x >> bits - 1 << bits)


def real(x: int, bits: int) -> float:
    return float(struct.unpack({32: "<f", 64: "<d"}[bits], x.to_bytes(bits // 8, "little"))[0])


def is_nan(x: int, bits: int) -> bool:
    return real(x, bits) != real(x, bits)


@np.errstate(all="ignore")
def added(x: int, y: int, bits: int) -> int:
    """The sum of two f32 or f64, rounded once; -1 for a NaN."""
    a, b = real(x, bits), real(y, bits)
    total = np.float64(a) + np.float64(b)
    if total != total:
        return -1
    if bits == 64:
        return int(total.view(np.uint64))
    exact = np.isfinite(a) and np.isfinite(b)
    narrow = np.float32(total)
    if exact and Fraction(float(total)) != Fraction(a) + Fraction(b):
        # The f64 sum is not exact: of the two neighbours the nearer one, by exact fractions.
        best = Fraction(a) + Fraction(b)
        around = [np.nextafter(narrow, np.float32(s * np.inf)) for s in (-1, 1)] + [narrow]
        finite = [each for each in around if np.isfinite(each)]
        narrow = min(finite, key=lambda each: abs(Fraction(float(each)) - best))
    return int(narrow.view(np.uint32))


@np.errstate(all="ignore")
def added_halves(x: int, y: int, kind: type) -> tuple[int, int]:
    """Sums of both halves, -1 for a NaN."""
    found = []
    for shift in (0, 16):
        a, b = (np.uint16(n >> shift & 0xFFFF).view(kind) for n in (x, y))
        total = np.float64(a) + np.float64(b)
        bits = int(np.asarray(np.float64(total).astype(kind)).view(np.uint16))
        found.append(-1 if total != total else bits)
    return found[0], found[1]


def less(x: int, y: int, kind: str, bits: int) -> bool:
    if kind == "f":
        return real(x, bits) < real(y, bits)
    return signed(x, bits) < signed(y, bits) if kind == "i" else x < y


def number(x: int, old: int, bits: int, least: bool) -> int:
    """minimumNumber and maximumNumber; -1 for a NaN."""
    if is_nan(x, bits) and is_nan(old, bits):
        return -1
    if is_nan(x, bits) or is_nan(old, bits):
        return old if is_nan(x, bits) else x
    if real(x, bits) == real(old, bits) == 0:
        return x | old if least else x & old
    return x if less(x, old, "f", bits) == least and x != old else old


Change = Callable[[int, list[int], str, int], int]
CHANGES: dict[str, Change] = {
    "swap": lambda m, v, k, b: v[0],
    "cmpswap": lambda m, v, k, b: (
        v[0] if (real(m, b) == real(v[1], b) if k == "f" else m == v[1]) else m
    ),
    "cmpst": lambda m, v, k, b: CHANGES["cmpswap"](m, v[::-1], k, b),
    "add": lambda m, v, k, b: added(m, v[0], b) if k == "f" else m + v[0],
    "sub": lambda m, v, k, b: m - v[0],
    "rsub": lambda m, v, k, b: v[0] - m,
    "csub": lambda m, v, k, b: max(m - v[0], 0),
    "cond_sub": lambda m, v, k, b: m - v[0] if m >= v[0] else m,
    "wrap": lambda m, v, k, b: m - v[0] if m >= v[0] else m + v[1],
    "inc": lambda m, v, k, b: 0 if m >= v[0] else m + 1,
    "dec": lambda m, v, k, b: v[0] if m == 0 or m > v[0] else m - 1,
    "min": lambda m, v, k, b: v[0] if less(v[0], m, k, b) else m,
    "max": lambda m, v, k, b: v[0] if less(m, v[0], k, b) else m,
    "min_num": lambda m, v, k, b: number(v[0], m, b, True),
    "max_num": lambda m, v, k, b: number(v[0], m, b, False),
    "and": lambda m, v, k, b: m & v[0],
    "or": lambda m, v, k, b: m | v[0],
    "xor": lambda m, v, k, b: m ^ v[0],
    "mskor": lambda m, v, k, b: m & ~v[0] | v[1],
}
SAME = {"storexchg": "swap", "cmpstore": "cmpswap", "sub_clamp": "csub"}


def parts(name: str) -> tuple[str, str, int] | None:
    """The word, the letter of the type and the width; None for what is no atomic of one place."""
    found = NAME.fullmatch(newer(name))
    word = found and (found["a"] or found["b"])
    if not found or word not in WORDS.split():
        return None
    kind = found["type"]
    return SAME.get(word, word), kind[:-2] if kind != "bf16" else "bf", int(kind[-2:])


@cache
def lines_of(target: str) -> dict[str, str]:
    found = {}
    for each in instructions(TARGETS[target]):
        name = each.row.name
        if parts(name):
            prefix = name.partition("_")[0]
            found[name] = line(each, tail(prefix))
            if prefix != "ds":
                text = line(each, f"{tail(prefix)} {RETURN[target]}", returned=True)
                found[name + " returned"] = text
    return found


@cache
def machine(target: str, on_arrays: bool) -> Instructions:
    wave = 64 if target == "gfx942" else 32
    return Instructions(tuple(lines_of(target).values()), target, wave, on_arrays=on_arrays)


def test_all_are_there() -> None:
    counts = {t: len({name.split()[0] for name in lines_of(t)}) for t in TARGETS}
    updates = {each.row.name for each in instructions("rdna3") if "atomic" in each.row.meaning}
    assert {name.split()[0] for name in lines_of("gfx1100")} == updates
    assert counts["gfx1201"] > counts["gfx1100"] > 130


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_numbers_become_what_the_isa_says(target: str, prefix: str, on_arrays: bool) -> None:
    generator = np.random.default_rng(len(prefix))
    one = machine(target, on_arrays)
    memory = Memory(one, prefix, generator)
    for name, text in lines_of(target).items():
        if name.startswith(prefix + "_"):
            for way in ("apart", "same"):
                mask = int(generator.integers(0, 2**64, dtype=np.uint64)) >> 64 - one.lanes
                check(one, memory, name, text, way, mask, generator)


def special(bits: int) -> list[int]:
    """Numbers that matter, in a width."""
    if bits < 64:
        return SPECIAL_32
    plain = [0.0, -0.0, 1.0, -1.5, 5e-324, -5e-324, 1.7976931348623157e308, np.inf, -np.inf]
    found = [int.from_bytes(struct.pack("<d", each), "little") for each in plain]
    return [*found, 0x7FF8000000000000, 0x7FF0000000000001, 0xFFF8000000000001, 1 << 62]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_every_pair_of_special_floats(target: str, on_arrays: bool) -> None:
    generator = np.random.default_rng(8)
    one = machine(target, on_arrays)
    memory = {prefix: Memory(one, prefix, generator) for prefix in ("global", "ds")}
    tested = set()
    for name, text in lines_of(target).items():
        prefix = name.partition("_")[0]
        word, kind, bits = parts(name.split()[0])  # type: ignore[misc]
        if prefix not in memory or "f" not in kind or word == "cmpswap":
            continue
        tested.add((word, kind, bits))
        pairs = list(itertools.product(special(bits), repeat=2))
        for first in range(0, len(pairs), 32):
            some = pairs[first : first + 32]
            mask = (1 << len(some)) - 1
            check(one, memory[prefix], name, text, "apart", mask, generator, some)
    assert len(tested) == {"gfx1100": 5, "gfx1201": 7, "gfx942": 10}[target]


def check(
    one: Instructions,
    memory: Memory,
    name: str,
    text: str,
    way: str,
    mask: int,
    generator: np.random.Generator,
    pairs: Sequence[tuple[int, int]] = (),
) -> None:
    word, kind, bits = parts(name.split()[0])  # type: ignore[misc]
    size = 4 if word == "pk_add" else bits // 8
    fill(one, memory, generator, ordinary=way == "same")
    apart = generator.permutation(200)[: one.lanes]
    places = np.zeros(one.lanes, dtype=np.int64) if way == "same" else apart
    memory.point(places * size)
    for lane, (held, given) in enumerate(pairs):
        memory.write(lane, int(places[lane]) * size, held.to_bytes(size, "little"))
        words = np.frombuffer(given.to_bytes(size, "little"), "<u4")
        one.vectors[FIRST["data"] : FIRST["data"] + size // 4, lane] = words
    old = [each.copy() for each in (one.vectors, memory.device, one.lds)]
    assert one.run(text, mask) == FINE, name
    got = [each.copy() for each in (one.vectors, memory.device, one.lds)]
    for array, was in zip((one.vectors, memory.device, one.lds), old, strict=True):
        array[:] = was
    first = FIRST["d" if memory.prefix != "buffer" else "data"]
    mine, theirs = (one.lds, got[2]) if memory.prefix == "ds" else (memory.device, got[1])
    for lane in (lane for lane in range(one.lanes) if mask >> lane & 1):
        at = int(places[lane]) * size
        held = memory.read(lane, at, size)
        values = operands(old[0], memory.prefix, lane, size)
        if "returned" in name or "_rtn" in name:
            one.vectors[first : first + size // 4, lane] = np.frombuffer(held, "<u4")
        for n, new in enumerate(changed(word, kind, bits, held, values)):
            width = bits // 8
            start = at + n * width
            if new == -1:
                assert is_a_nan(theirs[start : start + width].tobytes(), kind), name
                memory.write(lane, start, theirs[start : start + width].tobytes())
            else:
                memory.write(lane, start, (new % (1 << bits)).to_bytes(width, "little"))
    assert np.array_equal(theirs, mine), name
    assert np.array_equal(got[0], one.vectors), name


def fill(
    one: Instructions, memory: Memory, generator: np.random.Generator, *, ordinary: bool
) -> None:
    """Fill registers and memory; ordinary numbers never add up to NaN."""
    for array in (one.vectors.reshape(-1), memory.device.view("<u4"), one.lds.view("<u4")):
        if ordinary:
            sums = generator.normal(size=array.size).astype(np.float32).view(np.uint32)
            array[:] = sums & ~np.uint32(0x40004000)
        else:
            array[:] = generator.integers(0, 2**32, array.size, dtype=np.uint32)
            some = generator.random(array.size) < 0.5
            array[some] = generator.choice(np.array(SPECIAL_32, dtype=np.uint32), some.sum())


def operands(vectors: np.ndarray, prefix: str, lane: int, size: int) -> list[int]:
    """Both numbers that an update may take."""
    second = FIRST["data_1"] if prefix == "ds" else FIRST["data"] + size // 4
    firsts = (FIRST["data"], second)
    words = [vectors[first : first + size // 4, lane].tobytes() for first in firsts]
    return [int.from_bytes(each, "little") for each in words]


def changed(word: str, kind: str, bits: int, held: bytes, values: list[int]) -> list[int]:
    """The new number, or those of both halves; -1 for a NaN."""
    old = int.from_bytes(held, "little")
    if word == "pk_add":
        return [*added_halves(old, values[0], ml_dtypes.bfloat16 if kind == "bf" else np.float16)]
    new = CHANGES[word](old, values, kind, bits)
    return [-1 if new == -1 and kind == "f" else new % (1 << bits)]


def is_a_nan(data: bytes, kind: str) -> bool:
    types = {("f", 2): "<f2", ("f", 4): "<f4", ("f", 8): "<f8"}
    form = ml_dtypes.bfloat16 if kind == "bf" else types[kind, len(data)]
    return bool(np.isnan(np.frombuffer(data, form)[0]))
