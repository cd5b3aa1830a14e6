"""Meanings that scalar instructions alone have."""

from wavemma.machine.semantics.scalar import (
    bits,
    conditions,
    fours,
    hardware_registers,
    integers,
    relative,
)

__all__ = ["bits", "conditions", "fours", "hardware_registers", "integers", "relative"]
