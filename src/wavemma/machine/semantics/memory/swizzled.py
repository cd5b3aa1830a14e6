"""Buffer resources whose elements alternate (swizzle), or that add the number of the lane.

No compiler makes them for compute kernels, so code that finds one leaves the usual way, and each
word of an access goes to a place of its own. What is computed follows AMD's emulator, which was
compared with gfx950, gfx11 and gfx12.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.operands import Operands
from wavemma.machine.rare_ways import RareWay
from wavemma.machine.semantics.memory.buffers import (
    BY_INDEX,
    STRUCTURED,
    UNCHECKED,
    given_offset,
    scalar_offset,
)
from wavemma.machine.value_type import WORD_BITS
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import bit_fields
from wavemma.tables.abi_rows import BitsRow

V = TypeVar("V")
Fields = Mapping[str, BitsRow]
_RESOURCE_WORDS = WORD_BYTES = 4
_WORD_LOG, _WIDE_LOG, _WIDE_ELEMENTS = 2, 4, 3
"""Elements of 4 bytes and of 16, by their powers of two; how a resource asks for the wide ones."""
_LEAST_GROUP_LOG, _STRIDE_BITS = 3, 14


class _Access(Generic[V]):
    """The numbers of each lane that a place is made of, I32.

    Args:
        e: The engine.
        fields: Of resources.
        has_index: Whether a register holds the index.
        values: Index and offset, the lane's number, the scalar offset, the words of the resource.

    """

    def __init__(self, e: Engine[V], fields: Fields, has_index: bool, values: Sequence[V]) -> None:
        self.e = e
        self.fields = fields
        self.has_index = has_index
        self.index, self.offset, self.lane, self.moved = values[:-_RESOURCE_WORDS]
        self.words = values[-_RESOURCE_WORDS:]

    def field(self, name: str) -> V:
        """Read a field of the resource."""
        row, e = self.fields[name], self.e
        bits = e.lshr(self.words[row.lo // WORD_BITS], row.lo % WORD_BITS)
        return e.and_(bits, (1 << row.hi - row.lo + 1) - 1)

    def base(self) -> V:
        """Read the address of the first byte, which is signed, as I64."""
        e, unused = self.e, Lane.I64.bits - 1 - self.fields["BASE"].hi
        pair = e.or_(self.wide(self.words[0]), e.shl(self.wide(self.words[1]), WORD_BITS))
        return e.ashr(e.shl(pair, unused), unused)

    def is_set(self, name: str) -> V:
        """Tell where a field is not 0."""
        return self.e.not_(self.e.eq(self.field(name), 0))

    def wide(self, x: V) -> V:
        """Give an unsigned number as I64."""
        return self.e.zero_extend(x, Lane.I64)

    def end(self, size_bytes: int) -> V:
        """Give where an access ends in its record, I64."""
        return self.e.add(self.wide(self.offset), size_bytes)

    def relative(self, index: V, stride: V, swizzles: V, element: V) -> V:
        """Give the address behind the base, I64."""
        e = self.e
        group = e.add(self.field("INDEX_STRIDE"), _LEAST_GROUP_LOG)
        plain = e.add(e.mul(self.wide(index), self.wide(stride)), self.wide(self.offset))
        high, low = e.lshr(index, group), _low_bits(e, index, group)
        inside = _low_bits(e, self.offset, element)
        rows = e.mul(self.wide(high), self.wide(stride))
        rows = e.add(rows, self.wide(e.sub(self.offset, inside)))
        turned = e.shl(rows, self.wide(group))
        turned = e.add(turned, e.shl(self.wide(low), self.wide(element)))
        turned = e.add(turned, self.wide(inside))
        return e.add(e.select(swizzles, turned, plain), self.wide(self.moved))


def _low_bits(e: Engine[V], x: V, count: V) -> V:
    return e.and_(x, e.sub(e.shl(e.constant(Lane.I32, 1), count), 1))


def _checked_by_mode(access: _Access[V], size_bytes: int) -> tuple[V, V]:
    """Give the place and whether it is inside, where the resource says how bounds are checked."""
    e, has_index = access.e, access.has_index
    adds = access.is_set("ADD_TID")
    zero = e.constant(Lane.I32, 0)
    index = access.index if has_index else e.select(adds, access.lane, zero)
    kind, stride = access.field("SWIZZLE"), access.field("STRIDE")
    swizzles = access.is_set("SWIZZLE")
    swizzles = swizzles if has_index else e.and_(swizzles, adds)
    wide = e.constant(Lane.I32, _WIDE_LOG)
    element = e.select(e.eq(kind, _WIDE_ELEMENTS), wide, _WORD_LOG)
    mode, records = access.field("OOB_SELECT"), access.wide(access.field("NUM_RECORDS"))
    by_index = e.unsigned_lt(access.wide(index), records)
    end = access.end(size_bytes)
    structured = e.and_(by_index, e.le(end, access.wide(stride)))
    raw = e.le(e.add(end, access.wide(access.moved)), records)
    apart = e.and_(swizzles, e.not_(e.eq(stride, 0)))
    inside = e.or_(e.and_(apart, structured), e.and_(e.not_(apart), raw))
    for number, own in (
        (STRUCTURED, structured),
        (BY_INDEX, by_index),
        (UNCHECKED, e.not_(e.eq(records, 0))),
    ):
        inside = e.or_(e.and_(e.eq(mode, number), own), e.and_(e.not_(e.eq(mode, number)), inside))
    return access.relative(index, stride, swizzles, element), inside


def _checked_by_stride(access: _Access[V], size_bytes: int) -> tuple[V, V]:
    """Give the same where nothing but index and stride says how bounds are checked."""
    e, has_index = access.e, access.has_index
    adds, enabled = access.is_set("ADD_TID"), access.is_set("SWIZZLE_ENABLE")
    moves = e.and_(adds, enabled) if has_index else adds
    index = e.select(moves, e.add(access.index, access.lane), access.index)
    own = access.field("STRIDE")
    # Where lanes are added, the format is a part of the stride.
    long = e.or_(own, e.shl(access.field("DATA_FORMAT"), _STRIDE_BITS))
    stride = e.select(moves, long, own)
    element = e.constant(Lane.I32, _WORD_LOG)
    place = access.relative(index, stride, e.and_(enabled, adds), element)
    records = access.wide(access.field("NUM_RECORDS"))
    raw = e.le(e.add(access.end(size_bytes), access.wide(access.moved)), records)
    if not has_index:
        return place, e.or_(adds, raw)
    by_index = e.unsigned_lt(access.wide(access.index), records)
    flat = e.eq(own, 0)
    return place, e.or_(e.and_(flat, raw), e.and_(e.not_(flat), by_index))


def swizzled(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> RareWay[V]:
    """Give where the words of the access of each lane lie.

    Args:
        wave: The wave.
        operands: Of the instruction.
        size_bytes: Of the access; less than a word is one.

    """
    e, named = wave.lanes, operands.decoded.operands
    architecture, code = operands.decoded.instruction.architecture, named["resource"].code
    fields, has_index = bit_fields("resource", architecture), bool(operands.modifier("idxen"))
    check = _checked_by_mode if "OOB_SELECT" in fields else _checked_by_stride
    part, count = min(size_bytes, WORD_BYTES), max(size_bytes // WORD_BYTES, 1)

    def places(own: Engine[V], *values: V) -> list[V]:
        found = []
        index, offset, lane, *others = values
        for at in range(0, count * part, part):
            access = _Access(own, fields, has_index, [index, own.add(offset, at), lane, *others])
            place, inside = check(access, part)
            present = own.select(inside, own.constant(Lane.I32, part), 0)
            found += [own.add(place, access.base()), present]
        return found

    index = wave.vector(named["address"].first) if has_index else e.constant(Lane.I32, 0)
    words = [wave.scalar(code + number) for number in range(_RESOURCE_WORDS)]
    return RareWay(
        f"{check.__name__.strip('_')}_{has_index:d}_{size_bytes}",
        places,
        [index, given_offset(wave, operands), wave.lane_numbers()],
        [scalar_offset(wave, operands), *words],
        size_bytes,
    )
