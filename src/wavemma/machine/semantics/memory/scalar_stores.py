"""Stores and atomics of scalar registers, which are done whatever lanes are active."""

from collections.abc import Callable
from typing import Any, TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.semantics.memory.addresses import WORD_BYTES, size_of
from wavemma.machine.semantics.memory.atomics import typed_update
from wavemma.machine.semantics.memory.buffers import Resource
from wavemma.machine.semantics.memory.scalar_loads import buffer_end, offset_of
from wavemma.machine.value_type import WORD_BITS, value_type
from wavemma.machine.wave import Update, WaveState

V = TypeVar("V")
_INTEGERS = (
    *("atomic_exchange", "atomic_compare_exchange", "atomic_add", "atomic_subtract"),
    *("atomic_minimum", "atomic_maximum", "atomic_and", "atomic_or", "atomic_xor"),
    *("atomic_increment", "atomic_decrement"),
)
"""The updates that scalar instructions have."""


def _by_one_lane(wave: WaveState[V], act: Callable[[], None]) -> None:
    """Let one lane act, as the memory takes what lanes bring."""
    code = wave.codes.exec
    active = wave.mask(code)
    lane = Lane.I32 if wave.size == Lane.I32.bits else Lane.I64
    wave.set_mask(code, wave.scalars.constant(lane, 1))
    act()
    wave.set_mask(code, active)


def _place(wave: WaveState[V], operands: Operands[V]) -> tuple[V, V | None]:
    """Give the address, whose two low bits do not count, and how many bytes there are behind it.

    The latter is None where no buffer has an end.
    """
    s, base = wave.scalars, operands.decoded.operands["base"]
    offset = s.and_(offset_of(wave, operands), -WORD_BYTES)
    if base.count == 2:
        return s.and_(s.add(wave.pair(base.code), offset), -WORD_BYTES), None
    resource = Resource(wave, base.code, operands.decoded.instruction.architecture)
    start = s.and_(resource.base(), -WORD_BYTES)
    return s.add(start, offset), s.sub(buffer_end(wave, resource), offset)


@action("scalar_store")
def scalar_store(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write as many bytes as the type has; of a buffer, words that begin before its end."""
    s, size = wave.scalars, size_of(operands)
    address, room = _place(wave, operands)
    data = operands.decoded.operands["d"].code

    def act() -> None:
        for at in range(0, size, WORD_BYTES):
            present = None
            if room is not None:
                inside = s.lt(s.constant(Lane.I64, at), room)
                count = s.select(inside, s.constant(Lane.I32, WORD_BYTES), 0)
                present = wave.spread(count)
            word = wave.spread(wave.scalar(data + at // WORD_BYTES))
            wave.store("global", wave.spread(s.add(address, at)), [word], WORD_BYTES, present)

    _by_one_lane(wave, act)


def _replace(wave: WaveState[V], operands: Operands[V], name: str) -> None:
    """Replace a number, and give the old one if it is asked for; nothing outside of a buffer."""
    s, row = wave.scalars, operands.decoded.instruction.row
    kind, data = value_type(row.type), operands.decoded.operands["d"]
    address, room = _place(wave, operands)
    inside = None if room is None else s.lt(s.constant(Lane.I64, 0), room)
    words = kind.bits // WORD_BITS
    read = wave.scalar if words == 1 else wave.pair
    values = [wave.spread(read(data.code + at)) for at in range(0, data.count, words)]
    update: Update[V] = typed_update(name, kind)
    label = f"{name}_{row.type}"

    def act() -> None:
        where = None if inside is None else wave.spread(inside)
        place = wave.spread(address)
        old = wave.atomic("global", place, values, update, label, where)
        if not operands.modifier("glc"):
            return
        first = wave.pick(old, s.constant(Lane.I32, 0))
        first = first if inside is None else s.select(inside, first, 0)
        if words == 1:
            wave.set_scalar(data.code, first)
        else:
            wave.set_pair(data.code, first)

    _by_one_lane(wave, act)


def _enter(name: str) -> None:
    @action(f"scalar_{name}")
    def act(wave: WaveState[Any], operands: Operands[Any]) -> None:
        _replace(wave, operands, name)


for _name in _INTEGERS:
    _enter(_name)
