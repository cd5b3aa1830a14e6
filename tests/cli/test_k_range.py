"""Ranges of k where the scale of an element is asked for."""

import re

import pytest

from tests.cli.command import ran

WHERE = ("scale", "where", "gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", "A", "3")
PLACE = r"v\d+\[\d+:\d+\].*, lane \d+"


@pytest.mark.parametrize("written", ["64..95", "64-95", "64:96", "70..71"])
def test_a_range_in_one_block_answers_like_any_of_its_k(
    written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    alone, whole = (ran(capsys, *WHERE, each).out for each in ("70", written))
    assert re.findall(PLACE, alone) == re.findall(PLACE, whole) != []
    assert "have this one scale" in whole
    assert "have this one scale" not in alone


def test_a_range_over_blocks_lists_the_scale_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    said = " ".join(ran(capsys, *WHERE, "40..100").out.split())
    assert "k 40..100 have 3 scales" in said
    for block, lane in (("32..63", 19), ("64..95", 35), ("96..127", 51)):
        assert f"k {block}: v0[7:0], lane {lane}" in said


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("95..64", "a range, the lower end first: 64..95"),
        ("64:64", "a range, the lower end first: 64..95"),
        ("x", "must be a whole number"),
        ("1.5", "must be a whole number"),
        ("64..128", "must be 0..127"),
        ("0..99999999999", "must be 0..127"),
    ],
)
def test_wrong_ranges_are_refused(
    written: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, *WHERE, written)
    assert done.code == 2
    assert says in done.err
