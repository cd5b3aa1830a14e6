"""Numbers of other lanes, chosen within rows of 16 lanes."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_ROW, _HALF_ROW = 16, 8
# Bits of op_sel, which chooses no halves here.
_INACTIVE_TOO, _ZERO = 1, 2


@action("permute_row")
def permute_row(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take a lane of the own row, by 4 bits for each of its places."""
    _permute(wave, operands, _listed(wave, operands), 0)


@action("permute_other_row")
def permute_other_row(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take a lane of the row beside the own one, by 4 bits for each of its places."""
    _permute(wave, operands, _listed(wave, operands), _ROW)


@action("permute_row_by_lane")
def permute_row_by_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take the lane of the own row that each lane says."""
    _permute(wave, operands, operands.read("b", B32), 0)


@action("permute_other_row_by_lane")
def permute_other_row_by_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take the lane of the row beside the own one that each lane says."""
    _permute(wave, operands, operands.read("b", B32), _ROW)


def _listed(wave: WaveState[V], operands: Operands[V]) -> V:
    """Give the place that two words of 8 places list for each lane."""
    e = wave.lanes
    place = e.and_(wave.lane_numbers(), _ROW - 1)
    low, high = (wave.spread(operands.one(role, B32)) for role in ("b", "c"))
    word = e.select(e.unsigned_lt(place, _HALF_ROW), low, high)
    return e.lshr(word, e.shl(e.and_(place, _HALF_ROW - 1), 2))


def _permute(wave: WaveState[V], operands: Operands[V], place: V, other: int) -> None:
    e, result = wave.lanes, operands.decoded.operands["d"].first
    choices = operands.modifier("op_sel")
    row = e.and_(wave.lane_numbers(), -_ROW)
    source = e.xor(e.or_(row, e.and_(place, _ROW - 1)), other)
    value = wave.permute(operands.read("a", B32), source)
    if not choices & _INACTIVE_TOO:
        one = e.constant(e.lane(value), 1)
        active = wave.permute(e.select(wave.active(), one, 0), source)
        left = e.constant(e.lane(value), 0) if choices & _ZERO else wave.vector(result)
        value = e.select(e.eq(active, 1), value, left)
    wave.set_vector(result, value)


@action("exchange_halves")
def exchange_halves(wave: WaveState[V], operands: Operands[V]) -> None:
    """Take the lane 32 lanes away, active or not; waves of 32 have none and keep the result."""
    half = 32
    if wave.size == half:
        return
    value = wave.shuffle(
        operands.read("a", B32), [(lane + half) % wave.size for lane in range(wave.size)]
    )
    wave.set_vector(operands.decoded.operands["d"].first, value)


def _exchange(wave: WaveState[V], operands: Operands[V], distance: int) -> None:
    """Exchange the lanes of a result with those of a source that lie a distance below.

    Lanes whose partner is not active keep what they hold, unless a modifier asks for it or for 0.
    Nobody has compared hardware where lanes are not active.
    """
    e, named = wave.lanes, operands.decoded.operands
    upper = e.eq(e.and_(wave.lane_numbers(), distance), distance)
    down = [lane - distance if lane & distance else lane for lane in range(wave.size)]
    up = [lane if lane & distance else lane + distance for lane in range(wave.size)]
    result, source = named["d"].first, named["a"].first
    parts = ((result, source, upper, down), (source, result, e.not_(upper), up))
    old = {number: wave.vector(number) for number in (result, source)}
    for into, out_of, here, lanes in parts:
        value = wave.shuffle(old[out_of], lanes)
        if not operands.modifier("fi"):
            left = e.constant(Lane.I32, 0) if operands.modifier("bound_ctrl") else old[into]
            value = e.select(wave.shuffle(wave.active(), lanes), value, left)
        wave.set_vector(into, e.select(here, value, wave.vector(into)))


@action("exchange_rows", grade="D")
def exchange_rows(wave: WaveState[V], operands: Operands[V]) -> None:
    """Exchange the odd rows of the result with the even rows of the source."""
    _exchange(wave, operands, _ROW)


@action("exchange_row_pairs", grade="D")
def exchange_row_pairs(wave: WaveState[V], operands: Operands[V]) -> None:
    """Exchange the two upper rows of the result with the two lower rows of the source."""
    _exchange(wave, operands, 2 * _ROW)
