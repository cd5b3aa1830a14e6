"""Machine code as the rules see it."""

from wavemma.hazards.matrix import matrix_reading
from wavemma.hazards.ordinary import VALU, ordinary_reading
from wavemma.hazards.reading import Reading, Span
from wavemma.isa.decode import Undecoded, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, ordinary_table, read_any, read_ordinary
from wavemma.isa.target import target, wave_of
from wavemma.tables.hazard_classes import WordClassRow, hazard_classes

LONGEST = 16
_WORD_BYTES = 4
_REGISTER = 0xFF


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
        kin = hazard_classes().kin.get(row.architecture)
        self.kin = kin.reads_as if kin else ""
        self._known: dict[bytes, tuple[Reading, AnyDecoded | Undecoded]] = {}

    @property
    def table(self) -> str:
        """The architecture whose rows read ordinary instructions."""
        return self.kin or self.architecture

    def read(self, data: bytes) -> tuple[Reading, AnyDecoded | Undecoded]:
        """Read the instruction at the start of some bytes.

        Returns:
            The instruction as rules see it, and the instruction or the reason why there is none.

        """
        key = data[:LONGEST]
        if key not in self._known:
            decoded = self._decode(key)
            self._known[key] = self.reading(decoded, key), decoded
        return self._known[key]

    def reading(self, decoded: AnyDecoded | Undecoded, data: bytes) -> Reading:
        """Give an instruction, decoded before, as rules see it."""
        if isinstance(decoded, Decoded):
            return matrix_reading(decoded, self.target)
        if isinstance(decoded, Undecoded):
            return self._unknown(data)
        return ordinary_reading(decoded, self.architecture)

    def _decode(self, data: bytes) -> AnyDecoded | Undecoded:
        row = self._word(int.from_bytes(data, "little"))
        if row is not None and len(data) >= row.size_bytes:
            return Undecoded("unknown opcode", f"{row.name} has no row.", row.size_bytes)
        if not self.kin:
            return read_any(data, self.target, self.wave)
        found = read(data, self.target, self.wave)
        if isinstance(found, Decoded):
            return found
        ordinary = read_ordinary(data, self.kin, self.wave)
        is_longer = isinstance(ordinary, Undecoded) and found.size_bytes > ordinary.size_bytes
        return found if is_longer else ordinary

    def _word(self, bits: int) -> WordClassRow | None:
        """Find the row of an instruction that no table of instructions has."""
        for row in hazard_classes().words:
            if self.architecture in row.architectures and bits & row.mask == row.value:
                return row
        return None

    def _unknown(self, data: bytes) -> Reading:
        """Say what bytes that are no known instruction count as: what their encoding tells."""
        bits = int.from_bytes(data, "little")
        row = self._word(bits)
        if row is not None:
            return Reading(row.name, {row.label: {"read": _registers(row, bits)}})
        table = ordinary_table(self.table)
        for group in table.groups:
            if len(data) >= _WORD_BYTES and bits & group.mask == group.identity:
                word = next(each for each in table.rows.words if each.name == group.name)
                is_vector = word.unit == "vector" and not word.space
                return Reading(
                    "", {VALU: {}} if is_vector else {}, slots=int(is_vector), known=False
                )
        return Reading("", {}, known=False)


def _registers(row: WordClassRow, bits: int) -> tuple[Span, ...]:
    numbers = [
        bits >> place & _REGISTER
        for place, enable in zip(row.reads, row.enables, strict=True)
        if bits >> enable & 1
    ]
    return tuple((number, number + 1) for number in numbers)
