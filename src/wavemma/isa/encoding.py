"""The bit fields of an instruction word, and numbers read from and put into them."""

from collections.abc import Iterable
from functools import cached_property

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.instructions import ArchitectureRows, EncodingRow, FieldRow

HALF_BITS = 64


class Field(msgspec.Struct, frozen=True, cache_hash=True):
    """Bits lo..hi of an instruction, both inside; bit 0 is the lowest of the first word.

    Attributes:
        name: As in the instruction set's manual.
        lo: Lowest bit, counted over the whole instruction.
        hi: Highest bit.
        use: What the field is for, in words.
        value: What the bits must be, where they name the encoding.
        fill: What the assembler writes where no instruction uses the field.

    """

    name: str
    lo: int
    hi: int
    use: str
    value: int | None = None
    fill: int = 0

    @property
    def width_bits(self) -> int:
        """Bits of the field."""
        return self.hi - self.lo + 1

    @property
    def mask(self) -> int:
        """The bits of the field inside of the instruction."""
        return ((1 << self.width_bits) - 1) << self.lo

    def read(self, bits: int) -> int:
        """Take the number that stands in the field out of the bits of an instruction."""
        return (bits & self.mask) >> self.lo

    def put(self, value: int) -> int:
        """Give the bits of an instruction in which the field holds a value, all others 0.

        Raises:
            ValueError: The value is wider than the field.

        """
        if value >> self.width_bits:
            raise ValueError(f"{self.name} has {self.width_bits} bits, {value} does not fit.")
        return value << self.lo


class Encoding(msgspec.Struct, frozen=True, dict=True):
    """An instruction word: its fields, lowest first, and those that hold the opcode.

    Attributes:
        name: As in the instruction set's manual.
        size_bytes: 8, or 16 for two halves.
        fields: Every named field; bits without one are unused.
        opcode: The field of the opcode.
        scale_opcode: The field of the other half's opcode, if there are halves.

    """

    name: str
    size_bytes: int
    fields: tuple[Field, ...]
    opcode: Field
    scale_opcode: Field | None = None

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    @cached_property
    def identity_mask(self) -> int:
        """The bits that name the encoding."""
        return sum(field.mask for field in self.fields if field.value is not None)

    @cached_property
    def identity(self) -> int:
        """What the bits that name the encoding are."""
        return sum(field.put(field.value) for field in self.fields if field.value is not None)

    @cached_property
    def fill(self) -> int:
        """What the assembler writes into the fields that no instruction uses."""
        return sum(field.put(field.fill) for field in self.fields)

    def bit_numbers(self, reference: str) -> tuple[int | None, ...]:
        """List the bits of "FIELD", low first, or the one bit of "FIELD[2]"; "" is no bit.

        Raises:
            DataMistake: No such field.

        """
        if not reference:
            return (None,)
        name, _, place = reference.partition("[")
        if name not in self.by_name:
            raise DataMistake(
                f"{self.name} must have a field {name!r}.", subject=name, allowed=self.by_name
            )
        field = self.by_name[name]
        if place:
            return (field.lo + int(place.rstrip("]")),)
        return tuple(range(field.lo, field.hi + 1))


def fields_of(rows: Iterable[FieldRow], encoding: str, shift: int = 0) -> tuple[Field, ...]:
    """Give the fields of one encoding, lowest first, moved up by a number of bits."""
    own = sorted((row for row in rows if row.encoding == encoding), key=lambda each: each.lo)
    return tuple(
        Field(row.name, row.lo + shift, row.hi + shift, row.use, row.value, row.fill) for row in own
    )


def encodings(table: ArchitectureRows) -> dict[str, Encoding]:
    """Build the encodings of an architecture by name, halves put one after the other."""
    rows = {row.name: row for row in table.encodings}
    fields: dict[str, list[FieldRow]] = {name: [] for name in rows}
    for field in table.fields:
        fields[field.encoding].append(field)
    return {name: _encoding(row, rows, fields) for name, row in rows.items()}


def _encoding(
    row: EncodingRow, rows: dict[str, EncodingRow], fields: dict[str, list[FieldRow]]
) -> Encoding:
    parts = row.halves or (row.name,)
    placed = tuple(
        field
        for shift, part in zip(range(0, HALF_BITS * len(parts), HALF_BITS), parts, strict=True)
        for field in fields_of(fields[part], part, shift)
    )
    opcodes = [_named(placed, rows[part].opcode) for part in parts]
    main = _named(placed, row.opcode)
    others = [field for field in opcodes if field != main]
    return Encoding(row.name, row.size_bytes, placed, main, others[0] if others else None)


def _named(fields: Iterable[Field], name: str) -> Field:
    for field in fields:
        if field.name == name:
            return field
    raise DataMistake(f"An encoding must have its opcode field {name!r}.", subject=name)
