"""Waits and hints, and ends that no program reaches by itself."""

from typing import Any

from wavemma.machine.meaning import action
from wavemma.machine.operands import Operands
from wavemma.machine.wave import WaveState

_DEBUG_TRAP = 3


@action("nothing")
def nothing(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Change no result: hints, waits for what has happened already, prefetches."""


@action("give_way", suspends=True)
def give_way(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """Let other waves run."""
    wave.give_way()


@action("trap")
def trap(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """End the kernel with an error; the trap of debuggers does nothing without one."""
    if operands.decoded.operands["number"].value != _DEBUG_TRAP:
        wave.fail("TRAP")


@action("halt")
def halt(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """End the kernel with an error if the wave is halted: nobody would let it go on."""
    if operands.decoded.operands["number"].value & 1:
        wave.fail("TRAP")


@action("stop")
def stop(wave: WaveState[Any], operands: Operands[Any]) -> None:
    """End the kernel with an error: the wave halts, and nobody would let it go on."""
    wave.fail("TRAP")
