"""Kernel arguments as words of a command line."""

import re
from pathlib import Path

import numpy as np

from wavemma.cli.arrays import load
from wavemma.errors import SyntaxMistake
from wavemma.explain.kernel_call import Given
from wavemma.formats.dtypes import dtype_called
from wavemma.isa.catalog import formats_taken
from wavemma.tables.format_names import is_format_name

OUTPUT, CHANGED = "out=", "inout="
_SCALARS = {
    **{f"i{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"f{bits}": np.dtype(f"f{bits // 8}") for bits in (16, 32, 64)},
}
_WHOLE = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|[1-9][0-9]*|0+)")
_NUMBER = re.compile(
    rf"{_WHOLE.pattern}|[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|nan)"
)
_HINT = (
    "An argument is a.npy or a.npy:TYPE (read), inout=a.npy (read, written back),"
    " out=c.npy:TYPE:ROWSxCOLUMNS (zeros, written), TYPE:NUMBER such as i32:256, ptr:ADDRESS, or a"
    " bare number where debug information (-g) tells its type."
)


def kernel_argument(word: str, target: str | None = None) -> Given:
    """Read one argument.

    Args:
        word: A file, "inout=FILE", "out=FILE:TYPE:SIZES", "TYPE:NUMBER", "ptr:ADDRESS", or a bare
            number.
        target: Where a type may mean several formats: one that this target has.

    Raises:
        SyntaxMistake: It is none of these.
        FileMistake: The file cannot be read.
        UnknownFormat: No format has the name.

    """
    if word.startswith(OUTPUT):
        return _output(word, target)
    if word.startswith(CHANGED):
        file = word.removeprefix(CHANGED)
        return Given(array=load(file, target), output=_path(file))
    kind, colon, number = word.partition(":")
    if colon and kind == "ptr":
        return Given(scalar=_whole(number, word))
    if colon and kind in _SCALARS:
        return Given(scalar=_scalar(kind, number, word))
    if colon and is_format_name(kind) and _NUMBER.fullmatch(number) and not Path(word).exists():
        return Given(scalar=_scalar(kind, number, word))
    if _NUMBER.fullmatch(word) and not Path(word).exists():
        return Given(scalar=int(word, 0) if _WHOLE.fullmatch(word) else float(word))
    return Given(array=load(word, target))


def _path(file: str) -> str:
    return file if Path(file).exists() else file.rpartition(":")[0]


def _output(word: str, target: str | None) -> Given:
    parts = word.removeprefix(OUTPUT).rsplit(":", 2)
    if len(parts) != 3 or not all(parts):
        raise SyntaxMistake(
            f"An output must be out=FILE:TYPE:SIZES, got {word!r}.", subject=word, hint=_HINT
        )
    path, kind, text = parts
    sizes = [_whole(each, word) for each in text.lower().split("x")]
    if min(sizes) < 1:
        raise SyntaxMistake(f"Sizes must be above 0, got {text!r}.", subject=text, hint=_HINT)
    taken = formats_taken(target) if target else ()
    dtype = _SCALARS[kind] if kind in _SCALARS else dtype_called(kind, taken)
    try:
        return Given(array=np.zeros(sizes, dtype=dtype), output=path)
    except (MemoryError, ValueError):
        raise SyntaxMistake(
            f"An output must fit into memory; {text} does not.", subject=text
        ) from None


def _whole(text: str, word: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise SyntaxMistake(
            f"{text!r} in {word!r} must be a whole number.", subject=text, hint=_HINT
        ) from None


def _scalar(kind: str, text: str, word: str) -> np.generic:
    dtype = _SCALARS[kind] if kind in _SCALARS else dtype_called(kind)
    try:
        number = int(text, 0) if dtype.kind in "iu" else float(text)
        made: np.generic = dtype.type(number)
    except (ValueError, OverflowError):
        raise SyntaxMistake(
            f"{text!r} in {word!r} must be a number that {kind} holds.", subject=text, hint=_HINT
        ) from None
    return made
