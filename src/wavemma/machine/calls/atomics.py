"""Functions of the runtime that replace numbers in memory."""

import llvmlite.ir as ir

from wavemma.engines.llvm_scalar_engine import LlvmScalarEngine
from wavemma.engines.machine import Machine
from wavemma.machine.calls.checked_lane import lane_access
from wavemma.machine.calls.lane_access import WRITE, LaneAccess
from wavemma.machine.compiled.records import I32, I64
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import Fault


class Atomic:
    """Emits one update of a lane after the other.

    Args:
        access: The function; its arguments are addresses, numbers [number][lane] and mask.
        machine: The processor.
        runtime: Knows the update.
        bits: Of the numbers, 32 or 64.
        operands: How many numbers the update takes besides the old one, which is number 0.
        name: Of the update.

    """

    def __init__(
        self,
        access: LaneAccess,
        machine: Machine,
        runtime: Runtime,
        bits: int,
        operands: int,
        name: str,
    ) -> None:
        self.access = access
        self.build = access.build
        self.engine = LlvmScalarEngine(access.build, machine)
        self.update = runtime.updates[name]
        self.kind = ir.IntType(bits)
        self.operands = operands

    def emit(self, space: str) -> None:
        """Write the whole function."""
        access, build = self.access, self.build
        addresses, _, mask = access.arguments
        size_bytes = self.kind.width // 8
        with access.each_lane(mask) as lane:
            address = access.address(addresses, lane)
            low = build.and_(address, I64(size_bytes - 1))
            even = build.icmp_unsigned("==", low, I64(0))
            access.fail_unless(even, Fault.MISALIGNED, address, lane, size_bytes)
            if space == "flat":
                self._perhaps_scratch(space, address, lane)
            else:
                self._replace(space, address, lane)
        build.ret(I32(0))

    def _perhaps_scratch(self, space: str, address: ir.Value, lane: ir.Value) -> None:
        """Replace in a lane's own memory, where the words of a number lie apart, or elsewhere."""
        access, build = self.access, self.build
        with build.if_else(access.is_in("private_base", address)) as (yes, no):
            with yes:
                self._in_scratch(build.and_(address, I64(0xFFFFFFFF)), lane)
            with no:
                self._replace(space, address, lane)

    def _in_scratch(self, address: ir.Value, lane: ir.Value) -> None:
        access, build = self.access, self.build
        access.scratch(address, lane, self.kind.width // 8)
        places = [
            access.scratch_place(build.add(address, I64(offset)), lane)
            for offset in range(0, self.kind.width // 8, 4)
        ]
        number: ir.Value = self.kind(0)
        for shift, place in enumerate(places):
            word = self._resized(build.load(place, align=4, typ=I32), self.kind)
            number = build.or_(number, build.shl(word, self.kind(32 * shift)))
        new = self.update(self.engine, number, self._values(lane))
        for shift, place in enumerate(places):
            word = self._resized(build.lshr(new, self.kind(32 * shift)), I32)
            build.store(word, place, align=4)
        build.store(number, self._place(0, lane), align=4)

    def _resized(self, number: ir.Value, kind: ir.IntType) -> ir.Value:
        if kind == number.type:
            return number
        wider = kind.width > number.type.width
        return self.build.zext(number, kind) if wider else self.build.trunc(number, kind)

    def _values(self, lane: ir.Value) -> list[ir.Value]:
        return [self._load(self._place(n + 1, lane)) for n in range(self.operands)]

    def _replace(self, space: str, address: ir.Value, lane: ir.Value) -> None:
        size_bytes = self.kind.width // 8
        pointer = self.access.find(space, address, lane, size_bytes, WRITE)
        values = self._values(lane)
        if space == "lds":
            # Waves of a workgroup run one after the other.
            old = self._load(pointer)
            self.build.store(self.update(self.engine, old, values), pointer, align=4)
        else:
            old = self._exchange(pointer, values)
        self.build.store(old, self._place(0, lane), align=4)

    def _exchange(self, pointer: ir.Value, values: list[ir.Value]) -> ir.Value:
        """Compute, and exchange if memory is as it was; else once more."""
        build = self.build
        first = self._load(pointer)
        before = build.block
        top, after = build.append_basic_block("again"), build.append_basic_block("done")
        build.branch(top)
        build.position_at_end(top)
        old = build.phi(self.kind)
        old.add_incoming(first, before)
        new = self.update(self.engine, old, values)
        result = build.cmpxchg(pointer, old, new, "seq_cst")
        old.add_incoming(build.extract_value(result, 0), build.block)
        build.cbranch(build.extract_value(result, 1), after, top)
        build.position_at_end(after)
        return old

    def _place(self, number: int, lane: ir.Value) -> ir.Value:
        index = self.build.add(lane, I64(number * self.access.lanes))
        return self.build.gep(self.access.arguments[1], [index], source_etype=self.kind)

    def _load(self, pointer: ir.Value) -> ir.Value:
        return self.build.load(pointer, align=4, typ=self.kind)


@emitter("atomic", soon=True)
def atomic(
    function: ir.Function,
    machine: Machine,
    runtime: Runtime,
    space: str,
    bits: int,
    operands: int,
    name: str,
) -> None:
    """Write int (frame, addresses, numbers, mask): replace a number of each lane."""
    access = lane_access(function, runtime, space, writes=True)
    Atomic(access, machine, runtime, bits, operands, name).emit(space)
