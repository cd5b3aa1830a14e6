"""What an option that a command lacks may have meant: by its meaning first, then by its letters."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from wavemma.cli.command_options import CommandOptions, Option, options_of
from wavemma.cli.commands import COMMANDS, GROUPS

_NEAR = 0.75
_AT = "at"
_LANES = ("--lane", "--thread", "--lane-id", "--tid")
_REGISTERS = ("--vgpr", "--register", "--reg", "--gpr", "--v")
# What other tools call it: the parameters that may be meant, the likeliest first.
_MEANT: Mapping[tuple[str, ...], tuple[str, ...]] = {
    _LANES: (_AT, "mapping"),
    _REGISTERS: (_AT, "mapping"),
    ("--row", "--i", "--m"): ("row",),
    ("--column", "--col", "--j", "--n"): ("column", "row"),
    ("--k",): ("k", "column", "k_order"),
    ("--element", "--index", "--coord", "--position", "--elem"): ("row", "index"),
    ("--matrix", "--role", "--fragment"): ("operand",),
    ("--arch", "--architecture", "--gpu", "--gpu-arch", "--gpu-architecture"): ("target", "name"),
    ("--offload-arch", "--mcpu", "--march", "--amdgpu-target"): ("target", "name"),
    ("--chip", "--device", "--product", "--target"): ("target", "name", "old"),
    ("--output", "--out", "--output-file", "--save", "-o"): (
        "output",
        "save",
        "arg",
        "report",
        "html",
    ),
    ("--wavefront", "--wave-size", "--wavefront-size", "--warp", "--warp-size"): ("wave",),
    ("--dtype", "--fmt", "--type", "--data-type", "--in-type"): ("format", "type", "format_a"),
    ("--op", "--instruction", "--instr", "--mnemonic", "--intrinsic", "--builtin"): (
        "op",
        "instruction",
        "name",
    ),
    ("--values", "--number", "--float", "--val"): ("value",),
    ("--code", "--bits", "--hex"): ("codes",),
    ("--formula", "--map", "--layout"): ("mapping",),
    ("--expected", "--reference", "--ref"): ("want", "compare"),
    ("--actual", "--result"): ("got",),
    ("--grid-size", "--grid-dim", "--blocks"): ("grid",),
    ("--block-size", "--block-dim", "--threads"): ("block",),
    ("--args", "--argument"): ("arg",),
    ("--shared", "--smem", "--shared-memory"): ("lds",),
    ("--round", "--rounding-mode"): ("rounding",),
    ("--all", "--verbose", "--long", "-v"): ("full", "explain"),
}


def unlike(option: str, command: Sequence[str], words: Sequence[str]) -> str:
    """Say that a command has no such option, and what may have been meant.

    Args:
        option: As it was written, with its value or without.
        command: The command's name, that of its group before it.
        words: The words of the call.

    """
    written = option.partition("=")[0]
    name = " ".join(command)
    taken = options_of(_places()[name])
    hint = _by_meaning(written, taken, words) or _by_letters(written, taken)
    return f"{name} has no option {written}{hint or ', nor one like it'}."


def _by_meaning(written: str, taken: CommandOptions, words: Sequence[str]) -> str:
    meant = next((each for names, each in _MEANT.items() if written.lower() in names), ())
    options = {each.name: each for each in taken.options}
    places = [name for name, _ in taken.positional]
    for each in meant:
        if each in options:
            return _of_option(options[each], words)
        if each in places:
            return f"; its word {places.index(each) + 1}, without a name, is {each.upper()}"
    return ""


def _of_option(option: Option, words: Sequence[str]) -> str:
    """Name the option; of a place, with the numbers that were given."""
    name = option.words[0]
    if option.name != _AT:
        return f"; it has {name}"
    lane, register = _value(words, _LANES), _value(words, _REGISTERS)
    return f"; a place is {name} LANE REGISTER: {name} {lane or 'LANE'} {register or 'REGISTER'}"


def _by_letters(written: str, taken: CommandOptions) -> str:
    every = [word for each in taken.options for word in each.words]
    near = get_close_matches(written, every, 1, _NEAR)
    return f"; the nearest is {near[0]}" if near else ""


def _value(words: Sequence[str], names: Sequence[str]) -> str:
    """Find the value that follows one of some options."""
    for word, after in zip(words, (*words[1:], ""), strict=True):
        written, equals, value = word.partition("=")
        if written.lower() in names:
            return value if equals else after
    return ""


def _places() -> dict[str, str]:
    """Give the function of each command, those of groups with the group before them."""
    places = {name: place for name, place, _ in COMMANDS}
    for group, _, commands in GROUPS:
        places |= {f"{group} {name}": place for name, place, _ in commands}
    return places
