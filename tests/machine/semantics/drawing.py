"""Drawn instructions: a row, random operands and modifiers, and registers with numbers that matter.

Every instruction of a program has source and result registers of its own, so that programs run in
any order and results are read back at the end.
"""

from functools import cache
from random import Random

from tests.machine.semantics.wave_state import State
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import DecodedOrdinary, Setting, Slot
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.isa.ordinary.decode import read_ordinary
from wavemma.isa.ordinary.operand import HALF_IN_NUMBER
from wavemma.isa.source import REGISTER_CODES
from wavemma.machine.meaning import Meaning
from wavemma.machine.semantics import MEANINGS, vector
from wavemma.tables.ordinary import OrdinaryRow

WORDS = [
    *(0, 1, 2, 3, 15, 16, 31, 32, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00010001),
    *(0x3F800000, 0xBF800000, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x7F800001),
    *(0xFFC12345, 0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x33800000, 0x3F000000),
    *(0x4B000001, 0xCB000003, 0x4F000000, 0xCF000000, 0x4F800000, 0x40490FDB, 0x42FE0000),
    *(0x3C003C00, 0x7C00FC00, 0x7E017D01, 0x00018001, 0x83FF03FF, 0x7BFFFBFF, 0x04008400),
    *(0x3800B800, 0x64006401, 0x80007FFF, 0xFFFF7FFF, 0x0080FF80, 0x12345678, 0xC0A00000),
]
DOUBLES = [
    *(0, 1 << 63, 0x3FF << 52, 0xBFF << 52, 0x7FF << 52, 0xFFF << 52, 0x7FF8000000000001),
    *(0x7FF0000000000001, 1, 0x800FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF),
    *(0x43E0000000000000, 0xC1E0000000200000, 0x41EFFFFFFFE00000, 0x3FE0000000000000),
    *(0x4330000000000001, 0x380FFFFFFFFFFFFF, 0x47EFFFFFF0000000, 0x36A0000000000000, 2**64 - 1),
]


class Drawer:
    """Draws instructions of one architecture and fills a state for them.

    Args:
        architecture: Key.
        seed: Of the random numbers.
        state: Its registers are filled as they are given out.

    """

    def __init__(self, architecture: str, seed: int, state: State) -> None:
        self.architecture = architecture
        self.table = ordinary_table(architecture)
        self.random = Random(seed)
        self.state = state
        self.vector = 0
        self.scalar = 0

    @property
    def is_full(self) -> bool:
        """True if registers may not suffice for another instruction."""
        # Halves are named in the low 128 registers alone.
        return self.vector > HALF_IN_NUMBER - 16 or self.scalar > 80

    def word(self) -> int:
        """Draw a word: numbers that matter, or any."""
        return (
            self.random.choice(WORDS) if self.random.random() < 0.5 else self.random.getrandbits(32)
        )

    def registers(self, count: int) -> int:
        """Give out vector registers with drawn numbers; the first one's number."""
        first, self.vector = self.vector, self.vector + count
        for lane in range(self.state.size):
            words = [self.word() for _ in range(count)]
            if count == 2 and self.random.random() < 0.6:
                double = self.random.choice(DOUBLES)
                words = [double & 0xFFFFFFFF, double >> 32]
            self.state.vectors[first : first + count, lane] = words
        return first

    def scalars(self, count: int) -> int:
        """Give out scalar registers with drawn numbers; the first one's code."""
        first = self.scalar + self.scalar % count
        self.scalar = first + count
        self.state.scalars[first : first + count] = [self.word() for _ in range(count)]
        return first

    def draw(self, *rows: OrdinaryRow, extension: str = "") -> DecodedOrdinary:
        """Draw one instruction of a row, or of the rows of both halves, with a further word."""
        bits = 0
        for form in [self.table.form(row, extension) for row in rows]:
            bits |= form.base
            escape = self.table.escapes[form.row.encoding]
            if form.extension and escape:
                bits |= escape.put(form.extension.code)
            for setting in form.settings:
                bits |= setting.put(self._setting(setting))
            for slot in form.slots:
                bits |= self._slot(slot)
        row, form = rows[0], self.table.form(rows[0], extension)
        literal = 2 * self.random.getrandbits(32).to_bytes(4, "little")
        data = bits.to_bytes(form.size_bytes, "little") + literal
        decoded = read_ordinary(data, self.architecture, self.state.size)
        assert not isinstance(decoded, Undecoded), (row.name, decoded)
        return decoded

    def _setting(self, setting: Setting) -> int:
        if setting.word in ("clamp", "op_sel", "neg_lo", "neg_hi", "op_sel_hi", "byte_sel"):
            usual = setting.default if setting.word != "clamp" else 0
            drawn = self.random.getrandbits(len(setting.bits))
            return usual if self.random.random() < 0.5 else drawn
        if setting.word == "omod":
            return self.random.choice([0, 0, 1, 2, 3])
        if setting.word in ("src0_sel", "src1_sel", "dst_sel"):
            return self.random.randrange(7)
        if setting.word == "dst_unused":
            return self.random.randrange(3)
        if setting.word in ("dpp8", "bound_ctrl", "fi", "bitop3"):
            return self.random.getrandbits(len(setting.bits))
        if setting.word in ("row_mask", "bank_mask"):
            return 15 if self.random.random() < 0.5 else self.random.getrandbits(4)
        if setting.word == "dpp_ctrl":
            choices = self.table.choices[setting.word].items()
            return self.random.choice([n for n, text in choices if text.startswith(("q", "row_"))])
        return 0

    def _slot(self, slot: Slot) -> int:
        bits = 0
        for place in (slot.negate, slot.absolute, slot.half, slot.sign_extended):
            if place is not None and self.random.random() < 0.4:
                bits |= 1 << place
        if slot.field is None:
            return bits
        if slot.fixed_unless is not None:
            bits |= 1 << slot.fixed_unless
        code = self._code(slot)
        if slot.scalar is None:
            return bits | slot.field.put(code)
        is_vector = code >= REGISTER_CODES
        return (
            bits
            | slot.field.put(code - REGISTER_CODES * is_vector)
            | (not is_vector) << slot.scalar
        )

    def _code(self, slot: Slot) -> int:
        row = slot.row
        count = row.registers if not row.lanes else self.state.size // 32
        if row.kind in ("vgpr", "agpr"):
            # The lowest bit may be that of another result.
            number = self.registers(2 if slot.low_bit_not is not None else row.registers)
            if row.half == "code" and self.random.random() < 0.5:
                number |= HALF_IN_NUMBER
            return number >> 1 if slot.low_bit_not is not None else number
        if "agpr" in row.classes:
            return self.registers(row.registers) + REGISTER_CODES
        if "vgpr" not in row.classes:
            return self.scalars(count)
        chance = self.random.random()
        if chance < 0.1 and "sgpr" in row.classes:
            return self.scalars(count)
        if chance < 0.2 and "inline_constant" in row.classes:
            floats = [] if row.style in ("integer_half", "pair") else [240, 241, 242, 247]
            return self.random.choice([128, 129, 192, 193, 208, *floats])
        number = self.registers(row.registers)
        if row.half == "code" and self.random.random() < 0.5:
            number |= HALF_IN_NUMBER
        return number + REGISTER_CODES


@cache
def rows_with_meaning(architecture: str) -> tuple[OrdinaryRow, ...]:
    """Give the rows of vector arithmetic that name a meaning; those of lanes are not among them."""
    rows = ordinary_table(architecture).rows.instructions
    return tuple(row for row in rows if row.name.startswith("v_") and is_arithmetic(row.meaning))


def is_arithmetic(name: str) -> bool:
    """Tell whether a meaning is one of vector arithmetic."""
    found = MEANINGS.get(name)
    if found is None:
        return False
    function = found.compute if isinstance(found, Meaning) else found.act
    return function.__module__.startswith(vector.__name__)
