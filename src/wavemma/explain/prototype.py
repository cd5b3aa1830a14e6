"""The prototype of a builtin: its parameters, what each is for, and the types to declare."""

from collections.abc import Iterator, Sequence

import msgspec

from wavemma.explain.effects import EFFECTS
from wavemma.explain.format_words import format_words
from wavemma.explain.operand_fields import matrix_size, roles_of
from wavemma.isa.instruction import Instruction
from wavemma.isa.modifier import Modifier
from wavemma.tables.builtins import ArgumentRow, BuiltinRow, arguments, ctypes
from wavemma.tables.targets import Wave, architectures

_CONST = "const "
_OPERANDS = {
    "a": "matrix A",
    "b": "matrix B",
    "c": "matrix C",
    "index": "places of the kept elements of A",
    "scale_a": "scales of A",
    "scale_b": "scales of B",
}


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a builtin.

    Attributes:
        role: What it is for, as the table says.
        type: C type; vectors by the name that `TypeName` declares.
        constant: Whether it must be a constant.
        operand: Role of the operand that it is; empty for a modifier.
        meaning: What it is for, in words.

    """

    role: str
    type: str
    constant: bool
    operand: str
    meaning: str


class TypeName(msgspec.Struct, frozen=True, kw_only=True):
    """A vector type: its name here, its elements, and the C++ that declares it."""

    name: str
    element: str
    elements: int
    declaration: str


def prototype(row: BuiltinRow) -> str:
    """Write the prototype of a builtin."""
    words = [
        f"{_CONST if text.startswith(_CONST) else ''}{type_name(text)} {_word(role)}"
        for text, role in row.args
    ]
    return f"{type_name(row.returns)} {row.name}({', '.join(words)});"


def parameters(
    row: BuiltinRow, instructions: Sequence[Instruction], wave: Wave
) -> tuple[Parameter, ...]:
    """Describe every argument, in the order of the call.

    Args:
        row: The builtin.
        instructions: What it becomes; where an argument means different things in them, all are
            given.
        wave: Lanes of the wave.

    """
    return tuple(
        Parameter(
            role=role,
            type=type_name(text),
            constant=text.startswith(_CONST),
            operand=arguments()[role].operand,
            meaning=_meanings(arguments()[role], instructions, wave),
        )
        for text, role in row.args
    )


def types_of(row: BuiltinRow) -> tuple[TypeName, ...]:
    """List the vector types of a prototype, each once."""
    texts = dict.fromkeys([row.returns, *(text.removeprefix(_CONST) for text, _ in row.args)])
    return tuple(_declared(text) for text in texts if _elements(text))


def type_name(text: str) -> str:
    """Name a C type of the table; vectors get a name that C++ does not reserve."""
    bare = text.removeprefix(_CONST)
    element, count = bare.partition("x")[0], _elements(bare)
    return f"{ctypes()[element].llvm}x{count}" if count else bare


def _declared(text: str) -> TypeName:
    name, element, count = type_name(text), text.partition("x")[0], _elements(text)
    return TypeName(
        name=name,
        element=element,
        elements=count,
        declaration=f"using {name} = {element} [[clang::ext_vector_type({count})]];",
    )


def _elements(text: str) -> int:
    return int(text.partition("x")[2] or 0)


def _word(role: str) -> str:
    """Turn a role into a name that C takes."""
    return "".join(each if each.isalnum() else "_" for each in role.lower()).strip("_")


def _meanings(argument: ArgumentRow, instructions: Sequence[Instruction], wave: Wave) -> str:
    """Say what an argument is for; architecture by architecture where that differs."""
    found: dict[str, list[str]] = {}
    for each in instructions:
        words = _meaning(argument, each, wave)
        found.setdefault(words, []).append(architectures()[each.architecture].title)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(
        f"{', '.join(dict.fromkeys(titles))}: {words}" for words, titles in found.items()
    )


def _meaning(argument: ArgumentRow, instruction: Instruction, wave: Wave) -> str:
    if argument.operand:
        return _operand(argument.operand, instruction, wave)
    every = instruction.modifiers(wave)
    if argument.word:
        return _legal([each for each in every if each.word == argument.word])
    letter = argument.role[0]
    words = [EFFECTS[effect].format(letter=letter) for effect in argument.effects]
    if len(words) > 1:
        return "; ".join(f"bit {place}: {text}" for place, text in enumerate(words))
    return "; ".join([*words, *_values(argument, every)])


def _operand(role: str, instruction: Instruction, wave: Wave) -> str:
    """Describe an argument that is a matrix; a form without scales has none of theirs."""
    for known in roles_of(instruction):
        if known == role:
            size = matrix_size(instruction, known)
            formats = instruction.formats.get(known, ())
            count = max(instruction.registers(known, wave, name) for name in formats or (None,))
            words = f" of {format_words(formats[0])}" if len(formats) == 1 else ""
            plural = "s" if count > 1 else ""
            return f"{_OPERANDS[role]}, {size}{words}, {count} register{plural}"
    return _OPERANDS[role]


def _legal(found: list[Modifier]) -> str:
    """Say what a number may be and does, where the assembler has a word for it."""
    if not found:
        return "no effect"
    row = found[0].row
    legal = f"{row.legal[0]}..{row.legal[-1]}" if len(row.legal) > 2 else ""
    legal = legal or " or ".join(map(str, row.legal)) or "0"
    values = "0..2^cbsz-1" if row.below_broadcast else legal
    meaning = next((text for text in row.meaning if text), "")
    if row.kind == "mask":
        return "; ".join(f"bit {place}: {text}" for place, text in enumerate(row.meaning) if text)
    return f"{values}: {meaning}" if meaning else f"must be {values}"


def _values(argument: ArgumentRow, every: tuple[Modifier, ...]) -> Iterator[str]:
    """List what each value of a modifier means."""
    for each in every:
        if set(argument.effects) & set(each.row.effect) and each.row.values:
            yield ", ".join(f"{number} {text}" for number, text in enumerate(each.row.values))
