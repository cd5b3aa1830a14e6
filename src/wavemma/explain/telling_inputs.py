"""Inputs that tell faults apart: random numbers that every format of an instruction holds."""

from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.explain.exact_output import exact_product
from wavemma.explain.operand import operand
from wavemma.formats import Format, number_format
from wavemma.formats.dtypes import dtype_of

Array = npt.NDArray[Any]

TILES = 2
STEPS = 2
_SEED = 20_251_130
_SMALLEST_SCALE = 124
_SCALES = 6


def telling_inputs(target: str, instruction: str, *, steps: int = STEPS) -> dict[str, Array]:
    """Make inputs of 2 x 2 tiles and a few steps along k whose output shows faults apart.

    Numbers are random and the same at each call; every row, column, step, scale and C counts.

    Args:
        target: Such as "gfx1100".
        instruction: A dense instruction.
        steps: Steps along k.

    Returns:
        a, b, c, want (float64, the exact a @ b + c) and, of a scaled instruction, scale_a and
        scale_b; with blocks, one product of that many blocks.

    Raises:
        WavemmaError: As for `operand`.

    """
    chosen = operand(target, instruction, "d").instruction
    m, n, k = chosen.shape
    many = chosen.blocks > 1
    batch = (chosen.blocks,) if many else ()
    size = 1 if many else TILES
    rows, columns, depth = size * m, size * n, steps * k
    random = np.random.default_rng(_SEED)
    formats = {role: number_format(names[0]) for role, names in chosen.formats.items()}
    made = {
        "a": _drawn(random, formats["a"], (*batch, rows, depth)),
        "b": _drawn(random, formats["b"], (*batch, depth, columns)),
        "c": _drawn(random, formats["c"], (*batch, rows, columns)),
    }
    if chosen.is_sparse:
        made["a"] = _thinned(made["a"])
    if chosen.is_scaled:
        blocks = depth // chosen.matrix.scale_block
        made["scale_a"] = _scales(random, (rows, blocks))
        made["scale_b"] = _scales(random, (blocks, columns))
    made["want"] = exact_product(
        chosen,
        (made["a"], made["b"], made["c"]),
        (made.get("scale_a"), made.get("scale_b")),
    )
    return made


def _drawn(random: "np.random.Generator", form: Format, shape: tuple[int, ...]) -> Array:
    """Draw numbers of a format, of either sign."""
    kind = dtype_of(form, signed=True) or np.dtype(np.float32)
    if not form.is_float:
        limit = 1 << (min(form.bits, 16) - 1)
        return random.integers(-limit, limit, shape).astype(kind)
    drawn = random.standard_normal(shape).astype(kind)
    if form.ignored:
        bits = np.ascontiguousarray(drawn).view(np.uint32) >> form.ignored << form.ignored
        return bits.view(np.float32)
    return drawn


def _thinned(a: Array) -> Array:
    """Keep two of each four elements along k, at places that change from group to group."""
    groups = a.reshape(*a.shape[:-1], -1, 4).copy()
    order = np.arange(groups[..., 0].size).reshape(groups.shape[:-1])
    first = order % 4
    second = (first + 1 + order // 4 % 3) % 4
    for place in range(4):
        groups[..., place][(place == first) | (place == second)] = 0
    return groups.reshape(a.shape)


def _scales(random: "np.random.Generator", shape: tuple[int, ...]) -> Array:
    """Draw codes of powers of two around 1."""
    return random.integers(_SMALLEST_SCALE, _SMALLEST_SCALE + _SCALES, shape).astype(np.uint8)
