"""Short grids hold what the layouts say, each lane of each run."""

import itertools
import re

from tests.render.answers import every_layout
from wavemma.explain.layout import layout
from wavemma.render.lane_runs import lane_runs
from wavemma.render.register_map import EMPTY, matrix_indices


def test_a_run_for_each_half_of_the_wave() -> None:
    """Case 1: D[2][3] lies in lane 3 of v1, as AMD's calculator has it."""
    first, second = lane_runs(layout("gfx1100", "v_wmma_f32_16x16x16_f16", "D"))
    assert (first.lanes, second.lanes) == ("0-15", "16-31")
    assert (first.cells[1], second.cells[1]) == ("2,0..15", "3,0..15")


def test_runs_hold_every_element_of_every_lane() -> None:
    for answer in every_layout()[::17]:
        held = {
            (place.lane, bits.register, matrix_indices(answer, each.indices))
            for each in answer.elements
            for place in each.places
            for bits in place.bits
        }
        assert _spelt_out(answer) == held, answer.asked


def _spelt_out(answer) -> set[tuple[int, int, tuple[int, ...]]]:
    """Read the cells back, lane by lane."""
    found = set()
    for run in lane_runs(answer):
        first, _, last = run.lanes.partition("-")
        for lane in range(int(first), int(last or first) + 1):
            for register, cell in enumerate(run.cells):
                for indices in () if cell == EMPTY else _indices(cell, lane - int(first)):
                    found.add((lane, register, indices))
    return found


def _indices(cell: str, lane: int) -> set[tuple[int, ...]]:
    found = set()
    for part in cell.split():
        axes = []
        for text in part.split(","):
            low, sign, high = re.fullmatch(r"(\d+)(\.\.|-)?(\d+)?", text).groups()
            if sign == "..":
                axes.append([int(low) + lane])
                assert axes[-1][0] <= int(high)
            else:
                axes.append(range(int(low), int(high or low) + 1))
        found |= set(itertools.product(*axes))
    return found
