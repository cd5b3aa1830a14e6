"""Code in blocks and regions: none so long that the compiler would take for ever."""

from itertools import pairwise

import numpy as np

from tests.machine.one_group import compiled, placed, run
from wavemma.machine.compiled.translate import REGION_INSTRUCTIONS, code_of

LONG = ["v_add_nc_u32 v1, v0, v1"] * (3 * REGION_INSTRUCTIONS + 7)


def test_straight_code_is_divided() -> None:
    code = code_of(placed(tuple(LONG), "gfx1100", 32), 32)
    assert sum(len(block.instructions) for block in code.blocks) == len(LONG) + 1
    assert all(before.end == after.offset for before, after in pairwise(code.blocks))
    (function,) = code.functions
    for region in code.regions(function):
        count = sum(len(code.blocks[number].instructions) for number in region)
        assert 0 < count <= REGION_INSTRUCTIONS


def test_divided_code_runs_on() -> None:
    vectors = np.stack([np.arange(32, dtype=np.uint32), np.full(32, 9, np.uint32)])
    ended = run(LONG, vectors=vectors)
    assert len(compiled(tuple(LONG), "gfx1100", 32).code.blocks) > 1
    assert np.array_equal(ended.vectors[0, 1], 9 + len(LONG) * vectors[0])
