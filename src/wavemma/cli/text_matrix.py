"""A matrix as programs print it: numbers in rows, between spaces, commas or brackets."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import FileMistake

MOST_BYTES = 64 << 20
_SUFFIXES = (".txt", ".csv")
_BETWEEN = re.compile(r"[\s,;\[\]]+")


def is_text(path: Path) -> bool:
    """Whether a file is read as text, by its name."""
    return path.suffix.lower() in _SUFFIXES


def read_text_matrix(path: Path) -> npt.NDArray[Any]:
    """Read a matrix of as many numbers in each line; empty lines are left out.

    Raises:
        FileMistake: The file is too large, or its lines are not numbers or not equally long.
        OSError: It cannot be read.

    """
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileMistake(
            f"{path} must have at most {MOST_BYTES >> 20} MiB, as it is text.",
            subject=path,
            hint="Larger matrices: .npy.",
        )
    lines = data.decode("utf-8", "replace").splitlines()
    rows = [
        [_number(path, place, word) for word in _BETWEEN.split(line.strip(" \t,;[]"))]
        for place, line in enumerate(lines, 1)
        if line.strip(" \t,;[]")
    ]
    if not rows or {len(row) for row in rows} != {len(rows[0])}:
        counts = ", ".join(map(str, sorted({len(row) for row in rows}))) or "none"
        raise FileMistake(
            f"{path} must have as many numbers in each line; its lines have {counts}.",
            subject=path,
        )
    return np.array(rows, np.float64)


def converted(path: Path, numbers: npt.NDArray[Any], kind: "np.dtype[Any]") -> npt.NDArray[Any]:
    """Round numbers to a type.

    Raises:
        FileMistake: An integer type does not have one of them.

    """
    with np.errstate(all="ignore"):
        found = numbers.astype(kind)
        lost = found.astype(np.float64) != numbers
    if np.issubdtype(kind, np.integer) and lost.any():
        place = tuple(int(each[0]) for each in np.nonzero(lost))
        raise FileMistake(
            f"{path} must hold numbers of {kind}; {numbers[place]:g} at {list(place)} is none.",
            subject=path,
        )
    return found


def _number(path: Path, place: int, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise FileMistake(
            f"{path} must hold numbers alone; line {place} has {word!r}.", subject=path
        ) from None
