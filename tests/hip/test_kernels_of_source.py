"""Kernels compiled from a text, and functions of the headers against those of Python."""

import itertools
import math
import statistics
from collections.abc import Callable
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest

import wavemma
from wavemma.errors import CompileMistake, FileMistake, KernelFault, SyntaxMistake, UnknownName
from wavemma.machine.kernels import Kernels

pytestmark = pytest.mark.slow

ONE = ["tgamma", "lgamma", "erfcx", "erfinv", "erfcinv", "normcdf", "normcdfinv", "rcbrt", "logb"]
ONE += ["sinpi", "cospi", "expm1"]
ONE += ["exp", "exp2", "exp10", "log", "log2", "log10"]
TWO = ["fmod", "remainder", "nextafter", "rhypot", "pow"]
NAN, INF = math.nan, math.inf
_KERNEL = """
extern "C" __global__ void {name}_f64(const double* x, const double* y, double* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {name}({arguments});
}}
"""
_NARROW = """
extern "C" __global__ void {name}_f32(const float* x, const float* y, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {name}f({arguments});
}}
"""
_REST = """
extern "C" __global__ void quotients(const double* x, const double* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) (void)remquo(x[i], y[i], out + i);
}
extern "C" __global__ void matches(const int* x, unsigned long long* any, unsigned long long* all) {
  int i = threadIdx.x, same;
  any[i] = __match_any(x[i]);
  all[i] = __match_all(x[i] < 100, &same) + (same ? 0 : 5);
}
extern "C" __global__ void bits(const int* x, const int* y, unsigned* out) {
  int i = threadIdx.x;
  out[i] = __rhadd(x[i], y[i]) ^ __uhadd(x[i], y[i]) << 1 ^ __sad(x[i], y[i], 3) << 2
           ^ __bitinsert_u32(x[i], y[i], 5, 7) << 3 ^ __ldg((const unsigned*)x + i) << 4;
}
extern "C" __global__ void norms(const double* x, double* out) {
  out[threadIdx.x] = norm4d(x[0], x[1], x[2], x[3]) + norm3d(x[0], x[1], x[2]);
}
"""


@pytest.fixture(scope="module")
def kernels() -> Kernels:
    text = "".join(_KERNEL.format(name=name, arguments="x[i]") for name in ONE)
    text += "".join(_KERNEL.format(name=name, arguments="x[i], y[i]") for name in TWO)
    text += "".join(_NARROW.format(name=name, arguments="x[i], y[i]") for name in TWO)
    text += _NARROW.format(name="erfcx", arguments="x[i]")
    return wavemma.compile(text + _REST, target="gfx1100")


def called(kernels: Kernels, name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    out = np.zeros_like(x)
    kernels[f"{name}_f{8 * x.itemsize}"][-(-x.size // 64), 64](x, y, out, x.size)
    return out


def _erfcx(x: float) -> float:
    """Where erfc is not small enough to lose digits."""
    return math.exp(x * x) * math.erfc(x)


def _exact_inverse(
    function: Callable[[float], float], low: float, high: float
) -> Callable[[float], float]:
    """Invert a rising or falling function by halving."""
    rises = function(low) < function(high)

    def inverse(value: float) -> float:
        first, last = low, high
        for _ in range(200):
            middle = (first + last) / 2
            if (function(middle) < value) == rises:
                first = middle
            else:
                last = middle
        return first

    return inverse


def _turned(function: Callable[[float], float], x: float) -> float:
    """Take the sine or cosine of pi x, from the nearest quarter turn: pi x itself loses digits."""
    quarters = round(2 * x)
    rest = math.pi * (x - quarters / 2)
    parts = (math.sin(rest), math.cos(rest), -math.sin(rest), -math.cos(rest))
    return parts[(quarters + (function is math.cos)) % 4]


NORMAL = statistics.NormalDist()
EXPECTED: dict[str, tuple[Callable[[float], float], float, float, float]] = {
    # The function, the range of arguments, and how far a double may be off, of its value.
    "tgamma": (math.gamma, -30.3, 171, 4e-13),
    "lgamma": (math.lgamma, 1e-3, 300, 2e-14),
    "erfcx": (_erfcx, -5, 5, 1e-13),
    "erfinv": (_exact_inverse(math.erf, -5, 5), -0.999, 0.999, 1e-13),
    "erfcinv": (_exact_inverse(math.erfc, -5, 26), 1e-3, 1.9, 1e-13),
    "normcdf": (lambda x: math.erfc(-x / math.sqrt(2)) / 2, -8, 8, 2e-14),
    "normcdfinv": (NORMAL.inv_cdf, 0.6, 0.999, 1e-12),
    "rcbrt": (lambda x: 1 / math.cbrt(x), 1e-5, 1e5, 1e-15),
    "logb": (lambda x: math.frexp(x)[1] - 1.0, 1e-300, 1e300, 0),
    "sinpi": (lambda x: _turned(math.sin, x), -9, 9, 1e-15),
    "cospi": (lambda x: _turned(math.cos, x), -9, 9, 1e-15),
    "expm1": (math.expm1, -5, 20, 1e-15),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_functions_of_one_number(kernels: Kernels, name: str) -> None:
    function, low, high, allowed = EXPECTED[name]
    x = np.random.default_rng(3).uniform(low, high, 400)
    want = np.array([function(float(each)) for each in x])
    got = called(kernels, name, x, x)
    # Near zeros of sines and inverses the size of the argument counts.
    error = np.abs(got - want) / np.maximum(np.abs(want), 1e-2)
    assert error.max() <= allowed, (x[error.argmax()], got[error.argmax()], want[error.argmax()])


def test_a_float_is_the_double_rounded(kernels: Kernels) -> None:
    x = np.random.default_rng(4).uniform(-3, 5, 200).astype(np.float32)
    got = called(kernels, "erfcx", x, x)
    want = called(kernels, "erfcx", x.astype(np.float64), x).astype(np.float32)
    assert np.array_equal(got.view(np.uint32), want.view(np.uint32))


def test_what_special_arguments_give(kernels: Kernels) -> None:
    x = np.array([0.0, -0.0, -1, -2, INF, -INF, NAN, 171.7, 172, -170.5, 1, 2, 5, 1e-320])
    got = called(kernels, "tgamma", x, x)
    want = np.array([INF, -INF, NAN, NAN, INF, NAN, NAN, INF, INF, 0, 1, 1, 24, INF])
    rest = np.isfinite(want) & (want != 0)
    assert np.array_equal(got[~rest & (want != 0)], want[~rest & (want != 0)], equal_nan=True)
    assert np.abs(got[rest] / want[rest] - 1).max() < 1e-14
    # math.gamma has what underflow leaves.
    assert abs(got[9] / math.gamma(-170.5) - 1) < 1e-12
    whole = np.arange(1.0, 24)
    got = called(kernels, "tgamma", whole, whole)
    assert got.tolist() == [math.factorial(n) for n in range(23)]
    got = called(kernels, "lgamma", x, x)
    assert got[[10, 11]].tolist() == [0, 0]
    assert np.isinf(got[[0, 1, 2, 3, 4, 5, 7, 8]]).tolist() == [True] * 6 + [False, False]
    # Near 1 and 2, where the logarithm vanishes, digits count.
    near = np.array([1 + 1e-6, 1 - 1e-9, 2 + 1e-7, 2 - 1e-10, 1.4999, 3.4999, 0.5001])
    found = called(kernels, "lgamma", near, near)
    slope = {1: -0.5772156649015329, 2: 0.42278433509846713}
    for x_, got_ in zip(near[:4], found[:4], strict=True):
        off = float(x_) - round(float(x_))
        assert abs(got_ / (off * slope[round(float(x_))]) - 1) < 2e-6
    assert np.abs(found[4:] / np.array([math.lgamma(float(v)) for v in near[4:]]) - 1).max() < 1e-13


def test_remainders_and_neighbours_are_exact(kernels: Kernels) -> None:
    rng = np.random.default_rng(8)
    sizes = [1e-310, 5e-324, 1e-5, 0.7, 1.0, 3.0, 1e16, 1e300, 1.7e308]
    plain = [s * f for s in sizes for f in (1, -1.5, 0.999)]
    special = [0.0, -0.0, INF, -INF, NAN]
    pairs = np.array(list(itertools.product(plain + special, plain + special)))
    pairs = np.concatenate([pairs, rng.normal(size=(300, 2)) * [1e3, 1]])
    for kind in (np.float64, np.float32):
        with np.errstate(over="ignore"):
            x, y = pairs.astype(kind).T.copy()
        x, y = x[:500], y[:500]
        for name, function in (
            ("fmod", math.fmod),
            ("remainder", math.remainder),
            ("nextafter", lambda a, b: float(np.nextafter(kind(a), kind(b)))),  # noqa: B023
        ):
            want = np.array([_or_nan(function, a, b) for a, b in zip(x, y, strict=True)])
            got = called(kernels, name, x, y)
            wrong = ~((got == want) | (np.isnan(got) & np.isnan(want)))
            wrong |= (got == 0) & (np.signbit(got) != np.signbit(want))
            assert not wrong.any(), (name, x[wrong][:3], y[wrong][:3], got[wrong][:3])


def _or_nan(function: Callable[[float, float], float], x: float, y: float) -> float:
    try:
        return function(float(x), float(y))
    except ValueError:
        return NAN


LN2, LN10 = Decimal(2).ln(), Decimal(10).ln()
PRECISE: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "exp": lambda x, _: x.exp(),
    "exp2": lambda x, _: (x * LN2).exp(),
    "exp10": lambda x, _: (x * LN10).exp(),
    "log": lambda x, _: abs(x).ln(),
    "log2": lambda x, _: abs(x).ln() / LN2,
    "log10": lambda x, _: abs(x).log10(),
    "pow": lambda x, y: (abs(x).ln() * y).exp(),
}


@pytest.mark.parametrize("name", PRECISE)
def test_exponentials_and_logarithms_are_within_a_place(kernels: Kernels, name: str) -> None:
    """Whole numbers are exact: programs take them for indices."""
    rng = np.random.default_rng(12)
    x, y = rng.normal(size=(2, 400)) * 20
    bases, powers = (each.ravel().astype(float) for each in np.mgrid[1:13, -6:15])
    if name == "pow":
        x, y = np.concatenate([np.abs(x), bases]), np.concatenate([y, powers])
    elif name.startswith("log"):
        whole = {"log": 1.0, "log2": 2.0**powers, "log10": 10.0 ** np.abs(powers)}[name]
        x = np.abs(
            np.concatenate([x, np.exp(x), 1 + x / 1e6, np.broadcast_to(whole, powers.shape)])
        )
    else:
        x = np.concatenate([x, powers])
    y = np.resize(y, x.shape)
    got = called(kernels, name, x, y)
    with localcontext(prec=60):
        for a, b, found in zip(x, y, got, strict=True):
            want = PRECISE[name](Decimal(a), Decimal(b))
            place = Decimal(math.ulp(float(want)))
            assert abs(Decimal(found) - want) < Decimal("0.8") * place, (name, a, b, found)
            if float(want) == round(float(want)) and abs(want - round(want)) < Decimal("1e-40"):
                assert found == float(want), (name, a, b, found)


def test_special_powers(kernels: Kernels) -> None:
    special = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, 2.0**900, -4.0, INF, -INF, NAN]
    x, y = np.array(list(itertools.product(special, special))).T.copy()
    with np.errstate(all="ignore"):
        want = np.power(x, y)
    got = called(kernels, "pow", x, y)
    wrong = ~((got == want) | (np.isnan(got) & np.isnan(want)))
    wrong |= np.signbit(got) != np.signbit(want)
    wrong &= ~np.isnan(want) | ~np.isnan(got)
    assert not wrong.any(), (x[wrong], y[wrong], got[wrong], want[wrong])


def test_quotients_matches_bits_and_norms(kernels: Kernels) -> None:
    x = np.array([7.0, 8.0, -7.0, 1e10, 100.5, 2.5, -2.5, 3.5])
    y = np.array([2.0, 3.0, 2.0, 7.0, -9.0, 1.0, 1.0, 1.0])
    out = np.zeros(8, np.int32)
    kernels["quotients"][1, 32](x, y, out, 8)
    exact = [round((a - math.remainder(a, b)) / b) for a, b in zip(x, y, strict=True)]
    assert [abs(n) & 7 for n in exact] == np.abs(out).tolist()
    signs = [np.sign(each) for each in exact]
    assert all(sign * int(each) >= 0 for sign, each in zip(signs, out, strict=True))
    values = np.random.default_rng(1).integers(0, 5, 32).astype(np.int32)
    some, every = np.zeros(32, np.uint64), np.zeros(32, np.uint64)
    kernels["matches"][1, 32](values, some, every)
    want = [sum(1 << j for j in range(32) if values[j] == values[i]) for i in range(32)]
    assert some.tolist() == want
    assert set(every.tolist()) == {(1 << 32) - 1}
    a, b = np.random.default_rng(2).integers(-(1 << 31), 1 << 31, (2, 32)).astype(np.int32)
    found = np.zeros(32, np.uint32)
    kernels["bits"][1, 32](a, b, found)
    for i in range(32):
        p, q, word = int(a[i]), int(b[i]), int(a.view(np.uint32)[i])
        other = int(b.view(np.uint32)[i])
        inserted = (word & ~(127 << 5)) | (other << 5 & 127 << 5)
        sums = ((p + q + 1) >> 1, ((word + other) >> 1) << 1, (3 + abs(p - q)) << 2)
        expected = sums[0] ^ sums[1] ^ sums[2] ^ inserted << 3 ^ word << 4
        assert int(found[i]) == expected & 0xFFFFFFFF
    norms = np.zeros(1)
    kernels["norms"][1, 1](np.array([2e200, 3e200, 6e200, 0]), norms)
    assert norms[0] == pytest.approx(14e200, rel=1e-15)


def test_a_fault_names_the_line(kernels: Kernels) -> None:
    text = "__global__ void wrong(int* p) {\n  int i = threadIdx.x;\n  p[i * 1000] = 1;\n}"
    found = wavemma.compile(text, target="gfx942")
    with pytest.raises(KernelFault, match="source:3"):
        found["wrong"][1, 64](np.zeros(10, np.int32))


def test_mistakes(tmp_path: Path) -> None:
    with pytest.raises(CompileMistake, match="source:1:"):
        wavemma.compile("__global__ void k() { return 1; }", target="gfx1100")
    with pytest.raises(SyntaxMistake, match="A target must be named"):
        wavemma.compile("__global__ void k() {}")
    with pytest.raises(UnknownName, match="gfx1199"):
        wavemma.compile("__global__ void k() {}", target="gfx1199")
    with pytest.raises((CompileMistake, FileMistake), match=r"none\.hip"):
        wavemma.compile(tmp_path / "none.hip", target="gfx1100")
