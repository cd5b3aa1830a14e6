"""wavemma exec of a source: compiled for a target, with types and lines of its own."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran

SOURCE = """
#include <hip/hip_runtime.h>
extern "C" __global__ void scale(float* x, float factor, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] *= factor * FACTOR;
}
"""
CALL = ("--grid", "2", "--block", "32", "--arg", "inout=x.npy", "--arg", "0.5", "--arg")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hip").write_text(SOURCE)
    np.save("x.npy", np.arange(64, dtype=np.float32))
    return tmp_path


def test_it_is_compiled_and_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--target", "gfx1100", "--flags", "-O2 -DFACTOR=4")
    told = ran(capsys, "exec", "k.hip", *CALL, "60", *flags)
    assert (told.code, told.err) == (0, "")
    x = np.arange(64, dtype=np.float32)
    assert np.array_equal(np.load("x.npy"), np.where(x < 60, x * 2, x))
    told = ran(capsys, "exec", "k.hip", "--grid", "3", *CALL[2:], "90", *flags)
    assert told.code == 126
    assert "k.hip:5, reads" in told.err


@pytest.mark.parametrize(
    ("file", "more", "text"),
    [
        ("k.hip", (), "A source must be compiled for a target; k.hip is one."),
        ("k.hip", ("--target", "gfx1100"), "FACTOR"),
        ("no.hip", ("--target", "gfx1100"), "no.hip"),
        ("x.npy", ("--flags", "-O1"), "--flags must go with a source"),
    ],
)
def test_mistakes(
    file: str,
    more: tuple[str, ...],
    text: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = ran(capsys, "exec", file, *CALL, "64", *more)
    assert (told.code, told.out) == (125, "")
    assert text in told.err
    assert np.array_equal(np.load("x.npy"), np.arange(64))


def test_wider_numbers_than_the_kernel_reads(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save("x.npy", np.arange(64, dtype=np.float64))
    flags = ("--target", "gfx1100", "--flags", "-O2 -DFACTOR=4")
    told = ran(capsys, "exec", "k.hip", *CALL, "64", *flags)
    assert (told.code, told.out) == (125, "")
    assert "must be an array of float32 or of narrower numbers; got float64" in told.err
