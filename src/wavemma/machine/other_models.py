"""Matrix instructions made to follow another arithmetic model, or layout, than their rows name."""

from collections.abc import Mapping, Sequence

import msgspec

from wavemma.errors import SyntaxMistake, UnknownName, Unsupported
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.isa import catalog
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import Instruction, following
from wavemma.layouts import MATRIX_ROLES
from wavemma.layouts.families import FAMILIES
from wavemma.numerics.model import model
from wavemma.objects import Placed

Models = Mapping[str, str]
"""Names of models by mnemonic; behind them, with an @ between, perhaps a family of layouts."""
_LAYOUT = "@"


def checked_models(words: Sequence[str], target_name: str) -> dict[str, str]:
    """Read which instructions are to follow which models.

    Args:
        words: INSTRUCTION=MODEL or INSTRUCTION=MODEL@LAYOUT each.
        target_name: The target that has the instructions.

    Raises:
        SyntaxMistake: A word is written otherwise, or an instruction is given twice.
        UnknownInstruction: The target has no such instruction.
        UnknownModel: No such model.
        UnknownName: No such family of layouts.
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
        name, has_layout, layout = chosen.partition(_LAYOUT)
        model(name).paths(setting)
        if has_layout:
            _check_layout(instruction, name, layout)
        found[instruction.name] = chosen
    return found


def _check_layout(instruction: Instruction, model_name: str, layout: str) -> None:
    """Refuse a layout that is none, or that takes other registers than an instruction has."""
    if layout not in FAMILIES:
        raise UnknownName(
            f"{layout!r} is not a layout family.", subject=layout, allowed=sorted(FAMILIES)
        )
    other = following(instruction, model_name, layout)
    for role in (each for each in MATRIX_ROLES if each in instruction.roles):
        counts = [each.registers(role) for each in (instruction, other)]
        if counts[0] != counts[1]:
            raise Unsupported(
                f"{instruction.name} has {counts[0]} registers of {role.upper()} a lane;"
                f" {layout} would need {counts[1]}.",
                subject=layout,
            )


def with_models(listed: Sequence[Placed], models: Models) -> tuple[Placed, ...]:
    """Let the instructions of a listing follow other models."""
    return tuple(_other(each, models) for each in listed) if models else tuple(listed)


def _other(placed: Placed, models: Models) -> Placed:
    found = placed.instruction
    if not isinstance(found, Decoded) or found.instruction.name not in models:
        return placed
    name, _, layout = models[found.instruction.name].partition(_LAYOUT)
    changed = following(found.instruction, name, layout)
    replaced = msgspec.structs.replace(found, instruction=changed)
    return msgspec.structs.replace(placed, instruction=replaced)
