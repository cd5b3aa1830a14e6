"""Lines of assembly as the rules of hazards see them."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

import msgspec

from wavemma.hazards import Reader, Reading, Span
from wavemma.hazards.ordinary import VALU, Registers, dual, reading
from wavemma.hazards.reading import AGPRS
from wavemma.isa.ordinary import ordinary_table
from wavemma.tables.hazard_classes import hazard_classes
from wavemma.tables.ordinary import Flow, OrdinaryRow

DUAL = "::"
_REGISTER = re.compile(
    r"(?<![\w.])([va])(?:(\d+)|\[\s*(\d+)\s*(?::\s*(\d+)\s*)?\])(?:\.[lh])?(?!\w)"
)
_EXEC = ("exec", "exec_lo", "exec_hi")
_SPLIT = re.compile(r",(?![^\[]*\])")
_SUFFIXES = ("", "_e32", "_e64", "_dpp", "_e64_dpp", "_sdwa", "_dpp8")
_FILES = {"v": 0, "a": AGPRS}


class Written(msgspec.Struct, frozen=True):
    """A line of an ordinary instruction.

    Attributes:
        reading: What the rules see of it.
        flow: Where control goes.

    """

    reading: Reading
    flow: Flow = ""


def written_line(name: str, rest: str, reader: Reader, banks: int = 0) -> Written | None:
    """Read a line by the rows; None if they have no such instruction.

    Args:
        name: The mnemonic, in lower case.
        rest: What stands behind it.
        reader: Whose rows.
        banks: The high bits of register numbers, as an instruction before has set them.

    """
    first, _, second = rest.partition(DUAL)
    found = _half(name, first, reader, banks)
    if found is None or not second.strip():
        return found
    other_name, _, other_rest = second.strip().partition(" ")
    other = _half(other_name, other_rest, reader, banks)
    if other is None or not all(VALU in each.reading.operands for each in (found, other)):
        return None
    return Written(dual(found.reading, other.reading))


def _half(name: str, rest: str, reader: Reader, banks: int) -> Written | None:
    rows = _rows(reader.architecture).get(name, ())
    operands = [part.strip() for part in _SPLIT.split(rest)] if rest.strip() else []
    if not rows:
        return None
    row = next((each for each in rows if len(each.operands) == len(operands)), rows[0])
    registers = _registers(row, operands, reader)
    table, shifts = reader.table.rows.name, reader.shifts(banks)
    found = reading(row, reader.architecture, table, registers, shifts)
    return Written(found, row.flow)


def unknown_line(name: str, rest: str) -> Reading:
    """Read a line of an instruction that no row has, by the first letters of its name."""
    label = next((row.name for row in hazard_classes().prefixes if name.startswith(row.prefix)), "")
    halves = [half.strip() for half in rest.split(DUAL)]
    halves[1:] = [half.partition(" ")[2] for half in halves[1:]]
    written: tuple[Span, ...] = ()
    read: tuple[Span, ...] = ()
    for half in halves:
        first, _, others = half.partition(",")
        written += spans_of(first) if label == VALU else ()
        read += spans_of(others if label == VALU else half)
    if label == VALU:
        words = {"vdst": written, "write": written, "source": read, "read": read}
        classes = {VALU: words, "VOPD": words} if len(halves) > 1 else {VALU: words}
        return Reading(name, classes, writes=written, slots=1, known=False)
    return Reading(name, {label: {"read": read}} if label else {}, known=False)


def _registers(row: OrdinaryRow, operands: Sequence[str], reader: Reader) -> Registers:
    slots = [reader.table.rows.slots[name] for name in row.operands]
    if len(operands) < len(slots):
        slots = [each for each in slots if not each.when]
    by_role: dict[str, tuple[Span, ...]] = {}
    for slot, text in zip(slots, operands, strict=False):
        spans = spans_of(text)
        if spans:
            by_role[slot.role] = (*by_role.get(slot.role, ()), *spans)
    return Registers(
        by_role=by_role,
        writes_exec="exec" in row.writes
        or any(t in _EXEC for s, t in zip(slots, operands, strict=False) if s.role == "d"),
        number=_number(operands),
    )


def spans_of(text: str) -> tuple[Span, ...]:
    """Find the vector registers that a text names."""
    found = []
    for file, alone, first, last in _REGISTER.findall(text):
        low = _FILES[file] + int(alone or first)
        found.append((low, _FILES[file] + int(last) + 1 if last else low + 1))
    return tuple(found)


def _number(operands: Sequence[str]) -> int:
    try:
        return int(operands[0], 0) if operands else 0
    except ValueError:
        return 0


@cache
def _rows(architecture: str) -> Mapping[str, tuple[OrdinaryRow, ...]]:
    """Index the rows that read an architecture by every way to write their names."""
    found: dict[str, tuple[OrdinaryRow, ...]] = {}
    for row in ordinary_table(architecture).rows.instructions:
        for suffix in _SUFFIXES:
            key = row.name + suffix
            found[key] = (*found.get(key, ()), row)
    return found
