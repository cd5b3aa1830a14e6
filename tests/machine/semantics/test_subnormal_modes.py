"""Floats where the mode takes or gives subnormals as zeros, on both engines, against fractions."""

import math
import struct
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.directed_floats import NEAREST, fused, product
from tests.machine.semantics.exact_floats import F16, F32, F64, NAN, Float
from tests.objects.compiled import linked
from wavemma.machine.device import Device


class Line(NamedTuple):
    """An instruction with its result in v20 (and v21), sources in v2, v4 and v6.

    Attributes:
        text: Of assembly.
        form: Of the result; None for a mask in VCC.
        sources: Of the numbers in its sources.
        expect: Numbers to bits, or to a truth value.
        targets: Where it runs.

    """

    text: str
    form: Float | None
    sources: tuple[Float, ...]
    expect: Callable[..., int | str | bool]
    targets: tuple[str, ...] = ("gfx1100", "gfx1201", "gfx942")


def code(form: Float) -> Callable[[float], int | str]:
    return lambda x: form.code(x)


def sums(form: Float) -> Callable[..., int | str]:
    return lambda x, y, z: fused(form, x, y, z, NEAREST)


def add(form: Float) -> Callable[..., int | str]:
    return lambda x, y: fused(form, x, 1.0, y, NEAREST)


def times(form: Float) -> Callable[..., int | str]:
    return lambda x, y: product(form, x, y, NEAREST)


RDNA, CDNA = ("gfx1100", "gfx1201"), ("gfx942",)
LINES = [
    Line("v_add_f32 v20, v2, v4", F32, (F32, F32), add(F32)),
    Line("v_mul_f32 v20, v2, -v4", F32, (F32, F32), lambda x, y: product(F32, x, -y, NEAREST)),
    Line("v_fma_f32 v20, v2, v4, |v6|", F32, (F32,) * 3,
         lambda x, y, z: fused(F32, x, y, abs(z), NEAREST)),
    Line("v_fma_f16 v20, v2, v4, v6", F16, (F16,) * 3, sums(F16)),
    Line("v_mul_f16 v20, v2, v4", F16, (F16, F16), times(F16)),
    Line("v_pk_add_f16 v20, v2, v4", F16, (F16, F16), add(F16)),
    Line("v_pk_mul_f32 v[20:21], v[2:3], v[4:5]", F32, (F32, F32), times(F32), CDNA),
    Line("v_fma_f64 v[20:21], v[2:3], v[4:5], v[6:7]", F64, (F64,) * 3, sums(F64)),
    Line("v_cvt_f32_f16 v20, v2", F32, (F16,), code(F32)),
    Line("v_cvt_f16_f32 v20, v2", F16, (F32,), code(F16)),
    Line("v_cvt_f32_f64 v20, v[2:3]", F32, (F64,), code(F32)),
    Line("v_med3_f32 v20, v2, v4, v4", F32, (F32, F32), lambda x, y: F32.code(y), ("gfx1100",)),
    Line("v_cmp_lt_f32 vcc{half}, v2, v4", None, (F32, F32), lambda x, y: x < y),
    Line("v_cmp_eq_f16 vcc{half}, v2, v4", None, (F16, F16), lambda x, y: x == y),
    Line("v_fma_mix_f32 v20, v2, v4, v6 op_sel_hi:[0,1,0]", F32, (F32, F16, F32), sums(F32), RDNA),
    Line("v_fma_mixlo_f16 v20, v2, v4, v6 op_sel_hi:[1,1,0]", F16, (F16, F16, F32), sums(F16),
         RDNA),
]  # fmt: skip
SET = "s_setreg_imm32_b32 hwreg({name}, 4, 4), {value}"
PLACES = {"gfx1100": 32, "gfx1201": 32, "gfx942": 64}
VCC = 106
KEEPS_SOURCES, KEEPS_RESULTS = 1, 2
"""Bits of each half of the field: the ISA documents say what 0 to 3 allow."""


def text_of(line: Line, target: str) -> str:
    return line.text.format(half="_lo" if PLACES[target] == 32 else "")


@cache
def machine(target: str, on_arrays: bool) -> Instructions:
    name = "HW_REG_WAVE_MODE" if target == "gfx1201" else "HW_REG_MODE"
    lines = [text_of(line, target) for line in LINES if target in line.targets]
    lines += [SET.format(name=name, value=each) for each in range(16)]
    return Instructions(lines, target, PLACES[target], on_arrays=on_arrays)


def drawn(form: Float, generator: np.random.Generator, count: int) -> list[int]:
    """Draw codes: subnormals, small normals, numbers around one, and specials."""
    low = 1 << form.fraction
    one = form.bias << form.fraction
    kinds = {
        0: lambda: int(generator.integers(1, low)),
        1: lambda: int(generator.integers(low, 6 * low)),
        2: lambda: int(generator.integers(one - 2 * low, one + 2 * low)),
        3: lambda: int(generator.choice([0, low, low - 1, 1, form.infinity, one])),
    }
    found = [kinds[int(generator.choice(4, p=[0.4, 0.25, 0.25, 0.1]))]() for _ in range(count)]
    return [each | form.sign * int(generator.integers(2)) for each in found]


def keeps(form: Float, mode: int) -> int:
    return mode & 3 if form is F32 else mode >> 2


def zeroed(form: Float, number: int, kept: int) -> int:
    return number & form.sign if form.is_subnormal(number) and not kept else number


def want(line: Line, given: list[int], mode: int) -> int | str | bool:
    sources = [
        form.value(zeroed(form, number, keeps(form, mode) & KEEPS_SOURCES))
        for form, number in zip(line.sources, given, strict=True)
    ]
    found = line.expect(*sources)
    if line.form is None or isinstance(found, str):
        return found
    return zeroed(line.form, int(found), keeps(line.form, mode) & KEEPS_RESULTS)


def check(one: Instructions, target: str, line: Line, mode: int, seed: int) -> int:
    generator = np.random.default_rng(seed)
    given = [drawn(form, generator, one.lanes) for form in line.sources]
    for first, codes in zip((2, 4, 6), given, strict=False):
        one.vectors[first] = [each & 0xFFFFFFFF for each in codes]
        one.vectors[first + 1] = [each >> 32 for each in codes]
    assert one.run(text_of(line, target)) == FINE
    differing = 0
    for lane in range(one.lanes):
        own = [codes[lane] for codes in given]
        wanted = want(line, own, mode)
        differing += wanted != want(line, own, 15)
        if line.form is None:
            word = int(one.scalars[VCC + lane // 32])
            assert word >> lane % 32 & 1 == wanted, (line.text, mode, own)
            continue
        low, high = (int(one.vectors[n, lane]) for n in (20, 21))
        got = (low | high << 32) & (1 << line.form.bits) - 1
        is_nan = got & line.form.sign - 1 > line.form.infinity
        assert (NAN if is_nan else got) == wanted, (line.text, mode, lane, own, hex(got))
    return differing


def ways(slow: str) -> list[Any]:
    """Both engines on every target; the one on arrays at night on all but one."""
    found = []
    for target in PLACES:
        at_night = [] if target == slow else [pytest.mark.nightly]
        found += [(target, False), pytest.param(target, True, marks=at_night)]
    return found


@pytest.mark.parametrize(("target", "on_arrays"), ways("gfx942"))
def test_subnormals_follow_the_mode(target: str, on_arrays: bool) -> None:
    one = machine(target, on_arrays)
    name = "HW_REG_WAVE_MODE" if target == "gfx1201" else "HW_REG_MODE"
    differing = 0
    for mode in (0, 1, 2, 3, 4, 6, 9, 12, 15):
        assert one.run(SET.format(name=name, value=mode)) == FINE
        assert one.mode >> 4 & 15 == mode
        for number, line in enumerate(LINES):
            if target in line.targets:
                differing += check(one, target, line, mode, number)
    assert differing > 700


KERNEL = """
extern "C" __attribute__((global)) void k(float *p, _Float16 *h, double *d) {
  p[2] = p[0] * p[1];
  p[3] = p[0] / p[1];
  h[2] = h[0] * h[1];
  d[2] = d[0] * d[1];
}
"""


@pytest.mark.parametrize(("target", "interpreted"), ways("gfx1100"))
def test_kernels_that_are_built_to_flush(target: str, interpreted: bool) -> None:
    """The quotient changes the mode and puts it back; f16 and f64 keep their subnormals."""
    data = linked(target, "-O3", "-fgpu-flush-denormals-to-zero", source=KERNEL)
    device = Device(target, threads=1)
    module = device.load(data)
    places = [device.memory.allocate(32, name) for name in "phd"]
    kinds = (np.float32, np.float16, np.float64)
    p, h, d = (device.memory.array(at, kind, (4,)) for at, kind in zip(places, kinds, strict=True))
    small, half = 2.0**-126, 0.5
    for x, y, product_, quotient in (
        (small, half, 0.0, 2 * small),
        (-small, half, -0.0, -2 * small),
        (struct.unpack("<f", b"\1\0\0\0")[0], 4.0, 0.0, 0.0),
        (3.0, 1.5, 4.5, 2.0),
    ):
        p[:2], h[:2], d[:2] = (x, y), (2.0**-14, half), (2.0**-1022, half)
        device.launch(module, "k", 1, 32, places, interpreted=interpreted)
        got = p.tolist()[2:]
        assert got == [product_, quotient], (x, y)
        assert math.copysign(1, got[0]) == math.copysign(1, product_)
        assert h[2] == 2.0**-15
        assert d[2] == 2.0**-1023
