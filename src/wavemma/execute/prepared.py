"""Prepared elements of an operand inside a compiled function."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import LANE_OF_TYPE, element_type, vector_type
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.execute.panels import WORD, Codes
from wavemma.numerics.path import Lanes

Make = Callable[[ir.Value, ir.Value], Sequence[ir.Value]]
"""Number of an entry and its codes, to the parts of its prepared elements."""
Widen = Callable[[LlvmEngine, ir.Value], ir.Value]


def _widened(engine: LlvmEngine, value: ir.Value) -> ir.Value:
    return engine.convert(value, Lane.F64)


class Prepared:
    """What a way of summing makes of the elements of an operand, in memory.

    Args:
        codes: The operand's codes.
        machine: The processor.
        parts: Lane types of a prepared element.

    """

    def __init__(self, codes: Codes, machine: Machine, parts: Sequence[Lane]) -> None:
        self.codes = codes
        self.machine = machine
        self.build = codes.build
        self.parts = tuple(parts)
        self.memory = [codes.make(element_type(lane)) for lane in self.parts]
        self._narrow = {
            number: codes.make(element_type(Lane.F32))
            for number, lane in enumerate(self.parts)
            if lane is Lane.F64
        }

    def fill(self, engine: LlvmEngine, make: Make, widen: Widen = _widened) -> None:
        """Loop over entries: give number and codes (I64 lanes), keep what is made of them.

        Args:
            engine: Of as many lanes as entries that are read together have.
            make: What is done to those; the number is that of the first.
            widen: How f32 becomes f64.

        """
        slots = self.codes.slots

        def turn(group: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            entry = self.build.mul(group, INDEX(slots))
            for number, value in enumerate(make(entry, self.codes.wide(engine, entry))):
                if number in self._narrow and engine.lane(value) is Lane.F32:
                    narrow.add(number)
                    self._keep(self._narrow[number], entry, value)
                else:
                    value = engine.convert(value, self.parts[number])
                    self._keep(self.memory[number], entry, value)
            return carried

        narrow: set[int] = set()
        together = self.codes.together

        def several(number: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            first = self.build.mul(number, INDEX(together))
            for group in range(together):
                turn(self.build.add(first, INDEX(group)), carried)
            return carried

        groups = self.codes.entries // (slots * together)
        counted_loop(self.build, INDEX(groups), [], several)
        for number in narrow:
            self._widen(number, widen)

    def _keep(self, array: ir.Value, entry: ir.Value, value: ir.Value) -> None:
        element = value.type.element
        target = self.codes.at(array, element, self.codes.start(entry))
        self.build.store(value, target, align=LANE_OF_TYPE[str(element)].bits // 8)

    def _widen(self, number: int, widen: Widen) -> None:
        """Turn f32 in memory into f64: a processor does so as it loads, without moving halves."""
        engine = LlvmEngine(self.build, self.codes.count, self.machine)

        def turn(entry: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            kind = vector_type(Lane.F32, self.codes.count)
            start = self.codes.start(entry)
            place = self.codes.at(self._narrow[number], element_type(Lane.F32), start)
            value = self.build.load(place, align=4, typ=kind)
            self._keep(self.memory[number], entry, widen(engine, value))
            return carried

        counted_loop(self.build, INDEX(self.codes.entries), [], turn)

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
