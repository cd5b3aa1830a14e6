"""Two faults at once, of every two places, made by NumPy alone."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import diagnose

OP = "v_wmma_f32_16x16x16_f16"
DEPTH = 48
Array = npt.NDArray[Any]
RNG = np.random.default_rng(11)
A = RNG.standard_normal((16, DEPTH)).astype(np.float16)
B = RNG.standard_normal((DEPTH, 16)).astype(np.float16)
C = RNG.standard_normal((16, 16)).astype(np.float32)


def by_tiles(a: Array) -> Array:
    return np.concatenate([part.T for part in np.split(a, DEPTH // 16, axis=1)], axis=1)


def other_store(d: Array) -> Array:
    """Rows 2v + lane // 16 of gfx1100 stored at v + 8 * (lane // 16)."""
    return d[[2 * (row % 8) + row // 8 for row in range(16)]]


def half_stored(d: Array) -> Array:
    return np.where(np.arange(16)[:, None] < 8, d, 0)


LOADS: dict[str, Callable[[Array], Array]] = {
    "load map": by_tiles,
    "sign": np.negative,
}
STEPS: dict[str, slice] = {"k step": slice(0, DEPTH - 16)}
STARTS: dict[str, float] = {"c": 2.0}
STORES: dict[str, Callable[[Array], Array]] = {"store map": other_store}
UNWRITTEN: dict[str, Callable[[Array], Array]] = {"unwritten": half_stored}
RESULTS: dict[str, Callable[[Array], Array]] = {
    "rounding": lambda d: d.astype(np.float16).astype(np.float32),
    "offset": lambda d: d + 1,
}
PLACES = (LOADS, STEPS, STARTS, STORES, RESULTS, UNWRITTEN)
PAIRS = [
    (one, two)
    for first, second in itertools.combinations(PLACES, 2)
    for one, two in itertools.product(first, second)
    # A number added to all is taken from the middle of what is off: others hide it.
    if "offset" not in (one, two) or "store map" in (one, two)
]


def output(*kinds: str) -> Array:
    a = A.astype(np.float64)
    for kind in kinds:
        a = LOADS.get(kind, lambda same: same)(a)
    k = next((STEPS[kind] for kind in kinds if kind in STEPS), slice(None))
    start = next((STARTS[kind] for kind in kinds if kind in STARTS), 1.0)
    d = a[:, k] @ B[k].astype(np.float64) + start * C
    for place in (STORES, RESULTS, UNWRITTEN):
        for kind in kinds:
            d = place.get(kind, lambda same: same)(d.astype(np.float32))
    return d.astype(np.float32)


def test_there_are_faults_of_every_place() -> None:
    assert len(PAIRS) == 21


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_two_faults_of_two_places_are_found(one: str, two: str) -> None:
    found = diagnose("gfx1100", OP, output(one, two), output(), a=A, b=B, c=C)
    assert found.verdict in ("explained", "ambiguous")
    named = [found.explanations[0].faults, *(each.faults for each in found.alternatives)]
    assert {one, two} in [{fault.kind for fault in each} for each in named]


@pytest.mark.parametrize("kind", [kind for place in PLACES for kind in place])
def test_each_of_them_alone_is_named_alone(kind: str) -> None:
    found = diagnose("gfx1100", OP, output(kind), output(), a=A, b=B, c=C)
    assert [each.kind for each in found.explanations[0].faults] == [kind]
