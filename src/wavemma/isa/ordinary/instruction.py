"""One ordinary instruction in one encoding, put together from its rows."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from wavemma.isa.encoding import Encoding, Field
from wavemma.tables.instruction_words import ExtensionRow, SettingRow
from wavemma.tables.ordinary import OrdinaryRow, SlotRow


class Setting(msgspec.Struct, frozen=True, dict=True):
    """A modifier as one instruction takes it.

    Attributes:
        row: What the table says of it.
        bits: Numbers of its bits in the instruction, low first; None for one that is always 0.
        unless_null: The field whose null register leaves it out.

    """

    row: SettingRow
    bits: tuple[int | None, ...]
    unless_null: Field | None = None

    @property
    def word(self) -> str:
        """The word that the assembler knows it by."""
        return self.row.word

    @cached_property
    def default(self) -> int:
        """The value it has when a line doesn't name it."""
        return sum(bit << place for place, bit in enumerate(self.row.default))

    def read(self, bits: int) -> int:
        """Take the value out of the bits of an instruction."""
        places = [(place, bit) for place, bit in enumerate(self.bits) if bit is not None]
        return sum((bits >> bit & 1) << place for place, bit in places) or self.row.constant

    def put(self, value: int) -> int:
        """Give the bits of an instruction in which it has a value, all others 0."""
        places = [(place, bit) for place, bit in enumerate(self.bits) if bit is not None]
        return sum((value >> place & 1) << bit for place, bit in places)


class Slot(msgspec.Struct, frozen=True):
    """An operand of a line with the bits that belong to it; a bit that is not there is None."""

    row: SlotRow
    field: Field | None
    half: int | None
    negate: int | None
    absolute: int | None
    when: int | None
    counted: tuple[int, ...]
    extra: int | None
    wide_if_null: Field | None
    low_bit_not: int | None
    accumulator: int | None
    scalar: int | None
    fixed_unless: int | None
    sign_extended: int | None


class OrdinaryInstruction(msgspec.Struct, frozen=True, dict=True, eq=False):
    """One row of the table in one form; there is one object a form, so `is` compares.

    Attributes:
        row: The row: mnemonic, opcode, type, source, grade.
        architecture: Key of the architecture.
        encoding: The fields of its word and of the further word, if one follows.
        extension: The further word, if one follows.
        slots: The operands, in the order of the text.
        settings: The modifiers, in the order of the text.

    """

    row: OrdinaryRow
    architecture: str
    encoding: Encoding
    extension: ExtensionRow | None
    slots: tuple[Slot, ...]
    settings: tuple[Setting, ...]

    def __repr__(self) -> str:
        return f"<{self.name} of {self.architecture}>"

    @property
    def name(self) -> str:
        """The mnemonic as the disassembler prints it, with the suffix of its encoding."""
        if self.extension is None:
            return self.row.name + self.row.suffix
        return self.row.name + (self.extension.suffix or self.row.extended)

    @property
    def size_bytes(self) -> int:
        """Bytes of the instruction without a literal."""
        return self.encoding.size_bytes

    @cached_property
    def base(self) -> int:
        """The bits that every occurrence has: its name, and what unused fields are filled with."""
        found = self.encoding.identity | self.encoding.opcode.put(self.row.opcode)
        used = {slot.row.field for slot in self.slots}
        used |= {each.partition("[")[0] for setting in self.settings for each in setting.row.fields}
        for field in self.encoding.fields:
            if field.name not in used:
                found |= field.put(self.row.fill.get(field.name, field.fill))
        return found


def slot(row: SlotRow, encoding: Encoding) -> Slot:
    """Find the bits of an operand in an encoding.

    Raises:
        DataMistake: The encoding lacks one of its fields.

    """
    fields = encoding.by_name
    return Slot(
        row,
        fields[row.field] if row.field else None,
        _bit(row.half if row.half != "code" else "", encoding),
        _bit_if_any(row.negate, encoding),
        _bit_if_any(row.absolute, encoding),
        _bit(row.when, encoding),
        _bits(row.counted, encoding),
        _bit(row.extra, encoding),
        fields[row.wide_if_null] if row.wide_if_null else None,
        _bit(row.low_bit_not, encoding),
        _bit(row.accumulator, encoding),
        _bit(row.scalar, encoding),
        _bit(row.fixed_unless, encoding),
        _bit(row.sign_extended, encoding),
    )


def setting(row: SettingRow, encoding: Encoding) -> Setting:
    """Find the bits of a modifier in an encoding.

    Raises:
        DataMistake: The encoding lacks one of its fields.

    """
    unless = encoding.by_name[row.unless_null] if row.unless_null else None
    bits = [bit for each in row.fields for bit in encoding.bit_numbers(each)]
    return Setting(row, tuple(bits), unless)


def _bits(references: Iterable[str], encoding: Encoding) -> tuple[int, ...]:
    found = (bit for each in references for bit in encoding.bit_numbers(each))
    return tuple(bit for bit in found if bit is not None)


def _bit(reference: str, encoding: Encoding) -> int | None:
    return encoding.bit_numbers(reference)[0]


def _bit_if_any(reference: str, encoding: Encoding) -> int | None:
    """Find a bit that not every further word has."""
    name = reference.partition("[")[0]
    return _bit(reference, encoding) if name in encoding.by_name else None
