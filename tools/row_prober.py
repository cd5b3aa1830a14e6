"""Questions to LLVM about one encoding: lines, and values of fields that it takes."""

import itertools

from probe import LITERAL, Line, assembled, line, register
from row_facts import ACCUMULATORS, NUMBERS, OTHERS, SCALAR_RANGES, VECTOR

from wavemma.isa.encoding import Encoding, fields_of
from wavemma.tables.files import rows
from wavemma.tables.instruction_words import ChoiceRow, CodeRow, ExtensionRow, SettingRow, WordRow
from wavemma.tables.instructions import FieldRow

OTHER_HALVES = {
    "VOPD_X": "VOPD_Y",
    "VOPD_Y": "VOPD_X",
    "VOPD3_X": "VOPD3_Y",
    "VOPD3_Y": "VOPD3_X",
}
"""The encoding of the other half of a dual instruction."""
SECONDS = ("VOPD_Y", "VOPD3_Y")


class Prober:
    """Asks LLVM about one encoding."""

    def __init__(self, architecture: str, target: str, word: WordRow) -> None:
        words = f"isa/{architecture}/words.toml"
        own = rows(words, "field", FieldRow)
        taken = {row.encoding for row in own}
        shared = rows(f"isa/{architecture}/encodings.toml", "field", FieldRow)
        self.fields = own + tuple(row for row in shared if row.encoding not in taken)
        self.word, self.target, self.architecture = word, target, architecture
        self.encoding = self.encoding_of(word.name, word.opcode)
        self.settings = rows(words, "modifier", SettingRow)
        self.choices = rows(words, "choice", ChoiceRow)
        self.long_literals = any(r.name == "literal_64" for r in rows(words, "code", CodeRow))
        self.extensions = rows(words, "extension", ExtensionRow)
        self.others = [
            self.encoding_of(each.name, each.opcode)
            for each in rows(words, "encoding", WordRow)
            if each.name != word.name
        ]

    def encoding_of(self, name: str, opcode: str, more: str = "") -> Encoding:
        """Build an encoding, with a further word behind it or both halves of a dual one."""
        found = fields_of(self.fields, name)
        size = self.word.size_bytes
        if more:
            found += fields_of(self.fields, more, 8 * size)
            size += 4
        other = OTHER_HALVES.get(name)
        if other:
            found += tuple(f for f in fields_of(self.fields, other) if f.name != "ENCODING")
            found = tuple(f for f in found if f.name != "VDSTX_0")
        return Encoding(name, size, found, next(f for f in found if f.name == opcode))

    def ask(
        self,
        encoding: Encoding,
        opcode: int,
        values: dict[str, int],
        wave: int = 32,
        literal: int = LITERAL,
    ) -> Line:
        """Disassemble an opcode with some fields; of a dual instruction take the half."""
        bits = assembled(encoding, opcode, values)
        second = self.word.name in SECONDS
        return line(bits, encoding.size_bytes, self.target, wave, literal, second)

    def base(self, encoding: Encoding, opcode: int, held: dict[str, int]) -> dict[str, int] | None:
        """Find values of as many fields as possible that LLVM takes."""
        choices = []
        names = [f.name for f in encoding.fields if f.name in NUMBERS and f.name not in held]
        for name in names:
            number = NUMBERS[name]
            wide = encoding.by_name[name].width_bits == 9
            narrow = [number, *OTHERS.get(name, ()), 0]
            wide = wide and name not in SCALAR_RANGES
            choices.append([VECTOR + number, number, 129, 0] if wide else narrow)
        best, most = None, -1
        for values in itertools.product(*choices):
            tried = dict(zip(names, values, strict=True)) | held
            found = self.ask(encoding, opcode, tried)
            shown = [each for each in map(register, found.operands) if each]
            if found.is_good and len(shown) > most:
                best, most = tried, len(shown)
        return best

    def has_mask(self, shown: Line) -> bool:
        """Whether the second operand is the mask of lanes that VOP3SD writes."""
        second = register(shown.operands[1]) if len(shown.operands) > 3 else None
        return second is not None and second.first in (0, NUMBERS["SDST"])

    def is_written_elsewhere(self, shown: Line) -> bool:
        """Whether the operands are those of another word that the same bits name."""
        name = self.word.name
        if name.startswith("VOP3P") and self.has_accumulator(shown) != (name == ACCUMULATORS):
            return True
        return name.startswith("VOP3") and self.has_mask(shown) != (name == "VOP3SD")

    def has_accumulator(self, shown: Line) -> bool:
        """Whether an operand is an accumulator."""
        return any(each.file == "a" for each in map(register, shown.operands) if each)

    @property
    def is_compare(self) -> bool:
        """Whether it is the word of instructions that write a mask."""
        return self.word.name == "VOPC"

    def is_other(self, opcode: int) -> bool:
        """Whether the opcode makes it a word that more bits name."""
        own = self.encoding.identity | self.encoding.opcode.put(opcode)
        fixed = self.encoding.identity_mask | self.encoding.opcode.mask
        return any(
            each.identity_mask & fixed == each.identity_mask
            and each.identity_mask.bit_count() > self.encoding.identity_mask.bit_count()
            and own & each.identity_mask == each.identity
            for each in self.others
        )
