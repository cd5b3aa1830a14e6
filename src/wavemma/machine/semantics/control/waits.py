"""Waits, hints and barriers."""

from typing import Any

from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.wave import WaveState


@action("nothing")
def nothing(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Change no result: hints, waits for what has happened already, prefetches."""


@action("barrier", suspends=True)
def barrier(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Arrive at the barrier of the workgroup and wait for the others."""
    wave.signal()
    wave.wait()
