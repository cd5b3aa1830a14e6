"""What commands write: answers to stdout, complaints to stderr."""

import os
import sys
from collections.abc import Mapping, Sequence
from shlex import quote
from textwrap import wrap
from typing import TextIO

from wavemma.errors import CompileMistake, FileMistake
from wavemma.explain.answer import Answer
from wavemma.render.structure import as_json, mistake_json
from wavemma.render.terminal import as_text

CLOSED_PIPE = 141
NARROWEST, USUAL, WIDEST = 40, 80, 1000
_KEPT_KINDS = (CompileMistake.__name__,)
# Text that a message shows, with a mark below it.
_SHOWN_INDENT = 4
_HANGING = "  "


def present(answer: Answer, *, json: bool, full: bool = False) -> None:
    """Write an answer to stdout, as one JSON document or as text for the terminal's width.

    Args:
        answer: Any answer.
        json: Whether it is to be JSON.
        full: Whether text shows details whole.

    """
    if json:
        write(as_json(answer) + "\n")
    else:
        write(as_text(answer, width=_width(sys.stdout), colour=_colour(), full=full))


def write(text: str) -> None:
    """Write text to stdout.

    Raises:
        BrokenPipeError: The reader has gone away.
        FileMistake: The system refuses.

    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        # Bytes of a file's name, or a terminal of few characters.
        safe = text.encode(error.encoding, "backslashreplace").decode(error.encoding)
        sys.stdout.write(safe)
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise FileMistake(
            f"The answer cannot be written to the standard output: {error.strerror}."
        ) from None


def write_command(words: Sequence[str]) -> None:
    """Write a command for a shell; one wider than the terminal has a line for each option."""
    parts = [quote(word) for word in words]
    line = " ".join(parts)
    if len(line) > _width(sys.stdout):
        breaks = (f" \\\n{_HANGING}" if part.startswith("--") else " " for part in parts)
        line = "".join(between + part for between, part in zip(breaks, parts, strict=True)).strip()
    write(f"{line}\n")


def check_open() -> None:
    """Refuse to work where the answer can go nowhere.

    Raises:
        FileMistake: The standard output is closed.

    """
    if sys.stdout is None:
        raise FileMistake(
            "The standard output must be open for the answer; it is closed.",
            hint="To drop the answer: >/dev/null",
        )


def complain(
    kind: str,
    message: str,
    code: int,
    *,
    json: bool = False,
    more: Mapping[str, object] | None = None,
) -> int:
    """Write a mistake to stderr, as one JSON document if that was asked for; give the code."""
    # A name with bytes that are no text must not turn the complaint into another error.
    told = message.encode("utf-8", "backslashreplace").decode("utf-8")
    text = mistake_json(kind, told, code, more) if json else _fitting(kind, told)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        silence()
    try:
        if sys.stderr is not None:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
    except OSError:
        # There is nowhere left to say it; the code still does.
        _drop(sys.stderr)
    return code


def _fitting(kind: str, message: str) -> str:
    """Wrap sentences on a terminal; what a compiler says, or is shown, stays."""
    lines = f"{kind}: {message}".split("\n")
    if kind in _KEPT_KINDS or sys.stderr is None or not sys.stderr.isatty():
        # Programs that look for a sentence find it whole.
        return "\n".join(lines)
    width = _width(sys.stderr)
    return "\n".join(part for line in lines for part in _wrapped(line, width))


def _wrapped(line: str, width: int) -> list[str]:
    """Wrap a line between words, with the indentation that it has."""
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) <= width or len(indent) >= _SHOWN_INDENT:
        return [line]
    return wrap(
        line,
        width,
        subsequent_indent=indent or _HANGING,
        break_long_words=False,
        break_on_hyphens=False,
    )


def finish(code: int) -> int:
    """Flush stdout; a reader that has gone away is no error of ours."""
    write("")
    return code


def silence() -> None:
    """Send what stdout still holds nowhere: the interpreter would complain again at exit."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    """Let a stream that failed lead nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _width(stream: TextIO | None) -> int:
    """Give the width to write for: COLUMNS if set, else the terminal's, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) >= NARROWEST:
        return min(int(given), WIDEST)
    if stream is None or not stream.isatty():
        return USUAL
    # A terminal that does not know its size says 0.
    return max(os.get_terminal_size(stream.fileno()).columns, 0) or USUAL


def _colour() -> bool:
    """Whether colour is wanted: on a terminal, unless NO_COLOR says otherwise."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
