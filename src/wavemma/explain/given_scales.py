"""The scales that a diagnosis is given: refused where nothing heeds them, or they do not fit."""

import numpy as np

from wavemma.errors import ArrayMistake
from wavemma.explain.tile_sample import Array
from wavemma.isa.instruction import Instruction

_NAMES = ("scale_a", "scale_b")
_WANTED = ("[..., M, K / {0}]", "[..., K / {0}, N]")


def check_scales(
    instruction: Instruction,
    factors: tuple[Array | None, Array | None],
    scales: tuple[Array | None, Array | None],
) -> None:
    """Refuse scales that would not be heeded, and those of another shape.

    Args:
        instruction: The one that computes the output.
        factors: A and B.
        scales: Their scales.

    Raises:
        ArrayMistake: The instruction takes no scales, A and B are missing, or shapes do not fit.

    """
    for name, factor, given in zip(_NAMES, factors, scales, strict=True):
        if given is None:
            continue
        if not instruction.matrix.scale_block:
            raise ArrayMistake(
                f"{instruction.name} takes no scales, so {name} would not be heeded.",
                subject=name,
                hint=f"Leave {name} out, or name a scaled instruction.",
            )
        if factor is None:
            raise ArrayMistake(
                f"{name} goes with a and b, whose numbers it scales; they were not given.",
                subject=name,
            )
        if factor.ndim > 1:
            _check_shape(name, factor, given, instruction.matrix.scale_block)


def _check_shape(name: str, factor: Array, given: Array, block: int) -> None:
    """Compare the shape of scales with that of what they scale, its K in blocks."""
    is_a = name == _NAMES[0]
    rows, columns = factor.shape[-2:]
    wanted = (rows, -(-columns // block)) if is_a else (-(-rows // block), columns)
    if given.ndim > 1 and given.shape[-2:] == wanted and _fits_batch(factor, given):
        return
    exchanged = given.ndim > 1 and given.shape[-2:] == wanted[::-1]
    of = name[-1]
    raise ArrayMistake(
        f"{name} {_WANTED[not is_a].format(block)} must have shape"
        f" {[*factor.shape[:-2], *wanted]}, one scale for {block} k of {of}; it has"
        f" {list(given.shape)}.",
        subject=given.shape,
        hint=f"Its axes are exchanged: give {name}.swapaxes(-1, -2)." if exchanged else "",
    )


def _fits_batch(factor: Array, given: Array) -> bool:
    batch = factor.shape[:-2]
    try:
        return np.broadcast_shapes(batch, given.shape[:-2]) == batch
    except ValueError:
        return False
