"""Faults that reach beyond a tile: threads taken for lanes, and tiles in wrong places."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from wavemma.explain.loop_map import store_text
from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_cutting import lengthened
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers

Side = Literal["a", "b"]
_SIDES: tuple[Side, ...] = ("a", "b")
_GRIDS = tuple((r, c) for r in (1, 2, 4, 8) for c in (1, 2, 4, 8) if 1 < r * c <= 16)


def whole_orders(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the whole output, or the order of its tiles, is transposed."""
    blocks, m, n = sample.shape
    rows, columns = sample.grid[1:]
    if blocks > 1 or (rows, columns) == (1, 1):
        return
    height, width = sample.given.want.shape[-2:]
    if height != width:
        fix = "Exchange the two strides of the store, or read the output as it lies."
        for what, change in (
            (f"the output is stored column by column ({height} apart), but read row by row"
             f" ({width} apart)", _transposed),
            (f"the output is stored row by row ({width} apart), but read column by column"
             f" ({height} apart)", _read_by_columns),
        ):  # fmt: skip
            yield Suspect(Fault("transpose", what, fix), "whole", change)
    else:
        fault = Fault(
            "transpose",
            "the whole output is transposed",
            "Exchange the two strides of the store.",
        )
        yield Suspect(fault, "whole", _transposed)
        fault = Fault(
            "transpose",
            "A and B are passed in each other's place and read with rows and columns exchanged, as"
            " between row-major and column-major libraries",
            "Pass A and B in their order, each row by row.",
        )
        yield Suspect(fault, "whole", _factors_exchanged)
    if rows == columns and rows > 1:
        fault = Fault(
            "tile order",
            "tiles are right inside, but row and column of the tile are exchanged",
            f"Store the tile of block row y and block column x at row y*{m}, column x*{n}.",
        )
        yield Suspect(fault, "whole", _tiles_exchanged)


def whole_transposes(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A or B is read column by column where it lies row by row, or the reverse."""
    given = sample.given
    for side in _SIDES:
        array = given.a if side == "a" else given.b
        if array is None or sample.strips is None:
            continue
        letter, (height, width) = side.upper(), array.shape[-2:]
        fix = f"Read {letter} row by row: exchange its two strides, or its order in memory."
        if height == width:
            words = {f"the whole of {letter} is used transposed": by_columns}
        else:
            words = {
                f"{letter} is read column by column ({height} apart), but lies row by row in"
                f" memory ({width} apart)": by_columns,
                f"{letter} is read row by row ({width} apart), but lies column by column in memory"
                f" ({height} apart)": of_columns,
            }
        for what, change in words.items():
            fault = Fault("transpose", what, fix)
            yield Suspect(fault, "product", _with_whole(side, change), everywhere=True)


def by_columns(array: Array) -> Array:
    """Read column by column what lies row by row."""
    *batch, height, width = array.shape
    return np.swapaxes(array.reshape(*batch, width, height), -1, -2)


def of_columns(array: Array) -> Array:
    """Read row by row what lies column by column."""
    return np.ascontiguousarray(np.swapaxes(array, -1, -2)).reshape(array.shape)


def first_batches(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A, B or the output does not move on from one matrix of a batch to the next."""
    if sample.grid[0] < 2:
        return
    for side in _SIDES:
        array, letter = getattr(sample.given, side), side.upper()
        if sample.strips is None or array is None or array.ndim < sample.given.want.ndim:
            continue
        fault = Fault(
            "batch",
            f"{letter} of the first matrix is used in the whole batch",
            f"Move {letter} on by the size of one matrix with each of the batch.",
        )
        blocks = sample.shape[0]
        yield Suspect(fault, "product", _with_whole(side, _first_of(blocks)), everywhere=True)
    fault = Fault(
        "batch",
        "every matrix of the batch has the results of the first",
        "Move A, B, C and D on by the size of one matrix with each of the batch.",
    )
    yield Suspect(fault, "whole", _of_first_batch)


def flat_threads(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the store loop takes the thread's number in its workgroup for its lane."""
    layout = sample.layout
    if sample.shape[0] > 1 or 1 << len(layout.lane_bits) != layout.wave:
        return
    top = layout.lane_bits[-1]
    step = 1 << (top.position + 1)
    for grid in _GRIDS:
        if grid[0] > sample.grid[1] or grid[1] > sample.grid[2]:
            continue
        fault = Fault(
            "flat thread",
            f"the thread's number in the workgroup is used as its lane: wave w stores {step}*w"
            f" {top.letter}s too far ({grid[0]} x {grid[1]} waves)",
            f"Take lane = threadIdx.x % {layout.wave}, and then {store_text(layout)}",
        )
        yield Suspect(fault, "whole", _Shifted(top.letter, step, grid))


def _transposed(sample: Sample) -> Floats:
    """Read row by row what was stored column by column."""
    rows, columns = sample.positions()
    height, width = sample.given.want.shape[-2:]
    columns, rows = np.divmod(rows * width + columns, height)
    return sample.take(sample.given.want, rows, columns)[None]


def _read_by_columns(sample: Sample) -> Floats:
    """Read column by column what was stored row by row."""
    rows, columns = sample.positions()
    height, width = sample.given.want.shape[-2:]
    rows, columns = np.divmod(columns * height + rows, width)
    return sample.take(sample.given.want, rows, columns)[None]


def _factors_exchanged(sample: Sample) -> Floats:
    """Transpose the product, which C is added to as it should be."""
    found = _transposed(sample)
    if sample.c is None or sample.given.c is None:
        return found
    rows, columns = sample.positions()
    with np.errstate(invalid="ignore"):
        return found - sample.take(sample.given.c, columns, rows) + sample.c


def _first_of(blocks: int) -> Callable[[Array], Array]:
    return lambda array: array.reshape(-1, blocks, *array.shape[-2:])[:1]


def _of_first_batch(sample: Sample) -> Floats:
    blocks, m, n = sample.shape
    whole = sample.given.want.reshape(-1, blocks, *sample.given.want.shape[-2:])[0]
    cuts = [
        whole[:, row * m : (row + 1) * m, column * n : (column + 1) * n]
        for _, row, column in sample.tiles.tolist()
    ]
    return numbers(np.stack(cuts), sample.asked.format).reshape(1, len(cuts), -1)


def _with_whole(side: Side, change: Callable[[Array], Array]) -> Callable[[Sample], Floats]:
    """Multiply with tiles of A or B as a change of the whole makes them."""

    def product(sample: Sample) -> Floats:
        found = needed(sample)
        blocks, m, n = sample.shape
        role = sample.asked.instruction.formats[side][0]
        whole = change(np.asarray(getattr(sample.given, side)))
        whole = lengthened(whole, -1 if side == "a" else -2, sample.depth)
        whole = whole.reshape(-1, blocks, *whole.shape[-2:])
        strips = []
        for batch, row, column in sample.tiles:
            one = whole[batch % len(whole)]
            rows = one[:, row * m : (row + 1) * m]
            strips.append(rows if side == "a" else one[:, :, column * n : (column + 1) * n])
        strip = numbers(np.stack(strips), role)
        a = strip * found.scale_a if side == "a" else found.scaled_a
        b = strip * found.scale_b if side == "b" else found.scaled_b
        return multiplied(a, b)

    return product


def _tiles_exchanged(sample: Sample) -> Floats:
    _, m, n = sample.shape
    rows, columns = sample.positions()
    moved_rows = columns // n * m + rows % m
    moved_columns = rows // m * n + columns % n
    return sample.take(sample.given.want, moved_rows, moved_columns)[None]


class _Shifted:
    """Every wave's tile lies too far by its number; whichever wave was last has the element."""

    def __init__(self, letter: str, step: int, grid: tuple[int, int]) -> None:
        self.letter, self.step, self.grid = letter, step, grid

    def __call__(self, sample: Sample) -> Floats:
        _, m, n = sample.shape
        rows, columns = sample.positions()
        found = []
        for wave in range(self.grid[0] * self.grid[1]):
            shift = wave * self.step
            from_rows = rows - shift if self.letter == "row" else rows
            from_columns = columns - shift if self.letter == "col" else columns
            own = _is_of_wave(from_rows // m, from_columns // n, wave, self.grid)
            values = sample.take(sample.given.want, from_rows, from_columns)
            found.append(np.where(own, values, np.nan))
        return np.stack(found)


def _is_of_wave(rows: Array, columns: Array, wave: int, grid: tuple[int, int]) -> Array:
    """Say which tiles a wave of each workgroup computes; waves count along columns first."""
    return np.asarray((rows % grid[0]) * grid[1] + columns % grid[1] == wave)
