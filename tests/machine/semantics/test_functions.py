"""Functions of one float against NumPy's in f64, rounded to f32."""

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from tests.machine.semantics.exact_floats import NAN
from tests.machine.semantics.power_oracle import staged_power
from wavemma.engines.array_engine import ArrayEngine
from wavemma.machine.meaning import Meaning
from wavemma.machine.semantics import MEANINGS

ENGINE = ArrayEngine()
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 1e-45, -1e-45, 1.1754942e-38]
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "power": np.exp2,
    "logarithm": np.log2,
    "root": np.sqrt,
    "reciprocal": lambda x: 1 / x,
    "reciprocal_root": lambda x: 1 / np.sqrt(x),
    "round_up": np.ceil,
    "round_down": np.floor,
    "round_nearest": np.rint,
    "round_to_zero": np.trunc,
}


def numbers() -> np.ndarray:
    bits = np.random.default_rng(1).integers(0, 2**32, 20000, dtype=np.uint32).view(np.float32)
    return np.concatenate([bits, np.linspace(-140, 140, 5001, dtype="f4"), np.float32(SPECIAL)])


def compute(name: str, *values: np.ndarray) -> np.ndarray:
    found = MEANINGS[name]
    assert isinstance(found, Meaning)
    result: np.ndarray = found.compute(ENGINE, *values)
    return result


def same(got: np.ndarray, want: np.ndarray) -> None:
    unsigned = f"u{got.itemsize}"
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(got), nan)
    assert np.array_equal(got[~nan].view(unsigned), want[~nan].view(unsigned))


def flushed(x: np.ndarray) -> np.ndarray:
    """Replace subnormals by zeros of their sign, as the ISA documents have it."""
    return np.where(np.abs(x) < np.float32(2.0**-126), np.copysign(np.float32(0), x), x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rounded_from_f64(name: str) -> None:
    x = numbers()
    with np.errstate(all="ignore"):
        if not name.startswith("round"):
            x = flushed(x)
        want = FUNCTIONS[name](x.astype(np.float64)).astype(np.float32)
        same(compute(name, numbers()), want if name.startswith("round") else flushed(want))


EXAMPLES = {
    "power": [(0xFF800000, 0), (0x80000000, 0x3F800000), (0x7F800000, 0x7F800000)],
    "power_in_steps": [(0xFF800000, 0), (0x80000000, 0x3F800000), (0x7F800000, 0x7F800000)],
    "logarithm": [
        (0x80000000, 0xFF800000), (0, 0xFF800000), (0x3F800000, 0), (0x7F800000, 0x7F800000)
    ],
    "reciprocal": [
        (0xFF800000, 0x80000000), (0xC0000000, 0xBF000000), (0x80000000, 0xFF800000),
        (0, 0x7F800000), (0x7F800000, 0),
    ],
    "reciprocal_root": [
        (0x80000000, 0xFF800000), (0, 0x7F800000), (0x40800000, 0x3F000000), (0x7F800000, 0)
    ],
    "root": [
        (0x80000000, 0x80000000), (0, 0), (0x40800000, 0x40000000), (0x7F800000, 0x7F800000)
    ],
    "sine": [(0xFF7FFFFF, 0), (0x80000000, 0x80000000), (0x3E800000, 0x3F800000)],
    "cosine": [(0xFF7FFFFF, 0x3F800000), (0x80000000, 0x3F800000), (0x3E800000, 0)],
}  # fmt: skip
"""Examples of AMD's RDNA3.5 and RDNA4 manuals."""
NAN_OF = {
    "logarithm": [0xFF800000, 0xBF800000],
    "reciprocal_root": [0xFF800000],
    "root": [0xFF800000],
    "sine": [0xFF800000, 0x7F800000],
    "cosine": [0xFF800000, 0x7F800000],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_manuals(name: str) -> None:
    given, want = np.array(EXAMPLES[name], dtype=np.uint32).T
    got = compute(name, np.ascontiguousarray(given).view(np.float32))
    assert got.view(np.uint32).tolist() == want.tolist()
    for word in NAN_OF.get(name, []):
        assert np.isnan(compute(name, np.array([word], dtype=np.uint32).view(np.float32))).all()


def test_powers_in_steps() -> None:
    edges = np.arange(-4200, 4200, dtype=np.float32) / 32
    near = np.nextafter(edges, np.float32(0))
    x = np.concatenate([numbers(), edges, near, -(2.0 ** -np.arange(20, 28, dtype=np.float32))])
    got = compute("power_in_steps", x).view(np.uint32)
    want = [staged_power(code) for code in x.view(np.uint32).tolist()]
    for number, code, other in zip(x, got.tolist(), want, strict=True):
        assert np.isnan(number) if other == NAN else code == other, number
    # The manuals allow a unit in the last place.
    inside = np.abs(x) < 126
    with np.errstate(all="ignore"):
        exact = np.exp2(x.astype(np.float64)).astype(np.float32).view(np.uint32)
    assert np.abs(got.astype(np.int64) - exact)[inside].max() == 1


@pytest.mark.parametrize(("name", "function"), [("sine", np.sin), ("cosine", np.cos)])
def test_sines_of_turns(name: str, function: Callable[[np.ndarray], np.ndarray]) -> None:
    turns = np.linspace(-3, 3, 4001, dtype=np.float32)
    got = compute(name, turns).astype(np.float64)
    want = function(2 * np.pi * turns.astype(np.float64))
    assert np.abs(got - want).max() < 2.0**-24


def test_parts_of_numbers() -> None:
    x = numbers()
    x = x[np.isfinite(x)]
    mantissa, exponent = np.frexp(x)
    same(compute("mantissa", x), mantissa)
    assert np.array_equal(compute("exponent", x), exponent)


def test_scaling_rounds_once() -> None:
    generator = np.random.default_rng(2)
    x = generator.integers(0, 2**64, 20000, dtype=np.uint64).view(np.float64)
    n = generator.integers(-2300, 2300, 20000).astype(np.int32)
    with np.errstate(all="ignore"):
        same(compute("scale_f64", x, n), np.ldexp(x, n))
        narrow = numbers()
        small = generator.integers(-300, 300, narrow.size).astype(np.int32)
        same(compute("scale_f32", narrow, small), np.ldexp(narrow, small))


@pytest.mark.parametrize("name", ["fp8", "bf8"])
def test_floats_of_eight_bits_without_negative_zero(name: str) -> None:
    kind = {"fp8": ml_dtypes.float8_e4m3fnuz, "bf8": ml_dtypes.float8_e5m2fnuz}[name]
    codes = np.arange(65536, dtype=np.int32)
    pair = compute(f"{name}_fnuz_pair_to_f32", codes).view(np.float32)
    want = codes.astype("<u2").view(np.uint8).view(kind).astype(np.float32)
    same(pair, want)


def test_reciprocal_roots_of_f64_are_near() -> None:
    x = np.random.default_rng(3).integers(1, 0x7FF << 52, 5000).view(np.float64)
    with np.errstate(all="ignore"):
        exact = 1 / np.sqrt(x.astype(np.longdouble))
        got = compute("reciprocal_root", x)
        assert (np.abs(got.astype(np.longdouble) - exact) <= 1.5 * np.spacing(got)).all()
