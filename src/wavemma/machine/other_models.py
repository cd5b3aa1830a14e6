"""Matrix instructions made to follow another arithmetic model than their rows name."""

from collections.abc import Mapping, Sequence

import msgspec

from wavemma.errors import SyntaxMistake
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.isa import catalog
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import following
from wavemma.numerics.model import model
from wavemma.objects import Placed

Models = Mapping[str, str]
"""Names of models by mnemonic."""


def checked_models(words: Sequence[str], target_name: str) -> dict[str, str]:
    """Read which instructions are to follow which models.

    Args:
        words: INSTRUCTION=MODEL each.
        target_name: The target that has the instructions.

    Raises:
        SyntaxMistake: A word is written otherwise, or an instruction is given twice.
        UnknownInstruction: The target has no such instruction.
        UnknownModel: No such model.
        Unsupported: The model does not sum numbers of the instruction's formats.

    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, chosen = word.partition("=")
        if not (name and equals and chosen):
            raise SyntaxMistake(
                f"A model must be given as INSTRUCTION=MODEL; {word!r} was given.",
                subject=word,
                hint="Models of an instruction: wavemma show INSTRUCTION",
            )
        instruction = catalog.instruction(name, target_name)
        if instruction.name in found:
            raise SyntaxMistake(
                f"Each instruction must be given one model; {instruction.name} is given two.",
                subject=word,
            )
        setting = setting_of(instruction, operands_of(instruction), {}, keep_finite=False)
        model(chosen).paths(setting)
        found[instruction.name] = chosen
    return found


def with_models(listed: Sequence[Placed], models: Models) -> tuple[Placed, ...]:
    """Let the instructions of a listing follow other models."""
    return tuple(_other(each, models) for each in listed) if models else tuple(listed)


def _other(placed: Placed, models: Models) -> Placed:
    found = placed.instruction
    if not isinstance(found, Decoded) or found.instruction.name not in models:
        return placed
    changed = following(found.instruction, models[found.instruction.name])
    replaced = msgspec.structs.replace(found, instruction=changed)
    return msgspec.structs.replace(placed, instruction=replaced)
