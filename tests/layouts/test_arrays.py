"""Arrays of places and elements against the single queries."""

import itertools

import numpy as np
import pytest

from tests.layouts.facts_rows import distinct
from wavemma.layouts import Layout, Shape, layout
from wavemma.layouts.arrays import elements, places
from wavemma.layouts.movement import broadcast_blocks, swizzle_lanes


def _check(made: Layout) -> None:
    lanes, slots = places(made)
    all_elements = itertools.product(*(range(size) for _, size in made.extents))
    for number, values in enumerate(all_elements):
        found = made.place(**dict(zip(made.size, values, strict=True)))
        assert [place.lane for place in found] == lanes[:, number].tolist()
        assert {place.slot for place in found} == {slots[number]}
    shape = [size for _, size in made.extents]
    table = elements(made)
    for slot, lane in itertools.product(range(made.slots), range(made.wave)):
        element = made.element(lane, slot)
        expected = -1 if element is None else np.ravel_multi_index(tuple(element.values()), shape)
        assert table[slot, lane] == expected


@pytest.mark.facts
def test_arrays_of_every_layout() -> None:
    distinct_layouts = {entry.layout for entry in distinct()}
    assert len(distinct_layouts) == 178
    for made in distinct_layouts:
        _check(made)


def test_arrays_of_moved_layouts() -> None:
    for blgp in range(8):
        _check(swizzle_lanes(layout("mfma", "b", Shape(16, 16, 4), 32, 64), blgp))
    for abid in range(4):
        _check(broadcast_blocks(layout("mfma", "a", Shape(16, 16, 4, 4), 16, 64), 2, abid))


def test_arrays_cannot_be_written() -> None:
    table = elements(layout("mfma", "b", Shape(16, 16, 4), 32, 64))
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1
