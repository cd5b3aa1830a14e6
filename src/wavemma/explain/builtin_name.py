"""What the parts of a builtin's name stand for, in the order in which they are written."""

from collections.abc import Iterator, Sequence

import msgspec

from wavemma.explain.builtin_guards import PREFIX
from wavemma.explain.format_words import format_words
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Role
from wavemma.tables.builtins import BuiltinRow, suffixes

PREFIX_MEANING = "what the compiler calls the instructions of AMD GPUs"
_SCALE = "scale"


class NamePart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a name, and what it stands for."""

    text: str
    meaning: str


def name_parts(row: BuiltinRow, found: Sequence[Instruction]) -> tuple[NamePart, ...]:
    """Take a builtin's name apart.

    What a part means is told by the instruction rows, by where the part stands: the formats of
    the result come before the shape, those of A and B behind it.

    Args:
        row: The builtin.
        found: The instructions that it becomes.

    """
    shape = "x".join(map(str, found[0].shape))
    words = row.name.removeprefix(PREFIX).split("_")
    at = next(place for place, word in enumerate(words) if word.startswith(shape))
    glued = words[at].removeprefix(shape)
    behind = [*([glued] if glued else []), *words[at + 1 :]]
    parts = (
        (PREFIX, PREFIX_MEANING),
        *_before(words[:at], found),
        (shape, _shape(found[0])),
        *_behind(behind, row, found),
    )
    return tuple(NamePart(text=text, meaning=meaning) for text, meaning in parts)


def _before(words: list[str], found: Sequence[Instruction]) -> Iterator[tuple[str, str]]:
    first = found[0]
    sparse = ", two of four elements of A" if first.is_sparse else ""
    yield words[0], f"a matrix product by one wave: D = A*B + C{sparse}"
    for word in words[1:]:
        if word.startswith(_SCALE):
            block = max(each.matrix.scale_block for each in found)
            yield word, f"A and B have scales, each for {block} elements along k"
        elif {each.formats["c"] for each in found} == {each.formats["d"] for each in found}:
            yield word, f"C and D: {_formats(found, 'd')}"
        else:
            yield word, f"D: {_formats(found, 'd')}; C: {_formats(found, 'c')}"


def _behind(
    words: list[str], row: BuiltinRow, found: Sequence[Instruction]
) -> Iterator[tuple[str, str]]:
    known = dict(suffixes())
    if row.wave:
        known[f"w{row.wave}"] = f"for waves of {row.wave} lanes"
    formats = [word for word in words if word not in known]
    roles: tuple[tuple[str, Role], ...] = (("A", "a"), ("B", "b"))
    if len(formats) == 1:
        roles = (("A and B", "a"),)
    told = iter(f"{name}: {_formats(found, role)}" for name, role in roles)
    for word in words:
        yield word, known[word] if word in known else next(told)


def _shape(instruction: Instruction) -> str:
    rows, columns, k = instruction.shape
    blocks = f", in each of {instruction.blocks} blocks" if instruction.blocks > 1 else ""
    return f"A has {rows} rows, B has {columns} columns, k runs over {k}{blocks}"


def _formats(found: Sequence[Instruction], role: Role) -> str:
    """Write the formats of a role; several of one instruction are chosen by an argument."""
    names = dict.fromkeys(name for each in found for name in each.formats[role])
    if max(len(each.formats[role]) for each in found) > 1:
        return f"what an argument says, one of {', '.join(names)}"
    return " or ".join(map(format_words, names))
