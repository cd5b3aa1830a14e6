"""Races: some tiles, rows or columns take A or B of the step before, the others do not."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGETS = [
    ("gfx90a", "v_mfma_f32_32x32x8f16", 32, 8),
    ("gfx942", "v_mfma_f32_16x16x16_f16", 16, 16),
    ("gfx1100", "v_wmma_f32_16x16x16_f16", 16, 16),
    ("gfx1250", "v_wmma_f32_16x16x32_f16", 16, 32),
]
STEPS = 5


def _case(side: int, depth: int, seed: int) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(seed)
    shapes = ((4 * side, STEPS * depth), (STEPS * depth, 3 * side))
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in shapes)
    c = random.standard_normal((4 * side, 3 * side))
    return a, b, c, a.astype(float) @ b.astype(float) + c


def _stale(a: Any, b: Any, c: Any, step: int, depth: int, sides: str) -> Any:
    """Compute all with one step of A, of B, or of both taken from the step before."""
    a, b = a.astype(float), b.astype(float)
    here, there = (slice(each * depth, (each + 1) * depth) for each in (step, step - 1))
    left = a[:, there if "A" in sides else here]
    right = b[there if "B" in sides else here]
    return a @ b + c - a[:, here] @ b[here] + left @ right


@pytest.mark.parametrize(
    ("target", "op", "side", "depth", "sides"),
    [(*each, sides) for each, sides in zip(TARGETS, ("A", "B", "A and B", "A"), strict=True)],
)
def test_stale_steps_of_some_tiles(target: str, op: str, side: int, depth: int, sides: str) -> None:
    a, b, c, want = _case(side, depth, 51)
    got = want.copy()
    for step, row, column in ((2, 0, 1), (4, 2, 0), (2, 3, 2), (1, 3, 0)):
        place = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
        got[place] = _stale(a, b, c, step, depth, sides)[place]
    found = diagnose(target, op, got.astype(np.float32), want, a=a, b=b, c=c)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.kind) == ("explained", "race")
    verb = "are" if " " in sides else "is"
    assert fault.what.startswith(
        f"{sides} of the step before {verb} taken here and there, as in a race: in each of the 4"
        f" of 12 tiles that differ (tile row 0, column 1: step 3 took {sides} of step 2; tile row"
    )


@pytest.mark.parametrize(("target", "op", "side", "depth"), TARGETS)
def test_stale_rows_of_a_and_columns_of_b(target: str, op: str, side: int, depth: int) -> None:
    a, b, c, want = _case(side, depth, 52)
    for letter, line in (("A", "rows"), ("B", "columns")):
        got = want.copy()
        for step, first in ((2, 0), (3, 24), (1, 40)):
            place = np.s_[first : first + 8] if letter == "A" else np.s_[:, first : first + 8]
            got[place] = _stale(a, b, c, step, depth, letter)[place]
        found = diagnose(target, op, got.astype(np.float32), want, a=a, b=b, c=c)
        (fault,) = found.explanations[0].faults
        assert found.verdict == "explained"
        start = f"{letter} of the step before is taken here and there in some {line}, as in a race"
        assert fault.what.startswith(start)


def test_a_step_that_is_stale_in_every_tile_is_the_loop_s() -> None:
    target, op, side, depth = TARGETS[1]
    a, b, c, want = _case(side, depth, 53)
    found = diagnose(target, op, _stale(a, b, c, 2, depth, "A"), want, a=a, b=b, c=c)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.kind) == ("explained", "k step")


def test_tiles_of_noise_are_no_race() -> None:
    target, op, side, depth = TARGETS[1]
    a, b, c, want = _case(side, depth, 54)
    got = want.copy()
    got[:side, side:] += np.random.default_rng(1).standard_normal((side, 2 * side))
    assert diagnose(target, op, got, want, a=a, b=b, c=c).verdict == "none"
    got = want.copy()
    place = np.s_[:side, :side]
    got[place] += 0.5 * (_stale(a, b, c, 2, depth, "A") - want)[place]
    assert diagnose(target, op, got, want, a=a, b=b, c=c).verdict == "none"
