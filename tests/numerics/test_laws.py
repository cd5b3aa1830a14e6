"""What the rules imply: order inside a group, exchange of A and B, symmetry of signs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavemma.formats.format import number_format
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

F16, BF16, F32, FP8 = (number_format(name) for name in ("f16", "bf16", "f32", "fp8_ocp"))
# Model, format, and the places of k that may change among themselves in one step.
GROUPS = [
    ("complement_2", F16, [[0, 1]]),
    ("complement_2_flush", BF16, [[0, 1]]),
    ("paired_4", F16, [[0, 1], [2, 3]]),
    ("grouped_8", FP8, [[0, 1, 2, 3], [4, 5, 6, 7]]),
    ("truncated_8", BF16, [list(range(8))]),
    ("even_odd_16", FP8, [list(range(0, 16, 2)), list(range(1, 16, 2))]),
    ("exact_4", BF16, [list(range(4))]),
    ("flush_4", F16, [[0, 1], [2, 3]]),
]
# Groups as wholes may change places too.
SWAPPED = [("paired_4", F16, 2), ("grouped_8", FP8, 4), ("flush_4", F16, 2)]


def one(name: str, form: object, a: list[int], b: list[int], c: int) -> int:
    return int(accumulate(model(name), Setting(form, form, F32, F32), [a], [b], [c])[0])


@st.composite
def step(draw: st.DrawFn, bits: int, k: int) -> tuple[list[int], list[int], int]:
    code = st.integers(0, (1 << bits) - 1)
    lists = st.lists(code, min_size=k, max_size=k)
    return draw(lists), draw(lists), draw(st.integers(0, 2**32 - 1))


@pytest.mark.parametrize(("name", "form", "groups"), GROUPS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_order_inside_a_group_does_not_matter(name, form, groups, data) -> None:
    k = sum(map(len, groups))
    a, b, c = data.draw(step(form.bits, k))
    order = list(range(k))
    for group in groups:
        moved = data.draw(st.permutations(group))
        for place, source in zip(group, moved, strict=True):
            order[place] = source
    assert one(name, form, a, b, c) == one(
        name, form, [a[i] for i in order], [b[i] for i in order], c
    )


@pytest.mark.parametrize(("name", "form", "size"), SWAPPED)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_groups_may_change_places(name, form, size, data) -> None:
    a, b, c = data.draw(step(form.bits, 2 * size))
    swap = lambda codes: codes[size:] + codes[:size]  # noqa: E731
    assert one(name, form, a, b, c) == one(name, form, swap(a), swap(b), c)


@pytest.mark.parametrize(("name", "form", "groups"), GROUPS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_and_b_may_change_places(name, form, groups, data) -> None:
    a, b, c = data.draw(step(form.bits, sum(map(len, groups))))
    assert one(name, form, a, b, c) == one(name, form, b, a, c)


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_the_complement_step_is_odd(data) -> None:
    """Signs of A and C flipped flip the result; a zero stays +0."""
    a, b, c = data.draw(step(16, 2))
    got = one("complement_2", F16, a, b, c)
    value = np.uint32(got).view(np.float32)
    flipped = one("complement_2", F16, [code ^ 0x8000 for code in a], b, c ^ 0x80000000)
    if np.isnan(value):
        assert np.isnan(np.uint32(flipped).view(np.float32))
    else:
        assert flipped == (got ^ 0x80000000 if got else 0)


def test_the_truncated_step_is_not_odd() -> None:
    """The known asymmetry: a tiny negative accumulator costs a unit, a positive one vanishes."""
    one_code, tiny = 0x3C00, 0x30800000
    up = one("truncated_8", F16, [one_code], [one_code], tiny)
    down = one("truncated_8", F16, [one_code], [one_code], tiny | 0x80000000)
    assert (up, down) == (0x3F800000, 0x3F7FFFFF)
