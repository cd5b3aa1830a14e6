"""Functions of the runtime that reach memory word by word, at places that they compute."""

import llvmlite.ir as ir

from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.machine import Machine
from wavemma.machine.calls.lane_access import WORD_BYTES, LaneAccess
from wavemma.machine.calls.memory import call_on
from wavemma.machine.compiled.records import I32
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.machine.compiled.state import ALIGNMENT


@emitter("rare")
def rare(
    function: ir.Function, machine: Machine, runtime: Runtime, what: str, name: str, *sizes: int
) -> None:
    """Write int (frame, words, mask, lanes of each value, further numbers).

    Args:
        function: To write.
        machine: The processor.
        runtime: Of the function.
        what: "load" or "store".
        name: Of the places.
        sizes: How many values are lanes; how many bytes each place has.

    """
    lanes, part = sizes
    access = LaneAccess(function, runtime.size, writes=what == "store")
    build, (words, mask, *given) = access.build, access.arguments
    engine = LlvmEngine(build, runtime.size, machine)
    row = ir.VectorType(I32, runtime.size)
    values = [build.load(each, align=ALIGNMENT, typ=row) for each in given[:lanes]]
    values += [engine.splat(each) for each in given[lanes:]]
    found = runtime.rare[name](engine, *values)
    for number, (address, count) in enumerate(zip(found[::2], found[1::2], strict=True)):
        rooms = []
        for value in (address, count):
            with build.goto_entry_block():
                room = build.alloca(value.type)
            room.align = ALIGNMENT
            build.store(value, room, align=ALIGNMENT)
            rooms.append(build.bitcast(room, words.type))
        own = access.at(words, number * runtime.size * WORD_BYTES)
        call_on(
            access, runtime, (f"{what}_present", "global", part), (rooms[0], own, mask, rooms[1])
        )
    build.ret(I32(0))
