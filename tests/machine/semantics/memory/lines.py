"""Assembly lines of memory instructions, made from their rows; every role has its own registers."""

import re
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
    words -= {"MUBUF_LDS"}
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
        elif row.role == "scalar_address" and row.registers + row.lanes == 2 and _wide(found):
            texts.append("off")
        else:
            texts.append(_registers("s", SCALAR[row.role], row.registers))
    return f"{found.row.name} {', '.join(texts)} {tail}".strip()


def _wide(found: OrdinaryInstruction) -> bool:
    return any(slot.row.wide_if_null for slot in found.slots)


def _registers(letter: str, first: int, count: int) -> str:
    return f"{letter}{first}" if count == 1 else f"{letter}[{first}:{first + count - 1}]"


OLDER = [
    (r"^ds_read", "ds_load"),
    (r"^ds_write", "ds_store"),
    (r"^ds_wrxchg", "ds_storexchg"),
    (r"_sbyte", "_i8"),
    (r"_ubyte", "_u8"),
    (r"_sshort", "_i16"),
    (r"_ushort", "_u16"),
    (r"_byte", "_b8"),
    (r"_short", "_b16"),
    (r"_dword$", "_b32"),
    (r"_dwordx2", "_b64"),
    (r"_dwordx3", "_b96"),
    (r"_dwordx4", "_b128"),
    (r"_atomic_s(min|max)", r"_atomic_\1_i32"),
    (r"_atomic_u(min|max)", r"_atomic_\1_u32"),
    (r"_atomic_(add|sub|inc|dec)(?=$|_x2)", r"_atomic_\1_u32"),
    (r"_atomic_(swap|cmpswap|and|or|xor)(?=$|_x2)", r"_atomic_\1_b32"),
    (r"32_x2", "64"),
    (r"^(?!ds)(\w+)_(load|store)_([iub]\d+)_d16(_hi)?$", r"\1_\2_d16\4_\3"),
]
"""Parts of mnemonics of gfx9, and how gfx11 spells them."""


def newer(name: str) -> str:
    """Spell a mnemonic of gfx9 as gfx11 does; others stay."""
    for pattern, text in OLDER:
        name = re.sub(pattern, text, name)
    return name
