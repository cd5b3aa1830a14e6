"""Accesses of memory by one lane after the other, every one checked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

import llvmlite.ir as ir

from wavemma.machine.compiled.records import I32, I64, POINTER, Records
from wavemma.machine.compiled.state import GROUP, LAUNCH, WAVE, Fault, place
from wavemma.machine.memory.apertures import apertures

PAGE_BITS = 12
READ, WRITE, FREED = 1, 2, 4
RECORD_BYTES = 24
START, END, _FLAGS = 0, 8, 16
"""Offsets in a record of an allocation, as `memory` keeps them."""
WORD_BYTES = 4
SHORT = ("lds", "scratch")
"""Spaces whose addresses have 32 bits."""

Number: TypeAlias = ir.Value | int


def _wide(number: Number) -> ir.Value:
    return I64(number) if isinstance(number, int) else number


class Frame(NamedTuple):
    """The arguments that every function of the runtime has first."""

    wave: ir.Value
    group: ir.Value
    launch: ir.Value


class LaneAccess:
    """Emits checks of addresses and loops over lanes.

    Args:
        function: The function; its arguments begin with wave, group, launch.
        lanes: Of the wave.
        writes: Whether it writes memory, for messages.
        failed: What the function gives after a fault; 1 if None.
        space: What its addresses count in.

    Attributes:
        arguments: The further ones.
        number: Type of an address in memory: those in LDS and scratch have 32 bits.
        find: Checks an access and gives its pointer: space, address, lane, bytes, what is wanted.

    """

    def __init__(
        self,
        function: ir.Function,
        lanes: int,
        *,
        writes: bool = False,
        failed: ir.Value | None = None,
        space: str = "global",
    ) -> None:
        self.build = ir.IRBuilder(function.append_basic_block("entry"))
        self.frame = Frame(*function.args[:3])
        self.arguments = function.args[3:]
        self.lanes = lanes
        self.writes = I32(int(writes))
        self.failed = I32(1) if failed is None else failed
        self.number = I32 if space in SHORT else I64
        self.find: Callable[[str, ir.Value, ir.Value, int, int], ir.Value] = self._find

    def _find(
        self, space: str, address: ir.Value, lane: ir.Value, size_bytes: int, wanted: int
    ) -> ir.Value:
        return POINTERS[space](self, address, lane, size_bytes, wanted)

    def at(self, base: ir.Value, offset: ir.Value | int) -> ir.Value:
        """Give an address so many bytes behind a pointer."""
        return Records(self.build).at(base, offset)

    def member(self, base: ir.Value, offset: int, kind: ir.Type = I64) -> ir.Value:
        """Load a member of a record."""
        return self.build.load(self.at(base, offset), align=4, typ=kind)

    def room(self, kind: ir.Type, count: int) -> ir.Value:
        """Reserve memory at the entry of the function."""
        with self.build.goto_entry_block():
            room = self.build.alloca(kind, count)
        room.align = 64
        room.type = POINTER
        return room

    @contextmanager
    def each_lane(self, mask: ir.Value) -> Iterator[ir.Value]:
        """Loop over the active lanes; gives the number of one as I64."""
        build = self.build
        before = build.block
        top, body, after = (build.append_basic_block(name) for name in ("top", "body", "after"))
        build.branch(top)
        build.position_at_end(top)
        left = build.phi(I64)
        left.add_incoming(mask, before)
        build.cbranch(build.icmp_unsigned("!=", left, I64(0)), body, after)
        build.position_at_end(body)
        lane = build.cttz(left, ir.IntType(1)(1))
        yield lane
        rest = build.and_(left, build.sub(left, I64(1)))
        left.add_incoming(rest, build.block)
        build.branch(top)
        build.position_at_end(after)

    def blend(self, room: ir.Value, words: ir.Value, mask: ir.Value, count: int) -> None:
        """Copy so many words of each active lane; those of the others stay."""
        build, lanes = self.build, self.lanes
        number = mask if lanes == 64 else build.trunc(mask, ir.IntType(lanes))
        active = build.bitcast(number, ir.VectorType(ir.IntType(1), lanes))
        row = ir.VectorType(I32, lanes)
        for offset in range(0, count * lanes * WORD_BYTES, lanes * WORD_BYTES):
            source, to = self.at(room, offset), self.at(words, offset)
            new, old = (build.load(each, align=WORD_BYTES, typ=row) for each in (source, to))
            build.store(build.select(active, new, old), to, align=WORD_BYTES)

    def address(self, addresses: ir.Value, lane: ir.Value) -> ir.Value:
        """Load the address of a lane as I64."""
        place_ = self.build.gep(addresses, [lane], source_etype=self.number)
        found = self.build.load(place_, typ=self.number)
        return found if self.number == I64 else self.build.zext(found, I64)

    def fail(self, kind: ir.Value, address: ir.Value, lane: ir.Value, size_bytes: Number) -> None:
        """Note a fault and return."""
        build, wave = self.build, self.frame.wave
        build.store(address, self.at(wave, place(WAVE, "fault_address")), align=8)
        build.store(kind, self.at(wave, place(WAVE, "fault_kind")), align=4)
        number = build.trunc(lane, I32) if lane.type == I64 else lane
        build.store(number, self.at(wave, place(WAVE, "fault_lane")), align=4)
        size = build.trunc(_wide(size_bytes), I32)
        build.store(size, self.at(wave, place(WAVE, "fault_bytes")), align=4)
        build.store(self.writes, self.at(wave, place(WAVE, "fault_writes")), align=4)
        build.ret(self.failed)

    def fail_unless(
        self, fine: ir.Value, kind: Fault, address: ir.Value, lane: ir.Value, size_bytes: Number
    ) -> None:
        """Note a fault and return unless a condition holds."""
        with self.build.if_then(self.build.not_(fine), likely=False):
            self.fail(I32(int(kind)), address, lane, size_bytes)

    def record(self, address: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Find the record of the allocation of a page, and whether the page is one of memory's."""
        build, launch = self.build, self.frame.launch
        start = self.member(launch, place(LAUNCH, "memory"))
        page = build.lshr(build.sub(address, start), I64(PAGE_BITS))
        inside = build.icmp_unsigned("<", page, self.member(launch, place(LAUNCH, "pages")))
        table = build.inttoptr(self.member(launch, place(LAUNCH, "table")), POINTER)
        slot = build.gep(table, [build.select(inside, page, I64(0))], source_etype=I32)
        number = build.load(slot, typ=I32)
        records = build.inttoptr(self.member(launch, place(LAUNCH, "records")), POINTER)
        return self.at(records, build.mul(build.zext(number, I64), I64(RECORD_BYTES))), inside

    def fits(self, end: ir.Value, address: ir.Value, size_bytes: Number) -> ir.Value:
        """Tell whether so many bytes from an address on end no later than an address."""
        build = self.build
        below = build.icmp_unsigned("<", address, end)
        enough = build.icmp_unsigned(">=", build.sub(end, address), _wide(size_bytes))
        return build.and_(below, enough)

    def within(
        self, record: ir.Value, low: ir.Value, high: ir.Value, size_bytes: Number
    ) -> ir.Value:
        """Tell whether accesses of so many bytes from `low` to `high` lie in an allocation."""
        above = self.build.icmp_unsigned(">=", low, self.member(record, START))
        return self.build.and_(above, self.fits(self.member(record, END), high, size_bytes))

    def allows(self, record: ir.Value, wanted: Number) -> ir.Value:
        """Tell whether an allocation may be accessed so."""
        flags = self.member(record, _FLAGS, I32)
        word = I32(wanted) if isinstance(wanted, int) else wanted
        return self.build.icmp_unsigned("!=", self.build.and_(flags, word), I32(0))

    def device(
        self, address: ir.Value, lane: ir.Value, size_bytes: Number, wanted: Number
    ) -> ir.Value:
        """Check an access of device memory and give its pointer."""
        build = self.build
        record, inside = self.record(address)
        held = build.and_(inside, self.within(record, address, address, size_bytes))
        allowed = self.allows(record, wanted)
        with build.if_then(build.not_(build.and_(held, allowed)), likely=False):
            kinds = I32(int(Fault.FREED)), I32(int(Fault.READ_ONLY))
            kind = build.select(self.allows(record, FREED), *kinds)
            kind = build.select(held, kind, I32(int(Fault.OUT_OF_RANGE)))
            self.fail(kind, address, lane, size_bytes)
        return build.inttoptr(address, POINTER)

    def lds_bytes(self) -> ir.Value:
        """Give the size of the workgroup's memory."""
        size = self.member(self.frame.group, place(GROUP, "lds_bytes"), I32)
        return self.build.zext(size, I64)

    def lds(
        self, address: ir.Value, lane: ir.Value, size_bytes: Number, wanted: Number
    ) -> ir.Value:
        """Check an access of the workgroup's memory and give its pointer."""
        fine = self.fits(self.lds_bytes(), address, size_bytes)
        self.fail_unless(fine, Fault.OUTSIDE_LDS, address, lane, size_bytes)
        start = self.member(self.frame.group, place(GROUP, "lds"))
        return self.build.inttoptr(self.build.add(start, address), POINTER)

    def scratch_bytes(self) -> ir.Value:
        """Give the size of the memory of one lane; a launch counts those of a wave."""
        size = self.member(self.frame.launch, place(LAUNCH, "scratch_bytes"))
        return self.build.udiv(size, I64(self.lanes))

    def scratch(self, address: ir.Value, lane: ir.Value, size_bytes: Number) -> None:
        """Check an access of a lane's memory."""
        fine = self.fits(self.scratch_bytes(), address, size_bytes)
        self.fail_unless(fine, Fault.OUTSIDE_SCRATCH, address, lane, size_bytes)

    def scratch_place(self, address: ir.Value, lane: ir.Value) -> ir.Value:
        """Give the pointer of one byte; words of all lanes alternate, as AMD lays them."""
        build = self.build
        base = build.inttoptr(self.member(self.frame.wave, place(WAVE, "scratch")), POINTER)
        row = build.mul(build.lshr(address, I64(2)), I64(WORD_BYTES * self.lanes))
        inside = build.add(build.mul(lane, I64(WORD_BYTES)), build.and_(address, I64(3)))
        return self.at(base, build.add(row, inside))

    def is_in(self, aperture: str, address: ir.Value) -> ir.Value:
        """Tell whether a generic address lies in another space."""
        high = self.build.lshr(address, I64(32))
        return self.build.icmp_unsigned("==", high, I64(apertures()[aperture]))

    def flat_or_lds(
        self, address: ir.Value, lane: ir.Value, size_bytes: Number, wanted: Number
    ) -> ir.Value:
        """Check an access of device memory or, by its high half, of the workgroup's."""
        build = self.build
        with build.if_else(self.is_in("shared_base", address)) as (yes, no):
            with yes:
                low = build.and_(address, I64(0xFFFFFFFF))
                shared = self.lds(low, lane, size_bytes, wanted)
                after_shared = build.block
            with no:
                device = self.device(address, lane, size_bytes, wanted)
                after_device = build.block
        pointer = build.phi(POINTER)
        pointer.add_incoming(shared, after_shared)
        pointer.add_incoming(device, after_device)
        return pointer


POINTERS = {
    "global": LaneAccess.device,
    "lds": LaneAccess.lds,
    "flat": LaneAccess.flat_or_lds,
}
"""What checks an access of a space whose bytes lie side by side."""
