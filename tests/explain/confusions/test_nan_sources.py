"""NaN in an output: said so, with its causes, in the tiles that have it."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import Diagnosis, diagnose
from wavemma.render.terminal import as_text

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"
WANT = np.random.default_rng(7).standard_normal((48, 80))


def _with(cut: Any, value: float) -> Any:
    got = WANT.copy()
    got[cut] = value
    return got


def _causes(found: Diagnosis) -> list[str]:
    every = [*found.explanations, *found.alternatives]
    return [fault.what for each in every for fault in each.faults]


@pytest.mark.parametrize(
    ("cut", "first", "other"),
    [
        (
            np.s_[21],
            "every wrong value is NaN: NaN, or an element never set, in row 21 of A",
            "never stored: row 5 of each of the 5 of 15 tiles that differ, all in tile row 1",
        ),
        (
            np.s_[:, 35],
            "every wrong value is NaN: NaN, or an element never set, in column 35 of B",
            "never stored: column 3 of each of the 3 of 15 tiles that differ, all in tile column 2",
        ),
        (
            np.s_[16:32, 32:48],
            "whole tiles were never written: 1 of 15",
            "every wrong value is NaN: NaN, or an element never set, in A or B, or inf - inf in the"
            " sum, in one of 15 tiles (tile row 1, tile column 2)",
        ),
        (
            np.s_[:],
            "nothing was written: every tile is unwritten",
            "every wrong value is NaN: NaN, or an element never set, in A or B, or inf - inf in the"
            " sum, in each tile",
        ),
    ],
    ids=("row", "column", "tile", "all"),
)
def test_nan_has_its_causes_in_the_tiles_that_have_it(cut: Any, first: str, other: str) -> None:
    found = diagnose(TARGET, OP, _with(cut, np.nan), WANT)
    causes = _causes(found)
    assert causes[0] == first
    assert any(each.startswith(other) for each in causes), causes
    assert found.verdict == "ambiguous"
    assert not any("the thread's number" in each for each in causes)
    assert "Every wrong value is NaN." in as_text(found, width=200, colour=False)


def test_scattered_nan_is_told_with_its_causes() -> None:
    found = diagnose(TARGET, OP, _with(([3, 20, 40], [7, 9, 70]), np.nan), WANT)
    assert found.verdict == "none"
    assert found.wrong is not None
    assert any("inf - inf in a sum" in each for each in found.wrong.striking)


def test_a_tile_that_is_right_has_no_zeros_in_its_factors() -> None:
    got = np.zeros_like(WANT)
    got[:16, :16] = WANT[:16, :16]
    causes = _causes(diagnose(TARGET, OP, got, WANT))
    assert causes == ["whole tiles were never written: 14 of 15"]
