import json
import shlex
import subprocess
import sys

import numpy as np
import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"


def _flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def tile(tmp_path):
    """Write what was wanted, and what a gfx12 store loop makes of it on gfx1100."""
    want = np.random.default_rng(8).standard_normal((16, 16)).astype(np.float32)
    got = want[[(2 * r % 16) + r // 8 for r in range(16)]]
    np.save(tmp_path / "want.npy", want)
    np.save(tmp_path / "got.npy", got)
    return ("--want", str(tmp_path / "want.npy"), "--got", str(tmp_path / "got.npy"))


def test_case_8_on_one_screen(capsys, tile) -> None:
    found = ran(capsys, "diagnose", "gfx1100", OP, *tile)
    assert found.code == 1
    text = _flat(found.out)
    assert "Tiles that differ: 1 of 1" in text
    assert f"the store loop follows the map of D of {OP} on gfx1170" in text
    assert "Store with row = (lane // 16) + 2*v; col = lane % 16" in text
    assert "100.0% of the elements" in text
    assert max(map(len, found.out.splitlines())) <= 80
    assert len(found.out.splitlines()) <= 40


def test_equal_and_json(capsys, tile) -> None:
    want = tile[1]
    same = ran(capsys, "diagnose", "gfx1100", OP, "--want", want, "--got", want)
    assert (same.code, "Nothing is wrong" in same.out) == (0, True)
    assert "sums in another order may differ so far" in _flat(same.out)
    document = json.loads(ran(capsys, "diagnose", "gfx1100", OP, *tile, "--json").out)
    assert document["answer"] == "Diagnosis"
    assert document["explanations"][0]["faults"][0]["kind"] == "store map"


def test_ones_cannot_tell_and_inputs_that_can_are_written(capsys, tmp_path) -> None:
    np.save(tmp_path / "want.npy", np.full((16, 16), 32.0))
    np.save(tmp_path / "got.npy", np.full((16, 16), 16.0))
    words = ("--want", str(tmp_path / "want.npy"), "--got", str(tmp_path / "got.npy"))
    found = ran(capsys, "diagnose", "gfx1100", OP, *words)
    text = _flat(found.out)
    assert "half of K was never used" in text
    assert f"wavemma diagnose gfx1100 {OP} --inputs DIR writes inputs that can" in text
    folder = tmp_path / "inputs"
    written = ran(capsys, "diagnose", "gfx1100", OP, "--inputs", str(folder))
    assert written.code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["a.npy", "b.npy", "c.npy", "want.npy"]


def test_what_was_not_tried_together_is_said(capsys, tmp_path) -> None:
    rng = np.random.default_rng(7)
    np.save(tmp_path / "want.npy", rng.standard_normal((16, 16)).astype(np.float32))
    np.save(tmp_path / "got.npy", rng.standard_normal((16, 16)).astype(np.float32))
    words = ("--want", str(tmp_path / "want.npy"), "--got", str(tmp_path / "got.npy"))
    text = _flat(ran(capsys, "diagnose", "gfx1100", OP, *words).out)
    assert "None of these" in text
    assert "Two in one place are not tried, nor two of which one concerns the whole output" in text


def test_results_that_hold_one_value_may_have_been_stored(capsys, tmp_path) -> None:
    want = np.random.default_rng(8).standard_normal((16, 16)).astype(np.float32)
    got = want.copy()
    got[8:] = 0
    for name, array in (("want", want), ("got", got)):
        np.save(tmp_path / f"{name}.npy", array)
    words = ("--want", str(tmp_path / "want.npy"), "--got", str(tmp_path / "got.npy"))
    text = _flat(ran(capsys, "diagnose", "gfx1100", OP, *words).out)
    assert "never stored" in text
    assert "If they are stored after all, each is stored as this one value" in text


def test_written_inputs_can_be_read_again(capsys, tmp_path) -> None:
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    folder = tmp_path / "two words"
    written = ran(capsys, "diagnose", "Instinct MI355X", op, "--inputs", str(folder))
    start = written.out.index("wavemma diagnose")
    line = written.out[start:].replace("\\\n", "").replace("got.npy", f"'{folder / 'want.npy'}'")
    found = ran(capsys, *shlex.split(line)[1:])
    assert found.err == ""
    assert found.code == 0


def test_inputs_of_more_steps(capsys, tmp_path) -> None:
    written = ran(capsys, "diagnose", "gfx1100", OP, "--inputs", str(tmp_path), "--steps", "4")
    assert written.code == 0
    assert np.load(tmp_path / "a.npy").shape == (32, 64)


@pytest.mark.parametrize(
    ("words", "kind", "reason"),
    [
        (("gfx1100", OP), "SyntaxMistake", "needs --got"),
        (("gfx1100", OP, "--steps", "2"), "SyntaxMistake", "--steps goes with --inputs"),
        (("gfx1100", OP, "--inputs", "x", "--steps", "0"), "OutOfRange", "--steps must be 1..1024"),
        (("gfx1100", OP, "--got", "none.npy"), "FileMistake", "none.npy cannot be read"),
        (("gfx1100", "v_nothing", "--got", "none.npy"), "FileMistake", "none.npy"),
    ],
)
def test_mistakes(capsys, words, kind, reason) -> None:
    found = ran(capsys, "diagnose", *words)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"{kind}: ")
    assert reason in found.err


def test_inputs_where_no_folder_can_be(capsys, tmp_path) -> None:
    (tmp_path / "file").write_text("")
    found = ran(capsys, "diagnose", "gfx1100", OP, "--inputs", str(tmp_path / "file" / "x"))
    assert (found.code, found.err.startswith("FileMistake: ")) == (2, True)


def test_as_a_process(tile) -> None:
    words = [sys.executable, "-m", "wavemma", "diagnose", "gfx1100", OP, *tile]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
