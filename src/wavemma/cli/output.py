"""What commands write: answers to stdout, complaints to stderr."""

import os
import sys

from wavemma.explain.answer import Answer
from wavemma.render.structure import as_json, mistake_json
from wavemma.render.terminal import as_text

CLOSED_PIPE = 141
NARROWEST, USUAL, WIDEST = 40, 80, 1000


def present(answer: Answer, *, json: bool) -> None:
    """Write an answer to stdout, as one JSON document or as text for the terminal's width."""
    if json:
        write(as_json(answer) + "\n")
    else:
        write(as_text(answer, width=_width(), colour=_colour()))


def write(text: str) -> None:
    """Write text to stdout."""
    sys.stdout.write(text)


def complain(kind: str, message: str, code: int, *, json: bool = False) -> int:
    """Write a mistake to stderr, as one JSON document if that was asked for; give the code."""
    if json:
        sys.stderr.write(mistake_json(kind, message, code) + "\n")
    else:
        sys.stderr.write(f"{kind}: {message}\n")
    return code


def finish(code: int) -> int:
    """Flush stdout; a reader that has gone away is no error of ours."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    return code


def _width() -> int:
    """Give the width to write for: COLUMNS if set, else the terminal's, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) >= NARROWEST:
        return min(int(given), WIDEST)
    if not sys.stdout.isatty():
        return USUAL
    # A terminal that does not know its size says 0.
    return max(os.get_terminal_size(sys.stdout.fileno()).columns, 0) or USUAL


def _colour() -> bool:
    """Whether colour is wanted: on a terminal, unless NO_COLOR says otherwise."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
