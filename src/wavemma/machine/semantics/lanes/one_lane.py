"""Numbers of one lane that a scalar register gives or takes."""

from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.wave import WaveState

V = TypeVar("V")


@action("read_first_lane")
def read_first_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read the lowest active lane; lane 0 if there is none."""
    e = wave.scalars
    mask = wave.mask(wave.codes.exec)
    below = e.popcount(e.and_(e.not_(mask), e.sub(mask, 1)))
    first = e.select(e.eq(mask, 0), e.constant(e.lane(mask), 0), below)
    number = first if e.lane(first) is Lane.I32 else e.convert(first, Lane.I32)
    operands.write("d", B32, wave.pick(operands.read("a", B32), number))


@action("read_lane")
def read_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read a lane by number, active or not."""
    operands.write("d", B32, wave.pick(operands.read("a", B32), _lane(wave, operands)))


@action("write_lane")
def write_lane(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write a lane by number, active or not."""
    e, result = wave.lanes, operands.decoded.operands["d"].first
    chosen = e.eq(wave.lane_numbers(), wave.spread(_lane(wave, operands)))
    value = e.select(chosen, wave.spread(operands.one("a", B32)), wave.vector(result))
    wave.set_vector(result, value, everywhere=True)


def _lane(wave: WaveState[V], operands: Operands[V]) -> V:
    return wave.scalars.and_(operands.one("b", B32), wave.size - 1)
