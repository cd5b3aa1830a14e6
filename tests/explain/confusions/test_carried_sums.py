"""Accumulators that are not cleared between tiles, in several orders of tiles."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

RANDOM = np.random.default_rng(41)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((64, 64), (64, 96)))
C = RANDOM.standard_normal((64, 96)).astype(np.float32)
P = A.astype(float) @ B.astype(float)
ORDERS = {
    "row by row": [[(r, c) for r in range(4) for c in range(6)]],
    "column by column": [[(r, c) for c in range(6) for r in range(4)]],
    "rows": [[(r, c) for c in range(6)] for r in range(4)],
    "columns": [[(r, c) for r in range(4)] for c in range(6)],
    "two waves": [[(r, c) for c in range(w, 6, 2)] for r in range(4) for w in range(2)],
    "four groups": [[divmod(t, 6) for t in range(w, 24, 4)] for w in range(4)],
}
WORDS = {
    "row by row": "the tile before it, counting row by row, too",
    "column by column": "the tile before it, counting column by column, too",
    "rows": "the tile left of it too",
    "columns": "the tile above it too",
    "two waves": "the tile 2 left of it too",
    "four groups": "the tile 4 before it, counting row by row, too",
}
TARGETS = [("gfx908", "v_mfma_f32_16x16x16f16"), ("gfx942", "v_mfma_f32_16x16x16_f16"),
           ("gfx1170", "v_wmma_f32_16x16x16_f16")]  # fmt: skip


def _tile(array: Any, place: tuple[int, int]) -> Any:
    row, column = place
    return array[16 * row : 16 * row + 16, 16 * column : 16 * column + 16]


def _run(order: str, *, start: str = "none") -> Any:
    """Add up tiles in an accumulator that nothing clears; C from the start, or behind the loop."""
    out = np.zeros_like(P)
    for chain in ORDERS[order]:
        total = np.zeros((16, 16))
        for place in chain:
            total = total + _tile(P, place) + (_tile(C, place) if start == "loaded" else 0)
            _tile(out, place)[:] = total + (_tile(C, place) if start == "behind" else 0)
    return out


@pytest.mark.parametrize("order", ORDERS)
def test_the_tile_before_is_named(order: str) -> None:
    target = TARGETS[list(ORDERS).index(order) % len(TARGETS)]
    for given in ({}, {"a": A, "b": B}):
        found = diagnose(*target, _run(order), P, **given)
        (fault,) = found.explanations[0].faults
        assert (found.verdict, found.explanations[0].share) == ("explained", 1.0)
        assert fault.what == (
            f"the accumulator is not cleared between tiles: each holds the output of {WORDS[order]}"
        )


@pytest.mark.parametrize(("start", "word"), [("behind", "the sum of"), ("loaded", "the output of")])
def test_c_is_carried_where_it_is_in_the_accumulator(start: str, word: str) -> None:
    found = diagnose(*TARGETS[1], _run("rows", start=start), P + C, a=A, b=B, c=C)
    (fault,) = found.explanations[0].faults
    assert found.verdict == "explained"
    assert fault.what.endswith(f"each holds {word} the tile left of it too")


def test_only_the_last_tile_may_be_carried() -> None:
    got = P.copy()
    got[:, 16:] += P[:, :-16]
    (fault,) = diagnose(*TARGETS[0], got, P).explanations[0].faults
    assert fault.what.endswith("what should be the output of the tile left of it too")


def test_a_carry_that_is_noise_beyond_the_first_tile_is_none() -> None:
    got = _run("rows")
    got[:, 32:] += RANDOM.standard_normal(got[:, 32:].shape)
    assert diagnose(*TARGETS[0], got, P).verdict == "none"
