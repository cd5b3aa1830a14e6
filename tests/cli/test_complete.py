import pytest

from wavemma.cli.command_options import options_of
from wavemma.cli.commands import COMMANDS, GROUPS
from wavemma.cli.complete import NAMES, OF_COMMAND, complete

FP8 = "v_wmma_f32_16x16x16_fp8_fp8"


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        ("", "la", ["layout"]),
        ("", "--h", ["--help"]),
        ("", "sc", ["scale"]),
        ("scale", "wh", ["where"]),
        ("layout", "gfx94", ["gfx942"]),
        ("layout gfx1201", "v_wmma_f32_16x16x16_fp8_f", [FP8]),
        ("layout gfx1100", "v_wmma_f32_16x16x16_fp8_f", []),
        ("layout gfx1201 v_swmmac_f32_16x16x32_f16", "", ["A", "B", "C", "D", "index"]),
        ("layout gfx1201 v_swmmac_f32_16x16x32_f16", "i", ["index"]),
        ("where gfx950 v_mfma_scale_f32_16x16x128_f8f6f4", "sc", ["scale_a", "scale_b"]),
        (f"layout gfx1201 {FP8} D --beside", "gfx90", ["gfx908", "gfx90a"]),
        (f"layout gfx1201 {FP8} D", "--beside=gfx94", ["--beside=gfx942"]),
        (f"layout gfx1201 {FP8} D", "--beside-w", ["--beside-wave"]),
        (f"layout gfx1201 {FP8} D --wave", "", ["32", "64"]),
        ("layout --svg x.svg gfx1201", "v_wmma_f32_16x16x16_fp8_f", [FP8]),
        ("layout --full gfx1201", "v_wmma_f32_16x16x16_fp8_f", [FP8]),
        ("port gfx1100", "gfx94", ["gfx942"]),
        ("port gfx1100 gfx1201 --code", "", ["old", "new"]),
        ("numerics", "bf", ["bf16", "bf8", "bf8_ocp", "bf8_fnuz", "bf6"]),
        ("gemm a.npy b.npy --target gfx1201 --op", "v_wmma_f32_16x16x16_fp8_f", [FP8]),
        ("peak", "AMD Instinct MI100", ["AMD Instinct MI100"]),
        ("peak", "amd instinct mi100", ["AMD Instinct MI100"]),
        ("show", "__builtin_amdgcn_wmma_f64", ["__builtin_amdgcn_wmma_f64_16x16x4_f64"]),
        ("show --target gfx1201", "v_wmma_f32_16x16x16_fp8_f", [FP8]),
        ("probe gfx950", "mfma_sc", ["mfma_scaled", "mfma_scaled_narrow"]),
        ("run a.hip --target gfx1201 --model", "v_wmma_f32_16x16x16_fp8_f", [f"{FP8}="]),
        ("list", "prod", ["products"]),
        ("run", "a.h", []),
        ("numerics f16 --separate gfx942", "gfx94", ["gfx942"]),
        ("numerics f16 --separate gfx942 gfx950 --c", "gfx94", []),
        ("numerics f16 --target", "gfx942,gfx90", ["gfx942,gfx908", "gfx942,gfx90a"]),
        ("numerics f16 --target", "gfx908,gfx90", ["gfx908,gfx90a"]),
        ("numerics", "fp8,bf", ["fp8,bf16", "fp8,bf8", "fp8,bf8_ocp", "fp8,bf8_fnuz", "fp8,bf6"]),
        (
            "guard fp8",
            "--target=gfx942,gfx90",
            ["--target=gfx942,gfx908", "--target=gfx942,gfx90a"],
        ),
        ("completion", "", ["bash", "zsh", "fish"]),
        ("no-such-command", "", []),
        ("coverage", "x", []),
    ],
)
def test_the_next_word(line: str, word: str, found: list[str]) -> None:
    assert complete([*line.split(), word]) == found


def test_a_word_that_a_shell_has_cut_at_its_equals_sign() -> None:
    before = ["layout", "gfx1201", FP8, "D", "--beside", "="]
    assert complete([*before, "gfx94"]) == ["gfx942"]
    assert "gfx942" in complete(before)


def test_all_options_are_offered() -> None:
    assert "--json" in complete(["exec", "k.hsaco", "--"])
    assert complete(["exec", "k.hsaco", "--x"]) == []


def test_nothing_is_said_twice() -> None:
    for words in (["show", ""], ["bits", ""], ["peak", ""], [""]):
        found = complete(words)
        assert len(found) == len(set(found)) > 3


def test_every_name_that_has_completions_is_one_of_a_command() -> None:
    inner = [command for _, _, commands in GROUPS for command in commands]
    known = set()
    for name, place, _ in (*COMMANDS, *inner):
        takes = options_of(place)
        known |= {(name, each) for each, _ in takes.positional}
        known |= {(name, each.name) for each in takes.options}
    assert set(OF_COMMAND) <= known
    assert set(NAMES) <= {each for _, each in known}
