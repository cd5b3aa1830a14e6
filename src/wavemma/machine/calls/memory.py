"""Functions of the runtime that read and write memory."""

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.machine.calls.checked_lane import lane_access
from wavemma.machine.calls.lane_access import READ, WORD_BYTES, LaneAccess
from wavemma.machine.calls.lane_copy import LaneCopy
from wavemma.machine.calls.whole_wave import WholeWave
from wavemma.machine.compiled.records import I32, I64
from wavemma.machine.compiled.runtime import Runtime, emitter

I1 = ir.IntType(1)


@emitter("load", soon=True)
def load(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that reads bytes of each lane into words [word][lane]."""
    _copy(function, machine, runtime, space, size_bytes, is_load=True)


@emitter("store", soon=True)
def store(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that writes words [word][lane] as bytes of each lane."""
    _copy(function, machine, runtime, space, size_bytes, is_load=False)


def _copy(
    function: ir.Function,
    machine: Machine,
    runtime: Runtime,
    space: str,
    size_bytes: int,
    *,
    is_load: bool,
) -> None:
    """Write int (frame, addresses, words, mask): all lanes at once, or one after the other.

    Words of lanes that are not active stay; all do after a fault.
    """
    access = lane_access(function, runtime, space, writes=not is_load)
    addresses, words, mask = access.arguments
    count = max(size_bytes // WORD_BYTES, 1)
    room = access.room(I32, count * access.lanes) if is_load else words
    WholeWave(
        access,
        space,
        size_bytes,
        machine,
        room,
        is_load=is_load,
        is_short=runtime.soon,
    ).attempt()
    copy = LaneCopy(access, room, size_bytes, is_load=is_load)
    with access.each_lane(mask) as lane:
        copy.checked(space, access.address(addresses, lane), lane)
    if is_load:
        access.blend(room, words, mask, count)
    access.build.ret(I32(0))


@emitter("load_present", soon=True)
def load_present(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that reads as `load` what a fourth argument says is there, else zeros."""
    access = lane_access(function, runtime, space)
    build = access.build
    addresses, words, mask, present = access.arguments
    complete = _complete(access, present, size_bytes)
    whole, rest = _split(access, mask, complete)
    call_on(access, runtime, ("load", space, size_bytes), (addresses, words, whole))
    with build.if_then(build.icmp_unsigned("!=", rest, I64(0))):
        row = ir.VectorType(I32, runtime.size)
        for word in range(max(size_bytes // WORD_BYTES, 1)):
            at = access.at(words, word * runtime.size * WORD_BYTES)
            value = build.load(at, align=WORD_BYTES, typ=row)
            zeros = ir.Constant(row, [0] * runtime.size)
            build.store(build.select(complete, value, zeros), at, align=WORD_BYTES)
        if size_bytes > WORD_BYTES:
            _parts(access, space, size_bytes, rest, is_load=True)
    build.ret(I32(0))


@emitter("store_present", soon=True)
def store_present(
    function: ir.Function, machine: Machine, runtime: Runtime, space: str, size_bytes: int
) -> None:
    """Write a function that writes as `store` what a fourth argument says is there."""
    access = lane_access(function, runtime, space, writes=True)
    addresses, words, mask, present = access.arguments
    whole, rest = _split(access, mask, _complete(access, present, size_bytes))
    if size_bytes > WORD_BYTES:
        # Lanes write in order, so that what the last one writes stays.
        with access.build.if_then(access.build.icmp_unsigned("!=", rest, I64(0))):
            _parts(access, space, size_bytes, mask, is_load=False)
            access.build.ret(I32(0))
    call_on(access, runtime, ("store", space, size_bytes), (addresses, words, whole))
    access.build.ret(I32(0))


def _complete(access: LaneAccess, present: ir.Value, size_bytes: int) -> ir.Value:
    """Tell which lanes have all their bytes."""
    row = ir.VectorType(I32, access.lanes)
    counts = access.build.load(present, align=WORD_BYTES, typ=row)
    return access.build.icmp_signed(">=", counts, ir.Constant(row, [size_bytes] * access.lanes))


def _split(access: LaneAccess, mask: ir.Value, complete: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Divide a mask into lanes that have all their bytes, and others."""
    build = access.build
    number = build.bitcast(complete, ir.IntType(access.lanes))
    number = number if number.type == I64 else build.zext(number, I64)
    return build.and_(mask, number), build.and_(mask, build.not_(number))


def call_on(
    access: LaneAccess, runtime: Runtime, call: tuple[str | int, ...], own: tuple[ir.Value, ...]
) -> None:
    """Call another function of the runtime, and return if it fails."""
    build = access.build
    every = (*access.frame, *own)
    function = runtime.declare(build.module, call, [each.type for each in every], I32)
    failed = build.icmp_unsigned("!=", build.call(function, every), I32(0))
    with build.if_then(failed, likely=False):
        build.ret(I32(1))


def _parts(
    access: LaneAccess, space: str, size_bytes: int, mask: ir.Value, *, is_load: bool
) -> None:
    """Copy those words of lanes that are there."""
    build = access.build
    addresses, words, _, present = access.arguments
    with access.each_lane(mask) as lane:
        address = access.address(addresses, lane)
        count = build.load(build.gep(present, [lane], source_etype=I32), typ=I32)
        for word in range(size_bytes // WORD_BYTES):
            enough = build.icmp_signed(">=", count, I32((word + 1) * WORD_BYTES))
            with build.if_then(enough):
                row = access.at(words, word * access.lanes * WORD_BYTES)
                at = build.add(address, I64(word * WORD_BYTES))
                LaneCopy(access, row, WORD_BYTES, is_load=is_load).checked(space, at, lane)


@emitter("scalar_load", soon=True)
def scalar_load(function: ir.Function, machine: Machine, runtime: Runtime, size_bytes: int) -> None:
    """Write int (frame, address, room, whether to do it): read words, or give zeros."""
    access = lane_access(function, runtime, "global")
    build = access.build
    address, room, wanted = access.arguments
    for offset in range(0, size_bytes, WORD_BYTES):
        build.store(I32(0), access.at(room, offset), align=WORD_BYTES)
    with build.if_then(build.icmp_unsigned("!=", wanted, I32(0))):
        pointer = access.find("global", address, I64(0), size_bytes, READ)
        kind: ir.Type = ir.IntType(8 * size_bytes)
        if size_bytes > WORD_BYTES:
            kind = ir.VectorType(I32, size_bytes // WORD_BYTES)
        build.store(build.load(pointer, align=1, typ=kind), room, align=WORD_BYTES)
    build.ret(I32(0))
