"""Random programs: straight lines of instructions of a class, loops and branches around them."""

import struct
from collections.abc import Iterator

from tests.machine.random_code.classes import duals, module, rows, spaces
from tests.machine.random_code.template import (
    COUNTERS,
    FIRST_SCALAR,
    KEPT_ADDRESS,
    KEPT_INDEX,
    KEPT_LANE,
    KEPT_OFFSET,
    KEPT_WIDE,
    RESOURCE,
    SCALARS,
    STATE_POINTER,
    VECTORS,
)
from tests.machine.semantics.drawing import Drawer
from tests.machine.semantics.wave_state import State, run_on_arrays
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import Setting, Slot, encode_ordinary
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.codes import codes_of
from wavemma.machine.perform import perform
from wavemma.machine.value_type import types_of_row
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

LARGEST_M0 = 8
HALVES_OF_64_REFUSED = "turned"
"""The module whose instructions no wave of 64 has here."""


class PoolIsEmpty(Exception):
    """No register is left that nothing has been written to."""


class PoolDrawer(Drawer):
    """Draws instructions whose registers are those of a small pool.

    Args:
        architecture: Key.
        seed: Of the random numbers.
        size: Lanes.
        name: Of the class.

    Attributes:
        results: Of the class whose results are no sources: first register, how many, their type.

    """

    def __init__(self, architecture: str, seed: int, size: Wave, name: str) -> None:
        super().__init__(architecture, seed, State(size))
        self.codes = codes_of(architecture)
        self.name = name
        self.results: list[tuple[int, int, str]] = []
        self.row: OrdinaryRow | None = None
        self.is_wide = False
        self.has_index = self.has_offset = False
        state = self.state
        state.set_mask(self.codes.exec, (1 << size) - 1)
        for lane in range(size):
            state.vectors[:, lane] = [self.word() for _ in range(len(state.vectors))]

    def registers(self, count: int) -> int:
        """Choose vector registers; pairs begin at even numbers, so that halves stay halves."""
        step = 1 if count == 1 else 2
        first = 1 if count == 1 else 2
        end = {"apart": VECTORS // 2, "by_m0": VECTORS - LARGEST_M0 - 2}.get(self.name, VECTORS)
        return self.random.randrange(first, max(end + 2 - count, first + 1), step)

    def scalars(self, count: int) -> int:
        """Choose scalar registers, aligned as their count wants it."""
        room = {"apart": SCALARS // 2, "by_m0": SCALARS - LARGEST_M0 - 2}.get(self.name, SCALARS)
        step = count if count < 3 else 4
        return self.random.randrange(FIRST_SCALAR, FIRST_SCALAR + room + 1 - count, step)

    def _code(self, slot: Slot) -> int:
        role = slot.row.role
        if role in _PLACED and module(self._drawn).startswith("memory"):
            return self._place(slot)
        if self.name == "apart" and role.startswith("d"):
            return self._result(slot)
        if slot.row.kind == "vgpr" and slot.low_bit_not is not None:
            return self.random.randrange(1, VECTORS) >> 1
        return super()._code(slot)

    @property
    def _drawn(self) -> OrdinaryRow:
        assert self.row is not None
        return self.row

    def _place(self, slot: Slot) -> int:
        """Choose the registers of an address: those that point into what the program may reach."""
        role, space = slot.row.role, self._space
        if role == "address":
            return self._address(space)
        if role == "scalar_address":
            return KEPT_OFFSET if space == "scratch" else STATE_POINTER
        if role == "resource":
            return RESOURCE >> (2 if slot.field is not None and slot.field.width_bits == 5 else 0)
        if role == "base":
            return (RESOURCE if slot.row.registers == 4 else STATE_POINTER) >> 1
        if role == "scalar_offset":
            return KEPT_OFFSET
        return self.random.randrange(0, 1000, 8 if self.is_wide else 4)

    @property
    def has_base(self) -> bool:
        """Whether a scalar address is added."""
        slots = ordinary_table(self.architecture).rows.slots
        return any(slots[name].role == "scalar_address" for name in self._drawn.operands)

    @property
    def _space(self) -> str:
        return spaces(self.architecture)[self._drawn.encoding]

    def _address(self, space: str) -> int:
        if module(self._drawn).endswith("permutes"):
            return self.registers(1)
        if space == "flat" and not self.has_base:
            return KEPT_ADDRESS
        if space == "buffer" and self.has_index:
            return KEPT_INDEX
        return KEPT_WIDE if self.is_wide else KEPT_LANE

    def _result(self, slot: Slot) -> int:
        """Choose registers that no other result is in."""
        row, count = slot.row, slot.row.registers
        if row.lanes:
            count = self.state.size // 32
        if row.kind != "vgpr":
            self.scalar += self.scalar % count + count
            if self.scalar > SCALARS // 2:
                raise PoolIsEmpty
            return FIRST_SCALAR + SCALARS // 2 + self.scalar - count
        first = VECTORS // 2 + self.vector + 1
        first += count > 1 and first % 2
        self.vector = first + count - VECTORS // 2 - 1
        if first + count - 1 > VECTORS:
            raise PoolIsEmpty
        kind = types_of_row(self._drawn.type)[0]
        # 8-bit floats become one f32 or two, whatever their rows call the registers.
        small = module(self._drawn).endswith("small_floats")
        if "f" in kind or small:
            self.results.append((first, count, "f32" if small else kind))
        return first

    def instruction(self) -> bytes:
        """Draw an instruction of the class that is not refused."""
        name = self.name
        if name == "memory" and self.random.random() < 0.3:
            return self._computing("integers")
        if name.startswith("memory") or name == "hints":
            return self._reaching(self.random.choice(rows(self.architecture, name)))
        if name == "by_m0":
            number = self.random.randrange(0, LARGEST_M0 + 1, 4)
            set_m0 = struct.pack("<I", 0xBE800000 | self.codes.m0 << 16 | 128 + number)
            row = self.random.choice(rows(self.architecture, name))
            if module(row).startswith("memory"):
                return set_m0 + self._reaching(row)
            return set_m0 + self._computing(name, row)
        return self._computing(name)

    def _reaching(self, row: OrdinaryRow) -> bytes:
        while module(row).endswith(HALVES_OF_64_REFUSED) and self.state.size == 64:
            row = self.random.choice(rows(self.architecture, self.name))
        self.row = row
        wide = row.type.endswith(("64", "96", "128"))
        self.is_wide = module(row).endswith(_REPLACING) and wide
        self.has_index = not self.is_wide and self.random.random() < 0.5
        self.has_offset = self.is_wide or self.random.random() < 0.7
        return encode_ordinary(self.draw(row))

    def _computing(self, name: str, row: OrdinaryRow | None = None) -> bytes:
        first, second = duals(self.architecture, name)
        while True:
            self.row = row or self.random.choice(rows(self.architecture, name))
            kept = self.vector, self.scalar, len(self.results)
            is_dual = first and second and self.state.size == 32 and not row
            if is_dual and self.random.random() < 0.1:
                self.row = self.random.choice(first)
                found = self.draw(self.row, self.random.choice(second))
            else:
                extension = self.random.choice(["", "", "", *self.row.extensions])
                found = self.draw(self.row, extension=extension)
            try:
                run_on_arrays(self.state.copy(), self.codes, lambda wave, d=found: perform(wave, d))
            except Unsupported:
                self.vector, self.scalar = kept[:2]
                del self.results[kept[2] :]
                continue
            return encode_ordinary(found)

    def _setting(self, setting: Setting) -> int:
        word = setting.word
        if word == "offset":
            return self.random.randrange(0, 1000, 8 if self.is_wide else 4)
        if word in ("offset0", "offset1"):
            return self.random.randrange(4)
        if word in ("idxen", "offen"):
            return int(self.has_index if word == "idxen" else self.has_offset)
        if word == "scale_offset" and self._space == "scratch":
            return 0
        if word in ("glc", "sc0"):
            return self.random.randrange(2)
        return super()._setting(setting)


_REPLACING = ("atomics", "pairs", "lists", "scalar_stores")
"""Modules whose numbers of 64 bits must be aligned."""
_PLACED = ("address", "scalar_address", "resource", "base", "scalar_offset", "offset")


def _sopp(architecture: str, name: str, number: int) -> bytes:
    table = ordinary_table(architecture)
    row = next(r for r in table.rows.instructions if r.name == name)
    form = table.form(row, "")
    (slot,) = form.slots
    assert slot.field is not None
    return (form.base | slot.field.put(number & 0xFFFF)).to_bytes(4, "little")


BRANCHES = [f"s_cbranch_{x}" for x in ("scc0", "scc1", "vccz", "vccnz", "execz", "execnz")]


class Program:
    """A random program of a class.

    Args:
        architecture: Whose instructions.
        size: Lanes.
        name: The class.
        seed: Of everything.

    """

    def __init__(self, architecture: str, size: Wave, name: str, seed: int) -> None:
        self.drawer = PoolDrawer(architecture, seed, size, name)
        self.random = self.drawer.random
        self.architecture = architecture

    def straight(self, count: int) -> bytes:
        """Give so many instructions; all lanes become active now and then."""
        return b"".join(self._steps(count))

    @property
    def results(self) -> list[tuple[int, int, str]]:
        """The registers of results that are no sources, and their types."""
        return self.drawer.results

    def _steps(self, count: int) -> Iterator[bytes]:
        for _ in range(count):
            if self.random.random() < 0.1:
                yield self._active()
            try:
                yield self.drawer.instruction()
            except PoolIsEmpty:
                return

    def _active(self) -> bytes:
        """Choose the active lanes: s_mov_b64 exec with -1 or a literal."""
        exec_ = self.drawer.codes.exec
        word = 0xBE800100 | exec_ << 16
        if self.random.random() < 0.5:
            return struct.pack("<I", word | 193)
        return struct.pack("<2I", word | 255, self.random.getrandbits(32))

    def structured(self, depth: int = 0) -> bytes:
        """Give instructions with branches over some and bounded loops around some."""
        found = self.straight(self.random.randrange(2, 6))
        for _ in range(self.random.randrange(1, 4)):
            deeper = depth < len(COUNTERS) - 1 and self.random.random() < 0.6
            inner = self.structured(depth + 1) if deeper else self.straight(4)
            found += self._loop(inner, depth) if self.random.random() < 0.5 else self._skip(inner)
            found += self.straight(1)
            if len(found) > 1200 >> depth:
                break
        return found

    def _skip(self, inner: bytes) -> bytes:
        branch = self.random.choice(BRANCHES)
        return _sopp(self.architecture, branch, len(inner) // 4) + inner

    def _loop(self, inner: bytes, depth: int) -> bytes:
        """Repeat: s_movk_i32, the code, s_sub_u32 and s_cmp_lg_u32 with 0, s_cbranch_scc1."""
        counter = COUNTERS[depth]
        begin = struct.pack("<I", 0xB0000000 | counter << 16 | self.random.randrange(1, 4))
        end = struct.pack("<2I", 0x80808100 | counter << 16 | counter, 0xBF078000 | counter)
        back = -(len(inner) + len(end) + 4) // 4
        return begin + inner + end + _sopp(self.architecture, "s_cbranch_scc1", back)
