"""A wave inside the function of one instruction whose operands are arguments."""

from collections.abc import Callable

import llvmlite.ir as ir

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.machine import Machine
from wavemma.errors import Unsupported
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I32, I64
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.state import STEP, place
from wavemma.machine.compiled.wave import LlvmWave
from wavemma.machine.offsets import OpenNumber
from wavemma.machine.steps.form import CONSTANTS, END, OPEN, STRIDE
from wavemma.tables.targets import Wave

_WORD_BYTES = 4


class _Watched(LlvmEngine):
    """An engine that notices when the number of an open register becomes a constant.

    Args:
        builder: Where instructions go.
        width: Lanes of every value.
        machine: The processor.
        argument: Gives an argument of the step, I64.

    """

    def __init__(
        self,
        builder: ir.IRBuilder,
        width: int,
        machine: Machine,
        argument: Callable[[int], ir.Value],
    ) -> None:
        super().__init__(builder, width, machine)
        self._argument = argument

    def constant(self, lane: Lane, number: float) -> ir.Value:
        """Put one number in every lane."""
        if isinstance(number, OpenNumber):
            if int(number) < 0:
                raise Unsupported("What an instruction reads of itself must be known here.")
            value = self._argument(int(number))
            return self.splat(value if lane is Lane.I64 else self.builder.trunc(value, I32))
        if OPEN <= abs(number) < END:
            raise Unsupported("Which register an instruction names must be known here.")
        return super().constant(lane, number)


class StepWave(LlvmWave):
    """Emits the effects of one instruction in general form.

    Args:
        build: Where instructions go; the function's arguments are wave, group, launch, step.
        machine: The processor.
        size: Lanes of the wave.
        codes: Source codes of registers without operands.
        runtime: The functions that it calls.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.

    """

    def __init__(
        self,
        build: ir.IRBuilder,
        machine: Machine,
        size: Wave,
        codes: Codes,
        runtime: Runtime,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
    ) -> None:
        super().__init__(
            build,
            machine,
            size,
            codes,
            runtime,
            accumulator_offset=accumulator_offset,
            keep_finite=keep_finite,
        )
        self._step = build.function.args[3]
        self._arguments: dict[int, ir.Value] = {}

    def _engine(self, width: int, machine: Machine) -> Engine[ir.Value]:
        return _Watched(self.build, width, machine, self.argument)

    def argument(self, number: int) -> ir.Value:
        """Give an argument of the step, I64."""
        if number not in self._arguments:
            with self.build.goto_entry_block():
                at = place(STEP, "arguments") + 8 * number
                self._arguments[number] = self.member(self._step, at, I64)
        return self._arguments[number]

    def vector_place(self, number: int) -> ir.Value:
        """Give the address of a vector register."""
        if number < OPEN:
            return super().vector_place(number)
        return self._open_place(number, self.size * _WORD_BYTES)

    def scalar_place(self, code: int) -> ir.Value:
        """Give the address of a scalar register."""
        return super().scalar_place(code) if code < OPEN else self._open_place(code, _WORD_BYTES)

    def _open_place(self, number: int, size_bytes: int) -> ir.Value:
        argument, behind = divmod(number - OPEN, STRIDE)
        offset = self.argument(argument)
        if behind:
            offset = self.build.add(offset, I64(behind * size_bytes))
        return self.at(self.wave, offset)

    def scalar(self, code: int) -> ir.Value:
        """Read a scalar register, or a constant that stands for one."""
        if code < CONSTANTS:
            return super().scalar(code)
        argument, behind = divmod(code - CONSTANTS, STRIDE)
        if behind:
            raise Unsupported("A constant must have 32 bits here.")
        return self.one(self.build.trunc(self.argument(argument), I32))

    def own_offset(self) -> ir.Value:
        """Give where the instruction lies in the code, in bytes."""
        return self.member(self._step, place(STEP, "offset"), I32)

    def following_offset(self) -> ir.Value:
        """Give where the next instruction lies in the code, in bytes."""
        return self.build.zext(self.member(self._step, place(STEP, "behind"), I32), I64)

    def following_block(self) -> ir.Value:
        """Give the number of the block behind the instruction."""
        return self.member(self._step, place(STEP, "following"), I32)
