"""Rows of data/isa: encodings, operands, modifiers and the matrix instructions themselves."""

from collections.abc import Sequence
from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.files import rows
from wavemma.tables.targets import architectures

Kind = Literal["mfma", "smfmac", "wmma", "swmmac"]
Grade = Literal["H", "V", "D", "unknown"]
OperandKind = Literal["vgpr", "agpr", "sgpr", "special_sgpr", "inline_constant"]
Role = Literal["a", "b", "c", "d", "cd", "index", "scale_a", "scale_b"]


class EncodingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction word: its size and the field that holds the opcode."""

    name: str
    size_bytes: int
    opcode: str
    halves: tuple[str, ...] = ()


class FieldRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bits lo..hi of an encoding, both inside; `value` if the bits name the encoding.

    `fill` is what the assembler writes into a field that no instruction uses.
    """

    encoding: str
    name: str
    lo: int
    hi: int
    use: str
    value: int | None = None
    fill: int = 0


class SourceCodeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a range of 9-bit source codes names: code + i is text followed by first + i*step.

    `pair` is the text where 64 bits are read; `registers` counts the file where a range may run
    past the last register that a code can name.
    """

    kind: Literal["vgpr", "agpr", "sgpr", "special_sgpr", "inline_integer", "inline_float"]
    text: str
    code: int
    count: int = 0
    first: int = 0
    step: int = 1
    pair: str = ""
    registers: int = 0
    inv_2pi: bool = False


class ModifierRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier: fields that hold its bits, low first (a mask: one a source operand).

    `always` says that it is printed even at its default.
    """

    name: str
    word: str
    kind: Literal["int", "flag", "mask"]
    fields: tuple[str, ...]
    effect: tuple[str, ...]
    legal: tuple[int, ...] = ()
    below_broadcast: bool = False
    allowed: tuple[int, ...] = ()
    default: tuple[int, ...] = ()
    accepts: tuple[int, ...] = ()
    meaning: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    assembler_names: tuple[str, ...] = ()
    note: str = ""
    legal_source: str = ""
    always: bool = False


class ModifierWordRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier's word; the rows stand in the order in which a line must name them."""

    word: str
    source: str
    grade: Grade


class FormRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The modifiers that a kind of row takes, and field values that it always sets.

    `marks` are the fields of `set` by which the instruction is told from another one.
    """

    name: str
    modifiers: tuple[str, ...]
    wave32: tuple[str, ...] = ()
    wave64: tuple[str, ...] = ()
    set: dict[str, int] = {}
    marks: tuple[str, ...] = ()


class OperandRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one field of a row's operand profile may name.

    `inv_2pi_text` is how 1/(2*pi) is printed where not as in its source code; with
    `inv_2pi_wave` only in waves of that size.
    """

    operands: str
    field: str
    role: Role
    kinds: tuple[OperandKind, ...]
    accumulator: str = ""
    inv_2pi: bool | None = None
    inv_2pi_text: str = ""
    inv_2pi_wave: int = 0
    registers: int = 0


class ConflictRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact on which a source differs from the row."""

    what: str
    source: str
    value: str


class InstructionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One matrix instruction of one architecture.

    `model_wave64` is the arithmetic model of 64 lanes where that differs from 32.
    """

    name: str
    opcode: int
    kind: Kind
    shape: tuple[int, int, int]
    blocks: int
    a: str | tuple[str, ...]
    b: str | tuple[str, ...]
    c: str
    d: str
    layout: str
    model: str
    encoding: str
    form: str
    operands: str
    verified: tuple[str, ...]
    source: str
    grade: Grade
    model_wave64: str = ""
    targets: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    scale_opcode: int | None = None
    unscaled: str = ""
    scale_block: int = 0
    scale_formats: tuple[str, ...] = ()
    scale_pairs: Literal["", "any", "e8m0_unless_fp4"] = ""
    scale_free: str = ""
    scale_layout: str = ""
    partial_overlap: bool = True
    result_registers: int = 0
    conflict: tuple[ConflictRow, ...] = ()
    note: str = ""


class ScaleLoadRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction that only hands scales to the matrix instruction behind it.

    `scalar_sources` limits the different scalar registers that it reads; 0 is no limit.
    """

    name: str
    opcode: int
    encoding: str
    form: str
    operands: str
    verified: tuple[str, ...]
    source: str
    grade: Grade
    scalar_sources: int = 0


class ArchitectureRows(msgspec.Struct, frozen=True):
    """All rows of data/isa/<architecture>."""

    name: str
    encodings: tuple[EncodingRow, ...]
    fields: tuple[FieldRow, ...]
    source_codes: tuple[SourceCodeRow, ...]
    modifiers: tuple[ModifierRow, ...]
    forms: tuple[FormRow, ...]
    operands: tuple[OperandRow, ...]
    instructions: tuple[InstructionRow, ...]
    scale_loads: tuple[ScaleLoadRow, ...]


@cache
def architecture_rows(name: str) -> ArchitectureRows:
    """Load data/isa/<name> and check it across rows.

    Args:
        name: Key of an architecture, such as "rdna3".

    Raises:
        DataMistake: Names file, row and what is wrong.

    """
    if name not in architectures():
        raise DataMistake(f"No architecture '{name}'.", subject=name, allowed=architectures())
    words, matrix = f"isa/{name}/encodings.toml", f"isa/{name}/matrix.toml"
    table = ArchitectureRows(
        name,
        rows(words, "encoding", EncodingRow),
        rows(words, "field", FieldRow),
        rows(words, "source_code", SourceCodeRow),
        rows(matrix, "modifier", ModifierRow),
        rows(matrix, "form", FormRow),
        rows(matrix, "operand", OperandRow),
        rows(matrix, "instruction", InstructionRow),
        rows(matrix, "scale_load", ScaleLoadRow, optional=True),
    )
    _check(table)
    return table


@cache
def modifier_words() -> tuple[str, ...]:
    """Give the words of all modifiers, in the order in which a line must name them."""
    found = rows("isa/syntax.toml", "modifier_word", ModifierWordRow)
    return tuple(row.word for row in found)


def _check(table: ArchitectureRows) -> None:
    """Check unique keys, references between rows, and that fields cover each word once."""
    every: list[InstructionRow | ScaleLoadRow] = [*table.instructions, *table.scale_loads]
    _unique(table, "instruction", [row.name for row in every])
    _unique(
        table,
        "opcode",
        [(r.encoding, r.opcode, getattr(r, "scale_opcode", None)) for r in every],
    )
    _unique(table, "modifier", [row.name for row in table.modifiers])
    _unique(table, "form", [row.name for row in table.forms])
    named = {row.name for row in table.modifiers}
    for form in table.forms:
        for name in (*form.modifiers, *form.wave32, *form.wave64):
            _known(table, f"form {form.name}, modifiers", name, named)
    for row in every:
        _known(table, f"{row.name}, encoding", row.encoding, {e.name for e in table.encodings})
        _known(table, f"{row.name}, form", row.form, {f.name for f in table.forms})
        _known(table, f"{row.name}, operands", row.operands, {o.operands for o in table.operands})
    for encoding in table.encodings:
        if not encoding.halves:
            _covers(table, encoding)


def _unique(table: ArchitectureRows, what: str, keys: Sequence[object]) -> None:
    for key in keys:
        if list(keys).count(key) > 1:
            raise DataMistake(f"data/isa/{table.name}: {what} {key} must stand once.", subject=key)


def _known(table: ArchitectureRows, place: str, name: str, names: set[str]) -> None:
    if name not in names:
        raise DataMistake(
            f"data/isa/{table.name}: {place}: no row '{name}'.", subject=name, allowed=names
        )


def _covers(table: ArchitectureRows, encoding: EncodingRow) -> None:
    """Refuse two fields on one bit; bits without a field are unused and ignored on decoding."""
    taken: set[int] = set()
    for field in table.fields:
        if field.encoding != encoding.name:
            continue
        bits = set(range(field.lo, field.hi + 1))
        if bits & taken or field.hi >= encoding.size_bytes * 8 or field.lo > field.hi:
            raise DataMistake(
                f"data/isa/{table.name}, {encoding.name}: field {field.name} must have bits of"
                f" its own inside the word, has {field.lo}..{field.hi}.",
                subject=field.name,
            )
        taken |= bits
