"""Floats in all rounding modes, on both engines, against fractions that are rounded here."""

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.directed_floats import (
    DOWN,
    NAN,
    NEAREST,
    UP,
    ZERO,
    fused,
    product,
    rounded,
)
from tests.machine.semantics.drawing import DOUBLES, WORDS
from tests.machine.semantics.exact_floats import F16, F32, F64, Float
from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.objects import code_object

Number = float | Fraction


class Line(NamedTuple):
    """An instruction with results in v20 (and v21), sources in v2, v4 and v6.

    Attributes:
        text: Of assembly.
        form: Of the result.
        sources: Of the numbers in its sources: a format, or what turns a word into a number.
        expect: Numbers and direction to bits.
        targets: Where it runs.

    """

    text: str
    form: Float
    sources: tuple[Float | str, ...]
    expect: Callable[..., int | str]
    targets: tuple[str, ...] = ("gfx1100", "gfx942")


def add(form: Float) -> Callable[..., int | str]:
    return lambda x, y, d: fused(form, x, 1.0, y, d)


def times(form: Float) -> Callable[..., int | str]:
    return lambda x, y, d: product(form, x, y, d)


def sums(form: Float) -> Callable[..., int | str]:
    return lambda x, y, z, d: fused(form, x, y, z, d)


def narrow(form: Float) -> Callable[..., int | str]:
    return lambda x, d: product(form, x, 1.0, d)


def scaled(form: Float) -> Callable[..., int | str]:
    def expect(x: float, n: int, direction: int) -> int | str:
        if not math.isfinite(x) or x == 0:
            return product(form, x, 1.0, direction)
        exact = Fraction(x) * Fraction(2) ** min(max(n, -5000), 5000)
        return rounded(form, exact, direction)

    return expect


EVERY, RDNA, CDNA = ("gfx1100", "gfx1201", "gfx942"), ("gfx1100", "gfx1201"), ("gfx942",)
LINES = [
    Line("v_add_f32 v20, v2, v4", F32, (F32, F32), add(F32), EVERY),
    Line("v_sub_f32 v20, v2, v4", F32, (F32, F32), lambda x, y, d: fused(F32, x, 1.0, -y, d)),
    Line("v_subrev_f32 v20, v2, v4", F32, (F32, F32), lambda x, y, d: fused(F32, -x, 1.0, y, d)),
    Line("v_mul_f32 v20, v2, -v4", F32, (F32, F32), lambda x, y, d: product(F32, x, -y, d)),
    Line("v_fma_f32 v20, v2, v4, v6", F32, (F32, F32, F32), sums(F32)),
    Line("v_add_f16 v20, v2, v4", F16, (F16, F16), add(F16)),
    Line("v_mul_f16 v20, v2, v4", F16, (F16, F16), times(F16)),
    Line("v_fma_f16 v20, v2, v4, v6", F16, (F16, F16, F16), sums(F16), EVERY),
    Line("v_pk_add_f16 v20, v2, v4", F16, (F16, F16), add(F16)),
    Line("v_pk_fma_f16 v20, v2, v4, v6", F16, (F16, F16, F16), sums(F16)),
    Line("v_pk_fma_f32 v[20:21], v[2:3], v[4:5], v[6:7]", F32, (F32,) * 3, sums(F32), CDNA),
    Line("v_add_f64 v[20:21], v[2:3], v[4:5]", F64, (F64, F64), add(F64)),
    Line("v_mul_f64 v[20:21], v[2:3], v[4:5]", F64, (F64, F64), times(F64)),
    Line("v_fma_f64 v[20:21], v[2:3], v[4:5], v[6:7]", F64, (F64,) * 3, sums(F64), EVERY),
    Line("v_cvt_f32_f64 v20, v[2:3]", F32, (F64,), narrow(F32)),
    Line("v_cvt_f16_f32 v20, v2", F16, (F32,), narrow(F16)),
    Line("v_cvt_f32_i32 v20, v2", F32, ("i32",), narrow(F32)),
    Line("v_cvt_f32_u32 v20, v2", F32, ("u32",), narrow(F32)),
    Line("v_cvt_f16_u16 v20, v2", F16, ("u16",), narrow(F16)),
    Line("v_ldexp_f32 v20, v2, v4", F32, (F32, "i32"), scaled(F32)),
    Line("v_ldexp_f16 v20, v2, v4", F16, (F16, "i16"), scaled(F16)),
    Line("v_ldexp_f64 v[20:21], v[2:3], v4", F64, (F64, "i32"), scaled(F64)),
    Line("v_fma_mix_f32 v20, v2, v4, v6 op_sel_hi:[0,1,0]", F32, (F32, F16, F32), sums(F32), RDNA),
    Line(
        "v_fma_mixlo_f16 v20, v2, v4, v6 op_sel_hi:[1,1,0]", F16, (F16, F16, F32), sums(F16), RDNA
    ),
    Line("v_pk_fmac_f16 v20, v2, v4", F16, (F16, F16, F16), sums(F16), RDNA),
    Line("v_fmac_f32 v20, v2, v4", F32, (F32, F32, F32), sums(F32)),
]
SET = "s_setreg_imm32_b32 hwreg({name}, 0, 4), {value}"
PLACES = {"gfx1100": 32, "gfx1201": 32, "gfx942": 64}


def name_of_mode(target: str) -> str:
    return "HW_REG_WAVE_MODE" if target == "gfx1201" else "HW_REG_MODE"


@cache
def machine(target: str, on_arrays: bool) -> Instructions:
    lines = [line.text for line in LINES if target in line.targets]
    lines += [SET.format(name=name_of_mode(target), value=each * 5) for each in range(4)]
    return Instructions(lines, target, PLACES[target], on_arrays=on_arrays)


def numbers(one: Instructions, form: Float | str, first: int, lane: int) -> Number:
    low, high = (int(one.vectors[first + n, lane]) for n in (0, 1))
    if form in ("i32", "u32", "i16", "u16"):
        bits = int(str(form)[1:])
        value = low & (1 << bits) - 1
        return value - (value >> bits - 1 << bits) if form in ("i32", "i16") else value
    assert isinstance(form, Float)
    return form.value((low | high << 32) & (1 << form.bits) - 1)


def fill(one: Instructions, line: Line, generator: np.random.Generator) -> None:
    """Draw numbers that matter; some sums nearly cancel."""
    lanes = one.lanes
    for first in (2, 4, 6, 20):
        words = generator.integers(0, 2**32, (2, lanes), dtype=np.uint32)
        some = generator.random((2, lanes)) < 0.5
        words[some] = generator.choice(np.array(WORDS, np.uint32), int(some.sum()))
        if F64 in line.sources:
            doubles = generator.choice(np.array(DOUBLES, np.uint64), lanes)
            chosen = generator.random(lanes) < 0.5
            words[0, chosen] = (doubles & 0xFFFFFFFF)[chosen]
            words[1, chosen] = (doubles >> np.uint64(32))[chosen]
        one.vectors[first : first + 2] = words
    if line.sources[-1] in ("i32", "i16"):
        near = generator.integers(-30, 30, lanes)
        far = generator.integers(-1100, 1100, lanes)
        one.vectors[4] = np.where(generator.random(lanes) < 0.5, near, far).astype(np.int64)
    if len(line.sources) == 3 and line.form is F64:
        first, second = (one.vectors[n : n + 2].T.copy().view("<f8")[:, 0] for n in (2, 4))
        with np.errstate(all="ignore"):
            third = -(first * second) * generator.choice([1.0, 1 + 2**-52, 0.5], lanes)
        words = third.view("<u8")
        chosen = generator.random(lanes) < 0.5
        one.vectors[6, chosen] = (words & 0xFFFFFFFF).astype(np.uint32)[chosen]
        one.vectors[7, chosen] = (words >> np.uint64(32)).astype(np.uint32)[chosen]


def check(one: Instructions, target: str, line: Line, direction: int) -> None:
    places = (2, 4, 6) if "fmac" not in line.text else (2, 4, 20)
    wanted = []
    for lane in range(one.lanes):
        given = [numbers(one, f, p, lane) for f, p in zip(line.sources, places, strict=False)]
        if not any(isinstance(f, Float) for f in line.sources):
            given = [float(x) for x in given]
        wanted.append(line.expect(*given, direction))
    assert one.run(line.text) == FINE
    for lane, want in enumerate(wanted):
        low, high = (int(one.vectors[n, lane]) for n in (20, 21))
        got = (low | high << 32) & (1 << line.form.bits) - 1
        is_nan = got & line.form.sign - 1 > line.form.infinity
        assert (NAN if is_nan else got) == want, (line.text, direction, lane, hex(got), want)


@pytest.mark.parametrize("on_arrays", [False, True])
@pytest.mark.parametrize("target", PLACES)
def test_directions(target: str, on_arrays: bool) -> None:
    one = machine(target, on_arrays)
    for number, line in enumerate(LINES):
        if target not in line.targets:
            continue
        for direction in range(4):
            generator = np.random.default_rng(number * 4 + direction)
            fill(one, line, generator)
            set_mode = SET.format(name=name_of_mode(target), value=direction * 5)
            assert one.run(set_mode) == FINE
            assert one.mode & 15 == direction * 5
            check(one, target, line, direction)


SCALARS = ("s_round_mode {}", "s_add_f32 s20, s2, s4", "s_mul_f16 s21, s2, s4")


@pytest.mark.parametrize("on_arrays", [False, True])
def test_scalar_floats(on_arrays: bool) -> None:
    modes = [SCALARS[0].format(n) for n in (0, 1, 2, 3, 4, 8, 12)]
    one = Instructions((*modes, *SCALARS[1:]), "gfx1201", 32, on_arrays=on_arrays)
    generator = np.random.default_rng(5)
    for line in modes:
        own = int(line.split()[1])
        for _ in range(20):
            one.scalars[2], one.scalars[4] = generator.choice(np.array(WORDS, np.uint32), 2)
            x, y = (int(one.scalars[n]) for n in (2, 4))
            assert [one.run(each) for each in (line, *SCALARS[1:])] == [FINE] * 3
            for place, form, expect, bits, way in (
                (20, F32, add(F32), 0xFFFFFFFF, own & 3),
                (21, F16, times(F16), 0xFFFF, own >> 2),
            ):
                want = expect(form.value(x & bits), form.value(y & bits), way)
                got = int(one.scalars[place])
                is_nan = got & form.sign - 1 > form.infinity
                assert (NAN if is_nan else got) == want, (line, hex(x), hex(y))


QUOTIENTS = {
    "v_div_fmas_f32 v20, v2, v4, v6": (F32, 64),
    "v_div_fmas_f64 v[20:21], v[2:3], v[4:5], v[6:7]": (F64, 128),
}
VCC = 106


@pytest.mark.parametrize("on_arrays", [False, True])
def test_last_steps_of_quotients(on_arrays: bool) -> None:
    modes = [SET.format(name="HW_REG_MODE", value=each * 5) for each in range(4)]
    one = Instructions((*QUOTIENTS, *modes), "gfx1100", 32, on_arrays=on_arrays)
    generator = np.random.default_rng(3)
    for text, (form, step) in QUOTIENTS.items():
        line = Line(text, form, (form, form, form), sums(form))
        for direction in (UP, DOWN, ZERO):
            fill(one, line, generator)
            one.scalars[VCC] = generator.integers(0, 2**32, dtype=np.uint32)
            assert one.run(modes[direction]) == FINE
            given = [[numbers(one, form, at, lane) for at in (2, 4, 6)] for lane in range(32)]
            assert one.run(text) == FINE
            for lane, (x, y, z) in enumerate(given):
                power = 0
                if one.scalars[VCC] >> np.uint32(lane) & 1:
                    power = step if abs(z) >= 2 else -step
                want = fused(form, x, y, z, direction)
                if power and all(map(math.isfinite, (x, y, z))):
                    exact = (Fraction(x) * Fraction(y) + Fraction(z)) * Fraction(2) ** power
                    want = rounded(form, exact, direction) if exact else want
                low, high = (int(one.vectors[n, lane]) for n in (20, 21))
                got = (low | high << 32) & (1 << form.bits) - 1
                is_nan = got & form.sign - 1 > form.infinity
                assert (NAN if is_nan else got) == want, (text, direction, x, y, z, power)


KERNEL = """
extern "C" __attribute__((global)) void k(float *out, const float *in) {
  float sum;
  asm volatile("s_getreg_b32 s20, hwreg(HW_REG_MODE)\\n"
               "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\\n"
               "v_add_f32 %0, %1, %2\\n"
               "s_setreg_b32 hwreg(HW_REG_MODE), s20"
               : "=&v"(sum) : "v"(in[0]), "v"(in[1]) : "s20");
  out[0] = sum;
  out[1] = in[0] + in[1];
}
"""
RSRC1, ROUND_AT = 48, 12


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("start", [NEAREST, DOWN, ZERO])
def test_kernels_change_the_mode_and_put_it_back(interpreted: bool, start: int) -> None:
    data = bytearray(linked("gfx1100", "-O3", source=KERNEL))
    place = code_object(bytes(data)).kernel("k").descriptor_address + RSRC1
    (word,) = struct.unpack_from("<I", data, place)
    struct.pack_into("<I", data, place, word | start << ROUND_AT)
    device = Device("gfx1100", threads=1)
    module = device.load(bytes(data))
    places = [device.memory.allocate(8, name) for name in ("out", "in")]
    out, given = (device.memory.array(each, np.float32, (2,)) for each in places)
    for pair in ((1.0, 2.0**-30), (-1.0, 2.0**-30), (-1.0, -(2.0**-30))):
        given[:] = pair
        device.launch(module, "k", 1, 32, places, interpreted=interpreted)
        want = [F32.value(int(fused(F32, pair[0], 1.0, pair[1], d))) for d in (UP, start)]
        assert out.tolist() == want
