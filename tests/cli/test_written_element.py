"""Elements with a bracket missing or a sign too much: the answer says what and where."""

import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("D[7][4", "a ] is missing at the end"),
        ("D[7]4]", "][ or a comma is missing at character 4"),
        ("D[7 4]", "][ or a comma is missing at character 4"),
        ("D[7]", "][ or a comma is missing at character 4"),
        ("D[7][]", "a column, a whole number from 0, is missing at character 6"),
        ("D[-7][4]", "a row, a whole number from 0, is missing at character 3"),
        ("D[7][4]]", "']' is too much at character 8"),
        ("D[7][4]x", "'x' is too much at character 8"),
        ("[7][4]", "the operand's letter is missing at character 1"),
        ("D7][4]", "a [ is missing at character 3"),
        ("D{7}{4}", "a [ is missing at character 2"),
    ],
)
def test_faults_are_named_with_their_place(
    written: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, "where", "gfx1100", OP, written)
    assert done.code == 2
    assert says in " ".join(done.err.split())


@pytest.mark.parametrize("written", ["D[7][4]", "D[7,4]", "D(7,4)", " d [ 7 ] [ 4 ] "])
def test_right_ones_are_taken(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = ran(capsys, "where", "gfx1100", OP, "D", "7", "4")
    assert ran(capsys, "where", "gfx1100", OP, written).out == plain.out
