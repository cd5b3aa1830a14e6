"""What an instruction computes, in sentences made from its row."""

from collections.abc import Iterator

from wavemma.explain.format_words import format_words
from wavemma.explain.operand_fields import matrix_size
from wavemma.isa.instruction import Instruction
from wavemma.tables.instructions import InstructionRow

_SCALE_LOAD = (
    "Hands the scales of A and B to the matrix instruction that follows; it computes nothing and"
    " writes no registers."
)


_FORMAT, _SIGNED = "format_", "signed_"


def described(instruction: Instruction) -> Iterator[str]:
    """Write what an instruction computes, one sentence each."""
    if not instruction.is_matrix:
        yield _SCALE_LOAD
        return
    yield _product(instruction)
    yield _accumulation(instruction)
    if instruction.blocks > 1:
        yield (
            f"It does so for {instruction.blocks} independent blocks, each with its own A, B, C"
            " and D."
        )
    if instruction.is_sparse:
        yield (
            "A is stored without its zeros: of each four elements along k two are kept, and the"
            " index operand holds their places."
        )
    if instruction.is_scaled:
        yield (
            f"Each {instruction.matrix.scale_block} elements of A along a row, and of B along a"
            f" column, share a scale ({_formats(instruction, 'scale_a')})."
        )
    yield from _choices(instruction)


def _product(instruction: Instruction) -> str:
    m, n, k = instruction.shape
    a, b = _formats(instruction, "a"), _formats(instruction, "b")
    return f"Multiplies the {m}x{k} matrix A of {a} by the {k}x{n} matrix B of {b}."


def _accumulation(instruction: Instruction) -> str:
    c, d = _formats(instruction, "c"), _formats(instruction, "d")
    size = matrix_size(instruction, "d")
    if any(operand.role == "cd" for operand in instruction.operands):
        tail = "which it overwrites" if c == d else f"and overwrites it with the result, {d}"
        return f"Adds the product to the {size} matrix D of {c}, {tail}."
    return f"Adds the {size} matrix C of {c} and writes the {size} matrix D of {d}."


def _formats(instruction: Instruction, role: str) -> str:
    names = instruction.formats[role]
    return format_words(names[0]) if len(names) == 1 else f"one of {', '.join(names)}"


def _choices(instruction: Instruction) -> Iterator[str]:
    """Say what modifiers choose about formats and signs."""
    row = instruction.row
    if not isinstance(row, InstructionRow):
        return
    for modifier in instruction.modifiers():
        for effect in modifier.row.effect:
            if effect.startswith(_FORMAT):
                matrix = effect.removeprefix(_FORMAT).upper()
                yield f"{modifier.word} chooses the format of {matrix}."
        if any(effect.startswith(_SIGNED) for effect in modifier.row.effect):
            yield f"{modifier.word} says whether A and B are signed; by default they are not."
