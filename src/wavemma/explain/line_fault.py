"""What is wrong with a line of assembly, in our own assembler's words."""

from collections.abc import Sequence

from wavemma.errors import UnknownInstruction, WavemmaError
from wavemma.explain.availability import Finding
from wavemma.explain.example_line import example_line
from wavemma.isa import catalog
from wavemma.isa.assemble import parse
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.tables.targets import Wave, target, targets


def find_fault(line: str, found: Sequence[Instruction], name: str, wave: int | None) -> Finding:
    """Say what is wrong with a line on a target.

    Args:
        line: Mnemonic, operands, modifiers.
        found: The instructions of that mnemonic, of any architectures.
        name: The target.
        wave: Lanes of the wave; the target's default if None.

    """
    lanes = wave_of(target(name), wave)
    try:
        parse(line, name, lanes)
    except UnknownInstruction:
        return Finding(causes=(), solved=False)
    except WavemmaError as error:
        return Finding(
            causes=(error.message, *_elsewhere(line)),
            steps=(*((error.hint,) if error.hint else ()), *_right(found, name, lanes)),
        )
    return Finding(
        causes=(f"The line is right for {name} in waves of {lanes} lanes.",),
        steps=tuple(_modes(line, name, lanes)),
    )


def _elsewhere(line: str) -> tuple[str, ...]:
    """Say where a line is right: operands often are those of another target or wave."""
    right: dict[int, list[str]] = {}
    for row in targets().values():
        for lanes in row.waves:
            if _is_right(line, row.name, lanes):
                right.setdefault(lanes, []).append(row.name)
    if not right:
        return ()
    places = [f"{', '.join(names)} in waves of {lanes}" for lanes, names in right.items()]
    return (f"As it stands it is right for {'; and for '.join(places)}.",)


def _right(found: Sequence[Instruction], name: str, wave: Wave) -> tuple[str, ...]:
    """Write a right line for the target."""
    here = [each for each in found if name in each.targets]
    return tuple(f"A right line for {name}: {example_line(each, wave)}" for each in here[:1])


def _modes(line: str, name: str, wave: Wave) -> list[str]:
    """Say what else may be the matter with a line that is right."""
    others = [lanes for lanes in target(name).waves if lanes != wave]
    wrong = [lanes for lanes in others if not _is_right(line, name, lanes)]
    steps = [
        f"It is not right in waves of {lanes}: look at the wave size option." for lanes in wrong
    ]
    return [*steps, f"If the assembler refuses it, look whether it was told {name} (-mcpu={name})."]


def _is_right(line: str, name: str, wave: Wave) -> bool:
    try:
        parse(line, name, wave)
    except WavemmaError:
        return False
    return True


def instructions_called(name: str) -> tuple[Instruction, ...]:
    """List the instructions of a mnemonic or an alias, one an architecture."""
    found = {}
    for each in catalog.instructions():
        if name in (each.name, *each.aliases):
            found[each.architecture] = each
    return tuple(found.values())
