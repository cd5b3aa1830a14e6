"""Faults of block scales of A and B in each other's place."""

from collections.abc import Iterator

import numpy as np

from wavemma.explain.confusions.block_scales import scale_fix
from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_cutting import lengthened
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers


def exchanges(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the scales of A and B are exchanged, in the instruction or as arrays."""
    found, given = sample.factors, sample.given
    if found is None or given.scale_a is None or given.scale_b is None:
        return
    fix = scale_fix(sample, "AB")
    if found.scale_a.shape == np.swapaxes(found.scale_b, -1, -2).shape:
        fault = Fault("scale", "the scales of A and B are exchanged in each tile", fix)
        yield Suspect(fault, "product", _in_tiles)
    start = "the arrays of scales of A and B are exchanged"
    fix = f"Pass each scale in its place. {fix}"
    if _turned(sample)[0].shape == given.scale_b.shape:
        yield Suspect(Fault("scale", start, fix), "product", _as_arrays)
        what = f"{start}, each read in memory as if it had the other's shape"
        yield Suspect(Fault("scale", what, fix), "product", _as_memory)


def _given(sample: Sample) -> tuple[Array, Array]:
    """Give the scales of A and of B."""
    scale_a, scale_b = sample.given.scale_a, sample.given.scale_b
    assert scale_a is not None
    assert scale_b is not None
    return scale_a, scale_b


def _turned(sample: Sample) -> tuple[Array, Array]:
    """Give the scales of A and of B with rows and columns exchanged."""
    scale_a, scale_b = _given(sample)
    return np.swapaxes(scale_a, -1, -2), np.swapaxes(scale_b, -1, -2)


def _in_tiles(sample: Sample) -> Floats:
    found = needed(sample)
    a = found.a * np.swapaxes(found.scale_b, -1, -2)
    b = found.b * np.swapaxes(found.scale_a, -1, -2)
    return multiplied(a, b)


def _as_arrays(sample: Sample) -> Floats:
    turned_a, turned_b = _turned(sample)
    return _with_arrays(sample, turned_b, turned_a)


def _as_memory(sample: Sample) -> Floats:
    (scale_a, scale_b), (turned_a, turned_b) = _given(sample), _turned(sample)
    return _with_arrays(sample, scale_b.reshape(turned_b.shape), scale_a.reshape(turned_a.shape))


def _with_arrays(sample: Sample, scale_a: Array, scale_b: Array) -> Floats:
    """Multiply with other arrays of scales, cut as the tiles are; nothing where they do not fit."""
    found, chosen = needed(sample), sample.asked.instruction
    (own_a, own_b), (_, m, n) = _given(sample), sample.shape
    # Inputs that tell faults apart have shapes of their own, which may not allow the exchange.
    if scale_a.shape != own_a.shape or scale_b.shape != own_b.shape:
        return np.full_like(multiplied(found.a, found.b), np.nan)
    block = chosen.matrix.scale_block
    whole_a = numbers(scale_a, chosen.formats["scale_a"][0])
    whole_b = numbers(scale_b, chosen.formats["scale_b"][0])
    per_step = sample.depth // block
    whole_a, whole_b = lengthened(whole_a, -1, per_step), lengthened(whole_b, -2, per_step)
    whole_a = whole_a.reshape(-1, *whole_a.shape[-2:])
    whole_b = whole_b.reshape(-1, *whole_b.shape[-2:])
    rows, columns = [], []
    for batch, row, column in sample.tiles.tolist():
        rows.append(whole_a[batch % len(whole_a), row * m : (row + 1) * m])
        columns.append(whole_b[batch % len(whole_b), :, column * n : (column + 1) * n])
    depth = found.a.shape[-1]
    spread_a = np.repeat(np.stack(rows), block, axis=-1)[:, None, :, :depth]
    spread_b = np.repeat(np.stack(columns), block, axis=-2)[:, None, :depth]
    return multiplied(found.a * spread_a, found.b * spread_b)
