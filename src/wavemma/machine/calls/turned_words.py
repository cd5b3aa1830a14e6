"""Two or four words of each lane between [lane][word] in memory and [word][lane] in registers."""

from collections.abc import Sequence

import llvmlite.ir as ir

from wavemma.machine.compiled.records import I32, I64

COUNTS = (2, 4)
"""Words of a lane that can be turned so."""
_SQUARE = 4
"""Numbers that processors turn over at once: rows of so many words, 128 bits of a vector."""


class TurnedWords:
    """Emits copies of a chunk of lanes, each at any place.

    Rows hold what the lanes of a square have: lanes 0, 4, 8 ... in the first of four rows of one
    lane each; lanes 0, 1, 4, 5 ... in the first of two rows of two.

    Args:
        build: Where instructions go.
        words: Pointer of the words [word][lane].
        count: Words of a lane.
        lanes: Of the wave.
        chunk: Lanes of a vector: a multiple of 4.

    """

    def __init__(
        self, build: ir.IRBuilder, words: ir.Value, count: int, lanes: int, chunk: int
    ) -> None:
        self.build = build
        self.words = words
        self.count = count
        self.lanes = lanes
        self.chunk = chunk

    def load(self, pointers: Sequence[ir.Value], first: ir.Value) -> None:
        """Read the memory of each lane; `first` is the number of the first one, I64."""
        kind = ir.VectorType(I32, self.count)
        parts: list[list[ir.Value]] = [[] for _ in range(self.count)]
        for lane, pointer in enumerate(pointers):
            parts[self._row(lane)].append(self.build.load(pointer, align=1, typ=kind))
        rows = [self._joined(each) for each in parts]
        for word, value in enumerate(self._pair(rows) if self.count == 2 else self._turned(rows)):
            self.build.store(value, self._place(word, first), align=4)

    def store(self, pointers: Sequence[ir.Value], first: ir.Value) -> None:
        """Write the memory of each lane, in order; `first` as for `load`."""
        kind = ir.VectorType(I32, self.chunk)
        places = [self._place(word, first) for word in range(self.count)]
        words = [self.build.load(each, align=4, typ=kind) for each in places]
        rows = self._woven(*words) if self.count == 2 else self._turned(words)
        for lane, pointer in enumerate(pointers):
            own = lane // _SQUARE * _SQUARE + lane * self.count % _SQUARE
            row = rows[self._row(lane)]
            value = self._shuffle(row, row, range(own, own + self.count))
            self.build.store(value, pointer, align=1)

    def _row(self, lane: int) -> int:
        """Give the row that holds a lane."""
        return lane % _SQUARE * self.count // _SQUARE

    def _place(self, word: int, first: ir.Value) -> ir.Value:
        index = self.build.add(first, I64(word * self.lanes))
        return self.build.gep(self.words, [index], source_etype=I32)

    def _joined(self, parts: list[ir.Value]) -> ir.Value:
        """Put vectors one behind the other."""
        while len(parts) > 1:
            order = range(2 * parts[0].type.count)
            pairs = zip(parts[::2], parts[1::2], strict=True)
            parts = [self._shuffle(*pair, order) for pair in pairs]
        return parts[0]

    def _pair(self, rows: list[ir.Value]) -> list[ir.Value]:
        """Give the first numbers of pairs, and the second ones."""
        (x, y), other = rows, self.chunk
        return [self._squares(x, y, (n, n + 2, other + n, other + n + 2)) for n in (0, 1)]

    def _woven(self, x: ir.Value, y: ir.Value) -> list[ir.Value]:
        """Give pairs of numbers: those of the first halves of squares, and of the second ones."""
        other = self.chunk
        return [self._squares(x, y, (n, other + n, n + 1, other + n + 1)) for n in (0, 2)]

    def _turned(self, rows: list[ir.Value]) -> list[ir.Value]:
        """Turn over the square of each four neighbouring numbers of four rows."""
        a, b, c, d = rows
        other = self.chunk
        return [
            self._squares(x, y, (n, n + 1, other + n, other + n + 1))
            for x, y in zip(self._woven(a, b), self._woven(c, d), strict=True)
            for n in (0, 2)
        ]

    def _squares(self, x: ir.Value, y: ir.Value, how: Sequence[int]) -> ir.Value:
        """Do the same to each four neighbouring numbers of two vectors."""
        order = [number + at for at in range(0, self.chunk, _SQUARE) for number in how]
        return self._shuffle(x, y, order)

    def _shuffle(self, x: ir.Value, y: ir.Value, order: Sequence[int]) -> ir.Value:
        mask = ir.Constant(ir.VectorType(I32, len(order)), list(order))
        return self.build.shuffle_vector(x, y, mask)
