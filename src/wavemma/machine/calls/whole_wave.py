"""Accesses of all lanes at once, where their addresses allow: one check, and whole vectors."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

from wavemma.engines.loops import counted_loop
from wavemma.machine.calls.lane_access import READ, WORD_BYTES, WRITE, LaneAccess
from wavemma.machine.calls.lane_copy import LaneCopy
from wavemma.machine.compiled.records import I8, I32, I64, POINTER
from wavemma.machine.compiled.state import GROUP, WAVE, place

I1 = ir.IntType(1)
ALIGNED = 64
LANES_AT_ONCE = 8
"""Lanes of one turn: more make longer code that is no faster."""


class WholeWave:
    """Emits the attempt: on success the function returns, else it goes on behind.

    Args:
        access: The function; its arguments are addresses, words and mask.
        space: What addresses count in.
        size_bytes: Of a lane's access.
        vector_bits: Of the widest vectors worth using.
        is_load: Whether memory is read.

    """

    def __init__(
        self,
        access: LaneAccess,
        space: str,
        size_bytes: int,
        vector_bits: int,
        *,
        is_load: bool,
    ) -> None:
        self.access = access
        self.build = access.build
        self.space = space
        self.size_bytes = size_bytes
        self.count = max(size_bytes // WORD_BYTES, 1)
        self.chunk = min(vector_bits // 32, access.lanes)
        self.is_load = is_load
        self.addresses, self.words, self.mask = access.arguments[:3]
        self.copy = LaneCopy(access, self.words, size_bytes, is_load=is_load)

    def attempt(self) -> None:
        """Do it, if one check covers all lanes."""
        build, lanes = self.build, self.access.lanes
        with build.if_then(build.icmp_unsigned("==", self.mask, I64(0)), likely=False):
            build.ret(I32(0))
        wide = ir.VectorType(I64, lanes)
        every = build.load(self.addresses, align=ALIGNED, typ=wide)
        narrow = self.mask if lanes == 64 else build.trunc(self.mask, ir.IntType(lanes))
        active = build.bitcast(narrow, ir.VectorType(I1, lanes))
        highest = ir.Constant(wide, [2**64 - 1] * lanes)
        low = self._reduce("umin", build.select(active, every, highest))
        high = self._reduce("umax", build.select(active, every, ir.Constant(wide, [0] * lanes)))
        if self.space == "scratch":
            self._scratch(low, high, active)
            return
        fine, start = self._check(low, high)
        with build.if_then(fine):
            known = build.select(active, every, self._splat(low))
            moved = build.add(known, self._splat(start))
            self._move(moved, build.add(low, start))
            build.ret(I32(0))

    def _check(self, low: ir.Value, high: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Tell whether all lies in one piece of memory, and what to add to addresses."""
        access, build = self.access, self.build
        if self.space == "lds":
            start = access.member(access.frame.group, place(GROUP, "lds"))
            return access.fits(access.lds_bytes(), high, self.size_bytes), start
        record, inside = access.record(low)
        allowed = access.allows(record, READ if self.is_load else WRITE)
        held = access.within(record, low, high, self.size_bytes)
        return build.and_(inside, build.and_(held, allowed)), I64(0)

    def _move(self, addresses: ir.Value, low: ir.Value) -> None:
        build, lanes = self.build, self.access.lanes
        first = build.extract_element(addresses, I32(0))
        steps = [self.size_bytes * lane for lane in range(lanes)]
        expected = build.add(self._splat(first), ir.Constant(addresses.type, steps))
        wrong = self._reduce("or", build.xor(addresses, expected))
        full = build.icmp_unsigned("==", self.mask, I64(2**lanes - 1))
        together = build.and_(full, build.icmp_unsigned("==", wrong, I64(0)))
        with build.if_else(together) as (yes, no):
            with yes:
                self._together(build.inttoptr(first, POINTER))
            with no:
                room = self.access.room(I64, lanes)
                build.store(addresses, room, align=ALIGNED)
                self._apart(room, full)

    def _apart(self, room: ir.Value, full: ir.Value) -> None:
        """Copy lane by lane without checks; loads may take lanes that are not active along."""
        build = self.build
        if self.is_load:
            self._each(room)
            return
        with build.if_else(full) as (yes, no):
            with yes:
                self._each(room)
            with no, self.access.each_lane(self.mask) as lane:
                address = self.access.address(room, lane)
                self.copy.bytes_at(build.inttoptr(address, POINTER), lane)

    def _each(self, room: ir.Value) -> None:
        """Copy each lane; pairs and fours of words go as one, through memory of the function."""
        build, access = self.build, self.access
        if self.count not in (2, 4):
            self._turns(lambda lane: self.copy.bytes_at(self._pointer(room, lane), lane))
            return
        staging = access.room(I8, access.lanes * self.size_bytes)
        kind = ir.VectorType(I32, self.count)

        def move(lane: ir.Value) -> None:
            own = access.at(staging, build.mul(lane, I64(self.size_bytes)))
            memory = self._pointer(room, lane)
            source, to = (memory, own) if self.is_load else (own, memory)
            build.store(build.load(source, align=1, typ=kind), to, align=1)

        if not self.is_load:
            self._together(staging)
        self._turns(move)
        if self.is_load:
            self._together(staging)

    def _turns(self, move: Callable[[ir.Value], None]) -> None:
        """Do something for each lane, some lanes a turn of a loop."""
        build = self.build

        def turn(number: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            first = build.mul(number, I64(LANES_AT_ONCE))
            for lane in range(LANES_AT_ONCE):
                move(build.add(first, I64(lane)))
            return carried

        counted_loop(build, I64(self.access.lanes // LANES_AT_ONCE), [], turn)

    def _pointer(self, room: ir.Value, lane: ir.Value) -> ir.Value:
        return self.build.inttoptr(self.access.address(room, lane), POINTER)

    def _together(self, pointer: ir.Value) -> None:
        """Copy between words [word][lane] and words [lane][word]."""
        if self.size_bytes < WORD_BYTES:
            self._narrow(pointer)
            return
        build, access, chunk, count = self.build, self.access, self.chunk, self.count
        for first in range(0, access.lanes, chunk):
            memory = access.at(pointer, first * self.size_bytes)
            places = [
                access.at(self.words, (word * access.lanes + first) * WORD_BYTES)
                for word in range(count)
            ]
            if self.is_load:
                kind = ir.VectorType(I32, chunk * count)
                whole = build.load(memory, align=1, typ=kind)
                for word, to in enumerate(places):
                    picked = self._shuffle(whole, whole, range(word, chunk * count, count))
                    build.store(picked, to, align=WORD_BYTES)
            else:
                kind = ir.VectorType(I32, chunk)
                rows = [build.load(each, align=WORD_BYTES, typ=kind) for each in places]
                build.store(self._woven(rows), memory, align=1)

    def _woven(self, rows: list[ir.Value]) -> ir.Value:
        """Put rows into one vector that has the first numbers of all, then the second ones."""
        chunk, count = self.chunk, self.count
        joined = rows[0]
        for number, row in enumerate(rows[1:], 1):
            # Both sides of a shuffle must have one length: the row is filled up.
            size = number * chunk
            filled = self._shuffle(row, row, [n if n < chunk else 0 for n in range(size)])
            joined = self._shuffle(joined, filled, range(size + chunk))
        order = [word * chunk + lane for lane in range(chunk) for word in range(count)]
        return self._shuffle(joined, joined, order)

    def _narrow(self, pointer: ir.Value) -> None:
        """Copy numbers of 8 or 16 bits, which stand in words of their own."""
        build, lanes = self.build, self.access.lanes
        small = ir.VectorType(ir.IntType(8 * self.size_bytes), lanes)
        words = ir.VectorType(I32, lanes)
        if self.is_load:
            value = build.zext(build.load(pointer, align=1, typ=small), words)
            build.store(value, self.words, align=WORD_BYTES)
        else:
            value = build.trunc(build.load(self.words, align=WORD_BYTES, typ=words), small)
            build.store(value, pointer, align=1)

    def _scratch(self, low: ir.Value, high: ir.Value, active: ir.Value) -> None:
        """Copy whole rows where all lanes have one address that is a multiple of 4."""
        build, access = self.build, self.access
        if self.size_bytes < WORD_BYTES:
            return
        even = build.icmp_unsigned("==", build.and_(low, I64(WORD_BYTES - 1)), I64(0))
        same = build.and_(even, build.icmp_unsigned("==", low, high))
        held = access.fits(access.scratch_bytes(), high, self.size_bytes)
        with build.if_then(build.and_(same, held)):
            base = build.inttoptr(access.member(access.frame.wave, place(WAVE, "scratch")), POINTER)
            row_bytes = WORD_BYTES * access.lanes
            memory = access.at(base, build.mul(low, I64(access.lanes)))
            kind = ir.VectorType(I32, access.lanes)
            for word in range(self.count):
                own = access.at(self.words, word * row_bytes)
                there = access.at(memory, word * row_bytes)
                source, to = (there, own) if self.is_load else (own, there)
                value = build.load(source, align=WORD_BYTES, typ=kind)
                if not self.is_load:
                    old = build.load(there, align=WORD_BYTES, typ=kind)
                    value = build.select(active, value, old)
                build.store(value, to, align=WORD_BYTES)
            build.ret(I32(0))

    def _shuffle(self, x: ir.Value, y: ir.Value, order: Sequence[int]) -> ir.Value:
        mask = ir.Constant(ir.VectorType(I32, len(order)), list(order))
        return self.build.shuffle_vector(x, y, mask)

    def _splat(self, x: ir.Value) -> ir.Value:
        wide = ir.VectorType(x.type, self.access.lanes)
        one = self.build.insert_element(ir.Constant(wide, ir.Undefined), x, I32(0))
        return self._shuffle(one, one, [0] * self.access.lanes)

    def _reduce(self, how: str, x: ir.Value) -> ir.Value:
        name = f"llvm.vector.reduce.{how}.v{x.type.count}i64"
        module = self.build.module
        if name not in module.globals:
            ir.Function(module, ir.FunctionType(I64, [x.type]), name)
        return self.build.call(module.globals[name], [x])
