"""Registers as compilers pass them: those of one lane, then those of the next."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

from wavemma.engines.loops import INDEX, counted_loop
from wavemma.execute.panels import ALIGN, POINTER, WORD, Registers
from wavemma.fragments import Fragment


class LaneMajor:
    """An operand as compilers pass it: the registers of one lane, then those of the next.

    Args:
        build: Where instructions go; a copy in the other order is made here.
        fragment: What lies in the registers.
        words: Registers of a lane in memory; at least those of the fragment.

    """

    def __init__(self, build: ir.IRBuilder, fragment: Fragment, words: int) -> None:
        self.build = build
        self.fragment = fragment
        self.words = words
        self.copy = build.alloca(WORD, fragment.registers * fragment.lanes)
        self.copy.align = ALIGN
        self.copy.type = POINTER

    def fetch(self, pointer: ir.Value, wave: ir.Value) -> Registers:
        """Copy one wave's registers out of memory."""
        self._each(pointer, wave, lambda there, here: self.build.store(self._word(there), here))
        return Registers(self.build, self.copy, INDEX(0), self.fragment)

    def put_back(self, pointer: ir.Value, wave: ir.Value) -> None:
        """Copy one wave's registers into memory."""
        self._each(pointer, wave, lambda there, here: self.build.store(self._word(here), there))

    def _word(self, place: ir.Value) -> ir.Value:
        return self.build.load(place, typ=WORD)

    def _each(
        self, pointer: ir.Value, wave: ir.Value, move: Callable[[ir.Value, ir.Value], object]
    ) -> None:
        """Loop over lanes; registers are few and written out."""
        build, lanes = self.build, self.fragment.lanes

        def turn(lane: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            row = build.mul(build.add(build.mul(wave, INDEX(lanes)), lane), INDEX(self.words))
            for register in range(self.fragment.registers):
                there = build.gep(pointer, [build.add(row, INDEX(register))], source_etype=WORD)
                place = build.add(INDEX(register * lanes), lane)
                move(there, build.gep(self.copy, [place], source_etype=WORD))
            return carried

        counted_loop(build, INDEX(lanes), [], turn)
