"""The registers of a wave at one moment, by name."""

from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.machine.start.workgroup import TTMP, TTMPS
from wavemma.tables.abi import numbers

_LOW, _HIGH = "_lo", "_hi"


class WaveRegisters(msgspec.Struct, frozen=True):
    """What the registers of a wave hold.

    Attributes:
        scalars: By name, such as "s0" or "exec_lo"; "scc" and "mode" are among them.
        vectors: u32 [register, lane].
        accumulators: u32 [register, lane]: AGPRs, none where a target has none.

    """

    scalars: dict[str, int]
    vectors: NDArray[np.uint32]
    accumulators: NDArray[np.uint32]


def wave_registers(
    architecture: str,
    scalars: NDArray[np.uint32],
    vectors: NDArray[np.uint32],
    accumulator_offset: int,
    *,
    scc: int,
    mode: int,
) -> WaveRegisters:
    """Copy registers.

    Args:
        architecture: Key of the target's architecture.
        scalars: By source code.
        vectors: u32 [register, lane], AGPRs behind the others.
        accumulator_offset: Number of the register where AGPRs begin.
        scc: The scalar condition.
        mode: The mode register.

    """
    named = {name: int(scalars[code]) for code, name in scalar_names(architecture).items()}
    return WaveRegisters(
        {**named, "scc": scc, "mode": mode},
        vectors[:accumulator_offset].copy(),
        vectors[accumulator_offset:].copy(),
    )


@cache
def scalar_names(architecture: str) -> dict[int, str]:
    """Name the scalar registers by source code, as lines of assembly do."""
    special = {code: name.lower() for name, code in numbers("source_code", architecture).items()}
    # Of pairs the rows may name the low half only.
    halves = {
        code + 1: name.removesuffix(_LOW) + _HIGH
        for code, name in special.items()
        if name.endswith(_LOW)
    }
    traps = {TTMP + number: f"ttmp{number}" for number in range(TTMPS)}
    named = {**traps, **halves, **special}
    last = max(code for code, name in named.items() if name == f"exec{_HIGH}")
    names = {code: named.get(code, f"s{code}") for code in range(last + 1)}
    return {code: name for code, name in names.items() if name != "null"}
