"""Outputs, rows and whole tiles at wrong places, made by NumPy alone."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import diagnose

OP = "v_wmma_f32_16x16x16_f16"
WANT = np.random.default_rng(21).standard_normal((64, 48))
Array = npt.NDArray[Any]


def moved(rows: int, columns: int, fill: float = 0.0) -> Array:
    """Move the whole down and to the right; what is moved in is the filling."""
    out = np.full_like(WANT, fill)
    to = [
        slice(max(n, 0), size + min(n, 0))
        for n, size in zip((rows, columns), out.shape, strict=True)
    ]
    of = [
        slice(max(-n, 0), size - max(n, 0))
        for n, size in zip((rows, columns), out.shape, strict=True)
    ]
    out[*to] = WANT[*of]
    return out


def in_memory(distance: int) -> Array:
    return np.roll(WANT.ravel(), distance).reshape(WANT.shape)


def pitched(pitch: int) -> Array:
    """Store rows so far from one another in memory, in order."""
    memory = np.zeros(max(WANT.size, pitch * len(WANT) + WANT.shape[1]))
    for number, row in enumerate(WANT):
        memory[number * pitch : number * pitch + len(row)] = row
    return memory[: WANT.size].reshape(WANT.shape)


def tiles(**places: tuple[int, int]) -> Array:
    """Put tiles of WANT at others' places: r0c1=(0, 0) puts tile 0, 0 at row 0, column 1."""
    out = WANT.copy()
    for name, (row, column) in places.items():
        r, c = 16 * int(name[1]), 16 * int(name[3])
        row, column = 16 * row, 16 * column
        out[r : r + 16, c : c + 16] = WANT[row : row + 16, column : column + 16]
    return out


@pytest.mark.parametrize(
    ("got", "what"),
    [
        (moved(0, 1), "the whole output lies 1 column too far right"),
        (moved(0, -2), "the whole output lies 2 columns too far left"),
        (moved(1, 0), "the whole output lies 1 row too far down"),
        (moved(-8, 0, np.nan), "the whole output lies 8 rows too far up"),
        (in_memory(4), "the whole output lies 4 columns too far right"),
        (pitched(49), "rows are stored 49 elements apart, not 48"),
        (pitched(64), "rows are stored 64 elements apart, not 48"),
        (pitched(24), "rows are stored 24 elements apart, not 48"),
        (
            tiles(r0c1=(0, 0)),
            "1 tile holds another's results: the tile of row 0, column 1 those of row 0, column 0;"
            " the tile 1 to the left",
        ),
        (
            tiles(r1c0=(0, 0), r1c1=(0, 1), r1c2=(0, 2)),
            "3 tiles hold others' results: the tile of row 1, column 0 those of row 0, column 0;"
            " row 1, column 1: row 0, column 1; row 1, column 2: row 0, column 2; each the tile 1"
            " up",
        ),
        (
            tiles(r0c0=(2, 1), r2c1=(0, 0)),
            "2 tiles hold others' results: the tile of row 0, column 0 those of row 2, column 1;"
            " row 2, column 1: row 0, column 0",
        ),
    ],
)
def test_what_lies_elsewhere_is_named(got: Array, what: str) -> None:
    found = diagnose("gfx1100", OP, got, WANT)
    assert found.verdict == "explained", found.alternatives
    assert [each.what for each in found.explanations[0].faults] == [what]
    # What ran over an end of memory came from nowhere in it.
    assert found.explanations[0].left <= 24
