"""Errors as sentences, those that nobody foresaw too."""

import re
import traceback
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from cyclopts import CycloptsError
from cyclopts.exceptions import (
    CoercionError,
    MissingArgumentError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from wavemma.cli.unknown_option import unlike
from wavemma.errors import SyntaxMistake, WavemmaError, shortened

_SHAPE = re.compile(r"[0-9]+(x[0-9]+){1,2}")


def told(error: Exception, help_line: str, words: Sequence[str] = ()) -> tuple[str, str]:
    """Give an error's kind and its sentence; of what nobody foresaw, where it is to be mended.

    Args:
        error: What was raised.
        help_line: The command that tells how the call should be.
        words: The words of the call.

    """
    if isinstance(error, WavemmaError):
        return type(error).__name__, str(error)
    if isinstance(error, CycloptsError):
        return "Usage", shortened(f"{_usage(error, words)}{_quoted(words)}  See: {help_line}")
    if isinstance(error, MemoryError):
        return "MemoryError", "there is not enough memory for this; ask for less at once."
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        place = f" ({error.filename})" if error.filename else ""
        return "OSError", shortened(f"the system refused: {reason}{place}.")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    file = "/".join(Path(frame.filename).parts[-2:])
    place = f"{type(error).__name__} in {file}, line {frame.lineno}"
    return "Fault", shortened(f"a fault of ours, please report it: {place}: {error}")


def _usage(error: CycloptsError, words: Sequence[str]) -> str:
    """Say what a command needs, or has no place for."""
    name = error.argument.name if error.argument else ""
    command = " ".join(error.command_chain or ())
    if isinstance(error, MissingArgumentError):
        return _missing(error, name, command)
    if isinstance(error, UnknownOptionError) and error.command_chain:
        return unlike(error.token.keyword or error.token.value, error.command_chain, words)
    if isinstance(error, UnusedCliTokensError):
        words = " ".join(error.unused_tokens or ())
        return (
            f"{command} has no place for {words!r}: options begin with --, and a text with spaces"
            " or semicolons must stand in quotes."
        )
    if isinstance(error, CoercionError) and error.target_type is int and error.token:
        return f"{name} must be a whole number; {error.token.value!r} was given."
    return str(error)


def _missing(error: MissingArgumentError, name: str, command: str) -> str:
    """Say what an option or a command still needs."""
    count = error.argument.token_count()[0] if error.argument else 1
    given = {str(token).partition("=")[0] for token in error.unused_tokens or ()}
    if count > 1 and name in given:
        return f"{name} needs {count} values, with a space between them."
    if name in (error.unused_tokens or ()):
        return f"{name} needs a value; one that begins with - is written {name}=VALUE."
    return f"{command} needs {name}."


def _quoted(words: Sequence[str]) -> str:
    """Say that a shape and what stands before it are one name, if there is a shape."""
    for before, word in pairwise(words):
        if _SHAPE.fullmatch(word):
            return f' Words for an instruction stand in quotes: "{before} {word}".'
    return ""


def check_options(words: Sequence[str]) -> None:
    """Refuse empty options: an unset variable of a shell must not mean "not given".

    Raises:
        SyntaxMistake: Nothing follows an option.

    """
    for word, after in pairwise((*words, "-")):
        if word.startswith("--") and (word.endswith("=") or not after.strip()):
            raise SyntaxMistake(
                f"What follows {word.rstrip('=')} must not be empty.", hint="Or leave it out."
            )
