"""The function of the runtime that runs blocks step by step."""

from functools import cache

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.machine.compiled.records import I32, I64, POINTER, Records
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import GROUP, LAUNCH, PLACES, STEP, WAVE, Status, place

_ADDRESS_BYTES = 8


@cache
def step_function(size: int) -> ir.FunctionType:
    """Give the type of a step's function: i32 (wave, step, active lanes, places)."""
    return ir.FunctionType(I32, [POINTER] * 2 + [ir.IntType(size)] + [POINTER] * PLACES)


@emitter("run_steps")
def run_steps(function: ir.Function, machine: Machine, runtime: Runtime, exec_code: int) -> None:
    """Write i32 (wave, group, launch, block): run from a block on until one has no steps.

    Gives the number of that block, or the status that a step gave. What nearly every step needs is
    passed to it: the mask of active lanes, and the first places that its arguments name.
    """
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    wave, group, launch, first = function.args
    starts = records.pointer(launch, place(LAUNCH, "steps"))
    counts = records.pointer(group, place(GROUP, "counts"))
    for name, value in (("group", group), ("launch", launch)):
        records.put(wave, place(WAVE, name), build.ptrtoint(value, I64))
    before = build.block
    enter, found, step, leave = (build.append_basic_block() for _ in range(4))
    build.branch(enter)
    build.position_at_end(enter)
    block = build.phi(I32)
    block.add_incoming(first, before)
    offset = build.mul(build.zext(block, I64), I64(_ADDRESS_BYTES))
    start = build.load(records.at(starts, offset), typ=I64)
    build.cbranch(build.icmp_unsigned("==", start, I64(0)), leave, found)
    build.position_at_end(found)
    count = records.at(counts, offset)
    build.store(build.add(build.load(count, typ=I64), I64(1)), count)
    build.branch(step)
    build.position_at_end(step)
    own = build.phi(I64)
    own.add_incoming(start, found)
    result = _result(records, wave, own, step_function(runtime.size), exec_code)
    own.add_incoming(build.add(own, I64(STEP.itemsize)), step)
    decide = build.append_basic_block()
    goes_on = build.icmp_signed("==", result, I32(int(Status.GOES_ON)))
    build.cbranch(goes_on, step, decide)
    build.position_at_end(decide)
    block.add_incoming(result, decide)
    stopped = build.append_basic_block()
    build.cbranch(build.icmp_signed(">=", result, I32(0)), enter, stopped)
    build.position_at_end(stopped)
    build.ret(result)
    build.position_at_end(leave)
    build.ret(block)


def _result(
    records: Records, wave: ir.Value, step: ir.Value, kind: ir.FunctionType, exec_code: int
) -> ir.Value:
    """Call the function of a step."""
    build = records.build
    record = build.inttoptr(step, POINTER)
    code = records.pointer(record, place(STEP, "function"))
    code.type = kind.as_pointer()
    mask = records.get(wave, place(WAVE, "scalars", exec_code), kind.args[2])
    offsets = [records.get(record, place(STEP, "arguments", n), I64) for n in range(PLACES)]
    places = [records.at(wave, offset) for offset in offsets]
    return build.call(code, [wave, record, mask, *places])
