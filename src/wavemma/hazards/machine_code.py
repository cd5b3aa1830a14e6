"""Machine code as the rules see it."""

from typing import NamedTuple

from wavemma.hazards.matrix import matrix_reading
from wavemma.hazards.ordinary import VALU, ordinary_reading
from wavemma.hazards.reading import Reading, Shifts
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, ordinary_table, read_any
from wavemma.isa.target import target, wave_of
from wavemma.tables.hazard_classes import WordClassRow, hazard_classes

LONGEST = 16
WORD_BYTES = 4
_REGISTER = 0xFF
BANK = 256
"""Registers that the numbers in an instruction reach."""


class Read(NamedTuple):
    """What was read at the start of some bytes.

    Attributes:
        reading: The instruction as rules see it.
        decoded: The instruction, or the reason why there is none.
        size_bytes: How far to go on.

    """

    reading: Reading
    decoded: AnyDecoded | Undecoded
    size_bytes: int


class Reader:
    """Reads the instructions of one target; the same bytes are read once."""

    def __init__(self, target_name: str, wave: int | None = None) -> None:
        """Choose the target.

        Args:
            target_name: Such as "gfx942".
            wave: Lanes of the wave; the target's default if None.

        Raises:
            UnknownTarget: Offers the nearest names.
            OutOfRange: The target has no such waves.

        """
        row = target(target_name)
        self.target = row.name
        self.architecture = row.architecture
        self.wave = wave_of(row, wave)
        self.table = ordinary_table(row.architecture)
        self._known: dict[tuple[bytes, int], Read] = {}

    def read(self, data: bytes, banks: int = 0) -> Read:
        """Read the instruction at the start of some bytes.

        Args:
            data: What follows the instruction is ignored.
            banks: The high bits of register numbers, as an instruction before has set them.

        """
        key = data[:LONGEST], banks
        if key not in self._known:
            decoded, size_bytes = self._decode(key[0])
            reading = self.reading(decoded, key[0], banks)
            self._known[key] = Read(reading, decoded, size_bytes)
        return self._known[key]

    def shifts(self, banks: int) -> Shifts:
        """Say what high bits add to the numbers of registers, by role."""
        banking = self.table.rows.banking
        roles = banking.roles if banking and banks else ()
        return {
            role: (banks >> 2 * place & 3) * BANK
            for place, named in enumerate(roles)
            for role in named
        }

    def reading(self, decoded: AnyDecoded | Undecoded, data: bytes, banks: int = 0) -> Reading:
        """Give an instruction, decoded before, as rules see it."""
        if isinstance(decoded, Decoded):
            return matrix_reading(decoded, self.target, self.shifts(banks))
        if isinstance(decoded, Undecoded):
            return self._unknown(data, banks)
        return ordinary_reading(decoded, self.architecture, self.shifts(banks))

    def _decode(self, data: bytes) -> tuple[AnyDecoded | Undecoded, int]:
        """Decode the start of some bytes, and say how many it takes."""
        row = self._word(int.from_bytes(data, "little"))
        if row is not None and len(data) >= row.size_bytes:
            return Undecoded("unknown opcode", f"{row.name} has no row.", 4), row.size_bytes
        found = read_any(data, self.target, self.wave)
        return found, found.size_bytes

    def _word(self, bits: int) -> WordClassRow | None:
        """Find the row of an instruction that no table of instructions has."""
        for row in hazard_classes().words:
            if self.architecture in row.architectures and bits & row.mask == row.value:
                return row
        return None

    def _unknown(self, data: bytes, banks: int) -> Reading:
        """Say what bytes that are no known instruction count as: what their encoding tells."""
        bits = int.from_bytes(data, "little")
        row = self._word(bits)
        if row is not None:
            return _of_word(row, bits, self.shifts(banks))
        table = self.table
        for group in table.groups:
            if len(data) >= WORD_BYTES and bits & group.mask == group.identity:
                word = next(each for each in table.rows.words if each.name == group.name)
                is_vector = word.unit == "vector" and not word.space
                return Reading(
                    "", {VALU: {}} if is_vector else {}, slots=int(is_vector), known=False
                )
        return Reading("", {}, known=False)


def _of_word(row: WordClassRow, bits: int, shifts: Shifts) -> Reading:
    """Read an instruction by the bits that its row names."""
    roles = row.roles or ("",) * len(row.reads)
    read = tuple(
        (number + shifts.get(role, 0), number + shifts.get(role, 0) + 1)
        for place, enable, role in zip(row.reads, row.enables, roles, strict=True)
        for number in [bits >> place & _REGISTER]
        if (number if enable < 0 else bits >> enable & 1)
    )
    numbers = [(bits >> place & _REGISTER) + shifts.get("d", 0) for place in row.writes]
    written = tuple((number, number + 1) for number in numbers)
    if not written:
        return Reading(row.name, {row.label: {"read": read}})
    words = {"vdst": written, "write": written, "source": read, "read": read}
    return Reading(row.name, {VALU: words, row.label: words}, writes=written, slots=1)
