"""Call a builtin on NumPy fragments: the same arguments in the same order as in HIP."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.clang_builtins.names import instructions_of
from wavemma.clang_builtins.signatures import (
    Argument,
    CType,
    Signature,
    from_words,
    signature,
    to_words,
)
from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.execute import operands_of
from wavemma.execute.compiled import CompiledInstruction, compiled_instruction
from wavemma.fragments import Fragment
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier
from wavemma.tables.builtins import arguments, builtin_row
from wavemma.tables.targets import Wave

OPTIONAL = "(optional)"
_WHOLE = (int, np.integer, np.bool_)


class Operand(NamedTuple):
    """An argument that holds registers: its place in the call, its role, its type."""

    place: int
    role: str
    ctype: CType
    name: str


class Ready(NamedTuple):
    """A builtin with its constants: the compiled instruction and what to hand to it."""

    run: CompiledInstruction
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Builtin:
    """A builtin of one target, ready to be called.

    Attributes:
        signature: Arguments and result.
        instructions: What it becomes; a scaled form is last.
        wave: Lanes of the wave.

    """

    signature: Signature
    instructions: tuple[Instruction, ...]
    wave: Wave
    _ready: dict[tuple[object, ...], Ready] = field(default_factory=dict, repr=False, compare=False)

    def __call__(
        self, *given: npt.ArrayLike, model_name: str | None = None, keep_finite: bool = False
    ) -> npt.NDArray[Any]:
        """Run the instruction that the compiler would emit.

        Args:
            *given: The arguments of the prototype in its order. A fragment is an array of the
                prototype's element type, [..., lanes, elements], in the compiler's element order;
                a scalar operand is [..., lanes]; a constant is an integer of Python or NumPy.
            model_name: An arithmetic model other than the instruction's.
            keep_finite: The mode bit that turns an f16 overflow into the largest finite number.

        Returns:
            The result's fragment, [..., lanes, elements].

        Raises:
            ArrayMistake: Wrong number of arguments, or an array of another type or shape.
            OutOfRange: A constant that the instruction cannot take.

        """
        # NumPy's integers are read here: what is kept for a call must be kept by their values.
        values = [int(v) if isinstance(v, _WHOLE) else v for v in self._filled(given)]
        constants = tuple(value if isinstance(value, int) else None for value in values)
        key = (constants, model_name, keep_finite)
        ready = self._ready.get(key)
        if ready is None:
            ready = self._ready[key] = self._make(values, model_name, keep_finite)
        registers = {
            operand.role: to_words(values[operand.place], operand.ctype, self.wave, operand.name)
            for operand in ready.operands
        }
        return from_words(ready.run(registers), self.signature.returns)

    def _filled(self, given: Sequence[npt.ArrayLike]) -> Sequence[npt.ArrayLike]:
        """Add zeros for optional arguments that were left out."""
        wanted = self.signature.arguments
        if len(given) == len(wanted):
            return given
        missing = wanted[len(given) :]
        if len(given) > len(wanted) or any(not a.role.endswith(OPTIONAL) for a in missing):
            raise ArrayMistake(
                f"The call must be {self.signature}; given {len(given)} arguments.",
                subject=len(given),
            )
        return (*given, *(0 for _ in missing))

    def _make(
        self, values: Sequence[npt.ArrayLike], model_name: str | None, keep_finite: bool
    ) -> Ready:
        """Choose the instruction, turn constants into effects, compile."""
        pairs = list(zip(self.signature.arguments, values, strict=True))
        instruction = self._chosen(pairs)
        effects: dict[str, int] = {}
        for argument, value in pairs:
            if not argument.operand:
                effects |= _effects(argument, _constant(argument, value), instruction, self.wave)
        fragments = operands_of(instruction, self.wave, effects).fragments
        operands = tuple(
            self._operand(place, argument, fragments[argument.operand])
            for place, argument in enumerate(self.signature.arguments)
            if argument.operand in fragments
        )
        words = {operand.role: operand.ctype.registers for operand in operands}
        words["d"] = self.signature.returns.registers
        run = compiled_instruction(
            instruction,
            self.wave,
            effects,
            model_name,
            keep_finite=keep_finite,
            lane_words=words,
        )
        return Ready(run, operands)

    def _chosen(self, pairs: Sequence[tuple[Argument, npt.ArrayLike]]) -> Instruction:
        """Take the unscaled form where the compiler does: all about scales is the constant 0."""
        scaled = [value for argument, value in pairs if _is_about_scales(argument)]
        plain = all(isinstance(value, int) and value == 0 for value in scaled)
        return self.instructions[0] if plain else self.instructions[-1]

    def _operand(self, place: int, argument: Argument, fragment: Fragment) -> Operand:
        """Describe an argument that holds registers."""
        kind = argument.ctype
        if fragment.registers > kind.registers:
            # Newer prototypes have the whole operand; the older one leaves a part undefined.
            kind = kind._replace(
                name=f"{kind.name}x{fragment.registers}", elements=fragment.registers
            )
        name = f"{argument.role} of {self.signature.name}"
        return Operand(place, argument.operand, kind, name)


def _is_about_scales(argument: Argument) -> bool:
    """Tell whether an argument is a scale or chooses one."""
    row = arguments()[argument.role]
    return row.operand.startswith("scale") or any(e.startswith("scale") for e in row.effects)


def _constant(argument: Argument, value: npt.ArrayLike) -> int:
    if isinstance(value, int):
        return value
    raise ArrayMistake(
        f"{argument.role} must be a constant integer; given {type(value).__name__}.", subject=value
    )


def _effects(
    argument: Argument, value: int, instruction: Instruction, wave: Wave
) -> dict[str, int]:
    """Turn a constant into effects, refusing what the instruction does not take."""
    row = arguments()[argument.role]
    if row.word:
        modifier = next((m for m in instruction.modifiers(wave) if m.word == row.word), None)
        _check_legal(argument, value, modifier, instruction)
        return {modifier.row.effect[0]: value} if modifier else {}
    limit = 1 << (len(row.effects) if len(row.effects) > 1 else 3)
    if not 0 <= value < limit:
        raise OutOfRange(f"{argument.role} must be 0..{limit - 1}; it is {value}.", subject=value)
    if len(row.effects) == 1:
        return {row.effects[0]: value}
    return {effect: value >> bit & 1 for bit, effect in enumerate(row.effects)}


def _check_legal(
    argument: Argument, value: int, modifier: Modifier | None, instruction: Instruction
) -> None:
    legal = modifier.row.legal if modifier else (0,)
    if legal and value not in legal:
        raise OutOfRange(
            f"{argument.role} of {instruction.name} must be one of"
            f" {', '.join(map(str, legal))}; it is {value}.",
            subject=value,
        )


def builtin(name: str, target: str) -> Builtin:
    """Give a builtin of a target as a function on NumPy fragments.

    Args:
        name: As in HIP, such as "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32".
        target: The target.

    Raises:
        UnknownBuiltin: No such builtin, or the target does not have it.
        UnknownTarget: No such target.

    """
    found = instructions_of(name, target)
    # The scaled form of a pair comes last, so that the first is what plain zeros choose.
    ordered = tuple(sorted(found, key=lambda each: each.is_scaled))
    row = builtin_row(name)
    return Builtin(signature(name), ordered, row.wave or ordered[0].waves[0])  # type: ignore[arg-type]
