"""Dual instructions: each half gives what it gives by itself, and both read before they write."""

from itertools import cycle, islice

import pytest

from tests.machine.semantics.drawing import rows_with_meaning
from tests.machine.semantics.programs import Program, check
from tests.machine.semantics.wave_state import State, run_on_arrays
from wavemma.isa.ordinary import DecodedOrdinary, read_ordinary
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.codes import codes_of
from wavemma.machine.perform import perform
from wavemma.tables.ordinary import OrdinaryRow

ROUNDS = 3


def half_rows(architecture: str, encoding: str) -> list[OrdinaryRow]:
    return [row for row in rows_with_meaning(architecture) if row.encoding == encoding]


@pytest.mark.parametrize(
    ("architecture", "word", "least"),
    [
        *((name, "VOPD", (14, 17)) for name in ("rdna3", "rdna3.5", "rdna4")),
        ("cdna5", "VOPD", (12, 19)),
        ("cdna5", "VOPD3", (21, 19)),
    ],
)
def test_halves(architecture: str, word: str, least: tuple[int, int]) -> None:
    first, second = (half_rows(architecture, f"{word}_{half}") for half in "XY")
    assert (len(first), len(second)) >= least
    # Lists of coprime lengths meet in all pairs; a few rounds give every row many partners.
    count = ROUNDS * len(second)
    programs = [Program(architecture, 32, 1)]
    for number, pair in enumerate(islice(zip(cycle(first), cycle(second), strict=False), count)):
        if programs[-1].drawer.is_full:
            programs.append(Program(architecture, 32, number))
        programs[-1].add(*pair)
    for number, program in enumerate(programs):
        check(program, f"dual {architecture} {word} {number}")


def test_both_halves_read_before_they_write() -> None:
    table = ordinary_table("rdna3")
    rows = {(row.encoding, row.name): row for row in rows_with_meaning("rdna3")}
    forms = [table.form(rows[f"VOPD_{half}", "v_dual_mov_b32"], "") for half in "XY"]
    fields = forms[0].encoding.by_name | forms[1].encoding.by_name
    bits = forms[0].base | forms[1].base
    bits |= fields["VDSTX"].put(1) | fields["SRCX0"].put(256 + 2)
    # The lowest bit of the second result is the opposite of the first one's.
    bits |= fields["VDSTY"].put(2 >> 1) | fields["SRCY0"].put(256 + 1)
    decoded = read_ordinary(bits.to_bytes(8, "little"), "rdna3", 32)
    assert isinstance(decoded, DecodedOrdinary)
    state, codes = State(32), codes_of("rdna3")
    state.set_mask(codes.exec, (1 << 32) - 1)
    state.vectors[1], state.vectors[2] = 11, 22
    run_on_arrays(state, codes, lambda wave: perform(wave, decoded))
    assert set(state.vectors[1]) == {22}
    assert set(state.vectors[2]) == {11}
