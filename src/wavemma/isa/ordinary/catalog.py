"""The ordinary instructions of an architecture, indexed for decoding."""

import struct
from functools import cache, cached_property

import msgspec

from wavemma.isa.encoding import Encoding, Field, fields_of
from wavemma.isa.ordinary.instruction import OrdinaryInstruction, setting, slot
from wavemma.isa.ordinary.operand import Codes
from wavemma.isa.source import index
from wavemma.tables.instruction_words import ChoiceRow, ExtensionRow
from wavemma.tables.ordinary import OrdinaryRow, OrdinaryRows, ordinary_rows


class Group(msgspec.Struct, frozen=True):
    """Encodings that one set of bits names: those that differ only by opcode.

    Attributes:
        name: Of the encodings.
        mask: The bits that name them.
        identity: What those bits are.
        opcode: The field of the opcode.
        size_bytes: Bytes without a further word and a literal.
        rows: By opcode.

    """

    name: str
    mask: int
    identity: int
    opcode: Field
    size_bytes: int
    rows: dict[int, OrdinaryRow]


class InlineConstants(msgspec.Struct, frozen=True):
    """The constants that an instruction word can hold, as bits.

    Attributes:
        words: Text by 32 bits.
        halves: As 16 bits.
        packed: As 32 bits where two 16-bit floats are read.
        pairs: Whole numbers as 64 bits, as far as a literal reaches.
        long: Text by 64 bits.
        codes: The 16 bits of the ones with a point, by source code.
        floats: Their numbers, by source code.

    """

    words: dict[int, str]
    halves: frozenset[int]
    packed: frozenset[int]
    pairs: frozenset[int]
    long: dict[int, str]
    codes: dict[int, int]
    floats: dict[int, float]


# As hardware holds it; the quotient in f64 is the number above.
_INV_2PI = 0.15915494309189532
_PAIR, _WORD, _HALF = 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, 0xFFFF


def _bits(layout: str, text: str) -> int:
    """Give the bits of a number with a point."""
    return int.from_bytes(struct.pack(layout, float(text)), "little")


class OrdinaryTable(msgspec.Struct, frozen=True, dict=True):
    """Everything that decoding looks up.

    Attributes:
        rows: The rows themselves.
        encodings: By name.
        groups: Those that most bits name first.
        seconds: The other halves of dual encodings, by the name of the first.
        codes: What source codes name.

    """

    rows: OrdinaryRows
    encodings: dict[str, Encoding]
    groups: tuple[Group, ...]
    seconds: dict[str, Group]
    codes: Codes

    @cached_property
    def escapes(self) -> dict[str, Field | None]:
        """The field that may ask for a further word, by encoding."""
        return {
            word.name: self.encodings[word.name].by_name[word.escape] if word.escape else None
            for word in self.rows.words
        }

    @cached_property
    def extension_codes(self) -> dict[int, tuple[str, ...]]:
        """The further words by the codes that ask for them."""
        found: dict[int, tuple[str, ...]] = {}
        for row in self.rows.extensions.values():
            found[row.code] = (*found.get(row.code, ()), row.name)
        return found

    @cached_property
    def choices(self) -> dict[str, dict[int, str]]:
        """The text of each code, by the modifier's name."""
        found: dict[str, dict[int, str]] = {
            row.name: {} for row in self.rows.settings.values() if row.kind == "choice"
        }
        for choice in self.rows.choices:
            for place in range(choice.count):
                found[choice.modifier][choice.code + place] = _choice_text(choice, place)
        for name, texts in found.items():
            if not self.rows.settings[name].always:
                texts.setdefault(0, "")
        return found

    @cached_property
    def inline(self) -> InlineConstants:
        """The constants that an instruction word can hold."""
        words, halves, pairs, codes, floats, long = {}, set(), set(), {}, {}, {}
        for row in self.rows.source_codes:
            for place in range(row.count if row.kind == "inline_integer" else 0):
                value = row.first + place * row.step
                words[value & _WORD] = long[value & _PAIR] = str(value)
                halves.add(value & _HALF)
                pairs |= {value} if value >= 0 else set()
            if row.kind == "inline_float":
                words[_bits("<f", row.text)] = row.text
                codes[row.code] = _bits("<e", row.text)
                halves.add(codes[row.code])
                floats[row.code] = _INV_2PI if row.inv_2pi else float(row.text)
                long[_bits("<d", str(floats[row.code]))] = str(floats[row.code])
        packed = {value for value, text in words.items() if "." not in text} | set(codes.values())
        found = frozenset(halves), frozenset(packed), frozenset(pairs)
        return InlineConstants(words, *found, long, codes, floats)

    def form(self, row: OrdinaryRow, extension: str) -> OrdinaryInstruction:
        """Give an instruction in the form that a further word, or "" for none, makes of it."""
        key = (row.encoding, row.opcode, extension)
        if key not in self._forms:
            self._forms[key] = self._build(row, extension)
        return self._forms[key]

    @cached_property
    def _forms(self) -> dict[tuple[str, int, str], OrdinaryInstruction]:
        return {}

    def _build(self, row: OrdinaryRow, extension: str) -> OrdinaryInstruction:
        more = self.rows.extensions[extension] if extension else None
        encoding = self.encodings[row.encoding]
        if more:
            encoding = self._longer(encoding, more)
        shape = row.in_parts if more and more.parts else row.modifiers
        own = self.rows.shapes[shape].modifiers if shape else ()
        slots = [self.rows.slots[name] for name in row.operands]
        if more:
            others = [each.in_parts if more.parts else each.extended for each in slots]
            pairs = zip(slots, others, strict=True)
            slots = [self.rows.slots[other] if other else each for each, other in pairs]
        return OrdinaryInstruction(
            row,
            self.rows.name,
            encoding,
            more,
            tuple(slot(each, encoding) for each in slots),
            tuple(
                setting(self.rows.settings[name], encoding)
                for name in (*own, *(more.modifiers if more else ()))
            ),
        )

    def _longer(self, encoding: Encoding, more: ExtensionRow) -> Encoding:
        """Put the fields of a further word behind those of an encoding."""
        shift = 8 * encoding.size_bytes
        behind = fields_of(self.rows.fields, more.encoding, shift)
        size = encoding.size_bytes + 4
        return Encoding(
            f"{encoding.name} {more.encoding}", size, encoding.fields + behind, encoding.opcode
        )


@cache
def ordinary_table(architecture: str) -> OrdinaryTable:
    """Index the ordinary instructions of an architecture.

    Raises:
        DataMistake: There are no rows for it.

    """
    return _indexed(ordinary_rows(architecture))


def _indexed(rows: OrdinaryRows) -> OrdinaryTable:
    """Index rows."""
    encodings = {}
    for word in rows.words:
        fields = fields_of(rows.fields, word.name)
        opcode = next(field for field in fields if field.name == word.opcode)
        encodings[word.name] = Encoding(word.name, word.size_bytes, fields, opcode)
    seconds = {word.second for word in rows.words if word.second}
    groups: dict[tuple[int, int, int], Group] = {}
    for name, encoding in encodings.items():
        key = (encoding.identity_mask, encoding.identity, encoding.opcode.mask)
        group = groups.setdefault(
            key, Group(name, *key[:2], encoding.opcode, encoding.size_bytes, {})
        )
        group.rows.update({row.opcode: row for row in rows.instructions if row.encoding == name})
    by_name = {group.name: group for group in groups.values()}
    return OrdinaryTable(
        rows,
        encodings,
        tuple(
            sorted(
                (group for group in groups.values() if group.name not in seconds),
                key=lambda group: -group.mask.bit_count(),
            )
        ),
        {word.name: by_name[word.second] for word in rows.words if word.second},
        _codes(rows),
    )


def _codes(rows: OrdinaryRows) -> Codes:
    wide = rows.codes.get("literal_64")
    narrow, null = rows.codes["literal"].code, rows.codes["null"].code
    return Codes(index(rows.source_codes), null, narrow, wide.code if wide else None)


def _choice_text(choice: ChoiceRow, place: int) -> str:
    if choice.list_bits:
        numbers = [
            str(place >> n * choice.list_bits & (1 << choice.list_bits) - 1) for n in range(4)
        ]
        return f"{choice.text}[{','.join(numbers)}]"
    return choice.text if choice.first is None else f"{choice.text}{choice.first + place}"
