"""Rows of data/isa for ordinary instructions: those that multiply no matrices."""

from functools import cache

from wavemma.errors import DataMistake
from wavemma.tables.files import rows
from wavemma.tables.instruction_words import (
    BankingRow,
    ChoiceRow,
    CodeRow,
    ExtensionRow,
    SettingRow,
    WordRow,
)
from wavemma.tables.instructions import FieldRow, SourceCodeRow
from wavemma.tables.keys import by_name, check_known
from wavemma.tables.number_parts import NamedRow, PartRow
from wavemma.tables.ordinary_records import Flow, OrdinaryRow, OrdinaryRows, ShapeRow, SlotRow
from wavemma.tables.taken_rows import TakenRow, taken_from

__all__ = [
    "CLASSES",
    "Flow",
    "OrdinaryRow",
    "OrdinaryRows",
    "SlotRow",
    "ordinary_rows",
    "rows_of_class",
    "taken_rows",
]

CLASSES = ("scalar", "vector", "memory", "control")


@cache
def taken_rows(architecture: str) -> tuple[TakenRow, ...]:
    """Give whose rows an architecture takes; none if it has its own."""
    return rows(f"isa/{architecture}/words.toml", "taken", TakenRow, optional=True)


def rows_of_class(architecture: str, which: str) -> tuple[OrdinaryRow, ...]:
    """Load the rows of one of `CLASSES`."""
    taken = taken_rows(architecture)
    if taken:
        return tuple(
            row
            for each in taken
            for row in rows_of_class(each.architecture, which)
            if each.has(row)
        )
    return rows(f"isa/{architecture}/{which}.toml", "instruction", OrdinaryRow)


@cache
def ordinary_rows(architecture: str) -> OrdinaryRows:
    """Load the ordinary instructions of an architecture and check them across rows.

    Args:
        architecture: Key of an architecture, such as "rdna3".

    Raises:
        DataMistake: Names file, row and what is wrong; there may be no rows at all.

    """
    taken = taken_rows(architecture)
    if taken:
        table = taken_from(architecture, taken, ordinary_rows)
        _check(table)
        return table
    words, shared = f"isa/{architecture}/words.toml", f"isa/{architecture}/encodings.toml"
    operands = f"isa/{architecture}/operands.toml"
    own = rows(words, "field", FieldRow)
    defined = {field.encoding for field in own}
    borrowed = tuple(f for f in rows(shared, "field", FieldRow) if f.encoding not in defined)
    instructions = [rows_of_class(architecture, each) for each in CLASSES]
    table = OrdinaryRows(
        architecture,
        rows(words, "encoding", WordRow),
        own + borrowed,
        by_name(words, "extension", rows(words, "extension", ExtensionRow)),
        rows(words, "source_code", SourceCodeRow),
        by_name(words, "code", rows(words, "code", CodeRow)),
        next(iter(rows(words, "banking", BankingRow, optional=True)), None),
        by_name(words, "modifier", rows(words, "modifier", SettingRow)),
        rows(words, "choice", ChoiceRow),
        rows(words, "part", PartRow),
        rows(words, "named", NamedRow),
        by_name(operands, "operand", rows(operands, "operand", SlotRow)),
        by_name(operands, "modifiers", rows(operands, "modifiers", ShapeRow)),
        tuple(row for each in instructions for row in each),
    )
    _check(table)
    return table


def _check(table: OrdinaryRows) -> None:
    words = {row.name for row in table.words}
    seen: set[tuple[str, int]] = set()
    for row in table.instructions:
        place = f"data/isa/{table.name}, {row.name}"
        check_known(place, "encoding", [row.encoding], words)
        check_known(place, "operands", row.operands, table.slots)
        check_known(place, "extensions", row.extensions, table.extensions)
        for shape_name in (row.modifiers, row.in_parts):
            if shape_name:
                check_known(place, "modifiers", [shape_name], table.shapes)
        roles = [table.slots[name].role for name in row.operands]
        if len(set(roles)) < len(roles):
            raise DataMistake(f"{place}: roles must be unique, are {roles}.", subject=roles)
        if (row.encoding, row.opcode) in seen:
            raise DataMistake(f"{place}: the opcode must stand once.", subject=row.opcode)
        seen.add((row.encoding, row.opcode))
    for shape in table.shapes.values():
        check_known(f"data/isa/{table.name}, {shape.name}", "list", shape.modifiers, table.settings)
