"""A wave in a step whose code is long: a few lanes at a turn of a loop.

LLVM's time for vectors that take several of the machine's grows with each of them. In a loop over
lanes that fill one machine vector as numbers of 64 bits, it compiles every operation once.
"""

from collections.abc import Callable

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_lane_types import vector_type
from wavemma.engines.loops import counted_loop
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary
from wavemma.machine.compiled.records import I8, I32, I64
from wavemma.machine.meaning import Meaning
from wavemma.machine.perform import unit_of
from wavemma.machine.semantics import find_meaning
from wavemma.machine.steps.wave import StepWave
from wavemma.machine.value_type import types_of_row, value_type

LANES = 8
"""Lanes of a turn: a byte of a mask, so that each turn writes its own."""
_ROW_BYTES = 4 * LANES
_NARROW_BITS = 32


def takes_turns(decoded: AnyDecoded) -> bool:
    """Tell whether the code of an instruction is long, and lanes know nothing of each other."""
    if not isinstance(decoded, DecodedOrdinary):
        return False
    halves = (decoded, decoded.second) if decoded.second else (decoded,)
    return all(map(_is_by_lane, halves)) and any(map(_is_long, halves))


def _is_by_lane(decoded: DecodedOrdinary) -> bool:
    if decoded.instruction.extension is not None or unit_of(decoded) != "vector":
        return False
    found = find_meaning(decoded.instruction.row.meaning)
    return found is not None and (isinstance(found, Meaning) or found.is_long)


def _is_long(decoded: DecodedOrdinary) -> bool:
    row = decoded.instruction.row
    found = find_meaning(row.meaning)
    if found is not None and found.is_long:
        return True
    names = types_of_row(row.type) if row.type else ()
    return any(value_type(name).lane.bits > _NARROW_BITS for name in names)


class TurnWave(StepWave):
    """Emits the effects of one instruction whose lanes know nothing of each other."""

    width = LANES
    aligned = _ROW_BYTES

    def in_turns(self, emit: Callable[[], None]) -> None:
        """Emit the loop; inside, the wave is that of the lanes of one turn."""

        def turn(number: ir.Value, carried: object) -> tuple[()]:
            self._turn = number
            self._first = self.build.mul(number, I64(LANES))
            self._behind = self.build.mul(number, I64(_ROW_BYTES))
            self._vectors: dict[int, ir.Value] = {}
            emit()
            return ()

        counted_loop(self.build, I64(self.size // LANES), (), turn)

    def vector_place(self, number: int) -> ir.Value:
        """Give the address of the turn's lanes of a vector register."""
        if number not in self._vectors:
            self._vectors[number] = self.at(super().vector_place(number), self._behind)
        return self._vectors[number]

    def scalar(self, code: int) -> ir.Value:
        """Read a scalar register as it was before the first turn."""
        with self.at_entry():
            return super().scalar(code)

    def set_scalar(self, code: int, value: ir.Value) -> None:
        """Write a scalar register: no turn may."""
        raise Unsupported("What an instruction writes must be a number a lane here.")

    def set_scc(self, value: ir.Value) -> None:
        """Write the scalar condition: no turn may."""
        self.set_scalar(self.codes.vcc, value)

    def lanes_of(self, mask: ir.Value) -> ir.Value:
        """Turn a mask into BOOL lanes of the turn."""
        amount = self._first if mask.type == I64 else self.build.trunc(self._first, mask.type)
        own = self.build.trunc(self.build.lshr(mask, amount), I8)
        return self.build.bitcast(own, vector_type(Lane.BOOL, LANES))

    def mask_of(self, truth: ir.Value) -> ir.Value:
        """Turn BOOL lanes into the turn's byte of a mask."""
        return self.build.bitcast(truth, I8)

    def set_mask(self, code: int, mask: ir.Value) -> None:
        """Write the turn's byte of a mask."""
        if code != self.codes.null:
            self.build.store(mask, self.at(self.scalar_place(code), self._turn), align=1)

    def lane_numbers(self) -> ir.Value:
        """Number the lanes of the turn."""
        first = self.build.trunc(self._first, I32)
        numbers = ir.Constant(vector_type(Lane.I32, LANES), list(range(LANES)))
        return self.build.add(self.lanes.splat(first), numbers)
