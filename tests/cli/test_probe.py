import json
import os
from pathlib import Path

import pytest

from tests.cli.command import ran
from tests.explain.probe_text import printed
from wavemma.explain.probe_experiment import experiment, predicted
from wavemma.explain.probe_point import find_points

FP8 = "v_wmma_f32_16x16x16_fp8_fp8"
ASKED = ("probe", "gfx1201", FP8)


def output(folder: Path, candidate: int, flipped: int = 0) -> str:
    made = experiment(find_points("gfx1201", FP8)[0])
    words = predicted(made, made.point.candidates[candidate])
    words[-1, 0, 0] ^= flipped
    place = folder / "out.txt"
    place.write_text(printed(made, words))
    return str(place)


def test_the_program_is_the_answer(capsys) -> None:
    found = ran(capsys, *ASKED)
    assert found.code == 0
    assert found.out.startswith("// Open point wmma_bytes: ")
    assert "hipcc --offload-arch=gfx1201 -O2 probe.hip -o probe" in found.out


def test_a_program_in_a_file_comes_with_what_to_do(capsys, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = Path("my probe.hip")
    found = ran(capsys, *ASKED, "--wave", "64", "-o", str(place))
    assert found.code == 0
    assert all(len(line) <= 80 for line in found.out.splitlines())
    assert "Elements of D that tell two candidates apart, of 1024" in found.out
    words = found.out.split()
    assert f"hipcc --offload-arch=gfx1201 -mwavefrontsize64 -O2 '{place}' -o probe" in found.out
    assert f"written to {place}" in " ".join(words)
    assert place.read_text().startswith("// Open point wmma_bytes: ")
    assert "-mwavefrontsize64" in place.read_text()


def test_json(capsys) -> None:
    answer = json.loads(ran(capsys, *ASKED, "--json").out)
    assert answer["answer"] == "Probe"
    assert [len(each["words"]) for each in answer["operands"]] == [
        answer["runs"] * each["registers"] * 32 for each in answer["operands"]
    ]


def test_list(capsys) -> None:
    every = ran(capsys, "probe", "--list")
    assert every.code == 0
    assert all(len(line) <= 80 for line in every.out.splitlines())
    assert "wmma_clamp_wave64" in every.out
    assert len(every.out.splitlines()) <= 42
    whole = ran(capsys, "probe", "--list", "--full").out
    assert "even_odd_16_keep" in whole
    some = ran(capsys, "probe", "gfx942", "--list")
    assert "smfmac_halves" in some.out
    assert "wmma_clamp_wave64" not in some.out


def test_nothing_open_is_an_answer(capsys) -> None:
    found = ran(capsys, "probe", "gfx1100", "v_wmma_f32_16x16x16_f16")
    assert found.code == 0
    words = "Nothing that a probe could settle is open about v_wmma_f32_16x16x16_f16."
    assert words in found.out


def test_reading(capsys, tmp_path: Path) -> None:
    followed = ran(capsys, "probe", "--read", output(tmp_path, 3))
    assert followed.code == 0
    assert "the silicon follows fma_chain" in followed.out
    none = ran(capsys, "probe", "--read", output(tmp_path, 0, flipped=1))
    assert none.code == 1
    assert all(len(line) <= 80 for line in none.out.splitlines())
    assert "the rule is another one" in " ".join(none.out.split())
    assert "1023 of 1024" in none.out
    answer = json.loads(ran(capsys, "probe", "--read", output(tmp_path, 1), "--json").out)
    assert answer["followed"] == ["grouped_8_whole"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("probe",), "needs a target and an instruction"),
        (("probe", "gfx1201"), "needs a target and an instruction"),
        ((*ASKED, "-o", "{dir}"), "is a folder"),
        ((*ASKED, "--read", "x"), "TARGET would not be heeded"),
        ((*ASKED, "--list"), "OP would not be heeded"),
        (("probe", "gfx1201", "v_nope", "-o", "{dir}/p.hip"), "v_nope"),
        (("probe", "--read", "{dir}/none"), "cannot be read"),
    ],
)
def test_mistakes_leave_no_file(capsys, tmp_path: Path, words, text: str) -> None:
    found = ran(capsys, *(word.replace("{dir}", str(tmp_path)) for word in words))
    assert found.code == 2
    assert text in found.err
    assert os.listdir(tmp_path) == []
