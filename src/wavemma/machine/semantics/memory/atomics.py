"""Atomics: numbers in memory that are replaced by what an update makes of them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import HALF_BITS, Operands
from wavemma.machine.semantics.memory.addresses import place_of
from wavemma.machine.semantics.memory.loads import result_of, set_registers
from wavemma.machine.semantics.memory.updates import UPDATES
from wavemma.machine.value_type import WORD_BITS, ValueType, types_of_row, value_type
from wavemma.machine.wave import Update, WaveState

V = TypeVar("V")
_RETURNED = 1
"""The bit of a cache policy that asks an atomic for the old number."""


def joined(wave: WaveState[V], first: int, words: int) -> V:
    """Read one register as I32 lanes, or two as I64 lanes."""
    return wave.vector(first) if words == 1 else wave.wide(first)


def value_words(wave: WaveState[V], value: V) -> list[V]:
    """Divide I64 lanes into words; I32 lanes are one."""
    e = wave.lanes
    if e.lane(value) is Lane.I32:
        return [value]
    return [e.convert(value, Lane.I32), e.convert(e.lshr(value, WORD_BITS), Lane.I32)]


def swap(e: Engine[V], old: V, values: Sequence[V]) -> V:
    """Take the new number."""
    return values[0]


def _enter(name: str) -> None:
    def act(wave: WaveState[Any], operands: Operands[Any]) -> None:
        _replace(wave, operands, name)

    action(name)(act)


for _name in UPDATES:
    _enter(_name)


def _replace(wave: WaveState[V], operands: Operands[V], name: str) -> None:
    row = operands.decoded.instruction.row
    kind = value_type(types_of_row(row.type)[0])
    bits = WORD_BITS if row.packed else kind.bits
    place = place_of(wave, operands, bits // 8)
    where = None if place.present is None else wave.lanes.eq(place.present, bits // 8)
    values = _values(wave, operands, bits // WORD_BITS)
    change: Update[V] = _packed(name, kind) if row.packed else typed_update(name, kind)
    label = f"{name}_{row.type}"
    old = wave.atomic(place.space, place.address, values, change, label, where)
    if not _returns(operands):
        return
    if where is not None:
        old = wave.lanes.select(where, old, 0)
    set_registers(wave, result_of(operands).first, value_words(wave, old))


def _values(wave: WaveState[V], operands: Operands[V], words: int) -> list[V]:
    """Read the operands of the update: they follow each other in registers."""
    named = operands.decoded.operands
    found = []
    for role in ("data", "data_1"):
        if role in named:
            first, count = named[role].first, named[role].count
            found += [joined(wave, first + at, words) for at in range(0, count, words)]
    return found


def _returns(operands: Operands[Any]) -> bool:
    """Tell whether the old number is asked for."""
    if "resource" not in operands.decoded.operands:
        return "d" in operands.decoded.operands
    policy = operands.modifier("policy") & _RETURNED
    return bool(operands.modifier("glc") or operands.modifier("sc0") or policy)


def typed_update(name: str, kind: ValueType) -> Update[V]:
    """Give an update of numbers of a type as one of their bits."""
    compute: Callable[..., V] = UPDATES[name]

    def change(e: Engine[V], old: V, values: Sequence[V]) -> V:
        numbers = [kind.value(e, each) for each in (old, *values)]
        return kind.code(e, compute(e, kind, *numbers))

    return change


def _packed(name: str, kind: ValueType) -> Update[V]:
    one: Update[V] = typed_update(name, kind)

    def change(e: Engine[V], old: V, values: Sequence[V]) -> V:
        low = one(e, old, values)
        high = one(e, e.lshr(old, HALF_BITS), [e.lshr(each, HALF_BITS) for each in values])
        return e.or_(low, e.shl(high, HALF_BITS))

    return change
