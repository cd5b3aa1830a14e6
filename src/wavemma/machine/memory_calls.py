"""Functions of the runtime that read and write memory, lane by lane, every access checked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.machine.runtime import Runtime, emitter
from wavemma.machine.state import GROUP, LAUNCH, WAVE, Fault, place

I8, I32, I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
PAGE_BITS = 12
READ, WRITE, FREED = 1, 2, 4
RECORD_BYTES = 24
_START, _END, _FLAGS = 0, 8, 16
"""Offsets in a record of an allocation, as `memory` keeps them."""


class Frame(NamedTuple):
    """The arguments that every function of the runtime has first."""

    wave: ir.Value
    group: ir.Value
    launch: ir.Value


class Access:
    """Emits one checked access of one lane after the other.

    Args:
        function: The function; its arguments begin with wave, group, launch.

    """

    def __init__(self, function: ir.Function) -> None:
        self.build = ir.IRBuilder(function.append_basic_block("entry"))
        self.frame = Frame(*function.args[:3])
        self.arguments = function.args[3:]

    def at(self, base: ir.Value, offset: ir.Value | int) -> ir.Value:
        """Give an address so many bytes behind a pointer."""
        count = I64(offset) if isinstance(offset, int) else offset
        return self.build.gep(base, [count], source_etype=I8)

    def member(self, base: ir.Value, offset: int, kind: ir.Type = I64) -> ir.Value:
        """Load a member of a record."""
        return self.build.load(self.at(base, offset), align=4, typ=kind)

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

    def fail(self, kind: ir.Value, address: ir.Value, lane: ir.Value, size_bytes: int) -> None:
        """Note a fault and return."""
        build, wave = self.build, self.frame.wave
        build.store(address, self.at(wave, place(WAVE, "fault_address")), align=8)
        build.store(kind, self.at(wave, place(WAVE, "fault_kind")), align=4)
        number = build.trunc(lane, I32) if lane.type == I64 else lane
        build.store(number, self.at(wave, place(WAVE, "fault_lane")), align=4)
        build.store(I32(size_bytes), self.at(wave, place(WAVE, "fault_bytes")), align=4)
        build.ret(I32(1))

    def check_device(
        self, address: ir.Value, lane: ir.Value, size_bytes: int, wanted: int
    ) -> ir.Value:
        """Check an access of device memory and give its pointer."""
        build, launch = self.build, self.frame.launch
        start = self.member(launch, place(LAUNCH, "memory"))
        page = build.lshr(build.sub(address, start), I64(PAGE_BITS))
        inside = build.icmp_unsigned("<", page, self.member(launch, place(LAUNCH, "pages")))
        with build.if_then(build.not_(inside), likely=False):
            self.fail(I32(Fault.OUT_OF_RANGE), address, lane, size_bytes)
        table = build.inttoptr(self.member(launch, place(LAUNCH, "table")), ir.PointerType())
        number = build.load(build.gep(table, [page], source_etype=I32), typ=I32)
        records = build.inttoptr(self.member(launch, place(LAUNCH, "records")), ir.PointerType())
        offset = build.mul(build.zext(number, I64), I64(RECORD_BYTES))
        record = self.at(records, offset)
        low = build.icmp_unsigned(">=", address, self.member(record, _START))
        end = build.add(address, I64(size_bytes))
        high = build.icmp_unsigned("<=", end, self.member(record, _END))
        flags = self.member(record, _FLAGS, I32)
        allowed = build.icmp_unsigned("!=", build.and_(flags, I32(wanted)), I32(0))
        fine = build.and_(build.and_(low, high), allowed)
        with build.if_then(build.not_(fine), likely=False):
            within = build.and_(low, high)
            freed = build.icmp_unsigned("!=", build.and_(flags, I32(FREED)), I32(0))
            why = build.select(freed, I32(Fault.FREED), I32(Fault.READ_ONLY))
            kind = build.select(within, why, I32(Fault.OUT_OF_RANGE))
            self.fail(kind, address, lane, size_bytes)
        return build.inttoptr(address, ir.PointerType())

    def check_lds(
        self, address: ir.Value, lane: ir.Value, size_bytes: int, wanted: int
    ) -> ir.Value:
        """Check an access of the workgroup's memory and give its pointer."""
        build, group = self.build, self.frame.group
        size = build.zext(self.member(group, place(GROUP, "lds_bytes"), I32), I64)
        end = build.add(address, I64(size_bytes))
        with build.if_then(build.icmp_unsigned(">", end, size), likely=False):
            self.fail(I32(Fault.OUTSIDE_LDS), address, lane, size_bytes)
        start = self.member(group, place(GROUP, "lds"))
        return build.inttoptr(build.add(start, address), ir.PointerType())


_CHECKS = {"global": Access.check_device, "lds": Access.check_lds}


def _parts(size_bytes: int) -> tuple[ir.Type, int]:
    """Give the type of a part of an access, and how many there are."""
    if size_bytes < 4:
        return ir.IntType(8 * size_bytes), 1
    return I32, size_bytes // 4


@emitter("load")
def load(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that reads bytes of each lane into words [word][lane]."""
    access = Access(function)
    build = access.build
    addresses, room, mask = access.arguments
    kind, count = _parts(size_bytes)
    with access.each_lane(mask) as lane:
        address = build.load(build.gep(addresses, [lane], source_etype=I64), typ=I64)
        pointer = _CHECKS[space](access, address, lane, size_bytes, READ)
        for word in range(count):
            value = build.load(access.at(pointer, 4 * word), align=1, typ=kind)
            wide = value if kind == I32 else build.zext(value, I32)
            index = build.add(lane, I64(word * runtime.size))
            build.store(wide, build.gep(room, [index], source_etype=I32), align=4)
    build.ret(I32(0))


@emitter("store")
def store(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that writes words [word][lane] as bytes of each lane."""
    access = Access(function)
    build = access.build
    addresses, room, mask = access.arguments
    kind, count = _parts(size_bytes)
    with access.each_lane(mask) as lane:
        address = build.load(build.gep(addresses, [lane], source_etype=I64), typ=I64)
        pointer = _CHECKS[space](access, address, lane, size_bytes, WRITE)
        for word in range(count):
            index = build.add(lane, I64(word * runtime.size))
            value = build.load(build.gep(room, [index], source_etype=I32), align=4, typ=I32)
            part = value if kind == I32 else build.trunc(value, kind)
            build.store(part, access.at(pointer, 4 * word), align=1)
    build.ret(I32(0))


@emitter("scalar_load")
def scalar_load(function: ir.Function, machine: Machine, runtime: Runtime, words: int) -> None:
    """Write a function that reads words at one address."""
    access = Access(function)
    build = access.build
    address, room = access.arguments
    pointer = access.check_device(address, I32(0), 4 * words, READ)
    kind = ir.VectorType(I32, words)
    build.store(build.load(pointer, align=4, typ=kind), room, align=4)
    build.ret(I32(0))
