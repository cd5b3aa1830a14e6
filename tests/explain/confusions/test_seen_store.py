"""Stores by maps that no instruction has: the output shows where results lie."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

RANDOM = np.random.default_rng(31)
WANT = RANDOM.standard_normal((64, 96))


def _stored(own: Callable[[int, int], tuple[int, int]], wrong: Any, size: int, slots: int) -> Any:
    """Store each result of a wave where a wrong formula says, tile by tile."""
    got = np.zeros_like(WANT)
    for top in range(0, WANT.shape[0], size):
        for left in range(0, WANT.shape[1], size):
            for lane in range(64 if size == 32 else 32):
                for v in range(slots):
                    row, column = own(v, lane)
                    there = wrong(v, lane)
                    got[top + there[0], left + there[1]] = WANT[top + row, left + column]
    return got


def _gfx11(v: int, lane: int) -> tuple[int, int]:
    return 2 * v + lane // 16, lane % 16


def _mfma(v: int, lane: int) -> tuple[int, int]:
    return 8 * (v // 4) + 4 * (lane // 32) + v % 4, lane % 32


@pytest.mark.parametrize(
    ("target", "op", "own", "wrong", "words"),
    [
        ("gfx1100", "v_wmma_f32_16x16x16_f16", _gfx11,
         lambda v, lane: (2 * v + lane % 2, lane // 2), "row = (lane % 2) + 2*v; col = lane // 2"),
        ("gfx942", "v_mfma_f32_32x32x8_f16", _mfma,
         lambda v, lane: (16 * (lane // 32) + v, lane % 32),
         "row = v + 16*(lane // 32); col = lane % 32"),
        ("gfx942", "v_mfma_f32_32x32x8_f16", _mfma,
         lambda v, lane: (8 * (v % 4) + 4 * (lane // 32) + v // 4, lane % 32),
         "row = (v // 4) + 4*(lane // 32) + 8*(v % 4); col = lane % 32"),
    ],
)  # fmt: skip
def test_a_store_by_a_map_of_ones_own_is_told(
    target: str, op: str, own: Any, wrong: Any, words: str
) -> None:
    size, slots = (32, 16) if "32x32" in op else (16, 8)
    found = diagnose(target, op, _stored(own, wrong, size, slots), WANT)
    (named,) = found.explanations[0].faults
    assert named.kind == "store map"
    assert named.what == f"the store loop follows another map: {words}"
    assert found.explanations[0].share == 1


def test_places_that_are_no_map_of_bits_are_told_by_examples() -> None:
    order = np.roll(np.arange(256), 7)
    tiles = WANT.reshape(4, 16, 6, 16).transpose(0, 2, 1, 3).reshape(4, 6, 256)[..., order]
    got = tiles.reshape(4, 6, 16, 16).transpose(0, 2, 1, 3).reshape(WANT.shape)
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, WANT)
    (named,) = found.explanations[0].faults
    assert "D[0][0] holds D[15][9], D[0][1] holds D[15][10]" in named.what


def test_stores_over_one_another_are_told_with_what_is_lost() -> None:
    def wrong(v: int, lane: int) -> tuple[int, int]:
        return v + lane // 16, lane % 16

    got = _stored(_gfx11, wrong, 16, 8)
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", got, WANT)
    (named,) = found.explanations[0].faults
    assert "D[2][0] holds D[3][0]" in named.what
    assert named.what.endswith("others are not stored, or over others")
    assert found.explanations[0].share == 1


def test_a_known_cause_is_not_told_again_by_what_is_seen() -> None:
    tiles = WANT.reshape(4, 16, 6, 16).transpose(0, 3, 2, 1).reshape(WANT.shape)
    found = diagnose("gfx1100", "v_wmma_f32_16x16x16_f16", tiles, WANT)
    every = [*found.explanations, *found.alternatives]
    assert not any("places" in fault.what for each in every for fault in each.faults)


def test_noise_and_few_values_are_no_store_map() -> None:
    op = "v_wmma_f32_16x16x16_f16"
    noise = RANDOM.standard_normal(WANT.shape)
    assert diagnose("gfx1100", op, noise, WANT).verdict == "none"
    few = RANDOM.integers(0, 5, WANT.shape).astype(float)
    moved = RANDOM.integers(0, 5, WANT.shape).astype(float)
    assert diagnose("gfx1100", op, moved, few).verdict == "none"
