"""Directed sums that come near the bounds: no constant of theirs is much too large."""

import dataclasses
import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

from tests.gemm.test_bounds import FLOATS, STEPS, scaled_shares, shares
from tests.numerics.twins import SCALED, Case
from wavemma.formats import decode, encode, number_format
from wavemma.formats.format import Format
from wavemma.numerics.bounds import step_error
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting


def row_of(form: Format, numbers: list[float]) -> np.ndarray:
    """Codes of one row."""
    codes = np.asarray(encode(form, np.array([numbers])), dtype=np.uint64)
    assert np.array_equal(decode(form, codes)[0], numbers)
    return codes


def pair_below(a: Format, b: Format, top: int) -> tuple[float, float, int]:
    """Find x and y in 1..2 so that x*y*2**n is the largest below `top`; n comes last."""
    best = (1.0, 1.0, -99)
    if max(a.precision, b.precision) >= 8:
        # The other factor is one: all bits of this one are there.
        wide = 2.0 ** (1 - max(a.precision, b.precision))
        n = math.floor(math.log2(top - 1e-9))
        x = math.ldexp(top, -n) - wide
        return (x, 1.0, n) if a.precision >= b.precision else (1.0, x, n)
    for x, y in itertools.product(
        *([1 + k * 2.0 ** (1 - f.precision) for k in range(2 ** (f.precision - 1))] for f in (a, b))
    ):
        n = math.ceil(math.log2(top / (x * y))) - 1
        if math.ldexp(x * y, n) > math.ldexp(best[0] * best[1], best[2]):
            best = (x, y, n)
    return best


# By rule of the twin: how many terms of a step are cut by a grid of the accumulator, 2**-26 of it,
# and at which products of the step they are. Other rules only round.
CUT_TERMS = {
    "rdna3_step": [0, 1],
    "rdna4_step": [0, 2],
    "rdna4_fp8": [0, 4],
    "rdna4_fp8_whole": [0],
}
STEP_OF_16_BITS = {"rdna3_step": 2, "rdna4_step": 4}


def loses_at_the_accumulator(case: Case, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B and C of which each step loses nearly all that the accumulator's size allows.

    C is a power of two and stays it: what a step adds is half a unit of its last place, which
    rounds to even, after each cut term has lost nearly one unit of its grid.
    """
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    step = step_error(model(case.model), Setting(a, b, d, d, depth=case.k)).length
    length = case.k if d.bits == 16 and case.rule == "cdna5_sequential" else min(step, case.k)
    places = [at for at in CUT_TERMS.get(case.rule, [0]) if at < step]
    low = [max(2.0**-12, form.min_normal) if d.bits < 64 else 2.0**-30 for form in (a, b)]
    x, y, n = 1.0, 1.0, 0
    if d.name == "bf16" and case.rule in STEP_OF_16_BITS:
        # Cut to bf16, so that nearly a whole unit is lost.
        places, (x, y, n), unit_bits = [0], pair_below(a, b, 2), 8
    elif d.bits == 16:
        places, unit_bits = [0], d.precision
    elif case.rule in CUT_TERMS:
        x, y, n = pair_below(a, b, 4 // len(places) + 1)
        unit_bits = 26
    else:
        unit_bits = d.precision
    start = math.ldexp(low[0] * low[1], unit_bits - n)
    left, right = np.zeros(length), np.zeros(length)
    left[places], right[places] = low[0] * x, low[1] * y
    if d.name == "f16":
        # f16 reaches less far: C is one.
        left[places], right[places], start = 2.0**-5, 2.0 ** (5 - unit_bits), 1.0
    repeats = case.k * steps // length
    codes = [row_of(f, side.tolist() * repeats) for f, side in ((a, left), (b, right))]
    return codes[0], codes[1], row_of(d, [start])[0]


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.label)
def test_steps_lose_nearly_what_the_accumulator_allows(case: Case) -> None:
    # In few bits what is lost is a good part of all, which the bound takes as if it were there.
    steps = 1 if number_format(case.d).bits == 16 else STEPS
    (share,) = shares(case, *loses_at_the_accumulator(case, steps), steps=steps)
    assert 0.85 < share <= 1


class Lost(NamedTuple):
    """A product of which nearly the last unit is lost: just below `whole` + 1 units."""

    whole: int


CUT, TIE = Lost(0), Lost(1)
LARGEST, NOTHING = 1.0, 0.0
# Model, formats of A and B, the products of one step, and the least share of the bound. The
# largest product is 1, a unit 2**-24 of it; a number is a product in units. C is nearly one unit.
AT_THE_PRODUCTS = [
    # 3.4: seven products and C are cut; the unit that stays is half one of f32's, a tie.
    ("truncated_8", "f16", "f16", [LARGEST, *[CUT] * 6, TIE], 0.95),
    ("truncated_8", "bf16", "bf16", [LARGEST, *[CUT] * 6, TIE], 0.95),
    ("truncated_16", "f16", "f16", [LARGEST, *[CUT] * 14, TIE], 0.95),
    # 3.5: as that for even k; what odd k have is floored to the grid of even k.
    ("even_odd_16", "fp8_fnuz", "fp8_fnuz",
     [LARGEST, CUT, *[CUT, NOTHING] * 6, TIE, NOTHING], 0.8),
    ("even_odd_16_keep", "f16", "f16", [LARGEST, CUT, *[CUT, NOTHING] * 6, TIE, NOTHING], 0.95),
    ("scaled_even_odd_32", "bf8_ocp", "bf8_ocp",
     [LARGEST, CUT, *[CUT, NOTHING] * 14, TIE, NOTHING], 0.8),
    # 4.3: against C's sign even a product on the grid costs a unit, and one just above it too.
    ("complement_2", "f16", "f16", [-LARGEST, -1.0625 * 2.0**-24], 0.85),
    ("complement_2_flush", "bf16", "bf16", [-LARGEST, -1.0625 * 2.0**-24], 0.85),
    # 5.3: one product, one pair and C are floored, then the tie.
    ("paired_4", "f16", "f16", [LARGEST, TIE, CUT, NOTHING], 0.85),
    ("paired_4", "bf16", "bf16", [LARGEST, TIE, CUT, NOTHING], 0.85),
    ("paired_2", "f16", "f16", [LARGEST, TIE], 0.9),
    # 5.5: three products, one group and C.
    ("grouped_8", "fp8_ocp", "fp8_ocp", [LARGEST, CUT, CUT, TIE, CUT, *[NOTHING] * 3], 0.8),
    ("grouped_8", "bf8_ocp", "bf8_ocp", [LARGEST, CUT, CUT, TIE, CUT, *[NOTHING] * 3], 0.75),
    ("grouped_8_whole", "fp8_ocp", "fp8_ocp", [LARGEST, *[CUT] * 6, TIE], 0.8),
    ("grouped_4", "fp8_ocp", "bf8_ocp", [LARGEST, CUT, CUT, TIE], 0.8),
    # 3.3: a tie in a pair's sum, in the sum of both, and with C.
    ("flush_4", "f16", "f16", [LARGEST, 2.0**-24, 2.0**-25, 2.0**-25], 0.95),
    ("flush_2", "bf16", "bf16", [LARGEST, 2.0**-24], 0.95),
    # 3.10: a tie in every sum of the chain.
    ("block_fma_32", "fp8_ocp", "fp8_ocp", [LARGEST, *[2.0**-24] * 31], 0.95),
    ("block_scaled_fma", "fp8_ocp", "fp8_ocp", [LARGEST, *[2.0**-24] * 31], 0.95),
]  # fmt: skip


def factors_of(a: Format, b: Format, products: list[float | Lost]) -> tuple[list[float], ...]:
    """Factors of products, in a size in which both formats have normal numbers for all."""
    exponent = 8 if a.name.startswith(("fp8_ocp", "bf8")) else 7 if a.bits == 8 else 0
    left, right = [], []
    for product in products:
        if isinstance(product, Lost):
            x, y, n = pair_below(a, b, product.whole + 1)
            left.append(math.ldexp(x, exponent - 12 + n))
            right.append(math.ldexp(y, exponent - 12))
        elif abs(product) == LARGEST or not product:
            left.append(math.ldexp(product, exponent))
            right.append(2.0**exponent)
        else:
            fraction, power = math.frexp(product)
            left.append(math.ldexp(fraction, exponent + power // 2))
            right.append(math.ldexp(1.0, exponent + power - power // 2))
    return left, right


@pytest.mark.parametrize(("name", "form_a", "form_b", "products", "least"), AT_THE_PRODUCTS)
def test_a_step_loses_nearly_what_its_products_allow(
    name: str, form_a: str, form_b: str, products: list[float | Lost], least: float
) -> None:
    (like, *_) = (c for c in FLOATS if c.model == name and c.d == "f32")
    case = dataclasses.replace(like, a=form_a, b=form_b, k=len(products))
    forms = [number_format(form) for form in (form_a, form_b)]
    sides = factors_of(*forms, products)
    a, b = (row_of(form, side) for form, side in zip(forms, sides, strict=True))
    unit = abs(sides[0][0] * sides[1][0]) * 2.0**-24
    tie = name.startswith(("flush", "block"))
    start = row_of(number_format("f32"), [unit * (1 if tie else 1 - 2.0**-24)])[0]
    (share,) = shares(case, a, b, start, steps=1)
    assert least < share <= 1


def test_the_rules_that_cut_products_are_all_there() -> None:
    """Sums of numbers so short that nothing is cut have no part of the products."""
    cut = set()
    for case in FLOATS:
        forms = [number_format(n) for n in (case.a, case.b or case.a, case.d, case.d)]
        step = step_error(model(case.model), Setting(*forms, depth=case.k))
        # A floored C costs a unit, whatever is cut.
        if step.products > 2.0**-24 and not case.model.endswith("_sparse"):
            cut.add(case.model)
    assert cut == {name for name, *_ in AT_THE_PRODUCTS} | {"truncated_4"}


def test_low_bits_that_hardware_drops_are_most_of_the_bound() -> None:
    (case,) = (c for c in FLOATS if c.a == "xf32")
    codes = np.full((1, case.k), 0x3F801FFF, np.uint64)
    (share,) = shares(case, codes, codes, np.zeros(1, np.uint64), steps=1)
    assert 0.95 < share <= 1


@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_scaled_steps_lose_nearly_what_the_accumulator_allows(case: Case) -> None:
    """One product a step, scales of one: half a unit of C's last place, a tie."""
    forms = [number_format(name) for name in (case.a, case.b or case.a)]
    f32, block = number_format("f32"), case.setting["scale_block"]
    length = step_error(
        model(case.model), Setting(*forms, f32, f32, depth=case.k, scale_block=block)
    ).length
    low = [max(2.0**-12, form.min_normal) for form in forms]
    a, b = (
        row_of(form, ([size] + [0.0] * (length - 1)) * (case.k // length))
        for form, size in zip(forms, low, strict=True)
    )
    ones = [
        np.full((1, case.k // block), f.bias << f.fraction) for f in map(number_format, case.scales)
    ]
    c = row_of(f32, [low[0] * low[1] * 2.0**24])[0]
    (share,) = scaled_shares(case, a, b, c, ones)
    assert 0.85 < share <= 1
