"""Fragments of the facts, and matrices of random bits."""

import functools
import math
from typing import Any

import numpy as np

from tests.layouts.facts_rows import ROLES, distinct
from wavemma.fragments import Fragment
from wavemma.layouts import Layout


def fragment_for(layout: Layout, role: str = "a") -> Fragment:
    return Fragment(role, layout, f"{layout.element_bits} bits", layout.registers)


@functools.cache
def all_fragments() -> tuple[tuple[dict[str, Any], Fragment], ...]:
    """Every entry of layouts.json with its fragment."""
    return tuple(
        (entry.fact, fragment_for(entry.layout, ROLES[entry.fact["operand"]]))
        for entry in distinct()
    )


def distinct_fragments() -> dict[Fragment, dict[str, Any]]:
    """Each different fragment with one fact that describes it."""
    return {fragment: fact for fact, fragment in all_fragments()}


def random_matrix(
    fragment: Fragment, rng: np.random.Generator, batch: tuple[int, ...] = ()
) -> np.ndarray:
    """Draw bits of the fragment's matrix, high bits included."""
    shape = (*batch, *fragment.matrix_shape)
    octets = rng.bytes(math.prod(shape) * 8)
    drawn = np.frombuffer(octets, dtype=np.uint64).reshape(shape)
    return (drawn >> np.uint64(64 - fragment.bits)).astype(fragment.dtype)


def random_registers(
    fragment: Fragment, rng: np.random.Generator, batch: tuple[int, ...] = ()
) -> np.ndarray:
    shape = (*batch, fragment.registers, fragment.lanes)
    return rng.integers(0, 1 << 32, size=shape, dtype=np.uint32)
