"""The function of the runtime that notes stores, where code is compiled with a trace."""

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.machine.calls.lane_access import WORD_BYTES, LaneAccess
from wavemma.machine.compiled.records import I8, I32, I64, POINTER
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import GROUP, LAUNCH, WAVE, place
from wavemma.machine.instrument import STORE

_ELSEWHERE = ("shared_base", "private_base")
_WORD_BITS = 8 * WORD_BYTES


@emitter("trace", soon=True)
def trace(
    function: ir.Function,
    machine: Machine,
    runtime: Runtime,
    element_bits: int,
    elements: int,
    size_bytes: int,
    has_present: int,
) -> None:
    """Write int (frame, addresses, numbers [number][lane], mask, offset, bytes that are there)."""
    access = LaneAccess(function, runtime.size)
    build = access.build
    addresses, data, mask, offset = access.arguments[:4]
    with access.each_lane(mask) as lane:
        address = access.address(addresses, lane)
        size: ir.Value = I32(size_bytes)
        if has_present:
            size = _present(access, access.arguments[4], lane, size_bytes)
        far = [access.is_in(name, address) for name in _ELSEWHERE]
        is_device = build.not_(build.or_(*far))
        some = build.icmp_unsigned("!=", size, I32(0))
        with build.if_then(build.and_(is_device, some)):
            record = _Record(access, _next(access))
            record.identify(address, lane, offset, size)
            for element in range(elements):
                record.put_element(data, element, element_bits, lane, size)
    build.ret(I32(0))


def _present(access: LaneAccess, counts: ir.Value, lane: ir.Value, size_bytes: int) -> ir.Value:
    """Count the bytes that a lane stores: all, or the whole words among those that are there."""
    build = access.build
    count = build.load(build.gep(counts, [lane], source_etype=I32), typ=I32)
    complete = build.icmp_signed(">=", count, I32(size_bytes))
    words = build.and_(count, I32(-WORD_BYTES))
    part = build.select(build.icmp_signed(">", count, I32(0)), words, I32(0))
    return build.select(complete, I32(size_bytes), part)


def _next(access: LaneAccess) -> ir.Value:
    """Give the place of the next record; the host takes the buffer when it is full."""
    build, launch = access.build, access.frame.launch
    used_at = access.at(launch, place(LAUNCH, "trace_used"))
    used = build.load(used_at, align=8, typ=I64)
    full = build.icmp_unsigned(">=", used, access.member(launch, place(LAUNCH, "trace_room")))
    with build.if_then(full, likely=False):
        address = access.member(launch, place(LAUNCH, "trace_flush"))
        flush = build.inttoptr(address, POINTER)
        flush.type = ir.FunctionType(ir.VoidType(), [I64]).as_pointer()
        build.call(flush, [used])
        build.store(I64(0), used_at, align=8)
    number = build.load(used_at, align=8, typ=I64)
    build.store(build.add(number, I64(1)), used_at, align=8)
    start = build.inttoptr(access.member(launch, place(LAUNCH, "trace")), POINTER)
    return access.at(start, build.mul(number, I64(STORE.itemsize)))


class _Record:
    """Writes one record."""

    def __init__(self, access: LaneAccess, at: ir.Value) -> None:
        self.access = access
        self.build = access.build
        self.at = at

    def identify(self, address: ir.Value, lane: ir.Value, offset: ir.Value, size: ir.Value) -> None:
        access, frame = self.access, self.access.frame
        self._put("group", access.member(frame.group, place(GROUP, "index")))
        self._put("address", address)
        self._put("wave", access.member(frame.wave, place(WAVE, "number"), I32))
        self._put("lane", self.build.trunc(lane, I32))
        self._put("offset", offset)
        self._put("size_bytes", size)
        for word in range(STORE["words"].shape[0]):
            self._put("words", I32(0), word)

    def put_element(
        self, data: ir.Value, element: int, bits: int, lane: ir.Value, size: ir.Value
    ) -> None:
        """Copy one number of a lane, as far as its words are stored."""
        build, kind = self.build, ir.IntType(bits)
        index = build.add(lane, I64(element * self.access.lanes))
        value = build.load(build.gep(data, [index], source_etype=kind), align=4, typ=kind)
        for part in range(bits // _WORD_BITS):
            word = element * (bits // _WORD_BITS) + part
            own = build.lshr(value, kind(_WORD_BITS * part))
            narrow = own if bits == _WORD_BITS else build.trunc(own, I32)
            left = build.sub(size, I32(word * WORD_BYTES))
            is_there = build.icmp_signed(">", left, I32(0))
            self._put("words", build.select(is_there, self._cut(narrow, left), I32(0)), word)

    def _cut(self, word: ir.Value, left: ir.Value) -> ir.Value:
        """Keep the low bytes of a word, where fewer than all are stored."""
        build = self.build
        whole = build.icmp_signed(">=", left, I32(WORD_BYTES))
        bits = build.mul(build.and_(left, I32(WORD_BYTES - 1)), I32(8))
        mask = build.sub(build.shl(I32(1), bits), I32(1))
        return build.select(whole, word, build.and_(word, mask))

    def _put(self, name: str, value: ir.Value, index: int = 0) -> None:
        at = self.build.gep(self.at, [I64(place(STORE, name, index))], source_etype=I8)
        self.build.store(value, at, align=4)
