"""Accuracies are of functions that rows of instructions name, and whose last bits are derived."""

from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.semantics import MEANINGS
from wavemma.machine.value_type import types_of_row
from wavemma.tables.accuracy import accuracies, allowed_ulps

FUNCTIONS = {"reciprocal", "reciprocal_root", "root", "power", "logarithm"}


def test_every_function_has_a_row() -> None:
    for name in ("rdna3", "rdna3.5", "rdna4"):
        rows = ordinary_table(name).rows.instructions
        named = {(r.meaning, types_of_row(r.type)[0]) for r in rows if r.meaning in FUNCTIONS}
        known = {(r.meaning, r.type) for r in accuracies() if name in r.architectures}
        assert known == named


def test_their_last_bits_are_derived() -> None:
    for name in (*FUNCTIONS, "sine", "cosine"):
        assert MEANINGS[name].grade == "D"


def test_what_manuals_allow() -> None:
    assert allowed_ulps("logarithm", "f32", "rdna3") == 1
    assert allowed_ulps("root", "f64", "rdna4") == 2**29
    assert allowed_ulps("sine", "f32", "rdna3") == allowed_ulps("root", "f32", "cdna3") == 0
