"""The function of the runtime that puts a workgroup at its start."""

import llvmlite.ir as ir

from wavemma.engines.loops import counted_loop
from wavemma.engines.machine import Machine
from wavemma.machine.compiled.records import I8, I32, I64, Records
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import GROUP, LAUNCH, PATCH, PATCHES, WAVE, place


@emitter("start_group")
def start_group(function: ir.Function, machine: Machine, runtime: Runtime) -> None:
    """Write void (group, launch, index): put a workgroup and its waves at their start."""
    build = ir.IRBuilder(function.append_basic_block())
    records = Records(build)
    group, launch, index = function.args
    _identify(records, group, launch, index)
    count = records.get(group, place(GROUP, "count"))
    for name, value in (("expected", count), ("arrived", I32(0)), ("phase", I32(0))):
        records.put(group, place(GROUP, name), value)
    records.put(group, place(GROUP, "is_running"), I32(1))
    lds = records.pointer(group, place(GROUP, "lds"))
    size = build.zext(records.get(group, place(GROUP, "lds_bytes")), I64)
    _fill(build, lds, size)
    waves = records.pointer(group, place(GROUP, "waves"))
    wave_bytes = records.get(group, place(GROUP, "wave_bytes"), I64)
    templates = records.pointer(launch, place(LAUNCH, "templates"))
    template_bytes = records.get(launch, place(LAUNCH, "template_bytes"), I64)
    scratch_bytes = records.get(launch, place(LAUNCH, "scratch_bytes"), I64)

    def turn(number: ir.Value, carried: object) -> list[ir.Value]:
        wave = records.at(waves, build.mul(number, wave_bytes))
        _copy(build, wave, records.at(templates, build.mul(number, template_bytes)), template_bytes)
        rest = build.sub(wave_bytes, template_bytes)
        _fill(build, records.at(wave, template_bytes), rest)
        own = build.mul(number, scratch_bytes)
        base = build.add(records.get(group, place(GROUP, "scratch"), I64), own)
        records.put(wave, place(WAVE, "scratch"), base)
        _patch(records, wave, group, launch)
        return []

    counted_loop(build, build.zext(count, I64), [], turn)
    build.ret_void()


def _identify(records: Records, group: ir.Value, launch: ir.Value, index: ir.Value) -> None:
    """Note number and place of the workgroup; x runs fastest."""
    build = records.build
    records.put(group, place(GROUP, "index"), index)
    rest = index
    for axis in range(3):
        size = build.zext(records.get(launch, place(LAUNCH, "grid", axis)), I64)
        number = build.trunc(build.urem(rest, size), I32)
        records.put(group, place(GROUP, "id", axis), number)
        rest = build.udiv(rest, size)


def _patch(records: Records, wave: ir.Value, group: ir.Value, launch: ir.Value) -> None:
    """Write the numbers of the workgroup, and where scratch is, into registers that have them."""
    build = records.build
    x, y, z = (records.get(group, place(GROUP, "id", axis)) for axis in range(3))
    scratch = records.get(wave, place(WAVE, "scratch"), I64)
    halves = build.trunc(scratch, I32), build.trunc(build.lshr(scratch, I64(32)), I32)
    groups = x, y, z, build.or_(y, build.shl(z, I32(16)))
    values = dict(zip(PATCHES, (*groups, *halves), strict=True))
    patches = records.pointer(launch, place(LAUNCH, "patches"))
    count = records.get(launch, place(LAUNCH, "patch_count"), I64)

    def turn(number: ir.Value, carried: object) -> list[ir.Value]:
        patch = records.at(patches, build.mul(number, I64(PATCH.itemsize)))
        what = records.get(patch, place(PATCH, "what"))
        value: ir.Value = I32(0)
        for kind, name in enumerate(PATCHES):
            value = build.select(build.icmp_unsigned("==", what, I32(kind)), values[name], value)
        code = build.zext(records.get(patch, place(PATCH, "code")), I64)
        offset = build.add(I64(place(WAVE, "scalars")), build.mul(code, I64(4)))
        register = records.at(wave, offset)
        value = build.or_(value, build.load(register, align=4, typ=I32))
        build.store(value, register, align=4)
        return []

    some = build.icmp_unsigned("!=", count, I64(0))
    with build.if_then(some):
        counted_loop(build, count, [], turn)


def _copy(build: ir.IRBuilder, to: ir.Value, source: ir.Value, size: ir.Value) -> None:
    _intrinsic(build, "llvm.memcpy.p0.p0.i64", to, source, size)


def _fill(build: ir.IRBuilder, to: ir.Value, size: ir.Value) -> None:
    _intrinsic(build, "llvm.memset.p0.i64", to, I8(0), size)


def _intrinsic(build: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    every = (*arguments, ir.IntType(1)(0))
    module = build.module
    if name not in module.globals:
        kind = ir.FunctionType(ir.VoidType(), [each.type for each in every])
        ir.Function(module, kind, name)
    build.call(module.globals[name], every)
