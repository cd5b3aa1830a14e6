"""Codes read and written in the registers where they lie, without a copy in between.

That is possible where each entry of an operand, a row of C or a k, fills lanes that follow each
other, and where its place follows from the bits of its number: each bit moves it by a fixed
distance. All layouts do so but those whose rows are cut, or whose numbers of entries are no
powers of two.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.loops import INDEX
from wavemma.engines.wide_x86 import shuffled
from wavemma.execute.panels import Codes, Registers
from wavemma.execute.runs import runs
from wavemma.fragments import Fragment
from wavemma.layouts.layout import REGISTER_BITS

_WRITTEN_OUT = 4


class Steps(NamedTuple):
    """Places of entries, as distances in bits of registers.

    Attributes:
        start: Of entry 0.
        distances: What each bit of an entry's number adds, its lowest bit first.

    """

    start: int
    distances: tuple[int, ...]

    @property
    def slots(self) -> int:
        """Entries that lie in the same registers and lanes, and follow each other."""
        inside = takewhile(lambda distance: 0 <= distance < REGISTER_BITS, self.distances)
        return 1 << sum(1 for _ in inside)

    def place(self, entry: int) -> int:
        """Give the place of an entry."""
        return self.start + sum(
            distance for bit, distance in enumerate(self.distances) if entry >> bit & 1
        )

    def runs(self) -> Iterator[tuple[int, int, int]]:
        """Give bits that move by one distance and its doubles: the first, how many, how far."""
        first = self.slots.bit_length() - 1
        while first < len(self.distances):
            distance, length = self.distances[first], 1
            while self.distances[first : first + length + 1][length:] == (distance << length,):
                length += 1
            yield first, length, distance
            first += length


def steps_of(fragment: Fragment, letter: str, entries: Sequence[Mapping[str, int]]) -> Steps | None:
    """Find the places of entries; None if they follow no such rule.

    Args:
        fragment: The operand, where modifiers put it.
        letter: The index along an entry.
        entries: The other indices of each entry.

    """
    count, places = fragment.layout.size[letter], []
    if REGISTER_BITS % fragment.bits:
        return None
    for entry in entries:
        found = runs(fragment, letter, count, **entry)
        if len(found) > 1:
            return None
        places.append(found[0].word * REGISTER_BITS + found[0].bit)
    length = (len(places) - 1).bit_length()
    steps = Steps(places[0], tuple(places[1 << bit] - places[0] for bit in range(length)))
    outside = steps.distances[steps.slots.bit_length() - 1 :]
    follows = [steps.place(entry) for entry in range(1 << length)] == places
    whole = all(distance % REGISTER_BITS == 0 for distance in outside)
    return steps if follows and whole else None


class InPlace(Codes):
    """Codes of an operand in registers.

    Args:
        build: Where instructions go.
        fragment: The operand.
        letter: The index along an entry: i or j.
        entries: How many entries.
        steps: Their places.

    """

    def __init__(
        self, build: ir.IRBuilder, fragment: Fragment, letter: str, entries: int, steps: Steps
    ) -> None:
        super().__init__(build, fragment, letter, entries)
        self.steps = steps
        self.slots = steps.slots
        # Places that follow several bits in no order take long to find.
        groups = entries // steps.slots
        self.together = min(_WRITTEN_OUT, groups) if len(list(steps.runs())) > 1 else 1
        self._registers: Registers | None = None

    def bind(self, registers: Registers) -> None:
        """Say which registers they are, for the code that is written next."""
        self._registers = registers

    def word(self, entry: ir.Value) -> ir.Value:
        """Load the registers that an entry lies in."""
        assert self._registers is not None
        build, place = self.build, INDEX(self.steps.start // REGISTER_BITS)
        for bit, length, distance in self.steps.runs():
            number = build.and_(build.lshr(entry, INDEX(bit)), INDEX((1 << length) - 1))
            words = build.mul(number, INDEX(distance // REGISTER_BITS))
            place = build.add(place, words)
        return self._registers.words(place)

    def vector(self, entry: ir.Value) -> ir.Value:
        """Load the codes of an entry that fills its registers."""
        kind = ir.VectorType(self.kind, self.count)
        return self.build.load(self.word(entry), align=4, typ=kind)

    def wide(self, engine: LlvmEngine, entry: ir.Value) -> ir.Value:
        """Load the codes of the entries that lie in the same registers, one after the other."""
        bits, first = self.fragment.bits, self.steps.start // REGISTER_BITS * REGISTER_BITS
        inside = REGISTER_BITS // bits
        codes = ir.VectorType(ir.IntType(bits), inside * self.count)
        words = self.build.bitcast(self.vector(entry), codes)
        places = [(self.steps.place(slot) - first) // bits for slot in range(self.slots)]
        order = [lane * inside + place for place in places for lane in range(self.count)]
        code = shuffled(self.build, words, words, order)
        return self.build.zext(code, engine.vector_type(Lane.I64))

    def put(self, entry: ir.Value, code: ir.Value) -> None:
        """Store the codes of an entry that fills its registers."""
        self.build.store(code, self.word(entry), align=4)
