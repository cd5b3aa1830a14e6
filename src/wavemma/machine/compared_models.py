"""Which models the matrix instructions of some code follow when it is compared with itself."""

from collections.abc import Iterable

from wavemma.errors import LaunchMistake, UnknownName, Unsupported, WavemmaError
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.isa import catalog
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import Instruction
from wavemma.machine.other_models import checked_models
from wavemma.numerics.model import model, models
from wavemma.objects import Placed
from wavemma.tables.targets import Wave, targets


def compared_models(
    listed: Iterable[Placed], word: str, target_name: str, wave: Wave
) -> dict[str, str]:
    """Give the models that matrix instructions are to follow, by mnemonic.

    Args:
        listed: The code.
        word: A model, for all instructions whose formats it sums; a target, for the model that
            its instruction of the same mnemonic follows; or INSTRUCTION=MODEL.
        target_name: The target of the code.
        wave: Lanes of its waves.

    Raises:
        LaunchMistake: The code has no matrix instruction, or the target none of them.
        Unsupported: The model sums the formats of none.
        UnknownName: It is neither a model nor a target.

    """
    found = {
        each.instruction.instruction.name: each.instruction.instruction
        for each in listed
        if isinstance(each.instruction, Decoded) and each.instruction.instruction.is_matrix
    }
    if not found:
        raise LaunchMistake(
            "Code that is compared under other arithmetic models must have matrix instructions;"
            " it has none.",
            subject=word,
        )
    if "=" in word:
        return checked_models((word,), target_name)
    if word in targets():
        return _of_target(found, word, wave)
    names = [each.name for each in models()]
    if word not in names:
        raise UnknownName(
            f"What code is compared with must be a model, a target or INSTRUCTION=MODEL; got"
            f" {word!r}.",
            subject=word,
            allowed=[*names, *targets()],
            hint="Models of an instruction: wavemma show INSTRUCTION",
        )
    return _of_model(found, word)


def _of_target(found: dict[str, Instruction], word: str, wave: Wave) -> dict[str, str]:
    chosen = {}
    for name, each in found.items():
        try:
            other = catalog.instruction(name, word).model(wave)
        except WavemmaError:
            continue
        if _sums(other, each):
            chosen[name] = other
    if not chosen:
        raise LaunchMistake(
            f"{word} must have a matrix instruction of the code; it has none of"
            f" {', '.join(found)}.",
            subject=word,
            hint="Compare with a model: wavemma show INSTRUCTION lists them.",
        )
    return chosen


def _of_model(found: dict[str, Instruction], word: str) -> dict[str, str]:
    chosen = {name: word for name, each in found.items() if _sums(word, each)}
    if not chosen:
        raise Unsupported(
            f"The model {word} must sum the formats of a matrix instruction of the code; it does"
            f" not for {', '.join(found)}.",
            subject=word,
            hint="Models of an instruction: wavemma show INSTRUCTION",
        )
    return chosen


def _sums(name: str, instruction: Instruction) -> bool:
    """Tell whether a model sums numbers of an instruction's formats."""
    setting = setting_of(instruction, operands_of(instruction), {}, keep_finite=False)
    try:
        model(name).paths(setting)
    except Unsupported:
        return False
    return True
