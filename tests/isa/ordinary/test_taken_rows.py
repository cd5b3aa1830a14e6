"""Rows that RDNA4m takes from others, against LLVM 24, which knows gfx1170."""

import random
import re

import pytest

from tests.isa.ordinary.drawn import forms, tame
from tests.oracles.assemblers import TRIPLE, triton
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import (
    ordinary_table,
    ordinary_text,
    read_ordinary,
    sweep_any,
    text_any,
)
from wavemma.tables.ordinary import ordinary_rows, taken_rows

NAME, TARGET = "rdna4m", "gfx1170"
MORE = 34
"""Rows of RDNA4's."""
LEFT_OUT = {
    "v_dot2acc_f32_f16": "refused: gfx1170 has it not",
    "v_med3_f32": "means v_med3_num_f32, with another opcode",
    "v_med3_f16": "means v_med3_num_f16, with another opcode",
    "v_fmac_f16": "the assembler refuses LLVM's own op_sel of a high result",
}
"""What is not compared."""


def test_where_the_rows_are_from() -> None:
    first, second = taken_rows(NAME)
    assert (first.architecture, first.names, second.architecture) == ("rdna3.5", (), "rdna4")
    own, relative = ordinary_rows(NAME), ordinary_rows("rdna3.5")
    assert len(own.instructions) == len(relative.instructions) + MORE
    assert {row.grade for row in own.instructions[: len(relative.instructions)]} == {"D"}
    assert {row.name for row in own.instructions[len(relative.instructions) :]} == set(second.names)
    assert not taken_rows("rdna4")


@pytest.mark.oracle
def test_a_newer_assembler_knows_them() -> None:
    """Lines of both are one instruction: what LLVM fills unused fields with is not compared."""
    table, rng = ordinary_table(NAME), random.Random(4)
    lines = []
    for row, extension in forms(table):
        if row.encoding == "VOPD_Y" or row.name in LEFT_OUT:
            continue
        found = read_ordinary(tame(table, row, extension, rng), NAME, 32)
        assert not isinstance(found, Undecoded), (row.name, extension, found)
        lines.append(ordinary_text(found))
    # The only ones whose old names LLVM 24 does not take.
    newer = [re.sub(r"v_dual_(max|min)_f32", r"v_dual_\1_num_f32", line) for line in lines]
    data, complaints = triton(newer, TARGET, 32)
    assert data, (TRIPLE, complaints[:3000])
    again = [text_any(each) for _, each in sweep_any(data, TARGET, 32)]
    assert len(lines) > 2300
    assert again == lines
