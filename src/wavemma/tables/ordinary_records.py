"""Records of ordinary instructions: operands, rows, and the table of an architecture."""

from typing import Literal

import msgspec

from wavemma.tables.instruction_words import (
    BankingRow,
    ChoiceRow,
    CodeRow,
    ExtensionRow,
    SettingRow,
    WordRow,
)
from wavemma.tables.instructions import FieldRow, Grade, SourceCodeRow
from wavemma.tables.number_parts import NamedRow, PartRow

Flow = Literal["", "jump", "branch", "call", "far_jump", "far_call", "end"]
OperandClass = Literal[
    "vgpr", "agpr", "sgpr", "special_sgpr", "inline_constant", "literal", "literal_64"
]


class SlotRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One operand of a line: the field that holds it, and what it may name.

    Attributes:
        name: By which rows list it.
        role: What it does: d and d_mask (results), a, b and c (sources), k (a literal in any
            case), number, base, resource, address, scalar_address, scalar_offset, data, data_1.
            Roles are unique in an instruction.
        field: The field; "" for a fixed code or a literal.
        kind: A vector register or an accumulator by number; a source code; a literal; a number;
            one code always.
        classes: Of a source code: what it may name.
        registers: Registers of 32 bits; of a literal in any case, its words.
        registers_wave64: Those in waves of 64, if not as many.
        step: Registers that the number in the field counts by.
        lanes: One bit a lane: the pair of registers in waves of 64.
        half: The bit that says which 16 bits; "code": the highest bit of the register's number.
        negate: The bit that changes the sign.
        absolute: The bit that takes the absolute value.
        as_halves: Whether inline floats are written as the 16 bits that an integer reads.
        inv_2pi_text: How 1/(2*pi) is written, if not as its source code.
        style: How a number or a literal is written.
        code: Of a fixed operand: its source code.
        offset_if_null: Whether an offset is written in place of the null register.
        when: The bit that says whether it is there at all.
        counted: Bits that add one register each; "off" if none is set.
        extra: The bit that adds one register.
        wide_if_null: The field that makes it two registers by naming the null register.
        off_if_null: Whether the null register is written "off".
        extended: The operand that takes its place if a further word follows.
        in_parts: The one that does if that word takes parts of registers.
        unwritten_half: Whether modifiers alone say which half is meant, not the register's text.
        accumulator: The bit that makes it accumulators.
        scalar: The bit that makes the number that of a scalar register or constant.
        fixed_unless: The bit without which it is `code`.
        sign_extended: The bit that lets the sign of a part go on.
        low_bit_not: The bit whose opposite is the lowest bit of the register's number.

    """

    name: str
    role: str
    kind: Literal["vgpr", "agpr", "source", "literal", "number", "fixed"]
    field: str = ""
    classes: tuple[OperandClass, ...] = ()
    registers: int = 1
    registers_wave64: int = 0
    step: int = 1
    lanes: bool = False
    half: str = ""
    negate: str = ""
    absolute: str = ""
    as_halves: bool = False
    inv_2pi_text: str = ""
    style: str = ""
    code: int = 0
    offset_if_null: bool = False
    when: str = ""
    counted: tuple[str, ...] = ()
    extra: str = ""
    wide_if_null: str = ""
    off_if_null: bool = False
    low_bit_not: str = ""
    extended: str = ""
    in_parts: str = ""
    unwritten_half: bool = False
    accumulator: str = ""
    scalar: str = ""
    fixed_unless: str = ""
    sign_extended: str = ""


class ShapeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list of modifiers, in the order of the text."""

    name: str
    modifiers: tuple[str, ...]


class OrdinaryRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ordinary instruction in one encoding.

    Attributes:
        name: The mnemonic without the suffix of its encoding.
        opcode: The number in the opcode field.
        encoding: Its word.
        operands: The operands of the text, in order, by the names of their rows.
        modifiers: The list of its modifiers, by the name of its row; "" for none.
        type: The types in the mnemonic, such as "f32" or "i32_f64": result first.
        suffix: What the assembler puts behind the name, such as "_e64".
        extended: What it puts there if a further word follows.
        extensions: The further words that it takes.
        in_parts: The list of its modifiers if that word takes parts of registers.
        fill: What the assembler writes into fields that no operand shows, where not 0.
        flow: Where control goes: always ("jump") or perhaps ("branch") to the target that its
            number counts to, there with a way back ("call"), to an address in registers
            ("far_jump", "far_call"), nowhere ("end"), or else to the next instruction.
        meaning: What it computes, by the name of a function of the machine; "" if not known.
        packed: Whether it computes on both halves of registers, each by itself.
        writes: Registers that it writes without naming them as operands.
        source: Key of a source.
        grade: How sure the row is.

    """

    name: str
    opcode: int
    encoding: str
    operands: tuple[str, ...]
    source: str
    grade: Grade
    modifiers: str = ""
    type: str = ""
    suffix: str = ""
    extended: str = ""
    extensions: tuple[str, ...] = ()
    in_parts: str = ""
    fill: dict[str, int] = {}
    flow: Flow = ""
    meaning: str = ""
    packed: bool = False
    writes: tuple[Literal["exec", "scc"], ...] = ()


class OrdinaryRows(msgspec.Struct, frozen=True):
    """All rows of the ordinary instructions of an architecture."""

    name: str
    words: tuple[WordRow, ...]
    fields: tuple[FieldRow, ...]
    extensions: dict[str, ExtensionRow]
    source_codes: tuple[SourceCodeRow, ...]
    codes: dict[str, CodeRow]
    banking: BankingRow | None
    settings: dict[str, SettingRow]
    choices: tuple[ChoiceRow, ...]
    parts: tuple[PartRow, ...]
    named: tuple[NamedRow, ...]
    slots: dict[str, SlotRow]
    shapes: dict[str, ShapeRow]
    instructions: tuple[OrdinaryRow, ...]
