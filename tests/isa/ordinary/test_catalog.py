"""The index of the rows: groups, forms, and what is loaded when."""

import subprocess
import sys

import msgspec
import pytest

from tests.isa.ordinary.drawn import forms
from wavemma.errors import DataMistake
from wavemma.isa.ordinary import ordinary_table
from wavemma.isa.ordinary.catalog import _choice_text
from wavemma.tables import ordinary
from wavemma.tables.instruction_words import ChoiceRow
from wavemma.tables.ordinary import ordinary_rows
from wavemma.tables.targets import architectures


def test_forms_are_shared() -> None:
    table = ordinary_table("rdna3")
    row = table.rows.instructions[0]
    assert table.form(row, "") is table.form(row, "")


def test_every_form_builds() -> None:
    table = ordinary_table("rdna3")
    names = {table.form(row, extension).name for row, extension in forms(table)}
    assert {"v_add_f32_e32", "v_add_f32_e64", "v_add_f32_dpp", "v_add_f32_e64_dpp"} <= names
    assert len(names) > 1500


def test_words_that_more_bits_name_come_first() -> None:
    counts = [group.mask.bit_count() for group in ordinary_table("rdna3").groups]
    assert counts == sorted(counts, reverse=True)
    assert len(counts) == 17


def test_inline_constants() -> None:
    inline = ordinary_table("rdna3").inline
    assert len(inline.words) == 65 + 16 + 9
    assert inline.words[0xFFFFFFF0] == "-16"
    assert inline.words[0x3E22F983] == "0.15915494"
    assert inline.codes[248] == 0x3118
    assert inline.halves >= {0x3C00, 64, 0xFFFF}


def test_choices() -> None:
    row = ChoiceRow("m", 0, "quad_perm:", count=256, list_bits=2)
    assert _choice_text(row, 0b11100100) == "quad_perm:[0,1,2,3]"
    assert _choice_text(ChoiceRow("m", 5, "row_shl:", count=15, first=1), 2) == "row_shl:3"
    assert _choice_text(ChoiceRow("m", 5, "row_mirror"), 0) == "row_mirror"


def test_architectures() -> None:
    assert all(ordinary_rows(name).instructions for name in architectures())
    with pytest.raises(DataMistake):
        ordinary_rows("rdna9")


@pytest.mark.parametrize("change", [{"operands": ("nothing",)}, {"encoding": "X"}, {"opcode": 1}])
def test_wrong_rows_are_refused(change) -> None:
    rows = ordinary_rows("rdna3")
    first = msgspec.structs.replace(rows.instructions[0], **change)
    changed = msgspec.structs.replace(rows, instructions=(first, *rows.instructions[1:]))
    with pytest.raises(DataMistake, match="data/isa/rdna3, s_mov_b"):
        ordinary._check(changed)


def test_nothing_is_loaded_before_an_ordinary_instruction_is_asked_for() -> None:
    program = "import sys, wavemma, wavemma.isa, wavemma.isa.decode; "
    program += "print([m for m in sys.modules if 'ordinary' in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
