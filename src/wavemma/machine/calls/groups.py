"""Functions of the runtime that run waves and workgroups, and their barriers."""

from collections.abc import Sequence

import llvmlite.ir as ir

from wavemma.engines.float_mode import FloatMode
from wavemma.engines.loops import counted_loop
from wavemma.engines.machine import Machine
from wavemma.machine.compiled.records import I32, I64, POINTER, Records
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import GROUP, LAUNCH, WAVE, Fault, Status, place

BLOCK = ir.FunctionType(I32, [POINTER, POINTER, POINTER, I32])


@emitter("signal")
def signal(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write void (wave, group): the wave arrives; the last one begins a new phase."""
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    wave, group = function.args
    records.put(wave, place(WAVE, "phase"), records.get(group, place(GROUP, "phase")))
    arrived = build.add(records.get(group, place(GROUP, "arrived")), I32(1))
    records.put(group, place(GROUP, "arrived"), arrived)
    _complete(records, group)
    build.ret_void()


def _complete(records: Records, group: ir.Value) -> None:
    """Begin a new phase of the barrier if all waves that it expects have arrived."""
    build = records.build
    arrived = records.get(group, place(GROUP, "arrived"))
    enough = build.icmp_unsigned(">=", arrived, records.get(group, place(GROUP, "expected")))
    some = build.icmp_unsigned("!=", arrived, I32(0))
    with build.if_then(build.and_(enough, some)):
        records.put(group, place(GROUP, "arrived"), I32(0))
        phase = records.get(group, place(GROUP, "phase"))
        records.put(group, place(GROUP, "phase"), build.add(phase, I32(1)))


@emitter("missing")
def missing(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write i32 (wave, group, launch, block): stands for blocks that are not compiled yet."""
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    wave, _, _, block = function.args
    records.put(wave, place(WAVE, "block"), block)
    build.ret(I32(int(Status.MISSING)))


@emitter("beyond")
def beyond(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write i32 (wave, group, launch, block): stands for the block behind the last one."""
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    wave = function.args[0]
    records.put(wave, place(WAVE, "fault_kind"), I32(int(Fault.NO_CODE)))
    build.ret(I32(int(Status.FAULT)))


@emitter("run_wave")
def run_wave(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write i32 (wave, group, launch): run blocks until the wave stops; gives its status.

    What is left of the budget stays when a wave waits: one that waits in an endless loop gives way
    some time, too. Far jumps count as back-edges do, as they may lead anywhere.
    """
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    wave, group, launch = function.args
    left = records.get(wave, place(WAVE, "budget"), I64)
    whole = records.get(launch, place(LAUNCH, "budget"), I64)
    spent = build.icmp_signed("<=", left, I64(0))
    records.put(wave, place(WAVE, "budget"), build.select(spent, whole, left))
    functions = records.pointer(launch, place(LAUNCH, "functions"))
    first = records.get(wave, place(WAVE, "block"))
    before = build.block
    top, stopped = build.append_basic_block(), build.append_basic_block()
    build.branch(top)
    build.position_at_end(top)
    block = build.phi(I32)
    block.add_incoming(first, before)
    slot = build.gep(functions, [build.zext(block, I64)], source_etype=I64)
    code = build.inttoptr(build.load(slot, typ=I64), POINTER)
    code.type = BLOCK.as_pointer()
    following = build.call(code, [wave, group, launch, block])
    block.add_incoming(following, build.block)
    build.cbranch(build.icmp_signed(">=", following, I32(0)), top, stopped)
    build.position_at_end(stopped)
    found = _block_of_target(records, wave, launch, following)
    jumped, done, tired = (build.append_basic_block() for _ in range(3))
    build.cbranch(build.icmp_signed(">=", found, I32(0)), jumped, done)
    build.position_at_end(done)
    build.ret(following)
    build.position_at_end(jumped)
    left = build.sub(records.get(wave, place(WAVE, "budget"), I64), I64(1))
    records.put(wave, place(WAVE, "budget"), left)
    block.add_incoming(found, build.block)
    build.cbranch(build.icmp_signed("<=", left, I64(0)), tired, top)
    build.position_at_end(tired)
    records.put(wave, place(WAVE, "block"), found)
    build.ret(I32(int(Status.GAVE_WAY)))


def _block_of_target(
    records: Records, wave: ir.Value, launch: ir.Value, status: ir.Value
) -> ir.Value:
    """Give the block at the address that a far jump leads to, or -1."""
    build = records.build
    before = build.block
    look, inside, after = (build.append_basic_block() for _ in range(3))
    is_far = build.icmp_signed("==", status, I32(int(Status.UNKNOWN_TARGET)))
    build.cbranch(is_far, look, after)
    build.position_at_end(look)
    target = records.get(wave, place(WAVE, "target"), I64)
    offset = build.sub(target, records.get(launch, place(LAUNCH, "code"), I64))
    size = records.get(launch, place(LAUNCH, "code_bytes"), I64)
    fits = build.icmp_unsigned("<", offset, size)
    aligned = build.icmp_unsigned("==", build.and_(offset, I64(3)), I64(0))
    looked = build.block
    build.cbranch(build.and_(fits, aligned), inside, after)
    build.position_at_end(inside)
    table = records.pointer(launch, place(LAUNCH, "block_of_word"))
    word = build.gep(table, [build.lshr(offset, I64(2))], source_etype=I32)
    number = build.sub(build.load(word, typ=I32), I32(1))
    held = build.block
    build.branch(after)
    build.position_at_end(after)
    found = build.phi(I32)
    found.add_incoming(I32(-1), before)
    found.add_incoming(I32(-1), looked)
    found.add_incoming(number, held)
    return found


@emitter("run_group")
def run_group(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write i32 (group, launch): run all waves until all ended, or one cannot go on.

    Gives ENDED, FAULT, UNKNOWN_TARGET, GAVE_WAY if a wave wants others to run, or WAITING if all
    wait for a barrier that none can reach.
    """
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    group, launch = function.args
    waves = records.pointer(group, place(GROUP, "waves"))
    wave_bytes = records.get(group, place(GROUP, "wave_bytes"), I64)
    count = build.zext(records.get(group, place(GROUP, "count")), I64)
    run = runtime.declare(build.module, ("run_wave",), [POINTER] * 3, I32)
    round_ = build.append_basic_block()
    build.branch(round_)
    build.position_at_end(round_)

    def turn(number: ir.Value, carried: Sequence[ir.Value]) -> list[ir.Value]:
        wave = records.at(waves, build.mul(number, wave_bytes))
        return _turn(records, run, (wave, group, launch), number, carried)

    none = ir.IntType(1)(0)
    ran, gave_way, alive = counted_loop(build, count, [none, none, none], turn)
    for over, status in (
        (build.not_(alive), Status.ENDED),
        (build.not_(ran), Status.WAITING),
        (gave_way, Status.GAVE_WAY),
    ):
        with build.if_then(over):
            build.ret(I32(int(status)))
    build.branch(round_)


def _turn(
    records: Records,
    run: ir.Function,
    frame: tuple[ir.Value, ir.Value, ir.Value],
    number: ir.Value,
    carried: Sequence[ir.Value],
) -> list[ir.Value]:
    """Run one wave if it can run; tell whether any ran, gave way, or is alive."""
    build, (wave, group, launch) = records.build, frame
    status = records.get(wave, place(WAVE, "status"))
    ended = build.icmp_signed("==", status, I32(int(Status.ENDED)))
    phase = records.get(wave, place(WAVE, "phase"))
    same = build.icmp_unsigned("==", phase, records.get(group, place(GROUP, "phase")))
    waits = build.and_(build.icmp_signed("==", status, I32(int(Status.WAITING))), same)
    before = build.block
    runs, after = build.append_basic_block(), build.append_basic_block()
    build.cbranch(build.or_(ended, waits), after, runs)
    build.position_at_end(runs)
    result = build.call(run, [wave, group, launch])
    records.put(wave, place(WAVE, "status"), result)
    _stop_at_fault(records, group, number, result)
    over = build.icmp_signed("==", result, I32(int(Status.ENDED)))
    with build.if_then(over):
        expected = records.get(group, place(GROUP, "expected"))
        records.put(group, place(GROUP, "expected"), build.sub(expected, I32(1)))
        _complete(records, group)
    way = build.icmp_signed("==", result, I32(int(Status.GAVE_WAY)))
    ran_to = build.block
    build.branch(after)
    build.position_at_end(after)
    truth = ir.IntType(1)
    ran, gave = build.phi(truth), build.phi(truth)
    for phi, own in ((ran, truth(1)), (gave, way)):
        phi.add_incoming(truth(0), before)
        phi.add_incoming(own, ran_to)
    left = records.get(wave, place(WAVE, "status"))
    alive = build.icmp_signed("!=", left, I32(int(Status.ENDED)))
    return [build.or_(old, new) for old, new in zip(carried, (ran, gave, alive), strict=True)]


def _stop_at_fault(records: Records, group: ir.Value, number: ir.Value, result: ir.Value) -> None:
    """Return from the function if a wave cannot go on, or not before its code is compiled."""
    build = records.build
    stops = build.icmp_signed("==", result, I32(int(Status.FAULT)))
    for status in (Status.UNKNOWN_TARGET, Status.MISSING):
        stops = build.or_(stops, build.icmp_signed("==", result, I32(int(status))))
    with build.if_then(stops, likely=False):
        records.put(group, place(GROUP, "fault_wave"), build.trunc(number, I32))
        build.ret(result)


@emitter("run_groups")
def run_groups(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write i32 (group, launch): run workgroups in one place, one after the other.

    Goes on with the one that is there, then takes the next number from the launch until there is
    none (NO_MORE), or the launch must stop or so many as the place says have ended (ENDED), so that
    the host can look at the time and at signals; gives what `run_group` gave if one did not end.
    """
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    group, launch = function.args
    mode = FloatMode(build, machine)
    before = build.block
    top, fresh, run, start, out, done = (build.append_basic_block() for _ in range(6))
    build.branch(top)
    build.position_at_end(top)
    ended = build.phi(I32)
    ended.add_incoming(I32(1), before)
    running = records.get(group, place(GROUP, "is_running"))
    build.cbranch(build.icmp_unsigned("!=", running, I32(0)), run, fresh)
    build.position_at_end(fresh)
    index = build.atomic_rmw(
        "add", records.at(launch, place(LAUNCH, "next_group")), I64(1), "seq_cst"
    )
    more = build.icmp_unsigned("<", index, records.get(launch, place(LAUNCH, "groups"), I64))
    build.cbranch(more, start, out)
    build.position_at_end(start)
    begin = runtime.declare(build.module, ("start_group",), [POINTER, POINTER, I64], None)
    build.call(begin, [group, launch, index])
    build.branch(run)
    build.position_at_end(run)
    call = runtime.declare(build.module, ("run_group",), [POINTER, POINTER], I32)
    status = build.call(call, [group, launch])
    with build.if_then(build.icmp_signed("!=", status, I32(int(Status.ENDED))), likely=False):
        mode.restore()
        build.ret(status)
    records.put(group, place(GROUP, "is_running"), I32(0))
    stop = build.icmp_unsigned("!=", records.get(launch, place(LAUNCH, "stop")), I32(0))
    enough = build.icmp_unsigned(">=", ended, records.get(group, place(GROUP, "at_once")))
    ended.add_incoming(build.add(ended, I32(1)), build.block)
    build.cbranch(build.or_(stop, enough), done, top)
    for block, result in ((out, Status.NO_MORE), (done, Status.ENDED)):
        build.position_at_end(block)
        mode.restore()
        build.ret(I32(int(result)))
