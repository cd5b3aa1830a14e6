"""The command tree, and nothing else: each command is loaded when it is called."""

from collections.abc import Sequence
from importlib import metadata

from cyclopts import App, CycloptsError

from wavemma.cli.output import complain, finish
from wavemma.errors import UnknownName, WavemmaError

INTERRUPTED = 130
MISTAKE = 2

# Command, where it lives, and its summary: the first line of the command's own docstring, which a
# house test compares, so that the overview needs no command loaded.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("where", "wavemma.cli.where:where", "Find the registers and lanes of one element."),
    ("layout", "wavemma.cli.layout:layout", "Show the whole register layout of an operand."),
    (
        "check-layout",
        "wavemma.cli.check_layout:check_layout",
        "Say whether a mapping is right, and if not, whose it is.",
    ),
    ("show", "wavemma.cli.show:show", "Show everything about one name."),
    (
        "list",
        "wavemma.cli.listing:list_",
        "List instructions, builtins, targets, products, formats.",
    ),
    ("asm", "wavemma.cli.asm:asm", "Assemble matrix instructions."),
    ("dis", "wavemma.cli.dis:dis", "Disassemble words, files and code objects."),
    ("rate", "wavemma.cli.rate:rate", "Tell how fast one instruction runs."),
    ("peak", "wavemma.cli.peak:peak", "Tell the peak matrix rate of a product."),
    ("gemm", "wavemma.cli.gemm:gemm", "Multiply two matrices as the hardware does."),
    ("doctor", "wavemma.cli.doctor:doctor", "Check that this installation is sound."),
)
CACHE_COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("info", "wavemma.cli.cache:info", "Tell where compiled kernels are kept and how much."),
    ("clear", "wavemma.cli.cache:clear", "Delete the compiled kernels."),
)


def build() -> App:
    """Build the command tree without loading any command."""
    app = App(
        name="wavemma",
        help="AMD's matrix cores on any machine: layouts, encodings, arithmetic, speed.",
        help_epilogue="Every command takes --json. Exit codes: 0 yes, 1 no, 2 a mistaken call.",
        version=_version,
    )
    for name, place, summary in COMMANDS:
        app.command(place, name=name, help=summary)
    cache = App(name="cache", help="Look at or clear the cache of compiled kernels.")
    for name, place, summary in CACHE_COMMANDS:
        cache.command(place, name=name, help=summary)
    app.command(cache)
    return app


def run(words: Sequence[str]) -> int:
    """Run one command line.

    Args:
        words: The words after `wavemma`.

    Returns:
        The exit code: 0 yes, 1 a negative answer, 2 a mistake in the call, 130 interrupted.

    """
    try:
        _check_command(words)
        code = build()(
            list(words), exit_on_error=False, print_error=False, result_action="return_value"
        )
        return finish(code if isinstance(code, int) else 0)
    except WavemmaError as error:
        return complain(type(error).__name__, str(error), MISTAKE)
    except CycloptsError as error:
        return complain("Usage", f"{error}  See: wavemma {_command(words)}--help", MISTAKE)
    except KeyboardInterrupt:
        return complain("Interrupted", "stopped before the end; nothing was written.", INTERRUPTED)


def _check_command(words: Sequence[str]) -> None:
    """Refuse an unknown command here; the parser would load every command to say so."""
    known = [name for name, _, _ in COMMANDS] + ["cache"]
    if words and not words[0].startswith("-") and words[0] not in known:
        raise UnknownName(
            f"'{words[0]}' is not a command of wavemma.",
            subject=words[0],
            allowed=known,
            hint="All: wavemma --help",
        )


def _version() -> str:
    return metadata.version("wavemma")


def _command(words: Sequence[str]) -> str:
    """Name the command of a line, for its help."""
    known = {name for name, _, _ in COMMANDS} | {"cache"}
    return f"{words[0]} " if words and words[0] in known else ""
