"""An instruction in general form: what it names is left open, so that one function serves many.

Registers, constants of 32 bits and offsets become arguments. In the general form an operand names a
register that is none: its number says which argument holds the place of the real one.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import msgspec

from wavemma.isa.decoded import Decoded
from wavemma.isa.operand import Operand
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary, OrdinaryOperand, target_role
from wavemma.machine.compiled.state import VECTORS, WAVE, place
from wavemma.machine.meaning import marks
from wavemma.machine.offsets import OFFSET, OpenNumber, signed_offset

ARGUMENTS = 8
"""Arguments that a step may have; further operands are part of its form."""
OPEN = 1 << 48
"""The first number of a register that stands for an argument."""
STRIDE = 1 << 12
"""Numbers from one argument to the next: registers behind the first count on from it."""
CONSTANTS = OPEN + ARGUMENTS * STRIDE
"""The first code of a scalar register that stands for a constant."""
END = CONSTANTS + ARGUMENTS * STRIDE
_REGISTER_BYTES, _SCALARS = 4, place(WAVE, "scalars")
_MASK, _WORD = (1 << 32) - 1, (1 << 64) - 1
_UNKNOWN = OpenNumber(-1)
Key = tuple[object, ...]
AnyOperand = TypeVar("AnyOperand", Operand, OrdinaryOperand)


class Form(NamedTuple):
    """What one function is made for.

    Attributes:
        key: Equal for instructions that one function serves.
        arguments: What it is to be called with for this one.

    """

    key: Key
    arguments: tuple[int, ...]


def form_of(decoded: AnyDecoded, accumulator_offset: int, *, is_open: bool) -> Form:
    """Take an instruction apart into what one function does and what it is called with.

    Args:
        decoded: The instruction.
        accumulator_offset: Number of the vector register where AGPRs begin.
        is_open: Whether operands become arguments; otherwise all are part of the key.

    """
    key: list[object] = [decoded.wave]
    arguments: list[int] = []
    jump = None if isinstance(decoded, Decoded) else target_role(decoded)
    for part in _halves(decoded):
        own = part.instruction
        key += (own.architecture, own.name, own.encoding.name)
        if isinstance(part, Decoded):
            key += (_model(part), *part.modifiers.items())
        else:
            key += (_extension(part), _own_literal(part), _marks(part))
            offset = _offset(part) if is_open else None
            key += [item for item in part.modifiers.items() if offset is None or item[0] != OFFSET]
            if offset is not None:
                arguments.append(offset)
        for role, operand in part.operands.items():
            if role == jump or (is_open and role == OFFSET):
                continue
            value = _argument(part, operand, accumulator_offset) if is_open else None
            if value is None or len(arguments) == ARGUMENTS:
                key += (role, operand, accumulator_offset if operand.kind == "agpr" else 0)
                continue
            key += (role, operand.count, _kind(operand), *_signs(operand))
            arguments.append(value)
    return Form(tuple(key), tuple(arguments))


def _offset(decoded: DecodedOrdinary) -> int | None:
    """Give the offset that is an argument of an instruction, if it has one."""
    if OFFSET in decoded.modifiers or OFFSET in decoded.operands:
        return signed_offset(decoded) & _WORD
    return None


def _model(decoded: Decoded) -> str:
    """Name model and layout of an instruction; "" if it multiplies no matrices."""
    if not decoded.instruction.is_matrix:
        return ""
    return f"{decoded.instruction.model(decoded.wave)} {decoded.instruction.matrix.layout}"


def _extension(decoded: DecodedOrdinary) -> str:
    found = decoded.instruction.extension
    return found.name if found else ""


def _marks(decoded: DecodedOrdinary) -> str:
    """Give what the mode says of an instruction: how it rounds, what becomes of subnormals."""
    return marks(decoded.instruction.row.meaning)


def _own_literal(decoded: DecodedOrdinary) -> int | None:
    """Give the literal of an instruction that reads it by itself, not as an operand."""
    if decoded.literal is None:
        return None
    is_operand = any(operand.kind == "literal" for operand in decoded.operands.values())
    return None if is_operand else decoded.literal


def opened(decoded: AnyDecoded) -> AnyDecoded:
    """Give the general form of an instruction, for its meaning to be written with."""
    numbers = iter(range(ARGUMENTS))
    return _opened(decoded, numbers)


def _opened(decoded: AnyDecoded, numbers: Iterator[int]) -> AnyDecoded:
    if isinstance(decoded, Decoded):
        own = {role: _open(decoded, each, numbers) for role, each in decoded.operands.items()}
        return msgspec.structs.replace(decoded, operands=own)
    modifiers, given = decoded.modifiers, decoded.operands
    if _offset(decoded) is not None:
        number = OpenNumber(next(numbers))
        if OFFSET in given:
            given = {**given, OFFSET: msgspec.structs.replace(given[OFFSET], value=number)}
        else:
            modifiers = {**modifiers, OFFSET: number}
    operands = {role: _open(decoded, each, numbers) for role, each in given.items()}
    second = _opened(decoded.second, numbers) if decoded.second else None
    literal = None if decoded.literal is None else _UNKNOWN
    return msgspec.structs.replace(
        decoded, operands=operands, modifiers=modifiers, second=second, literal=literal
    )


def _open(decoded: AnyDecoded, operand: AnyOperand, numbers: Iterator[int]) -> AnyOperand:
    number = None if _argument(decoded, operand, 0) is None else next(numbers, None)
    if number is None:
        return operand
    kind = _kind(operand)
    if kind == "constant":
        return msgspec.structs.replace(
            operand, kind="sgpr", code=CONSTANTS + number * STRIDE, first=_UNKNOWN, value=_UNKNOWN
        )
    first = OPEN + number * STRIDE
    return msgspec.structs.replace(operand, kind=kind, code=first, first=first)


def _halves(decoded: AnyDecoded) -> Iterator[AnyDecoded]:
    yield decoded
    if isinstance(decoded, DecodedOrdinary) and decoded.second is not None:
        yield from _halves(decoded.second)


def _kind(operand: Operand | OrdinaryOperand) -> str:
    """Give the file that an open operand lies in: AGPRs are vector registers, too."""
    return _KINDS[operand.kind]


_KINDS = {
    "vgpr": "vgpr",
    "agpr": "vgpr",
    "sgpr": "sgpr",
    "literal": "constant",
    "inline_integer": "constant",
}


def _signs(operand: Operand | OrdinaryOperand) -> tuple[object, ...]:
    if isinstance(operand, Operand):
        return ()
    return (operand.half, operand.is_negated, operand.is_absolute, operand.is_sign_extended)


def _argument(
    decoded: AnyDecoded, operand: Operand | OrdinaryOperand, accumulator_offset: int
) -> int | None:
    """Give what an operand is called with, or None if it belongs to the form."""
    if operand.kind == "vgpr":
        return VECTORS + operand.first * decoded.wave * _REGISTER_BYTES
    if operand.kind == "agpr":
        return VECTORS + (operand.first + accumulator_offset) * decoded.wave * _REGISTER_BYTES
    if operand.kind == "sgpr":
        return _SCALARS + operand.code * _REGISTER_BYTES
    if isinstance(operand, Operand) or not _takes_words(decoded):
        return None
    if operand.kind == "literal":
        return operand.value if operand.count == 1 else None
    return operand.first & _MASK if operand.kind == "inline_integer" else None


def _takes_words(decoded: AnyDecoded) -> bool:
    """Tell whether constants of an instruction are no more than their 32 bits."""
    assert isinstance(decoded, DecodedOrdinary)
    return "64" not in decoded.instruction.row.type and not decoded.modifiers.get("op_sel")
