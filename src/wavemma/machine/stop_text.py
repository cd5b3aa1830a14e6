"""How a wave that stopped reads: what is known of it as JSON, and its registers as text."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from wavemma.machine.fault import Stop
from wavemma.machine.standing import Standing
from wavemma.machine.wave_registers import WaveRegisters

LANES_IN_A_LINE = 8
SCALARS_IN_A_LINE = 4


def stop_fields(stop: Stop, *, registers: bool) -> dict[str, object]:
    """Give what is known as what JSON can hold; registers only if they are asked for."""
    found: dict[str, object] = {
        "kernel": stop.kernel,
        "fault": stop.fault.name.lower(),
        "instruction": stop.instruction,
        "code_address": stop.code_address,
        "function": stop.function,
        "file": stop.line.file if stop.line else None,
        "line": stop.line.line if stop.line else None,
        "group": stop.group,
        "wave": stop.wave,
        "lane": stop.lane,
        "address": stop.address,
        "size_bytes": stop.size_bytes,
        "writes": stop.writes,
        "nearest": stop.nearest,
    }
    if stop.waves:
        found["waves"] = [_standing_fields(each) for each in stop.waves]
    if registers:
        held = stop.registers
        found["registers"] = {
            "scalars": held.scalars,
            "vectors": held.vectors.tolist(),
            "accumulators": held.accumulators.tolist(),
        }
    return found


def _standing_fields(standing: Standing) -> dict[str, object]:
    """Give where a wave stands as what JSON can hold."""
    return {
        "wave": standing.wave,
        "does": standing.does,
        "instruction": standing.instruction,
        "code_address": standing.code_address,
        "function": standing.function,
        "file": standing.line.file if standing.line else None,
        "line": standing.line.line if standing.line else None,
    }


def registers_text(registers: WaveRegisters) -> str:
    """Write registers as hexadecimal numbers; those that are not listed hold 0."""
    held = [(name, value) for name, value in registers.scalars.items() if value]
    lines = ["Registers of the wave; those that are not listed hold 0."]
    for first in range(0, len(held), SCALARS_IN_A_LINE):
        row = held[first : first + SCALARS_IN_A_LINE]
        lines.append("".join(f"{name:<9}{value:08x}  " for name, value in row).rstrip())
    lines += _vectors("v", registers.vectors)
    lines += _vectors("a", registers.accumulators)
    return "\n".join(lines)


def _vectors(letter: str, table: NDArray[np.uint32]) -> Iterator[str]:
    """Write vector registers, eight lanes a line; one that is the same in all lanes once."""
    for number in np.flatnonzero(table.any(axis=1)).tolist() if table.size else ():
        row = table[number]
        name = f"{letter}{number}"
        if (row == row[0]).all():
            yield f"{name:<5}all {row[0]:08x}"
            continue
        for first in range(0, row.size, LANES_IN_A_LINE):
            words = " ".join(f"{word:08x}" for word in row[first : first + LANES_IN_A_LINE])
            yield f"{name:<5}{first:>3} {words}"
