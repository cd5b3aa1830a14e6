"""Further words of vector instructions: sources from other lanes, and lanes left as they were."""

from typing import TypeVar

from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.wave import WaveState

V = TypeVar("V")


def from_other_lanes(wave: WaveState[V], decoded: DecodedOrdinary, bits: V) -> V:
    """Take the bits of the first source from the lanes that the further word names."""
    raise NotImplementedError


def lanes_written(wave: WaveState[V], decoded: DecodedOrdinary) -> V | None:
    """Tell which lanes the further word lets an instruction write, BOOL lanes; None for all."""
    if decoded.instruction.extension is None:
        return None
    raise NotImplementedError
