"""Registers of a wave as arrays, and what an array must be to be taken for them.

`Registers` is uint32 [..., register, lane]: any axes of a batch first, then the registers of an
operand, then the lanes of the wave. A file of accumulator registers is a second such array.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake

Registers = npt.NDArray[np.uint32]


def empty_registers(count: int, lanes: int, batch: tuple[int, ...] = ()) -> Registers:
    """Make registers that hold zeros.

    Args:
        count: Registers of each lane.
        lanes: Lanes of the wave.
        batch: Axes to put before them.

    Returns:
        uint32 [*batch, count, lanes].

    """
    return np.zeros((*batch, count, lanes), dtype=np.uint32)


def batch_of(arrays: Iterable[Registers]) -> tuple[int, ...]:
    """Give the batch axes that registers of several operands have together.

    Raises:
        ArrayMistake: They do not broadcast.

    """
    shapes = [array.shape[:-2] for array in arrays]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ArrayMistake(
            "The batch axes of registers must broadcast; given"
            f" {', '.join(map(str, map(list, shapes)))}.",
            subject=shapes,
        ) from None


def check_registers(registers: Registers, count: int, lanes: int) -> None:
    """Refuse an array that is not uint32 [..., count, lanes].

    Raises:
        ArrayMistake: Type or shape differ.

    """
    if registers.dtype != np.uint32 or registers.shape[-2:] != (count, lanes):
        raise ArrayMistake(
            f"Registers must be uint32 [..., {count}, {lanes}] ([..., register, lane]); given"
            f" {registers.dtype} {list(registers.shape)}.",
            subject=registers.shape,
        )
