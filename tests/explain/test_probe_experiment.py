"""Inputs of probes tell all candidates apart, and say what the fact files say they say."""

import numpy as np
import pytest

from wavemma.explain.probe_experiment import (
    experiment,
    predicted,
    results_of,
    same,
    separated,
)
from wavemma.explain.probe_point import Point, find_points, points_of
from wavemma.formats import decode, number_format
from wavemma.tables.probes import points

FIRST = [
    pytest.param(next(points_of(row, name)), id=f"{row.name}-{name}")
    for row in points().values()
    for name in row.targets[:1]
]
EVERY = [
    point for row in points().values() for name in row.targets for point in points_of(row, name)
]


@pytest.mark.parametrize("point", FIRST)
def test_all_candidates_are_told_apart(point: Point) -> None:
    found = separated(experiment(point))
    count = len(point.candidates)
    assert len(found) == count * (count - 1) // 2
    assert all(each.elements for each in found)


@pytest.mark.nightly
def test_all_candidates_are_told_apart_for_every_instruction_and_wave() -> None:
    assert len(EVERY) > 350
    blind = [
        (point.row.name, point.target, point.instruction.name, point.wave, each)
        for point in EVERY
        for each in separated(experiment(point))
        if not each.elements
    ]
    assert blind == []


def test_inputs_are_the_same_each_time_and_named_by_what_they_are() -> None:
    one, other = (
        experiment(find_points(name, "v_wmma_f32_16x16x16_fp8_fp8")[0])
        for name in ("gfx1201", "gfx1200")
    )
    again = experiment(one.point)
    assert one.digest == again.digest != other.digest
    assert all(np.array_equal(one.registers[role], again.registers[role]) for role in "abc")


def values(point: Point, name: str) -> np.ndarray:
    made = experiment(point)
    [candidate] = [each for each in point.candidates if each.name == name]
    results = results_of(made, predicted(made, candidate))
    return decode(number_format(point.operands.formats["d"]), results)


# Section 11 of the fact file on arithmetic, item 1: products +2^30 at k 0 and -2^30 at k 2, and -1
# at another k. -1: the other is in another block; 0: in the same sum; -64: in the same block but of
# the other parity, whose grid of its own is floored.
@pytest.mark.parametrize(
    ("model", "by_k"),
    [
        ("even_odd_16_keep", {4: 0, 1: -64, 5: -64, 16: -1, 17: -1, 31: -1}),
        ("truncated_16", {4: 0, 1: 0, 5: 0, 15: 0, 16: -1, 31: -1}),
        ("truncated_8", {4: 0, 1: 0, 7: 0, 8: -1, 16: -1, 31: -1}),
        ("fma_chain", {3: -1, 4: -1, 17: -1, 31: -1}),
    ],
)
def test_a_pair_that_cancels_shows_which_products_share_a_grid(model, by_k) -> None:
    point = find_points("gfx950", "v_mfma_f32_16x16x32_f16")[0]
    # Column j has the small product 2^(10 - j), negative where j is even.
    found = values(point, model)[..., 10]
    assert {k: found[k // 16, k % 16] for k in by_k} == by_k


def test_one_nan_is_as_good_as_another_and_zeros_differ_by_sign() -> None:
    made = experiment(find_points("gfx942", "nan_bits_bytes")[0])
    codes = np.array([0x7FC00000, 0xFFC00A3D, 0x00000000, 0x3F800000], dtype=np.uint32)
    other = np.array([0xFFFFFFFF, 0x7F800001, 0x80000000, 0x3F800000], dtype=np.uint32)
    assert same(made, codes, other).tolist() == [True, True, False, True]


def test_integers_that_look_like_nan_are_compared_as_they_are() -> None:
    made = experiment(find_points("gfx1100", "wmma_clamp")[0])
    codes = np.array([0x7FC00000, 0x7FFFFFFF], dtype=np.uint32)
    other = np.array([0x7FC00001, 0x7FFFFFFF], dtype=np.uint32)
    assert same(made, codes, other).tolist() == [False, True]
