"""Accesses of all lanes at once, where their addresses allow: one check, and no more."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import llvmlite.ir as ir

from wavemma.engines.llvm_lane_types import Splat, Unread
from wavemma.engines.loops import counted_loop
from wavemma.engines.machine import Machine
from wavemma.machine.calls.gathered_words import gather
from wavemma.machine.calls.lane_access import END, READ, START, WORD_BYTES, WRITE, LaneAccess
from wavemma.machine.calls.lane_copy import LaneCopy
from wavemma.machine.calls.turned_words import COUNTS, TurnedWords
from wavemma.machine.compiled.records import I32, I64, POINTER
from wavemma.machine.compiled.state import GROUP, WAVE, place

ALIGNED = 64
RUN = 16
"""Lanes whose numbers are copied together where they lie side by side: rows of matrices' tiles."""
LANES_AT_ONCE = 8
"""Lanes of one turn: more make longer code that is no faster."""
FEW_LANES = 4
"""Lanes of one turn in code that is to be ready soon."""


class _Piece(NamedTuple):
    """Memory in which accesses may begin: from `start` to `most` bytes behind it.

    Attributes:
        exists: Whether there is any.
        start: Of addresses.
        most: Behind it.
        shift: From addresses to pointers.

    """

    exists: ir.Value
    start: ir.Value
    most: ir.Value
    shift: ir.Value


class WholeWave:
    """Emits the attempt: on success the function returns, else it goes on behind.

    Args:
        access: The function; its arguments are addresses, words and mask.
        space: What addresses count in.
        size_bytes: Of a lane's access.
        machine: The processor.
        room: Where the words of a load may lie that not all lanes do.
        is_load: Whether memory is read.
        is_short: Whether code should be short rather than fast.

    """

    def __init__(
        self,
        access: LaneAccess,
        space: str,
        size_bytes: int,
        machine: Machine,
        room: ir.Value,
        *,
        is_load: bool,
        is_short: bool = False,
    ) -> None:
        self.access = access
        self.build = access.build
        self.space = space
        self.size_bytes = size_bytes
        self.count = max(size_bytes // WORD_BYTES, 1)
        self.chunk = FEW_LANES if is_short else min(machine.vector_bits // 32, access.lanes)
        self.at_once = FEW_LANES if is_short else LANES_AT_ONCE
        self.is_load = is_load
        self.addresses, self.words, self.mask = access.arguments[:3]
        self.room = room
        self.every = ir.VectorType(access.number, access.lanes)
        self.narrow = machine.vector_bits // access.number.width
        self.run = access.lanes if is_short else RUN
        self.gathers = machine.has_gather and is_load and self.count == 1 and not is_short

    def attempt(self) -> None:
        """Do it, if one check covers all lanes."""
        build = self.build
        with build.if_then(build.icmp_unsigned("==", self.mask, I64(0)), likely=False):
            build.ret(I32(0))
        lead = self.access.address(self.addresses, build.cttz(self.mask, ir.IntType(1)(1)))
        every = build.load(self.addresses, align=ALIGNED, typ=self.every)
        if self.space == "scratch":
            self._scratch(lead, every)
            return
        full = build.icmp_unsigned("==", self.mask, I64(2**self.access.lanes - 1))
        piece = self._piece(lead)
        with build.if_then(piece.exists, likely=True):
            if self.count == 1:
                self._rows(every, piece, full)
            addresses, words, known = self._known(lead, every, full)
            behind = build.sub(known, self._splat(piece.start))
            farthest = self._joined(behind, self._larger)
            most = self._splat(piece.most, farthest.type)
            with build.if_then(self._all(build.icmp_unsigned("<=", farthest, most))):
                if self.gathers:
                    self._gather(known, words, piece, farthest, full)
                self._apart(addresses, words, piece.shift, full)
                build.ret(I32(0))

    def _joined(self, every: ir.Value, join: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
        """Join the numbers of all lanes until they fit into one vector of the processor."""
        while every.type.count > self.narrow:
            half = every.type.count // 2
            kind = ir.VectorType(I32, half)
            parts = [ir.Constant(kind, list(range(n, n + half))) for n in (0, half)]
            every = join(*(self.build.shuffle_vector(every, every, part) for part in parts))
        return every

    def _larger(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self.build.select(self.build.icmp_unsigned(">", x, y), x, y)

    def _all(self, truth: ir.Value) -> ir.Value:
        """Tell whether something holds in all of some lanes."""
        number = ir.IntType(truth.type.count)
        return self.build.icmp_unsigned("==", self.build.bitcast(truth, number), number(-1))

    def _hold(self, truth: ir.Value) -> ir.Value:
        """Tell whether something holds in all active lanes."""
        build = self.build
        number = build.bitcast(truth, ir.IntType(self.access.lanes))
        number = number if number.type == I64 else build.zext(number, I64)
        missed = build.and_(self.mask, build.not_(number))
        return build.icmp_unsigned("==", missed, I64(0))

    def _piece(self, lead: ir.Value) -> _Piece:
        """Give the piece of memory that an address lies in."""
        access, build, size = self.access, self.build, I64(self.size_bytes)
        if self.space == "lds":
            room, shift = access.lds_bytes(), access.member(access.frame.group, place(GROUP, "lds"))
            enough = build.icmp_unsigned(">=", room, size)
            return _Piece(enough, I64(0), build.sub(room, size), shift)
        record, inside = access.record(lead)
        allowed = access.allows(record, READ if self.is_load else WRITE)
        start = access.member(record, START)
        room = build.sub(access.member(record, END), start)
        enough = build.icmp_unsigned(">=", room, size)
        exists = build.and_(inside, build.and_(allowed, enough))
        return _Piece(exists, start, build.sub(room, size), I64(0))

    def _rows(self, every: ir.Value, piece: _Piece, full: ir.Value) -> None:
        """Copy runs of lanes whose numbers lie side by side, and return, if all lanes do."""
        build, lanes = self.build, self.access.lanes
        firsts = [lane - lane % self.run for lane in range(lanes)]
        steps = [self.size_bytes * (lane % self.run) for lane in range(lanes)]
        order = ir.Constant(ir.VectorType(I32, lanes), firsts)
        behind = build.sub(every, build.shuffle_vector(every, every, order))
        wrong = self._joined(build.xor(behind, ir.Constant(self.every, steps)), build.or_)
        in_rows = self._all(build.icmp_unsigned("==", wrong, ir.Constant(wrong.type, None)))
        with build.if_then(build.and_(full, in_rows)):
            pointers, last = [], I64(self.size_bytes * (self.run - 1))
            held, most = build.icmp_unsigned(">=", piece.most, last), build.sub(piece.most, last)
            for first in range(0, lanes, self.run):
                address = self.access.address(self.addresses, I64(first))
                start = build.sub(address, piece.start)
                held = build.and_(held, build.icmp_unsigned("<=", start, most))
                pointers.append(build.inttoptr(build.add(address, piece.shift), POINTER))
            with build.if_then(held):
                for number, pointer in enumerate(pointers):
                    self._row(pointer, number * self.run)
                build.ret(I32(0))

    def _known(
        self, lead: ir.Value, every: ir.Value, full: ir.Value
    ) -> tuple[ir.Value, ir.Value, ir.Value]:
        """Give all lanes an address that may be read: of others than active ones, the first's.

        Returns:
            Pointers of the addresses and of the words, and the addresses.

        """
        build, lanes = self.build, self.access.lanes
        before = build.block
        some, after = build.append_basic_block(), build.append_basic_block()
        build.cbranch(full, after, some)
        build.position_at_end(some)
        number = self.mask if lanes == 64 else build.trunc(self.mask, ir.IntType(lanes))
        active = build.bitcast(number, ir.VectorType(ir.IntType(1), lanes))
        own = build.select(active, every, self._splat(lead))
        place_ = self.addresses
        if self.is_load:
            place_ = self.access.room(self.access.number, lanes)
            build.store(own, place_, align=ALIGNED)
        build.branch(after)
        build.position_at_end(after)
        found = build.phi(POINTER), build.phi(POINTER), build.phi(self.every)
        for phi, whole, part in zip(
            found, (self.addresses, self.words, every), (place_, self.room, own), strict=True
        ):
            phi.add_incoming(whole, before)
            phi.add_incoming(part, some)
        return found

    def _gather(
        self, known: ir.Value, words: ir.Value, piece: _Piece, farthest: ir.Value, full: ir.Value
    ) -> None:
        """Read a whole word a lane, and return, unless less than that is left behind any."""
        build = self.build
        more = I64(WORD_BYTES - min(self.size_bytes, WORD_BYTES))
        most = self._splat(build.sub(piece.most, more), farthest.type)
        near = self._all(build.icmp_unsigned("<=", farthest, most))
        with build.if_then(build.and_(near, build.icmp_unsigned(">=", piece.most, more))):
            gather(self.access, known, piece.shift, words, self.size_bytes)
            with build.if_then(build.not_(full), likely=False):
                self.access.blend(words, self.words, self.mask, self.count)
            build.ret(I32(0))

    def _apart(self, addresses: ir.Value, words: ir.Value, shift: ir.Value, full: ir.Value) -> None:
        """Copy lane by lane without checks; loads may take lanes that are not active along."""
        build, access = self.build, self.access
        if self.is_load:
            self._each(addresses, words, shift)
            with build.if_then(build.not_(full), likely=False):
                access.blend(words, self.words, self.mask, self.count)
            return
        copy = LaneCopy(access, words, self.size_bytes, is_load=False)
        with build.if_else(full) as (yes, no):
            with yes:
                self._each(addresses, words, shift)
            with no, access.each_lane(self.mask) as lane:
                copy.bytes_at(self._pointer(addresses, shift, lane), lane)

    def _each(self, addresses: ir.Value, words: ir.Value, shift: ir.Value) -> None:
        """Copy each lane, some lanes a turn of a loop."""
        build, access, count = self.build, self.access, self.count
        size = self.chunk if count in COUNTS else self.at_once
        turned = TurnedWords(build, words, count, access.lanes, size)
        copy = LaneCopy(access, words, self.size_bytes, is_load=self.is_load)

        def turn(number: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            first = build.mul(number, I64(size))
            lanes = [build.add(first, I64(lane)) for lane in range(size)]
            pointers = [self._pointer(addresses, shift, lane) for lane in lanes]
            if count not in COUNTS:
                for pointer, lane in zip(pointers, lanes, strict=True):
                    copy.bytes_at(pointer, lane)
            elif self.is_load:
                turned.load(pointers, first)
            else:
                turned.store(pointers, first)
            return carried

        counted_loop(build, I64(access.lanes // size), [], turn)

    def _pointer(self, addresses: ir.Value, shift: ir.Value, lane: ir.Value) -> ir.Value:
        address = self.build.add(self.access.address(addresses, lane), shift)
        return self.build.inttoptr(address, POINTER)

    def _row(self, pointer: ir.Value, first: int) -> None:
        """Copy between words of some lanes and numbers side by side, which may be narrow."""
        build = self.build
        small = ir.VectorType(ir.IntType(8 * self.size_bytes), self.run)
        words = ir.VectorType(I32, self.run)
        own = self.access.at(self.words, first * WORD_BYTES)
        if self.is_load:
            value = build.load(pointer, align=1, typ=small)
            wide = value if small == words else build.zext(value, words)
            build.store(wide, own, align=WORD_BYTES)
        else:
            value = build.load(own, align=WORD_BYTES, typ=words)
            narrow = value if small == words else build.trunc(value, small)
            build.store(narrow, pointer, align=1)

    def _scratch(self, lead: ir.Value, every: ir.Value) -> None:
        """Copy whole rows where all lanes have one address that is a multiple of 4."""
        build, access = self.build, self.access
        if self.size_bytes < WORD_BYTES:
            return
        even = build.icmp_unsigned("==", build.and_(lead, I64(WORD_BYTES - 1)), I64(0))
        same = self._hold(build.icmp_unsigned("==", every, self._splat(lead)))
        held = access.fits(access.scratch_bytes(), lead, self.size_bytes)
        with build.if_then(build.and_(build.and_(even, same), held)):
            base = build.inttoptr(access.member(access.frame.wave, place(WAVE, "scratch")), POINTER)
            row_bytes = WORD_BYTES * access.lanes
            memory = access.at(base, build.mul(lead, I64(access.lanes)))
            kind = ir.VectorType(I32, access.lanes)
            number = self.mask if access.lanes == 64 else build.trunc(self.mask, I32)
            active = build.bitcast(number, ir.VectorType(ir.IntType(1), access.lanes))
            for word in range(self.count):
                own = access.at(self.words, word * row_bytes)
                there = access.at(memory, word * row_bytes)
                source, to = (there, own) if self.is_load else (own, there)
                new, old = (build.load(p, align=WORD_BYTES, typ=kind) for p in (source, to))
                build.store(build.select(active, new, old), to, align=WORD_BYTES)
            build.ret(I32(0))

    def _splat(self, x: ir.Value, kind: ir.VectorType | None = None) -> ir.Value:
        if x.type != self.access.number:
            x = self.build.trunc(x, self.access.number)
        unread = Unread(kind or self.every)
        one = self.build.insert_element(unread, x, I32(0))
        return self.build.shuffle_vector(one, unread, Splat(I32(0), unread.type.count))
