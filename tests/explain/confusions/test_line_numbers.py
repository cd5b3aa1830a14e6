"""Biases and scales of rows and columns: left out, doubled, or by the wrong line."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGETS = [
    ("gfx908", "v_mfma_f32_16x16x16f16"),
    ("gfx90a", "v_mfma_f32_32x32x8f16"),
    ("gfx950", "v_mfma_f32_16x16x32_f16"),
    ("gfx1201", "v_wmma_f32_16x16x16_f16"),
]
RANDOM = np.random.default_rng(31)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((64, 96), (96, 64)))
C = RANDOM.standard_normal((64, 64)).astype(np.float32)
P = A.astype(float) @ B.astype(float)
W = P + C
GIVEN = {"a": A, "b": B, "c": C}
ROWS, COLUMNS = RANDOM.standard_normal((64, 1)), RANDOM.standard_normal((1, 64))
SCALES = np.exp(RANDOM.standard_normal((64, 1)))


def _what(target: tuple[str, str], got: Any, want: Any, **given: Any) -> str:
    found = diagnose(*target, np.asarray(got, np.float32), want, **given)
    assert found.verdict == "explained", found
    (fault,) = found.explanations[0].faults
    return fault.what


CASES = [
    (P, P + COLUMNS, "results are off by one number for each column: got - want is"),
    (P + 2 * COLUMNS, P + COLUMNS, "results are off by one number for each column: got -"),
    (P, P + ROWS, "results are off by one number for each row: got - want is"),
    (P + COLUMNS.T, P + COLUMNS, "a number of each column is added by row, or one of each row"),
    (P, P * SCALES, "results are off by one factor for each row: got / want is"),
    (P, P * SCALES.T, "results are off by one factor for each column: got / want is"),
    (P * SCALES * SCALES.T, P, "results are off by a factor of their row times one of"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_numbers_of_lines_are_named(number: int) -> None:
    got, want, words = CASES[number]
    assert _what(TARGETS[number % len(TARGETS)], got, want).startswith(words)


def test_the_numbers_themselves_are_shown() -> None:
    what = _what(TARGETS[3], P, P + COLUMNS)
    shown = ", ".join(f"{-each:.4g}" for each in COLUMNS[0, :4])
    assert what.endswith(f"got - want is {shown}, ... from column 0 on")
    what = _what(TARGETS[0], P * SCALES, P)
    shown = ", ".join(f"{each:.4g}" for each in SCALES[:4, 0])
    assert what.endswith(f"got / want is {shown}, ... from row 0 on")


def test_products_alone_may_have_the_factors() -> None:
    words = "products are off by one factor for each row: got / want is"
    assert _what(TARGETS[0], P * SCALES + C, W, **GIVEN).startswith(words)


def test_lines_that_change_from_tile_to_tile_are_said_to() -> None:
    tiles = np.repeat(RANDOM.standard_normal((64, 4)), 16, axis=1)
    what = _what(TARGETS[0], P + tiles, P)
    assert what.startswith("results are off by one number for each row of each tile: got - want")


@pytest.mark.parametrize("share", [0.1, 0.2])
def test_lines_that_hold_other_elements_too_have_no_number(share: float) -> None:
    noisy = RANDOM.random(P.shape) < share
    got = P + ROWS + np.where(noisy, RANDOM.standard_normal(P.shape), 0)
    for given in ({}, GIVEN):
        found = diagnose(*TARGETS[3], got, P if not given else W, **given)
        assert found.verdict == "none"


def test_a_zero_point_is_seen_in_whole_numbers() -> None:
    a, b = (RANDOM.integers(-128, 128, (48, 48)).astype(np.int8) for _ in range(2))
    got, want = a.astype(int) @ b, (a.astype(int) - 3) @ b
    found = diagnose("gfx1201", "v_wmma_i32_16x16x16_iu8", got, want)
    (fault,) = found.explanations[0].faults
    assert fault.what.startswith("results are off by one number for each column")
    first = ", ".join(f"{each:.4g}" for each in 3 * b.astype(int).sum(axis=0)[:4])
    assert f"got - want is {first}, ..." in fault.what


def test_one_number_for_all_is_no_number_of_lines() -> None:
    for got, kind in ((W + 2, "offset"), (1.5 * W, "ratio")):
        (fault,) = diagnose(*TARGETS[3], got, W).explanations[0].faults
        assert (fault.kind, "each" in fault.what.split(":")[0]) == (kind, False)


def test_blocks_have_lines_of_their_own() -> None:
    want = RANDOM.standard_normal((2, 32, 32))
    got = want + RANDOM.standard_normal((2, 32, 1))
    found = diagnose("gfx942", "v_mfma_f32_32x32x4_2b_f16", got, want)
    (fault,) = found.explanations[0].faults
    assert fault.what.startswith("results are off by one number for each row of each block: got")
