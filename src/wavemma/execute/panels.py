"""Registers and the codes in them inside a compiled function."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.loops import INDEX
from wavemma.execute.runs import Run, runs
from wavemma.fragments import Fragment
from wavemma.layouts.layout import REGISTER_BITS

WORD = ir.IntType(REGISTER_BITS)
POINTER = ir.PointerType()
ALIGN = 64


class Registers:
    """One operand's registers of one wave.

    Args:
        build: Where instructions go.
        pointer: uint32 [wave, register, lane].
        wave: Number of the wave.
        fragment: What lies in the registers.

    """

    def __init__(
        self, build: ir.IRBuilder, pointer: ir.Value, wave: ir.Value, fragment: Fragment
    ) -> None:
        self.build = build
        self.fragment = fragment
        words = INDEX(fragment.registers * fragment.lanes)
        self.first = build.gep(pointer, [build.mul(wave, words)], source_etype=WORD)

    def copy(self, number: ir.Value) -> "Registers":
        """Give the same registers as seen from the lanes of another copy."""
        offsets = self.fragment.layout.copies
        step = self.build.mul(number, INDEX(offsets[1] - offsets[0]))
        moved = self.build.gep(self.first, [step], source_etype=WORD)
        return Registers(self.build, moved, INDEX(0), self.fragment)

    def copies_agree(self) -> ir.Value:
        """Tell whether the lanes of all copies hold the same bits."""
        layout, build = self.fragment.layout, self.build
        group, lanes = 1 << len(layout.lane_bits), self.fragment.lanes
        kind = ir.VectorType(WORD, group)
        apart = ir.Constant(kind, [0] * group)
        for start in range(0, self.fragment.registers * lanes, lanes):
            first = self._load(start + layout.copies[0], group)
            for offset in layout.copies[1:]:
                apart = build.or_(apart, build.xor(first, self._load(start + offset, group)))
        whole = ir.IntType(WORD.width * group)
        return build.icmp_unsigned("==", build.bitcast(apart, whole), whole(0))

    def words(self, word: ir.Value) -> ir.Value:
        """Give the address of a word: register times lanes plus lane."""
        return self.build.gep(self.first, [word], source_etype=WORD)

    def _load(self, word: int, length: int) -> ir.Value:
        place = self.words(INDEX(word))
        return self.build.load(place, align=4, typ=ir.VectorType(WORD, length))

    def codes(self, run: Run) -> ir.Value:
        """Load a run as codes: i64 for elements of 64 bits, else i32."""
        bits, build = self.fragment.bits, self.build
        low = self._load(run.word, run.length)
        spans = run.bit + bits > REGISTER_BITS
        high = self._load(run.word + self.fragment.lanes, run.length) if spans else None
        if bits > REGISTER_BITS:
            wide = ir.VectorType(INDEX, run.length)
            return build.or_(
                build.zext(low, wide),
                build.shl(build.zext(high, wide), splat(wide, REGISTER_BITS)),
            )
        code = build.lshr(low, splat(low.type, run.bit)) if run.bit else low
        if high is not None:
            code = build.or_(code, build.shl(high, splat(low.type, REGISTER_BITS - run.bit)))
        if bits < REGISTER_BITS:
            code = build.and_(code, splat(low.type, (1 << bits) - 1))
        return code

    def store(self, found: Sequence[Run], code: ir.Value) -> None:
        """Write codes, keeping the other bits of each register."""
        for run in found:
            part = _cut(self.build, code, run)
            if self.fragment.bits > REGISTER_BITS:
                words = ir.VectorType(WORD, run.length)
                shift = splat(part.type, REGISTER_BITS)
                self._put(run.word, self.build.trunc(part, words))
                high = self.build.trunc(self.build.lshr(part, shift), words)
                self._put(run.word + self.fragment.lanes, high)
            else:
                self._merge(run, part)

    def _merge(self, run: Run, code: ir.Value) -> None:
        bits, build = self.fragment.bits, self.build
        if bits == REGISTER_BITS:
            self._put(run.word, code)
            return
        mask = (1 << bits) - 1
        kept = build.and_(self._load(run.word, run.length), splat(code.type, ~(mask << run.bit)))
        own = build.and_(code, splat(code.type, mask))
        self._put(run.word, build.or_(kept, build.shl(own, splat(code.type, run.bit))))

    def _put(self, word: int, value: ir.Value) -> None:
        self.build.store(value, self.words(INDEX(word)), align=4)


class Codes(ABC):
    """Codes of an operand by entry, a row of C or a k: numbers along a row or a column.

    Args:
        build: Where instructions go; memory is reserved here.
        fragment: The operand.
        letter: The index along an entry: i or j.
        entries: How many entries.

    Attributes:
        slots: Entries that are read together.
        together: How often a loop over those should be written out.

    """

    slots: int = 1
    together: int = 1

    def __init__(self, build: ir.IRBuilder, fragment: Fragment, letter: str, entries: int) -> None:
        self.build = build
        self.fragment = fragment
        self.letter = letter
        self.entries = entries
        self.count = fragment.layout.size[letter]
        self.kind = INDEX if fragment.bits > REGISTER_BITS else WORD

    def make(self, kind: ir.Type) -> ir.Value:
        """Reserve memory for a value of every element."""
        array = self.build.alloca(kind, self.entries * self.count)
        array.align = ALIGN
        array.type = POINTER  # llvmlite still gives it a typed pointer.
        return array

    @abstractmethod
    def vector(self, entry: ir.Value) -> ir.Value:
        """Load the codes of an entry."""

    @abstractmethod
    def wide(self, engine: LlvmEngine, entry: ir.Value) -> ir.Value:
        """Load the codes of all entries that are read together, as I64 lanes.

        Args:
            engine: Of as many lanes.
            entry: The first of them.

        """

    @abstractmethod
    def put(self, entry: ir.Value, code: ir.Value) -> None:
        """Store the codes of an entry."""

    def start(self, entry: ir.Value) -> ir.Value:
        """Give the index of the first element of an entry."""
        return self.build.mul(entry, INDEX(self.count))

    def at(self, array: ir.Value, kind: ir.Type, index: ir.Value) -> ir.Value:
        """Give the address of one element."""
        return self.build.gep(array, [index], source_etype=kind)


class Array(Codes):
    """Codes of an operand in memory: [entry][row or column].

    Args:
        build: Where instructions go; the array is made here.
        fragment: The operand.
        letter: The index along an entry: i or j.
        entries: How many entries.

    """

    def __init__(self, build: ir.IRBuilder, fragment: Fragment, letter: str, entries: int) -> None:
        super().__init__(build, fragment, letter, entries)
        self.memory = self.make(self.kind)

    def read(self, registers: Registers, entry: int, place: Mapping[str, int]) -> None:
        """Copy the codes of one entry out of the registers."""
        for run in runs(registers.fragment, self.letter, self.count, **place):
            target = self.at(self.memory, self.kind, INDEX(entry * self.count + run.start))
            self.build.store(registers.codes(run), target, align=4)

    def write(self, registers: Registers, entry: int, place: Mapping[str, int]) -> None:
        """Copy the codes of one entry into the registers."""
        code = self.vector(INDEX(entry))
        registers.store(runs(registers.fragment, self.letter, self.count, **place), code)

    def clear(self, entry: int) -> None:
        """Put zero codes where no element is read."""
        kind = ir.VectorType(self.kind, self.count)
        target = self.at(self.memory, self.kind, INDEX(entry * self.count))
        self.build.store(ir.Constant(kind, [0] * self.count), target, align=4)

    def vector(self, entry: ir.Value) -> ir.Value:
        """Load the codes of an entry."""
        kind = ir.VectorType(self.kind, self.count)
        return self.build.load(
            self.at(self.memory, self.kind, self.start(entry)), align=4, typ=kind
        )

    def wide(self, engine: LlvmEngine, entry: ir.Value) -> ir.Value:
        """Load the codes of an entry as I64 lanes."""
        code = self.vector(entry)
        return code if self.kind is INDEX else self.build.zext(code, engine.vector_type(Lane.I64))

    def put(self, entry: ir.Value, code: ir.Value) -> None:
        """Store the codes of an entry."""
        kind = ir.VectorType(self.kind, self.count)
        narrow = code if code.type == kind else self.build.trunc(code, kind)
        self.build.store(narrow, self.at(self.memory, self.kind, self.start(entry)), align=4)

    def number(self, entry: ir.Value, column: ir.Value) -> ir.Value:
        """Load one code as a number."""
        index = self.build.add(self.start(entry), column)
        value = self.build.load(self.at(self.memory, self.kind, index), typ=self.kind)
        return value if self.kind is INDEX else self.build.zext(value, INDEX)


def splat(kind: ir.VectorType, number: int) -> ir.Constant:
    """Give an integer in every lane."""
    mask = (1 << kind.element.width) - 1
    return ir.Constant(kind, [number & mask] * kind.count)


def _cut(build: ir.IRBuilder, value: ir.Value, run: Run) -> ir.Value:
    if run.length == value.type.count:
        return value
    return build.shuffle_vector(value, value, _order(range(run.start, run.start + run.length)))


def _order(numbers: Sequence[int] | range) -> ir.Constant:
    return ir.Constant(ir.VectorType(WORD, len(numbers)), list(numbers))
