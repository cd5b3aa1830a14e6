"""Assembly lines of memory instructions, made from their rows; every role has its own registers."""

from collections.abc import Iterator

from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.isa.ordinary.instruction import OrdinaryInstruction

FIRST = {"d": 20, "address": 2, "data": 4, "data_1": 12}
"""Number of the first vector register of each role."""
SCALAR = {"scalar_address": 4, "resource": 8, "scalar_offset": 12, "base": 8, "d": 16}
"""Number of the first scalar register of each role."""


def instructions(architecture: str, prefix: str = "") -> Iterator[OrdinaryInstruction]:
    """Memory instructions that have a meaning and whose name begins so."""
    table = ordinary_table(architecture)
    words = {word.name for word in table.rows.words if word.space or word.name == "SMEM"}
    for row in table.rows.instructions:
        if row.encoding in words and row.meaning and row.name.startswith(prefix):
            yield table.form(row, "")


def line(found: OrdinaryInstruction, tail: str = "", *, returned: bool = False) -> str:
    """The text of an instruction; `tail` is its modifiers."""
    texts = []
    for slot in found.slots:
        row = slot.row
        if row.when and not returned:
            continue
        if row.kind == "number":
            texts.append("0")
        elif row.kind == "vgpr" and not row.counted:
            count = 2 if row.wide_if_null else row.registers
            texts.append(_registers("v", FIRST[row.role], count))
        elif row.counted:
            is_buffer = len(row.counted) == 2
            count = ("idxen" in tail) + ("offen" in tail) if is_buffer else 1
            texts.append(_registers("v", FIRST[row.role], count) if count else "off")
        elif row.role == "scalar_address" and row.registers == 2 and _wide(found):
            texts.append("off")
        else:
            texts.append(_registers("s", SCALAR[row.role], row.registers))
    return f"{found.row.name} {', '.join(texts)} {tail}".strip()


def _wide(found: OrdinaryInstruction) -> bool:
    return any(slot.row.wide_if_null for slot in found.slots)


def _registers(letter: str, first: int, count: int) -> str:
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"
