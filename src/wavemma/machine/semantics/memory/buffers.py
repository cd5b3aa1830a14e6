"""Buffer resources: where an access lies, and how much of it is inside."""

from typing import Generic, TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import WORD_BITS, value_type
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import bit_fields

V = TypeVar("V")
STRUCTURED, BY_INDEX, UNCHECKED, RAW = range(4)
"""Ways of checking bounds, as the resource numbers them."""
_ENDLESS = 1 << 62
_ADDS_LANE = "ADD_TID"
_ODD = ("SWIZZLE", "SWIZZLE_ENABLE", _ADDS_LANE)
_UNKNOWN = ("STRIDE", "STRIDE_SCALE", "FLAGS")
"""Fields that are 0 in every resource of CDNA5 that was seen: what others mean is not known."""


class Resource(Generic[V]):
    """The fields of a resource in scalar registers, as numbers of one I64.

    Args:
        wave: The wave.
        code: Of the first register.
        architecture: Whose layout it has.

    """

    def __init__(self, wave: WaveState[V], code: int, architecture: str) -> None:
        self._wave = wave
        self._code = code
        self._fields = bit_fields("resource", architecture)

    def has(self, name: str) -> bool:
        """Tell whether resources of the architecture have a field."""
        return name in self._fields

    def field(self, name: str) -> V:
        """Read a field of no more than 32 bits."""
        s, row = self._wave.scalars, self._fields[name]
        word = self._wave.scalar(self._code + row.lo // WORD_BITS)
        bits = s.and_(s.lshr(word, row.lo % WORD_BITS), (1 << row.hi - row.lo + 1) - 1)
        return s.zero_extend(bits, Lane.I64)

    def records(self) -> V:
        """Read how many bytes or records there are; the field may reach over words."""
        s, row = self._wave.scalars, self._fields["NUM_RECORDS"]
        first, skip = divmod(row.lo, WORD_BITS)
        found, width = s.constant(Lane.I64, 0), row.hi - row.lo + 1
        for number in range(first, row.hi // WORD_BITS + 1):
            word = s.zero_extend(self._wave.scalar(self._code + number), Lane.I64)
            place = WORD_BITS * (number - first) - skip
            found = s.or_(found, s.shl(word, place) if place >= 0 else s.lshr(word, -place))
        return s.and_(found, (1 << width) - 1)

    def base(self) -> V:
        """Read the address of the first byte, which is signed."""
        s, row = self._wave.scalars, self._fields["BASE"]
        unused = 2 * WORD_BITS - 1 - row.hi
        return s.ashr(s.shl(self._wave.pair(self._code), unused), unused)


def given_offset(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the offset in a record that the instruction and a register name, I32.

    Both are added in 32 bits, as AMD's emulator does after hardware.
    """
    e, offset = wave.lanes, operands.modifier("offset")
    if not operands.modifier("offen"):
        return e.constant(Lane.I32, offset)
    named = operands.decoded.operands
    register = named["address"].first + operands.modifier("idxen")
    return e.add(wave.vector(register), offset)


def scalar_offset(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the offset that is the same for all lanes, one I32."""
    return Operands(wave, operands.decoded, "scalar").read("scalar_offset", value_type("u32"))


def is_odd(wave: WaveState[V], operands: Operands[V]) -> V:
    """Tell whether the elements of the resource alternate, it adds the lane, or more is unknown.

    One BOOL.
    """
    s, named = wave.scalars, operands.decoded.operands
    resource = Resource(wave, named["resource"].code, operands.decoded.instruction.architecture)
    odd = s.constant(Lane.I64, 0)
    for name in _ODD if resource.has(_ADDS_LANE) else _UNKNOWN:
        odd = s.or_(odd, resource.field(name)) if resource.has(name) else odd
    return s.not_(s.eq(odd, 0))


def may_be_odd(operands: Operands[V]) -> bool:
    """Tell whether it is known what odd resources of an architecture mean."""
    return _ADDS_LANE in bit_fields("resource", operands.decoded.instruction.architecture)


def buffer_bytes(wave: WaveState[V], operands: Operands[V], size_bytes: int) -> tuple[V, V]:
    """Give the address of each lane in device memory, and how many bytes of its access there are.

    The resource must not be odd.
    """
    e, s, named = wave.lanes, wave.scalars, operands.decoded.operands
    resource = Resource(wave, named["resource"].code, operands.decoded.instruction.architecture)
    scalar = s.zero_extend(scalar_offset(wave, operands), Lane.I64)
    offset = e.zero_extend(given_offset(wave, operands), Lane.I64)
    index = None
    address = e.add(wave.spread(s.add(resource.base(), scalar)), offset)
    if operands.modifier("idxen"):
        index = e.zero_extend(wave.vector(named["address"].first), Lane.I64)
        address = e.add(address, e.mul(index, wave.spread(resource.field("STRIDE"))))
    room = e.sub(_room(wave, resource, scalar, index), offset)
    return address, e.convert(e.max(e.min(room, size_bytes), 0), Lane.I32)


def _room(wave: WaveState[V], resource: Resource[V], scalar: V, index: V | None) -> V:
    """Give how many bytes from the start of its record on each lane may reach."""
    if not resource.has("OOB_SELECT"):
        return _room_by_stride(wave, resource, scalar, index)
    e, s = wave.lanes, wave.scalars
    mode, records = resource.field("OOB_SELECT"), resource.records()
    stride = resource.field("STRIDE")
    is_raw = s.eq(mode, RAW)
    limit = s.select(s.eq(mode, STRUCTURED), stride, s.constant(Lane.I64, _ENDLESS))
    limit = s.select(s.eq(records, 0), s.constant(Lane.I64, 0), limit)
    limit = wave.spread(s.select(is_raw, s.sub(records, scalar), limit))
    if index is None:
        return limit
    free = s.or_(is_raw, s.eq(mode, UNCHECKED))
    bound = wave.spread(s.select(free, s.constant(Lane.I64, _ENDLESS), records))
    return e.select(e.lt(index, bound), limit, 0)


def _room_by_stride(wave: WaveState[V], resource: Resource[V], scalar: V, index: V | None) -> V:
    """Give the same where nothing but index and stride says how bounds are checked.

    Records are bytes where there is no index or no stride, and else what the index counts.
    """
    e, s = wave.lanes, wave.scalars
    records = resource.records()
    in_bytes = wave.spread(s.sub(records, scalar))
    if index is None:
        return in_bytes
    endless = e.constant(Lane.I64, _ENDLESS)
    by_index = e.select(e.lt(index, wave.spread(records)), endless, 0)
    return e.select(wave.spread(s.eq(resource.field("STRIDE"), 0)), in_bytes, by_index)
