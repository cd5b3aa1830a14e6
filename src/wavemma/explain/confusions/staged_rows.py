"""Faults of shared memory: lines of A or B are written at one distance and read at another.

What lies between the lines, and behind the last, is not known. If it is zero, all results are held
against the output; if it may be anything, only those of lines that are read from known places are,
and they must be most of them.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from wavemma.explain.suspect import Fault, Suspect, needed
from wavemma.explain.tile_sample import Array, Floats, Sample, Truths, numbers

_HEIGHTS = (16, 32, 64, 128, 256)
_STEPS = (1, 2, 4)
_PADDINGS = (0, 1, 2, 4, 8, 16)
_MOST_K = 8192
_PROBED = 1
_OFTEN = 0.99
_LEAST = 32
# Share of the wrong results that must be known where the rest may be anything.
_KNOWN = 0.6
Side = Literal["a", "b"]
_SIDES: tuple[Side, ...] = ("a", "b")


class _Stage(NamedTuple):
    """How a block of a factor lies in shared memory.

    Attributes:
        side: "a", whose lines are rows, or "b", whose lines are columns.
        along_k: Whether k counts fastest; else the lines do.
        height: Lines of the block.
        depth: Numbers of a line, along k.
        written: How far apart lines, or numbers of k, are written, in elements.
        read: How far apart they are read.

    """

    side: Side
    along_k: bool
    height: int
    depth: int
    written: int
    read: int

    def places(self, lines: Array, length: int) -> tuple[Array, Array, Truths]:
        """Say which line and k is read for each of some lines and all k, and where one is."""
        k, inside = np.arange(length), lines[:, None] % self.height
        slow, fast = (inside, k % self.depth) if self.along_k else (k % self.depth, inside)
        slow, fast = np.divmod(slow * self.read + fast, self.written)
        line, along = (slow, fast) if self.along_k else (fast, slow)
        known = (along < self.depth) & (line < self.height)
        return lines[:, None] - inside + line, k // self.depth * self.depth + along, known


def staged_rows(sample: Sample) -> Iterator[Suspect]:
    """Suspect that lines of A or B are read from shared memory at another distance."""
    found, chosen = sample.factors, sample.asked.instruction
    if found is None or not sample.differing or sample.shape[0] > 1:
        return
    if chosen.is_sparse or chosen.is_scaled or not sample.depth < found.a.shape[-1] <= _MOST_K:
        return
    stages = [stage for side in _SIDES for stage in _stages(sample, side)]
    for zeros in (True, False):
        for stage in stages:
            # What may be anything lies in the way of every line if lines count fastest.
            if (zeros or stage.along_k) and _bears_out(sample, stage, zeros=zeros):
                yield Suspect(_fault(stage, zeros=zeros), "whole", _made(stage, zeros), seen=True)
                return


def _stages(sample: Sample, side: Side) -> Iterator[_Stage]:
    """Yield the blocks and distances that kernels have."""
    size = sample.given.want.shape[-2 if side == "a" else -1]
    own = sample.shape[1 if side == "a" else 2]
    length = needed(sample).a.shape[-1]
    heights = [each for each in _HEIGHTS if own <= each < 2 * size]
    depths = [sample.depth * each for each in _STEPS if sample.depth * each <= length]
    for height, depth, along_k in product(heights, depths, (True, False)):
        width = depth if along_k else height
        apart = [*(width + each for each in _PADDINGS), 2 * width]
        for written, read in product(apart, (*apart, width // 2)):
            if written != read:
                yield _Stage(side, along_k, height, depth, written, read)


def _lines_of(sample: Sample, stage: _Stage, tile: int) -> Array:
    """Number the rows of A, or columns of B, of a tile."""
    axis = 1 if stage.side == "a" else 2
    size = sample.shape[axis]
    first = int(sample.tiles[tile, axis]) * size
    return np.arange(first, first + size)


def _read(
    sample: Sample, stage: _Stage, tile: int, lines: Array, *, zeros: bool
) -> tuple[Floats, Truths]:
    """Give lines as they are read, [lines, k], zero where nothing is known; and which are known."""
    array, form = getattr(sample.given, stage.side), sample.asked.instruction.formats[stage.side][0]
    whole = array.reshape(-1, *array.shape[-2:])
    whole = whole[int(sample.tiles[tile, 0]) % len(whole)]
    whole = whole if stage.side == "a" else whole.T
    line, k, known = stage.places(lines, needed(sample).a.shape[-1])
    known = known & (line < whole.shape[0]) & (k < whole.shape[1])
    taken = whole[np.where(known, line, 0), np.where(known, k, 0)]
    held: Floats = np.where(known, numbers(taken, form), 0.0)
    return held, np.ones(len(lines), np.bool_) if zeros else known.all(axis=1)


def _line_results(sample: Sample, stage: _Stage, tile: int, held: Floats, lines: Array) -> Floats:
    """Multiply lines by the other factor of a tile and add C, [lines, ...]."""
    factors, (_, m, n) = needed(sample), sample.shape
    made = held @ (factors.b[tile, 0] if stage.side == "a" else factors.a[tile, 0].T)
    if sample.c is None:
        return np.asarray(made)
    c = sample.c[tile].reshape(m, n)
    c = c if stage.side == "a" else c.T
    return np.asarray(made + c[lines - _lines_of(sample, stage, tile)[0]])


def _came(sample: Sample, stage: _Stage, values: Floats, tile: int) -> Floats:
    found: Floats = values[tile].reshape(sample.shape[1:])
    return found if stage.side == "a" else found.T


def _probe(sample: Sample, stage: _Stage, *, zeros: bool) -> bool:
    """Look at a few lines of the first tile that would be read from other, known places."""
    lines = _lines_of(sample, stage, 0)
    moved = lines[lines % stage.height != 0]
    if not zeros:
        line, k, known = stage.places(moved, stage.depth)
        inside = known.all(axis=1)
        own = (line == moved[:, None]).all(axis=1) & (k == np.arange(stage.depth)).all(axis=1)
        moved = moved[inside & ~own]
    moved = moved[:: max(len(moved) // _PROBED, 1)][:_PROBED]
    if not len(moved):
        return False
    held, known_lines = _read(sample, stage, 0, moved, zeros=zeros)
    made = _line_results(sample, stage, 0, held, moved)
    came = _came(sample, stage, sample.got, 0)[moved - lines[0]]
    return bool(known_lines.any() and sample.close(made, came)[known_lines].all())


def _bears_out(sample: Sample, stage: _Stage, *, zeros: bool) -> bool:
    """Whether what is known explains all that it speaks of, and enough of what is wrong."""
    if not _probe(sample, stage, zeros=zeros):
        return False
    made, known = _all(sample, stage, zeros=zeros)
    right = sample.close(made, sample.got)
    wrong = ~sample.close(sample.want, sample.got)
    spoken = known & wrong
    least = max(_LEAST, (1.0 if zeros else _KNOWN) * wrong.sum())
    return bool(
        spoken.sum() >= least and min(right[each].mean() for each in (known, spoken)) > _OFTEN
    )


def _all(sample: Sample, stage: _Stage, *, zeros: bool) -> tuple[Floats, Truths]:
    """Give every result, and which come of known lines, [tiles, E] each."""
    made, known = np.empty_like(sample.got), np.empty(sample.got.shape, np.bool_)
    for tile in range(len(sample.tiles)):
        lines = _lines_of(sample, stage, tile)
        held, known_lines = _read(sample, stage, tile, lines, zeros=zeros)
        _came(sample, stage, made, tile)[...] = _line_results(sample, stage, tile, held, lines)
        own = known[tile].reshape(sample.shape[1:])
        (own if stage.side == "a" else own.T)[...] = known_lines[:, None]
    return made, known


def _made(stage: _Stage, zeros: bool) -> Callable[[Sample], Floats]:
    def change(sample: Sample) -> Floats:
        made, known = _all(sample, stage, zeros=zeros)
        return np.where(known, made, sample.got)[None]

    return change


def _fault(stage: _Stage, *, zeros: bool) -> Fault:
    letter, line = stage.side.upper(), "row" if stage.side == "a" else "column"
    other = "column" if stage.side == "a" else "row"
    apart = f"{line if stage.along_k else other}s of {letter}"
    rest = (
        "what is read from between or behind them is zero"
        if zeros
        else f"{line}s read from between or behind them may be anything, and are not judged"
    )
    what = (
        f"{apart} lie {stage.written} elements apart in shared memory and are read {stage.read}"
        f" apart (blocks of {stage.height} {line}s by {stage.depth} of k); {rest}"
    )
    fix = f"Write and read {letter} in shared memory with one pitch, padding included."
    return Fault("pitch", what, fix)
