"""Prepared elements of an operand inside a compiled function."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import element_type
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.execute.panels import WORD, Codes
from wavemma.numerics.path import Lanes

Make = Callable[[ir.Value, ir.Value], Sequence[ir.Value]]
"""Number of an entry and its codes, to the parts of its prepared elements."""


class Prepared:
    """What a way of summing makes of the elements of an operand, in memory.

    Args:
        codes: The operand's codes.
        parts: Lane types of a prepared element.

    """

    def __init__(self, codes: Codes, parts: Sequence[Lane]) -> None:
        self.codes = codes
        self.build = codes.build
        self.parts = tuple(parts)
        self.memory = [codes.make(element_type(lane)) for lane in self.parts]

    def fill(self, engine: LlvmEngine, make: Make) -> None:
        """Loop over entries: give number and codes (I64 lanes), keep what is made of them."""
        slots = self.codes.slots

        def turn(group: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            first = self.build.mul(group, INDEX(slots))
            for slot in range(slots):
                entry = self.build.add(first, INDEX(slot))
                self._keep(engine, entry, make(entry, self.codes.wide(engine, first, slot)))
            return carried

        counted_loop(self.build, INDEX(self.codes.entries // slots), [], turn)

    def _keep(self, engine: LlvmEngine, entry: ir.Value, made: Sequence[ir.Value]) -> None:
        for lane, array, value in zip(self.parts, self.memory, made, strict=True):
            target = self.codes.at(array, element_type(lane), self.codes.start(entry))
            self.build.store(engine.convert(value, lane), target, align=lane.bits // 8)

    def scalars(self, entry: ir.Value, rows: Sequence[ir.Value]) -> list[Lanes[ir.Value]]:
        """Load one prepared element of each of several rows that follow each other.

        Bytes of all rows come as one i32 for each of them.
        """
        start = self.codes.start(entry)
        indices = [self.build.add(start, row) for row in rows]
        parts = []
        for lane, array in zip(self.parts, self.memory, strict=True):
            kind = element_type(lane)
            places = [self.codes.at(array, kind, index) for index in indices]
            if lane is Lane.I8:
                together = ir.IntType(lane.bits * len(rows))
                word = self.build.load(places[0], align=1, typ=together)
                parts.append([self.build.zext(word, WORD)] * len(rows))
            else:
                parts.append([self.build.load(place, typ=kind) for place in places])
        return list(zip(*parts, strict=True))

    def vectors(self, entry: ir.Value) -> Lanes[ir.Value]:
        """Load an entry of prepared elements, a vector each part."""
        start = self.codes.start(entry)
        return tuple(
            self.build.load(
                self.codes.at(array, element_type(lane), start),
                align=lane.bits // 8,
                typ=ir.VectorType(element_type(lane), self.codes.count),
            )
            for lane, array in zip(self.parts, self.memory, strict=True)
        )
