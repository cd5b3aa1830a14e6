"""An instruction under given modifiers, made ready once and called often."""

import ctypes
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wavemma.engines.jit import Jit, shared_jit
from wavemma.engines.machine import Machine
from wavemma.errors import ArrayMistake
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.execute.modifiers import factor_signs, result_signs
from wavemma.execute.wave_kernel import wave_function
from wavemma.execute.wave_product import WaveProduct
from wavemma.fragments import Fragment, Registers, batch_of, check_registers
from wavemma.isa.instruction import Instruction
from wavemma.layouts.layout import REGISTER_BITS
from wavemma.numerics.model import Model, model
from wavemma.numerics.ranges import fast_path
from wavemma.tables.targets import Wave

_ADDRESS = "__array_interface__"
_Start = ctypes.c_char * 0


class CompiledInstruction:
    """Runs an instruction on registers by compiled code; bits as `execute` gives them.

    Args:
        instruction: An instruction that multiplies.
        wave: Lanes of the wave.
        effects: Modifier values by the effect names of the rows.
        summing: The arithmetic model.
        keep_finite: The mode bit that turns an f16 overflow into the largest finite number.
        jit: The compiler.
        lane_words: If not empty, arrays are [..., lane, register] as compilers pass them; by
            role, how many registers a lane has in them.

    """

    def __init__(
        self,
        instruction: Instruction,
        wave: Wave,
        effects: Mapping[str, int],
        summing: Model,
        jit: Jit,
        *,
        keep_finite: bool = False,
        lane_words: Mapping[str, int] | None = None,
    ) -> None:
        product = wave_product(
            instruction,
            wave,
            effects,
            summing,
            jit.machine,
            keep_finite=keep_finite,
            lane_words=lane_words,
        )
        self.fragments = product.fragments
        self.instruction = instruction
        self._function = wave_function(product, jit)
        self._shapes = {
            role: (lanes, words) if lane_words else (words, lanes)
            for role, words, lanes in _sizes(self.fragments, lane_words or {})
        }
        self._inputs = [(role, shape) for role, shape in self._shapes.items() if role != "d"]
        # Which input the result's registers are, where nothing else is said to stand there.
        roles = [role for role, _ in self._inputs]
        self._tied = roles.index("c") if self._shapes["c"] == self._shapes["d"] else None
        self._fills = _fills(product, self._shapes["d"])

    def __call__(self, registers: Mapping[str, Registers]) -> Registers:
        """Run on one wave or a batch.

        Args:
            registers: By role as `execute` takes them, or [..., lane, register] with
                `lane_words`; batch axes broadcast.

        Returns:
            The result's registers in the same order, new uint32.

        Raises:
            ArrayMistake: A role is missing, or an array has another type or shape.

        """
        given = [self._checked(registers, role, shape) for role, shape in self._inputs]
        before = self._before(registers["d"]) if "d" in registers else None
        every = given if before is None else [*given, before]
        batch = given[0].shape[:-2]
        if [array for array in every if array.shape[:-2] != batch]:
            batch = batch_of(every)
            given = [np.ascontiguousarray(_over(array, batch)) for array in given]
        if before is None and self._tied is not None:
            before = given[self._tied]
        result = self._result(before, batch)
        if result.size:
            count = result.size // (self._shapes["d"][0] * self._shapes["d"][1])
            self._function(count, *map(_place, given), _place(result))
        return result

    def _before(self, given: npt.ArrayLike) -> Registers:
        before = np.asarray(given)
        if before.dtype != np.uint32 or before.shape[-2:] != self._shapes["d"]:
            check_registers(before, *self._shapes["d"])
        return before

    def _checked(
        self, registers: Mapping[str, Registers], role: str, shape: tuple[int, int]
    ) -> Registers:
        array = registers.get(role)
        if array is None:
            needed = [each for each, _ in self._inputs]
            raise ArrayMistake(
                f"{self.instruction.name} needs registers for {', '.join(needed)}; {role} is"
                " missing.",
                subject=role,
            )
        if not isinstance(array, np.ndarray):
            array = np.asarray(array)
        if array.dtype != np.uint32 or array.shape[-2:] != shape:
            raise ArrayMistake(
                f"Registers of {role} must be uint32 [..., {shape[0]}, {shape[1]}]; given"
                f" {array.dtype} {list(array.shape)}.",
                subject=array.shape,
            )
        return array if array.flags.c_contiguous else np.ascontiguousarray(array)

    def _result(self, before: Registers | None, batch: tuple[int, ...]) -> Registers:
        shape = (*batch, *self._shapes["d"])
        if before is None:
            return np.zeros(shape, dtype=np.uint32)
        if before.shape == shape:
            return np.empty(shape, dtype=np.uint32) if self._fills else before.copy()
        return np.array(np.broadcast_to(before, shape), dtype=np.uint32, order="C")


def _place(array: Registers) -> int | ctypes.Array[ctypes.c_char]:
    """Give where an array begins, as ctypes takes it; asking NumPy for the number is slow."""
    if array.flags.writeable:
        return _Start.from_buffer(array.data)
    address: int = getattr(array, _ADDRESS)["data"][0]
    return address


def _fills(product: WaveProduct, shape: tuple[int, int]) -> bool:
    """Tell whether elements of D take up every bit of a result."""
    fragment = product.fragments["d"]
    m, n, _ = product.shape
    return product.blocks * m * n * fragment.bits == shape[0] * shape[1] * REGISTER_BITS


def wave_product(
    instruction: Instruction,
    wave: Wave,
    effects: Mapping[str, int],
    summing: Model,
    machine: Machine,
    *,
    keep_finite: bool = False,
    lane_words: Mapping[str, int] | None = None,
) -> WaveProduct:
    """Put together what the compiled function of an instruction depends on.

    Args:
        instruction: An instruction that multiplies.
        wave: Lanes of the wave.
        effects: Modifier values by the effect names of the rows.
        summing: The arithmetic model.
        machine: The processor that it is to be fast on.
        keep_finite: The mode bit that turns an f16 overflow into the largest finite number.
        lane_words: As for `CompiledInstruction`.

    """
    operands = operands_of(instruction, wave, effects)
    setting = setting_of(instruction, operands, effects, keep_finite)
    moved = {role: fragment for role, fragment in operands.moved.items() if role != "d"}
    m, n, _ = instruction.shape
    clear, flip = result_signs(operands.formats["c"], effects)
    return WaveProduct(
        fragments={**moved, "d": operands.moved["d"]},
        shape=(m, n, setting.depth),
        blocks=instruction.blocks,
        path=summing.whole_path(setting),
        fast=fast_path(summing, setting, setting.depth, machine),
        setting=setting,
        signs={
            "a": factor_signs(operands.formats["a"], "a", effects),
            "b": factor_signs(operands.formats["b"], "b", effects),
        },
        c_clear=clear,
        c_flip=flip,
        lane_words=dict(lane_words or {}),
    )


def _sizes(
    fragments: Mapping[str, Fragment], lane_words: Mapping[str, int]
) -> Iterator[tuple[str, int, int]]:
    for role, fragment in fragments.items():
        yield role, lane_words.get(role, fragment.registers), fragment.lanes


def _over(array: Registers, batch: tuple[int, ...]) -> Registers:
    return np.broadcast_to(array, (*batch, *array.shape[-2:]))


def compiled_instruction(
    instruction: Instruction,
    wave: Wave | None = None,
    effects: Mapping[str, int] | None = None,
    model_name: str | None = None,
    *,
    keep_finite: bool = False,
    jit: Jit | None = None,
    lane_words: Mapping[str, int] | None = None,
) -> CompiledInstruction:
    """Make an instruction ready, or find it.

    Args:
        instruction: An instruction that multiplies.
        wave: Lanes of the wave, the default wave size if None.
        effects: Modifier values by the effect names of the rows.
        model_name: An arithmetic model other than the row's.
        keep_finite: The mode bit that turns an f16 overflow into the largest finite number.
        jit: The compiler; this process's own if None.
        lane_words: As for `CompiledInstruction`.

    Raises:
        EncodingMistake: It does not multiply.
        OutOfRange: A modifier has a value that the instruction cannot have.
        UnknownModel: No such model.

    """
    lanes = wave or instruction.waves[0]
    chosen = tuple(sorted((effects or {}).items()))
    words = tuple((lane_words or {}).items())
    return _made(instruction, lanes, chosen, model_name, keep_finite, jit or shared_jit(), words)


@lru_cache(maxsize=4096)
def _made(
    instruction: Instruction,
    wave: Wave,
    effects: tuple[tuple[str, int], ...],
    model_name: str | None,
    keep_finite: bool,
    jit: Jit,
    lane_words: tuple[tuple[str, int], ...],
) -> CompiledInstruction:
    summing = model(model_name or instruction.model(wave))
    return CompiledInstruction(
        instruction,
        wave,
        dict(effects),
        summing,
        jit,
        keep_finite=keep_finite,
        lane_words=dict(lane_words),
    )
