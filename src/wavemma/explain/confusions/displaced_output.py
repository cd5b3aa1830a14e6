"""Faults of addresses: the whole output shifted, rows too far apart, tiles at others' places."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.tile_sample import Floats, Sample, numbers

Tile = tuple[int, int, int]
_SHIFTS = (1, 2, 3, 4, 8)
_PITCHES = (1, 2, 4, 8, 16, 32)
_PROBED = 6
_MOST_ALIKE = 4
_SAME = 0.95
_SHOWN = 4


def shifted(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the whole output lies some rows or columns too far."""
    if sample.shape[0] > 1:
        return
    for size, line, words in (
        (sample.shape[1], "row", ("down", "up")),
        (sample.shape[2], "column", ("right", "left")),
    ):
        for count in (each for each in _SHIFTS if each < size):
            for sign, word in zip((1, -1), words, strict=True):
                shift = (sign * count, 0) if line == "row" else (0, sign * count)
                lines = line if count == 1 else f"{line}s"
                fault = Fault(
                    "shift",
                    f"the whole output lies {count} {lines} too far {word}",
                    f"Look for {count} {lines} too many or too few in the address of the store.",
                )
                yield Suspect(fault, "whole", _shifted(*shift))


def _shifted(down: int, right: int) -> Callable[[Sample], Floats]:
    """Move by rows and columns: what leaves a row is lost, or comes to lie in the next."""

    def change(sample: Sample) -> Floats:
        rows, columns = sample.positions()
        want = sample.given.want
        moved = [sample.take(want, rows - down, columns - right)]
        if right:
            # Zero where nothing comes in, unless it is the end of the row before.
            moved.append(np.where(np.isnan(moved[0]), 0.0, moved[0]))
            number = rows * want.shape[-1] + columns - right
            moved.append(sample.take(want, *np.divmod(number, want.shape[-1])))
        return np.stack(moved)

    return change


def pitches(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the rows of the output are stored at another distance in memory."""
    if sample.shape[0] > 1:
        return
    height, width = sample.given.want.shape[-2:]
    near = [width + sign * each for each in _PITCHES for sign in (1, -1)]
    for pitch in dict.fromkeys([height, *near, width // 2, 2 * width]):
        if 0 < pitch != width:
            fault = Fault(
                "pitch",
                f"rows are stored {pitch} elements apart, not {width}",
                f"Store row r from element r*{width} on: look at the leading dimension.",
            )
            yield Suspect(fault, "whole", _pitched(pitch))


def _pitched(pitch: int) -> Callable[[Sample], Floats]:
    def change(sample: Sample) -> Floats:
        rows, columns = sample.positions()
        want = sample.given.want
        number = rows * want.shape[-1] + columns
        return sample.take(want, *np.divmod(number, pitch))[None]

    return change


def exchanged_tiles(sample: Sample) -> Iterator[Suspect]:
    """Suspect that whole tiles came to lie at other tiles' places, as the data show it."""
    if sample.shape[0] > 1 or sample.grid[1] * sample.grid[2] < 2 or not sample.differing:
        return
    places: dict[Tile, Tile] = {}
    for number in range(len(sample.tiles)):
        found = _whose(sample, number)
        if found is None:
            return
        batch, row, column = map(int, sample.tiles[number])
        places[batch, row, column] = found
    rows, columns = sample.grid[1:]
    off_diagonal = sample.grid[0] * rows * (rows - 1)
    whole = rows == columns and sample.differing == off_diagonal
    # With row and column exchanged in all of them that is another fault's name.
    if not whole or any(found != (tile[0], tile[2], tile[1]) for tile, found in places.items()):
        fault = Fault(
            "tile order",
            _words(sample, places),
            "Look at how the address of the store is made of the numbers of block, wave and tile,"
            " and whether two waves store to one place.",
        )
        yield Suspect(fault, "whole", _placed(places))


def _whose(sample: Sample, number: int) -> Tile | None:
    """Find the tile whose results a tile of the sample holds."""
    _, m, n = sample.shape
    batch = int(sample.tiles[number, 0])
    whole = sample.given.want.reshape(-1, *sample.given.want.shape[-2:])[batch]
    came = sample.got[number]
    rows, columns = sample.grid[1:]
    alike = np.ones((rows, columns), dtype=np.bool_)
    for element in np.linspace(0, came.size - 1, _PROBED).astype(int):
        row, column = divmod(int(element), n)
        every = numbers(whole[row : rows * m : m, column : columns * n : n], sample.asked.format)
        alike &= sample.close(every, came[element])
    found = np.argwhere(alike)
    if not 1 <= len(found) <= _MOST_ALIKE:
        return None
    for row, column in found.tolist():
        cut = whole[row * m : (row + 1) * m, column * n : (column + 1) * n]
        if sample.close(numbers(cut, sample.asked.format).ravel(), came).mean() >= _SAME:
            return batch, row, column
    return None


def _placed(places: dict[Tile, Tile]) -> Callable[[Sample], Floats]:
    """Take the results of other tiles where they are known to lie."""

    def change(sample: Sample) -> Floats:
        _, m, n = sample.shape
        rows, columns = sample.positions()
        tiles = [tuple(map(int, tile)) for tile in sample.tiles]
        moves = [np.subtract(places.get((b, r, c), (b, r, c)), (b, r, c)) for b, r, c in tiles]
        down, right = (np.array([each[axis] for each in moves])[:, None] for axis in (1, 2))
        return sample.take(sample.given.want, rows + down * m, columns + right * n)[None]

    return change


def _words(sample: Sample, places: dict[Tile, Tile]) -> str:
    """Say whose results tiles hold, and where those tiles are if it is the same for all."""
    several = sample.grid[0] > 1

    def named(tile: Tile) -> str:
        return f"row {tile[1]}, column {tile[2]}" + (f" of batch {tile[0]}" if several else "")

    texts = [f"{named(tile)}: {named(found)}" for tile, found in places.items()]
    texts[0] = texts[0].replace(": ", " those of ", 1)
    texts = [*texts[:_SHOWN], "..."] if len(texts) > _SHOWN else texts
    one = len(places) == 1
    count = "1 tile holds another's" if one else f"{sample.differing} tiles hold others'"
    steps = {(found[1] - tile[1], found[2] - tile[2]) for tile, found in places.items()}
    if len(steps) == 1:
        texts.append(f"{'' if one else 'each '}the tile {_direction(*steps.pop())}")
    return f"{count} results: the tile of {'; '.join(texts)}"


def _direction(down: int, right: int) -> str:
    parts = [f"{abs(down)} {'down' if down > 0 else 'up'}"] if down else []
    parts += [f"{abs(right)} to the {'right' if right > 0 else 'left'}"] if right else []
    return " and ".join(parts)
