"""The functions of steps, each one instruction.

A function gives GOES_ON for the next step, the number of the block to run next, or another
`Status`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal, TypeVar

import llvmlite.ir as ir
import msgspec

from wavemma.engines.llvm_names import count_names
from wavemma.engines.machine import Machine
from wavemma.errors import Unsupported
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary
from wavemma.machine.calls.steps import step_function
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I32
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.state import Fault, Status
from wavemma.machine.operands import Operands
from wavemma.machine.perform import is_taken, perform, unit_of
from wavemma.machine.steps.form import ARGUMENTS, opened
from wavemma.machine.steps.turns import TurnWave, takes_turns
from wavemma.machine.steps.wave import StepWave
from wavemma.machine.value_type import value_type
from wavemma.tables.ordinary import Flow

Way = Literal["onward", "back", "nowhere"]
"""Where a jump by number leads: back in the code, so that it counts, or to no block."""
TARGET = ARGUMENTS - 1
"""The argument that holds the block that a jump leads to."""
_ADDRESS = value_type("u64")
AnyWave = TypeVar("AnyWave", bound=StepWave)


class Pattern(msgspec.Struct, frozen=True):
    """What a function is made of.

    Attributes:
        decoded: The instruction; None for none.
        codes: Source codes of registers without operands.
        is_open: Whether operands are arguments.
        way: Where it leads, if it jumps by number.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        traced: Whether it notes every store (see `instrument`).
        fault: What ends the wave where there is no instruction; none to go to the next block.
        indexed: Which operands count from M0 (see `indexed`).

    """

    decoded: AnyDecoded | None
    codes: Codes
    is_open: bool = False
    way: Way = "onward"
    accumulator_offset: int = 0
    keep_finite: bool = False
    traced: bool = False
    fault: Fault = Fault.NONE
    indexed: int | None = None


def emit_step(
    module: ir.Module, machine: Machine, runtime: Runtime, name: str, pattern: Pattern
) -> None:
    """Write the function of a step into a module.

    Raises:
        Unsupported: What it computes is not known, or not in this form.

    """
    decoded = pattern.decoded
    with _function(module, runtime, name) as function:
        if decoded is not None and pattern.indexed is None and takes_turns(decoded):
            with suppress(Unsupported):
                _emit_turns(_wave(TurnWave, _begun(function), machine, runtime, pattern), pattern)
                return
        _emit(_wave(StepWave, _begun(function), machine, runtime, pattern), pattern)


@contextmanager
def _function(module: ir.Module, runtime: Runtime, name: str) -> Iterator[ir.Function]:
    """Add the function; it is no part of the module if it cannot be written."""
    function = ir.Function(module, step_function(runtime.size), name)
    function.attributes.add("nounwind")
    try:
        yield function
    except BaseException:
        del module.globals[name]
        raise


def _begun(function: ir.Function) -> ir.IRBuilder:
    """Begin its code, in place of any that could not be written to its end."""
    function.blocks.clear()
    count_names(function)
    return ir.IRBuilder(function.append_basic_block("entry"))


def _wave(
    kind: type[AnyWave], build: ir.IRBuilder, machine: Machine, runtime: Runtime, pattern: Pattern
) -> AnyWave:
    wave = kind(
        build,
        machine,
        runtime.size,
        pattern.codes,
        runtime,
        accumulator_offset=pattern.accumulator_offset,
        keep_finite=pattern.keep_finite,
    )
    wave.traced = pattern.traced
    wave.indexed = pattern.indexed
    return wave


def _emit_turns(wave: TurnWave, pattern: Pattern) -> None:
    assert pattern.decoded is not None
    decoded = opened(pattern.decoded) if pattern.is_open else pattern.decoded
    wave.in_turns(lambda: perform(wave, decoded))
    wave.build.ret(I32(int(Status.GOES_ON)))


def _emit(wave: StepWave, pattern: Pattern) -> None:
    build, decoded = wave.build, pattern.decoded
    if pattern.fault:
        wave.fail(pattern.fault.name)
        return
    if decoded is None:
        build.ret(wave.following_block())
        return
    if pattern.is_open:
        decoded = opened(decoded)
    flow = "" if isinstance(decoded, Decoded) else decoded.instruction.row.flow
    if flow:
        assert isinstance(decoded, DecodedOrdinary)
        _FLOWS[flow](wave, decoded, pattern.way)
        return
    perform(wave, decoded)
    if not build.block.is_terminated:
        build.ret(I32(int(Status.GOES_ON)))


def _end(wave: StepWave, decoded: DecodedOrdinary, way: Way) -> None:
    wave.build.ret(I32(int(Status.ENDED)))


def _far(wave: StepWave, decoded: DecodedOrdinary, way: Way) -> None:
    """Go to an address in registers; the driver finds its block."""
    operands = Operands(wave, decoded, unit_of(decoded))
    address = operands.read("a", _ADDRESS)
    if "d" in operands.slots:
        operands.write("d", _ADDRESS, wave.program_counter())
    wave.jump(address)


def _call(wave: StepWave, decoded: DecodedOrdinary, way: Way) -> None:
    operands = Operands(wave, decoded, unit_of(decoded))
    operands.write("d", _ADDRESS, wave.program_counter())
    _jump(wave, decoded, way)


def _jump(wave: StepWave, decoded: DecodedOrdinary, way: Way) -> None:
    if way == "nowhere":
        wave.fail(Fault.NO_CODE.name)
        return
    target = wave.build.trunc(wave.argument(TARGET), I32)
    if way == "back":
        wave.count_down(target)
    wave.build.ret(target)


def _branch(wave: StepWave, decoded: DecodedOrdinary, way: Way) -> None:
    build = wave.build
    taken = is_taken(wave, decoded)
    with build.if_then(taken):
        _jump(wave, decoded, way)
    build.ret(wave.following_block())


_FLOWS: dict[Flow, Callable[[StepWave, DecodedOrdinary, Way], None]] = {
    "end": _end,
    "jump": _jump,
    "branch": _branch,
    "call": _call,
    "far_jump": _far,
    "far_call": _far,
}
