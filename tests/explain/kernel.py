"""A kernel and its hardware in a few lines: maps from the facts, loops that may be wrong.

Independent of the package: the formulas of layouts.json say where hardware looks, and the loops
of the kernel use the same formulas, or those of another instruction.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tests.facts import facts_json

Map = Callable[[Any, Any], tuple[Any, Any]]
_AXES = {"A": ("i", "k"), "B": ("k", "j"), "D": ("i", "j")}


class Operand(NamedTuple):
    """Where one operand lies."""

    map: Map
    lanes: int
    slots: int


def operand(arch: str, op: str, letter: str, wave: int) -> Operand:
    """Read an operand of the facts; `map` gives row and column for lanes and slots."""
    fact = next(
        each
        for each in facts_json("layouts")["layouts"]
        if each["arch"] == arch
        and op in each["instructions"]
        and each["operand"] == letter
        and each["wave"] == wave
    )
    one, two = (fact["inverse"][axis] for axis in _AXES[letter])

    def placed(lane: Any, slot: Any) -> tuple[Any, Any]:
        names = {"lane": lane, "slot": slot}
        zero = 0 * (lane + slot)
        return tuple(zero + eval(text, {"__builtins__": {}}, names) for text in (one, two))

    return Operand(placed, 1 << len(fact["lane_bits"]), 1 << len(fact["slot_bits"]))


def turned(place: Map) -> Map:
    """Exchange rows and columns of a map."""
    return lambda lane, slot: place(lane, slot)[::-1]


class Kernel(NamedTuple):
    """A loop over one instruction, right unless told otherwise."""

    arch: str
    op: str
    wave: int
    shape: tuple[int, int, int]

    def tile(
        self,
        a: Any,
        b: Any,
        c: Any,
        *,
        load_a: Map | None = None,
        load_b: Map | None = None,
        steps: list[int] | None = None,
    ) -> Any:
        """Compute the matrix D of one tile as hardware holds it."""
        k = self.shape[2]
        total = np.array(c, dtype=np.float64)
        for step in range(a.shape[1] // k) if steps is None else steps:
            part = slice(step * k, (step + 1) * k)
            left = self.seen("A", a[:, part], load_a)
            total = total + left @ self.seen("B", b[part], load_b)
        return total

    def seen(self, letter: str, matrix: Any, load: Map | None) -> Any:
        """Give what hardware takes for a matrix that a loop has loaded."""
        if load is None:
            return matrix
        own = operand(self.arch, self.op, letter, self.wave)
        lane, slot = np.meshgrid(np.arange(own.lanes), np.arange(own.slots), indexing="ij")
        rows, columns = load(lane, slot)
        found = np.zeros_like(matrix)
        found[own.map(lane, slot)] = matrix[rows, columns]
        return found

    def store(
        self,
        out: Any,
        tile: Any,
        at: tuple[int, int],
        *,
        map: Map | None = None,
        wave_number: int = 0,
        keep: Callable[[Any, Any], Any] | None = None,
        read: Callable[[int], int | None] = lambda slot: slot,
        slots: int | None = None,
    ) -> None:
        """Store a tile, slot by slot and lane by lane, as a kernel's loop does."""
        own = operand(self.arch, self.op, "D", self.wave)
        lane = np.arange(self.wave)
        for slot in range(slots or own.slots):
            real = read(slot)
            held = np.full(self.wave, 0.0) if real is None else tile[own.map(lane, real)]
            rows, columns = (map or own.map)(lane + wave_number * self.wave, slot)
            rows, columns = rows + at[0], columns + at[1]
            inside = (rows < out.shape[0]) & (columns < out.shape[1])
            inside &= True if keep is None else keep(lane, slot)
            for row, column, value in zip(rows[inside], columns[inside], held[inside], strict=True):
                out[row, column] = value

    def run(self, a: Any, b: Any, c: Any, fill: float = 0.0, **faults: Any) -> Any:
        """Compute a whole matrix, tile by tile."""
        m, n, _ = self.shape
        inner = {name: faults.pop(name) for name in ("load_a", "load_b", "steps") if name in faults}
        out = np.full((a.shape[0], b.shape[1]), fill)
        for row in range(0, a.shape[0], m):
            for column in range(0, b.shape[1], n):
                start = c[row : row + m, column : column + n]
                tile = self.tile(a[row : row + m], b[:, column : column + n], start, **inner)
                self.store(out, tile, (row, column), **faults)
        return out
