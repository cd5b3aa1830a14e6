"""Memory of a wave inside compiled code: calls of the runtime's functions."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

from wavemma.machine.compiled.records import I32, I64
from wavemma.machine.compiled.registers import LlvmRegisters
from wavemma.machine.compiled.runtime import Call
from wavemma.machine.compiled.state import ALIGNMENT, WAVE, Status, place
from wavemma.machine.rare_ways import RareWay, Usual
from wavemma.machine.register_moves import Space
from wavemma.machine.wave import Update


class LlvmMemory(LlvmRegisters):
    """Emits accesses of memory; arguments as its base takes them.

    Attributes:
        traced: Whether stores are noted (see `instrument`).

    """

    traced = False

    # Calls

    def _checked(self, call: Call, *arguments: ir.Value) -> None:
        """Call a function of the runtime that gives 0, or else the wave has a fault."""
        every = (self.wave, self.group, self.launch, *arguments)
        function = self.runtime.declare(self.build.module, call, [a.type for a in every], I32)
        failed = self.build.icmp_unsigned("!=", self.build.call(function, every), I32(0))
        with self.build.if_then(failed, likely=False):
            self._stop(Status.FAULT)

    def _stop(self, status: Status) -> None:
        self._set_member(self.wave, place(WAVE, "fault_offset"), self.own_offset())
        self.build.ret(I32(int(status)))

    def own_offset(self) -> ir.Value:
        """Give where the instruction lies in the code, in bytes."""
        return I32(self.offset)

    def _mask_number(self, where: ir.Value | None = None) -> ir.Value:
        """Give the mask of active lanes as a number of 64 bits."""
        truth = self.mask(self.codes.exec)
        if where is not None:
            truth = self.scalars.and_(truth, self.mask_of(where))
        mask = truth
        return mask if mask.type == I64 else self.build.zext(mask, I64)

    # Memory

    def load(
        self, space: Space, address: ir.Value, size_bytes: int, present: ir.Value | None = None
    ) -> list[ir.Value]:
        """Read bytes of each lane."""
        words = max(size_bytes // 4, 1)
        room = self._block(words)
        self._access("load", space, address, size_bytes, room, present)
        return [self._word(room, word) for word in range(words)]

    def store(
        self,
        space: Space,
        address: ir.Value,
        words: Sequence[ir.Value],
        size_bytes: int,
        present: ir.Value | None = None,
    ) -> None:
        """Write bytes of each lane."""
        room = self._filled(words)
        arguments = self._access("store", space, address, size_bytes, room, present)
        self._trace(space, 32, len(words), size_bytes, arguments)

    def load_registers(self, space: Space, address: ir.Value, size_bytes: int, first: int) -> None:
        """Read bytes of each active lane into registers."""
        self._access("load", space, address, size_bytes, self.vector_place(first), None)

    def store_registers(self, space: Space, address: ir.Value, size_bytes: int, first: int) -> None:
        """Write bytes of each active lane."""
        source = self.vector_place(first)
        arguments = self._access("store", space, address, size_bytes, source, None)
        self._trace(space, 32, max(size_bytes // 4, 1), size_bytes, arguments)

    def _access(
        self,
        what: str,
        space: Space,
        address: ir.Value,
        size_bytes: int,
        room: ir.Value,
        present: ir.Value | None,
    ) -> list[ir.Value]:
        """Move bytes between memory and a block of words; give what was passed to do so."""
        self._store_address(address)
        arguments = [self._addresses(), room, self._mask_number()]
        if present is not None:
            counts = self._room("present", self.size)
            self.build.store(present, counts, align=ALIGNMENT)
            arguments.append(counts)
            what = f"{what}_present"
        self._checked((what, space, size_bytes), *arguments)
        return arguments

    def _trace(
        self, space: Space, bits: int, count: int, size_bytes: int, arguments: Sequence[ir.Value]
    ) -> None:
        """Note a store to device memory, if code is traced: so many numbers of so many bits."""
        if self.traced and space in ("global", "flat"):
            addresses, room, mask, *present = arguments
            call = ("trace", bits, count, size_bytes, len(present))
            self._checked(call, addresses, room, mask, self.own_offset(), *present)

    def load_either(
        self,
        is_rare: ir.Value,
        rare: Callable[[], RareWay[ir.Value]],
        usual: Usual[ir.Value],
        size_bytes: int,
    ) -> list[ir.Value]:
        """Read bytes of each lane."""
        words = max(size_bytes // 4, 1)
        room = self._block(words)
        self._either("load", is_rare, rare, usual, room, size_bytes)
        return [self._word(room, word) for word in range(words)]

    def store_either(
        self,
        is_rare: ir.Value,
        rare: Callable[[], RareWay[ir.Value]],
        usual: Usual[ir.Value],
        words: Sequence[ir.Value],
        size_bytes: int,
    ) -> None:
        """Write bytes of each lane."""
        room = self._filled(words)
        self._either("store", is_rare, rare, usual, room, size_bytes)

    def _either(
        self,
        what: str,
        is_rare: ir.Value,
        rare: Callable[[], RareWay[ir.Value]],
        usual: Usual[ir.Value],
        room: ir.Value,
        size_bytes: int,
    ) -> None:
        """Move bytes between memory and a block of words by one of two ways."""
        # What both need must be known before.
        self.active()
        with self.build.if_else(is_rare, likely=False) as (yes, no):
            with yes:
                way = rare()
                rooms = [self._room(f"rare_{n}", self.size) for n in range(len(way.lanes))]
                for value, place_ in zip(way.lanes, rooms, strict=True):
                    self.build.store(value, place_, align=ALIGNMENT)
                self.runtime.rare[way.name] = way.places
                call = ("rare", what, way.name, len(rooms), way.part_bytes)
                self._checked(call, room, self._mask_number(), *rooms, *way.numbers)
            with no:
                address, present = usual()
                given = self._access(what, "global", address, size_bytes, room, present)
                if what == "store":
                    self._trace("global", 32, max(size_bytes // 4, 1), size_bytes, given)

    def _filled(self, words: Sequence[ir.Value]) -> ir.Value:
        """Put words of each lane into memory of their own."""
        room = self._block(len(words))
        for place_, word in enumerate(words):
            self.build.store(word, self.at(room, place_ * self.size * 4), align=ALIGNMENT)
        return room

    def atomic(
        self,
        space: Space,
        address: ir.Value,
        operands: Sequence[ir.Value],
        update: Update[ir.Value],
        name: str,
        where: ir.Value | None = None,
    ) -> ir.Value:
        """Replace a number by a new one."""
        self._store_address(address)
        kind = operands[0].type
        bits = kind.element.width
        words = bits // 32
        room = self._block((len(operands) + 1) * words)
        for number, operand in enumerate(operands):
            to = self.at(room, (number + 1) * words * self.size * 4)
            self.build.store(operand, to, align=ALIGNMENT)
        self.runtime.updates[name] = update
        call = ("atomic", space, bits, len(operands), name)
        mask = self._mask_number(where)
        self._checked(call, self._addresses(), room, mask)
        given = self.at(room, words * self.size * 4)
        size_bytes = len(operands) * bits // 8
        self._trace(space, bits, len(operands), size_bytes, [self._addresses(), given, mask])
        return self.build.load(room, align=ALIGNMENT, typ=kind)

    def scalar_load(
        self, address: ir.Value, size_bytes: int, where: ir.Value | None = None
    ) -> list[ir.Value]:
        """Read words at one address."""
        room = self._block(1)
        wanted = ir.IntType(1)(1) if where is None else where
        call = ("scalar_load", size_bytes)
        self._checked(call, address, room, self.build.zext(wanted, I32))
        return [self.member(room, at, I32) for at in range(0, size_bytes, 4)]

    def _store_address(self, address: ir.Value) -> None:
        """Put addresses into memory: numbers of 32 bits in spaces where those are enough."""
        self.build.store(address, self._addresses(), align=ALIGNMENT)

    def _addresses(self) -> ir.Value:
        return self._room("addresses", 2 * self.size)

    def _block(self, words: int) -> ir.Value:
        """Give memory for so many words of each lane."""
        return self._room(f"words_{words}", words * self.size)

    def _word(self, room: ir.Value, word: int) -> ir.Value:
        at = self.at(room, word * self.size * 4)
        return self.build.load(at, align=ALIGNMENT, typ=self._words)
