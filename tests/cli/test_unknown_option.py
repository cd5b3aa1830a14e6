"""An option that a command lacks leads to what is meant, or to the list; never to a chance."""

import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"
PLACE = ("where", "gfx1100", OP, "D")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((*PLACE, "--lane", "20", "--vgpr", "3"), "--at LANE REGISTER: --at 20 3."),
        ((*PLACE, "--reg=3", "--thread=20"), "--at LANE REGISTER: --at 20 3."),
        ((*PLACE, "--vgpr", "3"), "--at LANE 3."),
        ((*PLACE, "--row", "2", "--col", "3"), "its word 4, without a name, is ROW."),
        ((*PLACE, "--column", "3"), "its word 5, without a name, is COLUMN."),
        ((*PLACE, "--arch", "gfx942"), "its word 1, without a name, is TARGET."),
        (("show", OP, "--offload-arch", "gfx942"), "; it has --target."),
        (("lint", "a.s", "--mcpu=gfx942"), "; it has --target."),
        (("rate", "gfx942", OP, "--gpu", "x"), "its word 1, without a name, is TARGET."),
        (("layout", "gfx1100", OP, "D", "--output", "a"), "; it has --html."),
        (("layout", "gfx1100", OP, "D", "--wavefront", "32"), "; it has --wave."),
        (("scale", "where", "gfx950", OP, "A", "--k", "3"), "its word 5, without a name, is K."),
        (("bits", "f16", "--number", "3"), "; it has --value."),
        ((*PLACE, "--blok", "3"), "the nearest is --block."),
        ((*PLACE, "--frobnicate", "3"), "has no option --frobnicate, nor one like it."),
    ],
)
def test_options_of_other_tools_lead_to_ours(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, *words)
    assert done.code == 2
    assert says in done.err
    assert "Did you mean" not in done.err
    assert "--help" in done.err


@pytest.mark.parametrize("word", ["frobnicate", "wmma", "registers"])
def test_unknown_commands_name_no_chance_neighbour(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, word)
    assert done.code == 2
    assert "Closest" not in done.err
    assert "All: wavemma --help" in done.err


@pytest.mark.parametrize(
    ("word", "near"), [("layuot", "layout"), ("wher", "where"), ("numeric", "numerics")]
)
def test_misspelt_commands_name_the_one_that_is_meant(
    word: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"Closest: {near}" in ran(capsys, word).err


def test_help_says_the_order_of_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--at LANE REGISTER" in " ".join(ran(capsys, "where", "--help").out.split())
