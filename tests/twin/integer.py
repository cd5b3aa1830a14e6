"""Integer dot products of every target: numerics.md sections 3.7, 4.5, 5.6 and 7."""

from collections.abc import Sequence

from tests.twin.problem import Problem

WIDTHS = {"i8": 8, "iu8": 8, "iu4": 4}
LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
HALF_WAVE = 2
"""Stages of gfx12 wave32: the lower and the upper half of the (compressed) k."""


def element(name: str, bits: int, *, signed: bool) -> int:
    """The number an element stands for."""
    width = WIDTHS[name]
    if bits >> width or bits < 0:
        raise ValueError(f"{bits:#x} is no pattern of {width} bits ({name})")
    return bits - (1 << width) if signed and bits >> (width - 1) else bits


def wave64_stages(name: str, k: int) -> list[list[int]]:
    """5.6, gfx12 wave64: the k of each 16-lane group in lane order (calculator's k).

    Args:
        name: "iu8" or "iu4".
        k: Dense K, or the stored elements of a sparse form.
    """
    if name == "iu4" and k == 16:
        return [list(range(8)), list(range(8, 16))]
    run = k // 4
    return [list(range(run * group, run * (group + 1))) for group in (0, 2, 1, 3)]


def _stages(p: Problem) -> Sequence[Sequence[int]]:
    if not isinstance(p.stages, int):
        return p.stages
    length = len(p.a) // p.stages
    return [range(length * i, length * (i + 1)) for i in range(p.stages)]


def integer(p: Problem) -> int:
    """Exact sum into int32: wrapped, or with clamp saturated after every stage."""
    acc = p.c - (1 << 32) if p.c >> 31 else p.c
    pairs = zip(p.a, p.b, strict=True)
    products = [
        element(p.a_format, x, signed=p.signed_a) * element(p.b_format, y, signed=p.signed_b)
        for x, y in pairs
    ]
    stages = _stages(p)
    if sorted(k for stage in stages for k in stage) != list(range(len(products))):
        raise ValueError(f"the stages {stages} do not hold each of {len(products)} k once")
    for stage in stages:
        acc += sum(products[k] for k in stage)
        if p.clamp:
            acc = max(LOWEST, min(acc, HIGHEST))
    return acc & 0xFFFFFFFF
