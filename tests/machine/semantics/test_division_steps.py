"""The steps of a division as compilers put them together give the quotient of IEEE 754."""

from typing import Any

import numpy as np
import pytest

from wavemma.engines.array_engine import ArrayEngine
from wavemma.machine.meaning import Meaning
from wavemma.machine.semantics import MEANINGS

ENGINE = ArrayEngine()
SPECIAL = {
    np.float32: [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 3.0, 2.0**-149, 3.4e38, 2.0**-126, 1e-44],
    np.float64: [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 3.0, 5e-324, 1.7e308, 2.0**-1022, 1e-320],
}
Numbers = np.ndarray


def meaning(name: str, kind: str, *values: Numbers) -> Any:
    found = MEANINGS[name]
    assert isinstance(found, Meaning)
    return found.on(ENGINE, values, kind, False)


def quotient(kind: str, top: Numbers, bottom: Numbers, rounds: int) -> Numbers:
    """Scale, refine the reciprocal and the quotient, scale back, mend."""
    one = np.ones_like(top)
    denominator, _ = meaning(f"division_scale_{kind}", kind, bottom, bottom, top)
    numerator, mask = meaning(f"division_scale_{kind}", kind, top, bottom, top)
    inverse = meaning("reciprocal", kind, denominator)
    for _ in range(rounds):
        error = meaning("fused", kind, -denominator, inverse, one)
        inverse = meaning("fused", kind, error, inverse, inverse)
    found = meaning("float_multiply", kind, numerator, inverse)
    error = meaning("fused", kind, -denominator, found, numerator)
    if kind == "f32":
        found = meaning("fused", kind, error, inverse, found)
        error = meaning("fused", kind, -denominator, found, numerator)
    found = meaning(f"division_refine_{kind}", kind, error, inverse, found, mask)
    return meaning("division_mend", kind, found, bottom, top)


def numbers(dtype: Any, count: int, seed: int) -> Numbers:
    random = np.random.default_rng(seed)
    bits = 8 * np.dtype(dtype).itemsize
    drawn = random.integers(0, 2**bits, count, dtype=f"u{bits // 8}").view(dtype)
    return np.concatenate([drawn, np.array(SPECIAL[dtype], dtype)])


@pytest.mark.parametrize(
    ("dtype", "kind", "count"), [(np.float32, "f32", 40), (np.float64, "f64", 12)]
)
def test_quotients(dtype: Any, kind: str, count: int) -> None:
    top, bottom = (
        x.ravel() for x in np.meshgrid(numbers(dtype, count, 1), numbers(dtype, count, 2))
    )
    # Quotients below the normal numbers, where scaling back must round only once.
    near = numbers(dtype, 400, 3)
    with np.errstate(all="ignore"):
        least = np.finfo(dtype).smallest_normal
        small = (near * least * dtype(0.25)).astype(dtype)
        top, bottom = np.concatenate([top, small]), np.concatenate([bottom, near])
        want = top / bottom
        got = quotient(kind, top, bottom, 1 if kind == "f32" else 2)
    unsigned, nan = f"u{want.itemsize}", np.isnan(want)
    assert np.array_equal(np.isnan(got), nan)
    wrong = (got.view(unsigned) != want.view(unsigned)) & ~nan
    assert not wrong.any(), [
        (float(top[n]), float(bottom[n]), got[n], want[n]) for n in np.flatnonzero(wrong)[:5]
    ]
