"""How products are cut: everything once, bounded memory, whole instructions."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from wavemma.gemm.blocks import BLOCK, PANEL_BYTES, SMALL_BLOCK, block_size, cut, passes

SIZES = st.integers(1, 70_000)


@given(SIZES, st.integers(1, 5000))
def test_cut_covers_everything_once(size: int, step: int) -> None:
    blocks = cut(size, step)
    assert blocks[0].first == 0
    assert blocks[-1].last == size
    assert all(left.last == right.first for left, right in pairwise(blocks))
    assert all(0 < block.size <= step for block in blocks)


@given(SIZES, SIZES, st.integers(1, 400_000), st.sampled_from([1, 4, 16, 128]))
def test_passes_bound_memory(rows: int, columns: int, instructions: int, depth: int) -> None:
    whole = instructions * depth
    across, along, deep = passes(rows, columns, whole, depth)
    assert (across[-1].last, along[-1].last, deep[-1].last) == (rows, columns, whole)
    assert all(block.size % depth == 0 for block in deep)
    for blocks in (across, along):
        assert blocks[0].size * deep[0].size * 16 <= PANEL_BYTES


def test_small_results_have_small_blocks() -> None:
    assert block_size(16, 16) == block_size(512, 512) == SMALL_BLOCK
    assert block_size(512, 513) == block_size(4096, 16) == BLOCK
