"""Rows of two registers exchanged, as gfx950 does it, on both engines."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.machine.one_group import Ended
from tests.machine.semantics.test_lanes import MASKS, RUNS, is_active, vectors

WAVE = 64
LINES = {
    "v_permlane16_swap_b32 v1, v10": (16, False, False),
    "v_permlane32_swap_b32 v1, v10": (32, False, False),
    "v_permlane16_swap_b32 v1, v1": (16, False, False),
    "v_permlane16_swap_b32_e64 v1, v10 fi:1": (16, True, False),
    "v_permlane32_swap_b32_e64 v1, v10 bound_ctrl:1": (32, False, True),
}


def exchanged(v: np.ndarray, mask: int, line: str) -> np.ndarray:
    """Exchange pairs of lanes one after the other, as AMD's manual writes it."""
    distance, fetches, zeroes = LINES[line]
    result, source = 1, int(line.split()[2].strip("v,"))
    found = v.copy()
    for low in range(WAVE):
        high = low + distance
        if low & distance:
            continue
        for into, lane, out_of, other in ((result, high, source, low), (source, low, result, high)):
            if not is_active(mask, lane):
                continue
            if fetches or is_active(mask, other):
                found[into, lane] = v[out_of, other]
            elif zeroes:
                found[into, lane] = 0
    return found


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("place", range(4))
def test_rows_are_exchanged(engine: Callable[..., Ended], place: int) -> None:
    mask, v = MASKS[WAVE][place], vectors(WAVE)
    for line in LINES:
        got = engine([line], target_name="gfx950", wave=WAVE, active=mask, vectors=v)
        assert np.array_equal(got.vectors[0], exchanged(v, mask, line)), line
