"""The command tree, and nothing else: each command is loaded when it is called."""

from collections.abc import Sequence
from difflib import get_close_matches

from cyclopts import App, Parameter

from wavemma.cli.commands import COMMANDS, GROUPS
from wavemma.cli.mistakes import check_options, told
from wavemma.cli.output import CLOSED_PIPE, check_open, complain, finish, silence
from wavemma.cli.whole_numbers import converted
from wavemma.errors import UnknownName
from wavemma.version import __version__

INTERRUPTED = 130
MISTAKE = 2
_RUNS = "run"
# Short names share half of their letters by chance.
_NEAR = 0.6
_BEGINNING = (
    "wavemma COMMAND --help has examples. Names of instructions, builtins, targets and products:"
    " wavemma list --help."
)
_JSON = "Every command but run and completion takes --json; the --report FILE of run is JSON."
_CODES = "Exit codes: 0 yes, 1 no, 2 a mistaken call."
_CODES_OF_THEIR_OWN = (_RUNS, "exec")
STOPPED = "stopped before the end; no file was left half written."


def build(asked: str = "") -> App:
    """Build the command tree without loading any command.

    Args:
        asked: The command, or a group's with a space between, whose help is to be its whole
            docstring and not its summary alone.

    """
    app = App(
        name="wavemma",
        help="AMD's matrix cores on any machine: layouts, encodings, arithmetic, speed.",
        help_epilogue=_epilogue(asked),
        version=__version__,
        # Stars are multiplications here.
        # It would leave the process before we have said anything.
        suppress_keyboard_interrupt=False,
        # A switch that is off by default needs no second name that turns it off.
        default_parameter=Parameter(negative=(), converter=converted, show_default=_shown),
    )
    for name, place, summary in COMMANDS:
        app.command(place, name=name, **_help(name == asked, summary))
    for group, help_text, commands in GROUPS:
        inner = App(name=group, help=help_text)
        for name, place, summary in commands:
            inner.command(place, name=name, **_help(f"{group} {name}" == asked, summary))
        app.command(inner)
    return app


def _epilogue(asked: str) -> str:
    """End the help of a command, or of all of them: such as run tell codes of their own."""
    if not asked:
        own = " and ".join(_CODES_OF_THEIR_OWN)
        return f"{_BEGINNING}\n\n{_JSON} {_CODES[:-1]}; {own} have their own."
    return _JSON if asked in _CODES_OF_THEIR_OWN else f"{_JSON} {_CODES}"


def _help(is_asked: bool, summary: str) -> dict[str, str]:
    # Markdown would take the stars of formulas for its own; it is loaded faster for the summaries.
    return {"help_format": "rst"} if is_asked else {"help": summary}


def _shown(default: object) -> str | None:
    """Show the default of an option, but not that of a switch or of an empty text."""
    is_nothing = default is None or default is False or default in ("", ())
    return None if is_nothing else str(default)


def run(words: Sequence[str]) -> int:
    """Run one command line.

    Args:
        words: The words after `wavemma`.

    Returns:
        The exit code: 0 yes, 1 a negative answer, 2 a mistake in the call, 130 interrupted, 141
        the reader of the answer has gone away.

    """
    words, own = _split(words)
    as_json = "--json" in words
    try:
        check_open()
        _check_command(words)
        check_options(words)
        code = build(_asked(words))(
            [*words, *own], exit_on_error=False, print_error=False, result_action="return_value"
        )
        return finish(code if isinstance(code, int) else 0)
    except BrokenPipeError:
        silence()
        return CLOSED_PIPE
    except KeyboardInterrupt:
        return complain("Interrupted", STOPPED, INTERRUPTED, json=as_json)
    except SystemExit:
        # The printer of the help leaves so when its reader has gone away.
        return CLOSED_PIPE
    except Exception as error:
        kind, sentence = told(error, f"wavemma {_command(words)}--help", words)
        return complain(kind, sentence, MISTAKE, json=as_json)


def _split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Take the words of a program that is run, those after --, as options of their own."""
    if "--" not in words or words[0] != _RUNS:
        return list(words), []
    place = list(words).index("--")
    return list(words[:place]), [f"--argument={word}" for word in words[place + 1 :]]


def _check_command(words: Sequence[str]) -> None:
    """Refuse an unknown command here; the parser would load every command to say so."""
    known = _names()
    if words and not words[0].startswith("-") and words[0] not in known:
        raise UnknownName(
            f"'{words[0]}' is not a command of wavemma.",
            subject=words[0],
            allowed=get_close_matches(words[0], known, 3, _NEAR),
            hint="All: wavemma --help",
        )


def _asked(words: Sequence[str]) -> str:
    """Name the command that a line begins with, that of a group with it."""
    groups = {name for name, _, _ in GROUPS}
    named = words and not words[0].startswith("-")
    return " ".join(words[: 2 if words[0] in groups else 1]) if named else ""


def _command(words: Sequence[str]) -> str:
    """Name the command of a line, that of a group with it, for its help."""
    if not words or words[0] not in _names():
        return ""
    inner = next((commands for name, _, commands in GROUPS if name == words[0]), ())
    is_inner = words[1:2] and words[1] in [name for name, _, _ in inner]
    return f"{words[0]} {words[1]} " if is_inner else f"{words[0]} "


def _names() -> list[str]:
    """List all commands."""
    return [name for name, _, _ in COMMANDS] + [name for name, _, _ in GROUPS]
