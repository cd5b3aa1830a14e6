"""Words that may come next on a command line, for the completion of shells.

Nothing heavy is loaded here: a shell asks at each press of a key.
"""

from collections.abc import Callable, Sequence

from wavemma.cli.command_options import CommandOptions, Option, options_of
from wavemma.cli.commands import COMMANDS, GROUPS
from wavemma.tables.names import (
    builtin_names,
    format_names,
    instruction_names,
    model_names,
    operand_roles,
    point_names,
    product_names,
    target_names,
)

_HELP = ("--help", "--version")
_MATRICES = ("A", "B", "C", "D")
_WAVES = ("32", "64")


class _Line:
    """The words before the one that is completed, told apart.

    Attributes:
        given: What follows each option, and what stands for each positional argument, by name of
            the parameter.
        place: The positional argument that comes next.
        waiting: The option whose value comes next.

    """

    def __init__(self, takes: CommandOptions, words: Sequence[str]) -> None:
        self.given: dict[str, str] = {}
        self.place = 0
        self.waiting: Option | None = None
        self._missing = 0
        by_word = {word: option for option in takes.options for word in option.words}
        for word in words:
            option, equals, value = word.partition("=")
            if self.waiting:
                self.given[self.waiting.name] = word
                self._missing -= 1
                self.waiting = self.waiting if self._missing else None
            elif option in by_word and equals:
                self.given[by_word[option].name] = value
            elif word in by_word:
                self._missing = by_word[word].following
                self.waiting = by_word[word] if self._missing else None
            elif not word.startswith("-"):
                if self.place < len(takes.positional):
                    self.given[takes.positional[self.place][0]] = word
                self.place += 1

    def target(self) -> str:
        """Give the target that the line names; empty if none."""
        return next((self.given[name] for name in _TARGETS if name in self.given), "")

    def instruction(self) -> str:
        """Give the instruction that the line names; empty if none."""
        return next((self.given[name] for name in ("instruction", "op") if name in self.given), "")


_TARGETS = ("target", "old")
_Names = Callable[[_Line], Sequence[str]]


def _everything(line: _Line) -> Sequence[str]:
    return [*_instructions(line), *builtin_names(), *target_names(), *product_names()]


def _instructions(line: _Line) -> Sequence[str]:
    return instruction_names(line.target())


def _targets(_line: _Line) -> Sequence[str]:
    return target_names()


def _operands(line: _Line) -> Sequence[str]:
    return (*_MATRICES, *operand_roles(line.instruction()))


NAMES: dict[str, _Names] = {
    "target": _targets,
    "old": _targets,
    "new": _targets,
    "beside": _targets,
    "compare": _targets,
    "separate": _targets,
    "instruction": _instructions,
    "op": _instructions,
    "beside_op": lambda line: instruction_names(line.given.get("beside", "")),
    "operand": _operands,
    "format": lambda _: format_names(),
    "type": lambda _: format_names(),
    "result": lambda _: format_names(),
    "format_a": lambda _: format_names(),
    "format_b": lambda _: format_names(),
    "device": lambda _: product_names(),
    "wave": lambda _: _WAVES,
    "new_wave": lambda _: _WAVES,
    "beside_wave": lambda _: _WAVES,
    "model": lambda _: model_names(),
}
"""What a parameter may be, by its name; others are the shell's business, as files are."""
OF_COMMAND: dict[tuple[str, str], _Names] = {
    ("show", "name"): _everything,
    ("why", "message"): _everything,
    ("guard", "feature"): _everything,
    ("peak", "name"): lambda _: [*product_names(), *target_names()],
    ("probe", "op"): lambda line: [*point_names(line.target()), *_instructions(line)],
    ("run", "model"): lambda line: [f"{name}=" for name in _instructions(line)],
    ("exec", "model"): lambda line: [f"{name}=" for name in _instructions(line)],
}
"""The same where one command means something else by the name."""


def complete(words: Sequence[str]) -> list[str]:
    """List what the last word may become.

    Args:
        words: The words after `wavemma`; the last one is being written and may be empty.

    Returns:
        Whole words, in a useful order; empty where files or free words are wanted.

    """
    *before, word = [each for each in words if each != "="] or [""]
    if words and words[-1] == "=":
        before, word = [*before, word], ""
    commands = {name: place for name, place, _ in COMMANDS}
    for group, _, inner in GROUPS:
        if before[:1] == [group]:
            before, commands = before[1:], {name: place for name, place, _ in inner}
            break
    else:
        commands |= {group: "" for group, _, _ in GROUPS}
    if not before:
        return _beginning([*commands, *_HELP], word)
    place = commands.get(before[0])
    return _after(before[0], options_of(place), before[1:], word) if place else []


def _after(command: str, takes: CommandOptions, before: Sequence[str], word: str) -> list[str]:
    """List what the word may become behind a command and its other words."""
    line = _Line(takes, before)
    option, equals, value = word.partition("=")
    if equals and option.startswith("-"):
        named = next((each for each in takes.options if option in each.words), None)
        found = _values(command, named.name, named.choices, line) if named else []
        return [f"{option}={each}" for each in _beginning(found, value)]
    if line.waiting:
        chosen = line.waiting
        return _beginning(_values(command, chosen.name, chosen.choices, line), word)
    if word.startswith("-"):
        every = [each for option in takes.options for each in option.words]
        return _beginning([*every, "--help"], word)
    if line.place >= len(takes.positional) and not takes.takes_more:
        return []
    name, choices = takes.positional[min(line.place, len(takes.positional) - 1)]
    return _beginning(_values(command, name, choices, line), word)


def _values(command: str, name: str, choices: Sequence[str], line: _Line) -> Sequence[str]:
    """List what a parameter may be."""
    found = OF_COMMAND.get((command, name)) or NAMES.get(name)
    return choices or (found(line) if found else ())


def _beginning(names: Sequence[str], word: str) -> list[str]:
    """Keep the names that begin with a word, in any case of letters if none does exactly.

    Of words between commas the last one is completed.
    """
    exact = [name for name in names if name.startswith(word)]
    small = word.lower()
    found = exact or [name for name in names if name.lower().startswith(small)]
    before, comma, last = word.rpartition(",")
    if found or not comma:
        return found
    taken = before.split(",")
    return [f"{before},{name}" for name in _beginning(names, last) if name not in taken]
