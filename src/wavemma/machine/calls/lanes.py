"""Functions of the runtime that move numbers between lanes."""

from collections.abc import Sequence

import llvmlite.ir as ir

from wavemma.engines.loops import counted_loop
from wavemma.engines.machine import Machine
from wavemma.machine.compiled.runtime import Runtime, emitter

I32, I64 = ir.IntType(32), ir.IntType(64)


@emitter("permute", soon=True)
def permute(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write void (numbers, lanes, result): take for each lane the number of another lane."""
    build = ir.IRBuilder(function.append_basic_block())
    numbers, lanes, result = function.args

    def turn(lane: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
        source = build.load(build.gep(lanes, [lane], source_etype=I32), typ=I32)
        place = build.gep(numbers, [build.zext(source, I64)], source_etype=I32)
        build.store(build.load(place, typ=I32), build.gep(result, [lane], source_etype=I32))
        return carried

    counted_loop(build, I64(runtime.size), [], turn)
    build.ret_void()
