"""Which modifiers of which words the drawn instructions of vector arithmetic have: all of them."""

from collections import Counter

import pytest

from tests.machine.semantics.drawing import Drawer, rows_with_meaning
from tests.machine.semantics.wave_state import State
from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryInstruction
from wavemma.isa.ordinary.catalog import ordinary_table

SIGNS = {"negate": "is_negated", "absolute": "is_absolute", "half": "half"}
COUNTS = {"rdna3": 112, "rdna3.5": 112, "rdna4": 116}
"""So many modifiers, each counted in each word of instructions with each further word."""
Key = tuple[str, str, str]


def modifiers(form: OrdinaryInstruction, word: str) -> set[Key]:
    names = {each.word for each in form.settings}
    names |= {name for slot in form.slots for name in SIGNS if getattr(slot, name) is not None}
    return {(form.row.encoding, word, name) for name in names}


def used(decoded: DecodedOrdinary, word: str) -> set[Key]:
    """Give the modifiers that an instruction has with another value than the usual one."""
    form = decoded.instruction
    names = {
        each.word
        for each in form.settings
        if decoded.modifiers.get(each.word, each.default) != each.default
    }
    for slot in form.slots:
        operand = decoded.operands.get(slot.row.role)
        names |= {
            name
            for name, attribute in SIGNS.items()
            if operand is not None
            and getattr(slot, name) is not None
            and getattr(operand, attribute)
        }
    return {(form.row.encoding, word, name) for name in names}


@pytest.mark.parametrize("architecture", COUNTS)
def test_every_modifier_is_drawn(architecture: str) -> None:
    table = ordinary_table(architecture)
    there: set[Key] = set()
    drawn: Counter[Key] = Counter()
    for number, row in enumerate(rows_with_meaning(architecture)):
        if row.encoding.startswith("VOPD"):
            continue
        for word in ("", *row.extensions):
            there |= modifiers(table.form(row, word), word)
            drawer = Drawer(architecture, number, State(32))
            for _ in range(3):
                drawn.update(used(drawer.draw(row, extension=word), word))
    assert len(there) == COUNTS[architecture], Counter(word for _, _, word in there)
    # A rule of the word that is not chosen: it reads the lanes that are not active.
    missing = there - set(drawn) - {key for key in there if key[1:] == ("dpp8_fi", "fi")}
    assert not missing
