"""Python functions as mappings: what they may take and give, and what is refused in words."""

import functools
from pathlib import Path

import numpy as np
import pytest

import wavemma
from wavemma.explain.check_layout import LayoutCheck, check_layout
from wavemma.explain.claim_input import Mapped

OP = "v_wmma_f32_16x16x16_f16"


def check(mapping: Mapped) -> LayoutCheck:
    return check_layout("gfx1100", OP, "D", mapping)


def by_name(*, lane, v):
    return 2 * v + lane // 16, lane % 16


def by_both(lane, *rest, v, **more):
    return 2 * v + lane // 16, lane % 16


def with_constant(size, lane, v):
    return 2 * v + lane // size, lane % size


class Object:
    def __call__(self, lane, v):
        return [2 * v + lane // 16, lane % 16]


@pytest.mark.parametrize(
    "function",
    [
        by_name,
        by_both,
        Object(),
        lambda lane, v, M=16, n=2: (n * v + lane // M, lane % M),
        functools.partial(with_constant, 16),
        functools.partial(with_constant, size=16),
        lambda lane, v: np.array([2 * v + lane // 16, lane % 16]),
    ],
)
def test_functions_of_every_kind_are_called_as_they_ask(function) -> None:
    assert check(function).verdict == "right"


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (max, "Python does not know those of <built-in function max>"),
        (lambda: (0, 0), "this one takes nothing"),
        (lambda *args: (0, 0), "this one takes nothing"),
        (lambda lane, col: (lane, col), "this one takes lane, col"),
        (lambda lane, v: {"x": v, "col": lane}, "'x' is none of them"),
        (lambda lane, v: {}, "takes lane, v and gives nothing"),
        (lambda lane, v: {"row": v, "col": v} if v == 0 else {"row": v}, "row, col in one place"),
        (lambda lane, v: np.array([0.5, 1.0]), r"whole numbers; it gave 0\.5"),
        (lambda lane, v: np.array(3), "it gave 3"),
    ],
)
def test_what_functions_may_not_take_or_give_is_said(function, said) -> None:
    with pytest.raises(wavemma.WavemmaError, match=said):
        check(function)


def test_a_text_that_ends_as_a_table_is_one(tmp_path: Path) -> None:
    table = tmp_path / "Map.CSV"
    lines = [f"{lane},{v},{2 * v + lane // 16},{lane % 16}" for lane in range(32) for v in range(8)]
    table.write_text("lane,v,row,col\n" + "\n".join(lines) + "\n")
    assert check(str(table)).verdict == check(table).verdict == "right"
