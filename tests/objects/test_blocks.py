"""Basic blocks: by hand on a small program, and as laws on compiled kernels."""

import pytest

from tests.isa.ordinary.kernels import SOURCE
from tests.objects.compiled import linked
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import read_any
from wavemma.objects import Placed, blocks, code_object, listing

# 0: s_mov_b32 s0, 1   4: s_cbranch_scc0 +2 (to 16)   8: s_nop 0   12: s_branch -4 (to 0)
# 16: s_call_b64 s[2:3], -5 (to 0)   20: s_setpc_b64 s[2:3]   24: s_endpgm
PROGRAM = ("810080be", "0200a1bf", "000080bf", "fcffa0bf", "fbff02ba", "024880be", "0000b0bf")


def placed(words) -> list[Placed]:
    return [
        Placed(4 * n, "f", 4 * n, bytes.fromhex(word), read_any(bytes.fromhex(word), "gfx1100"))
        for n, word in enumerate(words)
    ]


def test_by_hand() -> None:
    listed = placed(PROGRAM)
    assert not any(isinstance(each.instruction, Undecoded) for each in listed)
    found = [(b.start, b.end, b.flow, b.successors, b.callee) for b in blocks(listed)]
    assert found == [
        (0, 8, "branch", (16, 8), None),
        (8, 16, "jump", (0,), None),
        (16, 20, "call", (20,), 0),
        (20, 24, "far_jump", (), None),
        (24, 28, "end", (), None),
    ]


def test_words_that_are_no_instruction_end_a_block() -> None:
    found = blocks(placed(("810080be", "ffffffff", "0000b0bf")))
    assert [(b.start, b.end, b.flow, b.successors) for b in found] == [
        (0, 8, "end", ()),
        (8, 12, "end", ()),
    ]


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_laws(target, level) -> None:
    listed = listing(code_object(linked(target, level, source=SOURCE)))
    found = blocks(listed)
    assert [each for block in found for each in block.instructions] == list(listed)
    starts = {block.start for block in found}
    # Behind the last function comes padding, which runs on to the end of the code.
    starts_or_end = starts | {found[-1].end}
    assert all(to in starts_or_end for block in found for to in block.successors)
    assert {block.flow for block in found} >= {"", "jump", "branch", "end"}
    assert len(found) > 60
    functions = {each.address for each in listed if each.function and not each.offset}
    assert functions <= starts
