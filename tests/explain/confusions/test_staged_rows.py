"""Shared memory whose lines are written at one distance and read at another."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGETS = {
    "gfx90a": ("v_mfma_f32_32x32x8f16", 8),
    "gfx942": ("v_mfma_f32_16x16x16_f16", 16),
    "gfx1201": ("v_wmma_f32_16x16x16_f16", 16),
    "gfx1250": ("v_wmma_f32_16x16x32_f16", 32),
}
SIZE = 128


def _staged(x: Any, block: tuple[int, int], written: int, read: int, fill: Any = None) -> Any:
    """Write blocks of a matrix to a memory, row after row, and read them at another distance."""
    out = np.zeros_like(x)
    height, width = block
    for row in range(0, x.shape[0], height):
        for column in range(0, x.shape[1], width):
            size = height * max(written, read) + width
            memory = np.zeros(size, x.dtype) if fill is None else fill(size)
            for line in range(height):
                memory[line * written :][:width] = x[row + line, column : column + width]
            for line in range(height):
                out[row + line, column : column + width] = memory[line * read :][:width]
    return out


def _case(target: str) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(61)
    shapes = (SIZE, 4 * TARGETS[target][1]), (4 * TARGETS[target][1], SIZE)
    a, b = (random.standard_normal(shape).astype(np.float16) for shape in shapes)
    c = random.standard_normal((SIZE, SIZE))
    return a, b, c, a.astype(float) @ b.astype(float) + c


def _found(target: str, a: Any, b: Any, read: tuple[Any, Any], c: Any, want: Any) -> Any:
    got = read[0].astype(float) @ read[1].astype(float) + c
    op = TARGETS[target][0]
    return diagnose(target, op, got.astype(np.float32), want, a=a, b=b, c=c)


@pytest.mark.parametrize(
    ("target", "rows", "steps", "written", "read"),
    [
        ("gfx90a", 64, 1, 8, 0),
        ("gfx942", 64, 2, 0, 8),
        ("gfx1201", 32, 1, 4, 8),
        ("gfx1250", 128, 2, 1, 0),
    ],
)
def test_both_distances_are_named(
    target: str, rows: int, steps: int, written: int, read: int
) -> None:
    a, b, c, want = _case(target)
    k = steps * TARGETS[target][1]
    lines = f"lie {k + written} elements apart in shared memory and are read {k + read} apart"
    staged = _staged(a, (rows, k), k + written, k + read)
    found = _found(target, a, b, (staged, b), c, want)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, fault.kind) == ("explained", "pitch")
    assert f"rows of A {lines} (blocks of {rows} rows by {k} of k); what is read" in fault.what
    staged = _staged(b.T, (rows, k), k + written, k + read).T
    (fault,) = _found(target, a, b, (a, staged), c, want).explanations[0].faults
    assert f"columns of B {lines} (blocks of {rows} columns by {k} of k)" in fault.what
    staged = _staged(b, (k, 64), 64 + written, 64 + read)
    (fault,) = _found(target, a, b, (a, staged), c, want).explanations[0].faults
    assert fault.what.startswith(
        f"rows of B lie {64 + written} elements apart in shared memory and are read {64 + read}"
    )


@pytest.mark.parametrize("target", ["gfx942"])
def test_what_lies_behind_may_be_anything(target: str) -> None:
    a, b, c, want = _case(target)
    k, random = 2 * TARGETS[target][1], np.random.default_rng(62)

    def anything(size: int) -> Any:
        return random.standard_normal(size).astype(np.float16)

    found = _found(target, a, b, (_staged(a, (64, k), k, k + 8, anything), b), c, want)
    assert found.verdict == "explained"
    (fault,) = found.explanations[0].faults
    assert f"rows of A lie {k} elements apart in shared memory and are read {k + 8}" in fault.what
    assert "may be anything, and are not judged" in fault.what
    # Of padding that holds anything too few lines are free to tell.
    padded = _found(target, a, b, (_staged(a, (64, k), k + 8, k, anything), b), c, want)
    assert padded.verdict == "none"
