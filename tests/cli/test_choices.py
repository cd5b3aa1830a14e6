"""Options that would not be heeded are refused, and the files of others are left alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"
LINE = f"{OP} v[0:7], v[8:15], v[16:23], v[0:7]"
SPARSE = ("--target", "gfx942", "--op", "v_smfmac_f32_16x16x32_f16")
LAYOUT = ("layout", "gfx1100", OP, "A")

REFUSED = [
    (("asm", "gfx1100", LINE, "--hex", "--json"), "Only one of --hex and --json"),
    (("port", "gfx1100", "gfx1201", "--op", "f16", "--code", "old", "--json"), "--json would not"),
    (("show", "gfx942", "--wave", "-1"), "same for each wave"),
    (("show", "gfx942", "--target", "gfx1100"), "same for each target"),
    (("show", "cdna3", "--target", "gfx1100"), "same for each target"),
    (("show", "f16", "--wave", "32"), "same for each wave"),
    (("show", "truncated_8", "--wave", "32"), "same for each wave"),
    (("show", "MI300X", "--target", "gfx942"), "same for each target"),
    (("show", "gfx94", "--wave", "3"), "'gfx94' is not a target"),
    (("show", "v_mfma_f32_32x32x8_f16", "--wave", "32"), "must have 64 lanes; 32 was given"),
    (("peak", "MI300X", "--units", "3"), "wavemma peak gfx942 --units 3"),
    (("where", "gfx1100", OP, "D", "2", "3", "--at", "1", "2"), "ROW would not be heeded"),
    (("where", "gfx1100", OP, "D", "--at", "1", "2", "--block", "0"), "--block would not"),
    (("numerics", "f16", "--separate", "gfx942", "gfx1100", "--a", "1", "--b", "1"), "--a, --b"),
    (("numerics", "f16", "--separate", "gfx942", "gfx1100", "--c", "1"), "--c would not"),
    (("numerics", "f16", "--separate", "gfx942", "gfx1100", "--chain", "2"), "--chain would not"),
    (("numerics", "f16", "--a", "1", "--b", "1", "--target", ","), "must have a name"),
    (("diagnose", "gfx1100", OP, "--inputs", "d", "--got", "w.npy"), "--got would not"),
    (("diagnose", "gfx1100", OP, "--inputs", "d", "--json"), "--json would not"),
    (("diagnose", "gfx1100", OP, "--inputs", "d", "--wave", "32"), "--wave would not"),
    (("diagnose", "gfx1100", OP, "--inputs", ""), "--inputs must not be empty"),
    (("gemm", "a.npy", "b.npy", "-o", "o.npy", "--target", "gfx942", "--model", ""), "--model"),
    (("gemm", "a.npy", "b.npy", "-o", "o.npy", "--target", "gfx942", "--model="), "--model"),
    (("bits", "f16", "0x38", "--target", ","), "must have a name"),
    (("bits", "f16", "0x38", "--rounding", "up"), "--rounding would not"),
    (("bits", "f16", "0x38", "--overflow", "saturate"), "--overflow would not"),
    (("scale", "value", "0x38", "--target", " , "), "must have a name"),
    (("guard", ","), "A feature must be named"),
    (("guard", "f16", "--target", ","), "must have a name"),
    (("why", OP, "--wave", "3"), "--wave"),
    ((*LAYOUT, "--html", "x", "--svg", "x"), "is given twice"),
    (("sparse", "pack", "a.npy", *SPARSE, "-o", "s1", "s1"), "is given twice"),
]


@pytest.mark.parametrize(("words", "reason"), REFUSED, ids=lambda w: " ".join(w)[:60])
def test_what_would_not_be_heeded_is_refused(capsys, tmp_path, monkeypatch, words, reason) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran(capsys, *words)
    assert (done.code, done.out) == (2, "")
    assert reason in " ".join(done.err.split())
    assert os.listdir(tmp_path) == []


def test_what_is_for_programs_holds_nothing_else(capsys, tmp_path: Path) -> None:
    files = ("--svg", str(tmp_path / "a.svg"))
    assert json.loads(ran(capsys, *LAYOUT, *files, "--json").out)["answer"] == "RegisterLayout"
    assert ran(capsys, *LAYOUT, *files, "--csv").out.startswith("i,k,copy,")
    assert ran(capsys, *LAYOUT, *files).out == f"wrote {files[1]}\n"
    words = ("asm", "gfx1100", LINE, "-o", str(tmp_path / "a"))
    assert json.loads(ran(capsys, *words, "--json").out)["answer"] == "Assembly"


def test_inputs_neither_overwrite_nor_make_parents(capsys, tmp_path: Path) -> None:
    words = ("diagnose", "gfx1100", OP, "--inputs")
    done = ran(capsys, *words, str(tmp_path / "x" / "y"))
    assert (done.code, "no folder" in done.err) == (2, True)
    assert os.listdir(tmp_path) == []
    (tmp_path / "a.npy").write_bytes(b"mine")
    done = ran(capsys, *words, str(tmp_path))
    assert (done.code, "a.npy is there already" in done.err) == (2, True)
    assert os.listdir(tmp_path) == ["a.npy"]
    assert (tmp_path / "a.npy").read_bytes() == b"mine"
    (tmp_path / "a.npy").unlink()
    (tmp_path / "want.npy").symlink_to("nowhere")
    assert ran(capsys, *words, str(tmp_path)).code == 2
    assert os.listdir(tmp_path) == ["want.npy"]


def test_a_cache_that_is_no_folder(capsys, tmp_path: Path) -> None:
    file, missing = tmp_path / "file", tmp_path / "missing"
    file.write_text("")
    for command in ("info", "clear"):
        done = ran(capsys, "cache", command, "--folder", str(file))
        assert (done.code, "must be a folder" in done.err) == (2, True)
    done = ran(capsys, "cache", "clear", "--folder", str(missing))
    assert (done.code, "nothing to clear" in done.err) == (2, True)
    done = ran(capsys, "cache", "info", "--folder", str(missing), "--json")
    assert (done.code, json.loads(done.out)["kernels"]) == (0, 0)
    words = ("gemm", "a", "b", "-o", str(missing), "--target", "gfx942", "--cache", str(file))
    done = ran(capsys, *words)
    assert (done.code, "--cache must be a folder" in done.err) == (2, True)


@pytest.mark.parametrize("value", [np.inf, np.nan, 1e300])
def test_extreme_numbers_leave_stderr_empty(tmp_path: Path, value: float) -> None:
    want = np.random.default_rng(4).standard_normal((16, 16))
    got = want.T.copy()
    got[0] = want[1] = value
    got[3, 3] = -value
    for name, array in (("want", want), ("got", got)):
        np.save(tmp_path / f"{name}.npy", array)
    files = ("--got", "got.npy", "--want", "want.npy", "--a", "got.npy", "--b", "want.npy")
    line = [sys.executable, "-W", "always", "-m", "wavemma", "diagnose", "gfx1100", OP, *files]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")


def test_outputs_of_infinities_alone_warn_of_nothing(capsys, tmp_path: Path, recwarn) -> None:
    path = str(tmp_path / "a.npy")
    np.save(path, np.full((16, 16), np.inf))
    done = ran(capsys, "diagnose", "gfx1100", OP, "--got", path, "--want", path)
    assert (done.code, done.err, recwarn.list) == (0, "", [])
