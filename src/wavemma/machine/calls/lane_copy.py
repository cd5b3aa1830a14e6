"""Bytes of one lane between memory and words [word][lane]."""

from collections.abc import Iterable

import llvmlite.ir as ir

from wavemma.machine.calls.lane_access import READ, WORD_BYTES, WRITE, LaneAccess
from wavemma.machine.compiled.records import I8, I32, I64


class LaneCopy:
    """Emits the copy of one lane.

    Args:
        access: The function.
        words: Pointer of the words.
        size_bytes: 1, 2 or a multiple of 4.
        is_load: Whether memory is read.

    """

    def __init__(
        self, access: LaneAccess, words: ir.Value, size_bytes: int, *, is_load: bool
    ) -> None:
        self.access = access
        self.words = words
        self.size_bytes = size_bytes
        self.is_load = is_load

    def checked(self, space: str, address: ir.Value, lane: ir.Value) -> None:
        """Check an address, and copy."""
        if space == "scratch":
            self._scratch(address, lane)
        elif space == "flat":
            build = self.access.build
            with build.if_else(self.access.is_in("private_base", address)) as (yes, no):
                with yes:
                    self._scratch(build.and_(address, I64(0xFFFFFFFF)), lane)
                with no:
                    self._together(space, address, lane)
        else:
            self._together(space, address, lane)

    def _together(self, space: str, address: ir.Value, lane: ir.Value) -> None:
        wanted = READ if self.is_load else WRITE
        self.bytes_at(self.access.find(space, address, lane, self.size_bytes, wanted), lane)

    def bytes_at(self, pointer: ir.Value, lane: ir.Value) -> None:
        """Copy bytes that lie side by side."""
        if self.is_load and self.size_bytes < WORD_BYTES:
            build, kind = self.access.build, ir.IntType(8 * self.size_bytes)
            wide = build.zext(build.load(pointer, align=1, typ=kind), I32)
            word = build.gep(self.words, [lane], source_etype=I32)
            build.store(wide, word, align=WORD_BYTES)
            return
        for offset, kind in self._pieces():
            self._piece(self.access.at(pointer, offset), offset, lane, kind)

    def _pieces(self) -> Iterable[tuple[int, ir.Type]]:
        if self.size_bytes < WORD_BYTES:
            return [(0, ir.IntType(8 * self.size_bytes))]
        return [(offset, I32) for offset in range(0, self.size_bytes, WORD_BYTES)]

    def _scratch(self, address: ir.Value, lane: ir.Value) -> None:
        access, build = self.access, self.access.build
        access.scratch(address, lane, self.size_bytes)
        if self.size_bytes < WORD_BYTES:
            self._scattered(address, lane, I8, 1)
            return
        low = build.and_(address, I64(WORD_BYTES - 1))
        with build.if_else(build.icmp_unsigned("==", low, I64(0))) as (yes, no):
            with yes:
                self._scattered(address, lane, I32, WORD_BYTES)
            with no:
                self._scattered(address, lane, I8, 1)

    def _scattered(self, address: ir.Value, lane: ir.Value, kind: ir.Type, step: int) -> None:
        for offset in range(0, self.size_bytes, step):
            at = self.access.build.add(address, I64(offset))
            self._piece(self.access.scratch_place(at, lane), offset, lane, kind)

    def _piece(self, memory: ir.Value, offset: int, lane: ir.Value, kind: ir.Type) -> None:
        access, build = self.access, self.access.build
        row, inside = divmod(offset, WORD_BYTES)
        index = build.add(lane, I64(row * access.lanes))
        word = build.gep(self.words, [index], source_etype=I32)
        if not self.is_load:
            build.store(build.load(access.at(word, inside), align=1, typ=kind), memory, align=1)
            return
        if kind != I32 and offset == 0 and self.size_bytes < WORD_BYTES:
            build.store(I32(0), word, align=WORD_BYTES)
        build.store(build.load(memory, align=1, typ=kind), access.at(word, inside), align=1)
