"""Random programs: straight lines of instructions of a class, loops and branches around them."""

import struct
from collections.abc import Callable, Iterator
from functools import cache

from tests.machine.random_code.template import (
    COUNTERS,
    FIRST_SCALAR,
    KEPT_LANE,
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
from wavemma.machine.meaning import Meaning
from wavemma.machine.perform import perform
from wavemma.machine.semantics import MEANINGS
from wavemma.machine.value_type import types_of_row
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

_NOT_RANDOM = ("relative", "hardware_registers", "messages", "matrix")
"""Modules of meanings that reach registers by numbers that random code would make too large, or
whose results are no function of the state."""


def _module(row: OrdinaryRow) -> str:
    found = MEANINGS.get(row.meaning)
    if found is None:
        return ""
    function = found.compute if isinstance(found, Meaning) else found.act
    return function.__module__.removeprefix("wavemma.machine.semantics.")


def _floats(row: OrdinaryRow) -> set[str]:
    return {name for name in types_of_row(row.type) if "f" in name}


def _is_plain(row: OrdinaryRow) -> bool:
    module = _module(row)
    plain = module.startswith(("vector", "scalar", "lanes")) and not row.flow
    return plain and not module.endswith(_NOT_RANDOM) and row.name != "s_getpc_b64"


def _is_integer(row: OrdinaryRow) -> bool:
    kinds = types_of_row(row.type)
    whole = all(name[:1] in ("b", "i", "u") and "f" not in name for name in kinds if name)
    return _is_plain(row) and whole and not _module(row).endswith(("dots", "mixed", "small_floats"))


def _is_float(kind: str) -> Callable[[OrdinaryRow], bool]:
    """Give rows whose numbers are all of one type: a NaN's bits then matter to none of them."""

    def chosen(row: OrdinaryRow) -> bool:
        if not _is_plain(row) or set(types_of_row(row.type)) != {kind}:
            return False
        found = MEANINGS[row.meaning]
        parts = found.takes if isinstance(found, Meaning) else ()
        others = {p.type for p in parts} - {"", "result", kind, "mask", "flag", "code"}
        module = _module(row)
        apart = module.endswith(
            ("dots", "mixed", "small_floats", "bits", "conversions", "saturated")
        )
        return bool(parts) and not others and not apart and "class" not in row.meaning

    return chosen


_MEMORY = tuple(f"memory.{name}" for name in ("loads", "stores", "atomics", "pairs", "permutes"))


def _is_memory(row: OrdinaryRow) -> bool:
    """Give accesses of LDS and of device memory that a lane's number points, of integers.

    Numbers of 64 bits must be aligned where they are replaced; those of lanes are not.
    """
    module = _module(row)
    if not module.startswith(_MEMORY) or "f" in row.type or row.meaning.endswith("by_lane"):
        return False
    spaces = {word.name: word.space for word in ordinary_table(_any_of(row)).rows.words}
    replaces = module.endswith(("atomics", "pairs"))
    is_wide = row.type.endswith(("64", "96", "128"))
    return spaces[row.encoding] in ("lds", "global") and not (replaces and is_wide)


def _any_of(row: OrdinaryRow) -> str:
    """Give an architecture that has the row's encoding."""
    return "rdna4" if row.encoding.startswith("V") else "rdna3"


CLASSES: dict[str, Callable[[OrdinaryRow], bool]] = {
    "integers": _is_integer,
    "scalars": lambda row: _is_integer(row) and row.encoding.startswith("SOP"),
    "memory": _is_memory,
    "lanes": lambda row: _is_integer(row) and _module(row).startswith("lanes"),
    "f16": _is_float("f16"),
    "f32": _is_float("f32"),
    "f64": _is_float("f64"),
}


@cache
def rows(architecture: str, name: str) -> tuple[OrdinaryRow, ...]:
    """Give the rows of a class; halves of dual instructions are not among them."""
    chosen = CLASSES[name]
    table = ordinary_table(architecture).rows.instructions
    return tuple(r for r in table if r.meaning and chosen(r) and not r.encoding.startswith("VOPD"))


@cache
def duals(architecture: str, name: str) -> tuple[tuple[OrdinaryRow, ...], ...]:
    """Give the first and the second halves of dual instructions of a class."""
    table = ordinary_table(architecture).rows.instructions
    halves = [[r for r in table if r.encoding == f"VOPD_{half}"] for half in "XY"]
    return tuple(tuple(r for r in half if r.meaning and CLASSES[name](r)) for half in halves)


class PoolDrawer(Drawer):
    """Draws instructions whose registers are those of a small pool."""

    def __init__(self, architecture: str, seed: int, size: Wave) -> None:
        super().__init__(architecture, seed, State(size))
        self.codes = codes_of(architecture)
        self.is_permute = False
        state = self.state
        state.set_mask(self.codes.exec, (1 << size) - 1)
        for lane in range(size):
            state.vectors[:, lane] = [self.word() for _ in range(len(state.vectors))]

    def registers(self, count: int) -> int:
        """Choose vector registers; pairs begin at even numbers, so that halves stay halves."""
        step = 1 if count == 1 else 2
        first = 1 if count == 1 else 2
        return self.random.randrange(first, VECTORS + 2 - count, step)

    def scalars(self, count: int) -> int:
        """Choose scalar registers, aligned as their count wants it."""
        return self.random.randrange(FIRST_SCALAR, FIRST_SCALAR + SCALARS + 1 - count, count)

    def _code(self, slot: Slot) -> int:
        if slot.row.role == "address" and not self.is_permute:
            return KEPT_LANE
        if slot.row.role == "scalar_address":
            return STATE_POINTER
        if slot.row.kind == "vgpr" and slot.low_bit_not is not None:
            return self.random.randrange(1, VECTORS) >> 1
        return super()._code(slot)

    def instruction(self, name: str) -> bytes:
        """Draw an instruction of a class that is not refused."""
        if name == "memory":
            if self.random.random() < 0.5:
                return self.instruction("integers")
            row = self.random.choice(rows(self.architecture, name))
            self.is_permute = _module(row).endswith("permutes")
            return encode_ordinary(self.draw(row))
        while True:
            first, second = duals(self.architecture, name)
            if first and second and self.state.size == 32 and self.random.random() < 0.1:
                chosen = (self.random.choice(first), self.random.choice(second))
                found = self.draw(*chosen)
            else:
                row = self.random.choice(rows(self.architecture, name))
                extension = self.random.choice(["", "", "", *row.extensions])
                found = self.draw(row, extension=extension)
            try:
                run_on_arrays(self.state.copy(), self.codes, lambda wave, d=found: perform(wave, d))
            except Unsupported:
                continue
            return encode_ordinary(found)

    def _setting(self, setting: Setting) -> int:
        if setting.word == "offset":
            return self.random.randrange(0, 1000, 4)
        if setting.word in ("offset0", "offset1"):
            return self.random.randrange(4)
        return super()._setting(setting)


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
        self.drawer = PoolDrawer(architecture, seed, size)
        self.random = self.drawer.random
        self.architecture, self.name = architecture, name

    def straight(self, count: int) -> bytes:
        """Give so many instructions; all lanes become active now and then."""
        return b"".join(self._steps(count))

    def _steps(self, count: int) -> Iterator[bytes]:
        for _ in range(count):
            if self.random.random() < 0.1:
                yield self._active()
            yield self.drawer.instruction(self.name)

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
