"""A wave inside the function of one instruction whose operands are arguments."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_scalar_engine import LlvmScalarEngine
from wavemma.engines.machine import Machine
from wavemma.errors import Unsupported
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I32, I64, POINTER
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.state import STEP, WAVE, place
from wavemma.machine.compiled.wave import LlvmWave
from wavemma.machine.offsets import OpenNumber
from wavemma.machine.steps.form import CONSTANTS, END, OPEN, STRIDE
from wavemma.machine.wave import WaveState
from wavemma.tables.targets import Wave

_WORD_BYTES = 4


class Watched(LlvmEngine):
    """An engine that notices when the number of an open register becomes a constant.

    Attributes:
        argument: Gives an argument of the step, I64.

    """

    argument: Callable[[int], ir.Value]

    def constant(self, lane: Lane, number: float) -> ir.Value:
        """Put one number in every lane."""
        if isinstance(number, OpenNumber):
            if int(number) < 0:
                raise Unsupported("What an instruction reads of itself must be known here.")
            value = self.argument(int(number))
            return self.splat(value if lane is Lane.I64 else self.builder.trunc(value, I32))
        if OPEN <= abs(number) < END:
            raise Unsupported("Which register an instruction names must be known here.")
        return super().constant(lane, number)


class WatchedScalars(Watched, LlvmScalarEngine):
    """The same for plain numbers."""


class StepWave(LlvmWave):
    """Emits the effects of one instruction in general form.

    Args:
        build: Where instructions go; the function's arguments are those of `step_function`.
        machine: The processor.
        size: Lanes of the wave.
        codes: Source codes of registers without operands.
        runtime: The functions that it calls.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.

    Attributes:
        width: Lanes of values; None for all of the wave.

    """

    width: int | None = None

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
        self._step, self._mask, *self._given = build.function.args[1:]
        self._arguments: dict[int, ir.Value] = {}
        self._places: dict[int, ir.Value] = dict(enumerate(self._given))
        self._is_mask_old = False

    def _engines(self, machine: Machine) -> tuple[LlvmEngine, LlvmScalarEngine]:
        width = self.width or self.size
        found = Watched(self.build, width, machine), WatchedScalars(self.build, machine)
        for each in found:
            each.argument = self.argument
        return found

    @contextmanager
    def at_entry(self) -> Iterator[None]:
        """Write at the entry of the function, where everything behind can use it."""
        entry = self.build.function.entry_basic_block
        if self.build.block is entry:
            yield
            return
        with self.build.goto_block(entry):
            yield

    def argument(self, number: int) -> ir.Value:
        """Give an argument of the step, I64."""
        if number not in self._arguments:
            with self.at_entry():
                self._arguments[number] = self._argument(number)
        return self._arguments[number]

    def _argument(self, number: int) -> ir.Value:
        if number >= len(self._given):
            return self.member(self._step, place(STEP, "arguments", number), I64)
        ends = [self.build.ptrtoint(each, I64) for each in (self._given[number], self.wave)]
        return self.build.sub(*ends)

    @cached_property
    def group(self) -> ir.Value:
        """The address of the workgroup."""
        return self._of_wave("group")

    @cached_property
    def launch(self) -> ir.Value:
        """The address of the launch."""
        return self._of_wave("launch")

    def _of_wave(self, name: str) -> ir.Value:
        with self.at_entry():
            return self.member(self.wave, place(WAVE, name), POINTER)

    def mask(self, code: int) -> ir.Value:
        """Read a mask, as wide as the wave."""
        if code == self.codes.exec and not self._is_mask_old:
            return self._mask
        return super().mask(code)

    def set_scalar(self, code: int, value: ir.Value) -> None:
        """Write a scalar register."""
        super().set_scalar(code, value)
        self._is_mask_old |= code in (self.codes.exec, self.codes.exec + 1)

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
        if argument not in self._places:
            offset = self.argument(argument)
            with self.at_entry():
                self._places[argument] = self.at(self.wave, offset)
        found = self._places[argument]
        return self.at(found, behind * size_bytes) if behind else found

    def scalar(self, code: int) -> ir.Value:
        """Read a scalar register, or a constant that stands for one."""
        if code < CONSTANTS:
            return super().scalar(code)
        argument, behind = divmod(code - CONSTANTS, STRIDE)
        if behind:
            raise Unsupported("A constant must have 32 bits here.")
        return self.build.trunc(self.argument(argument), I32)

    # To weave lanes takes longer to compile than a step that runs seldom wins by it.

    def wide(self, first: int) -> ir.Value:
        """Read two vector registers as I64 lanes."""
        return WaveState.wide(self, first)

    def set_wide(self, first: int, value: ir.Value, *, everywhere: bool = False) -> None:
        """Write I64 lanes into two vector registers."""
        WaveState.set_wide(self, first, value, everywhere=everywhere)

    def own_offset(self) -> ir.Value:
        """Give where the instruction lies in the code, in bytes."""
        return self.member(self._step, place(STEP, "offset"), I32)

    def following_offset(self) -> ir.Value:
        """Give where the next instruction lies in the code, in bytes."""
        return self.build.zext(self.member(self._step, place(STEP, "behind"), I32), I64)

    def following_block(self) -> ir.Value:
        """Give the number of the block behind the instruction."""
        return self.member(self._step, place(STEP, "following"), I32)
