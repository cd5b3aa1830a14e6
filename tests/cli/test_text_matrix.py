"""Matrices as programs print them."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import ran
from wavemma.cli import text_matrix
from wavemma.cli.arrays import load
from wavemma.errors import FileMistake

OP = "v_wmma_f32_16x16x16_f16"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "1 2.5\n-3 inf\n"),
        ("a.txt", "[[ 1.   2.5]\n [-3.   inf]]\n"),
        ("a.csv", "1, 2.5\n-3, inf\n"),
        ("a.CSV", "1;2.5;\n\n-3;inf;\n"),
        ("a.txt", "\t1\t2.5 \r\n\t-3e0\tInfinity"),
    ],
)
def test_ways_to_print_a_matrix(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode())
    found = load(str(tmp_path / name))
    assert found.dtype == np.float32
    assert found.tolist() == [[1, 2.5], [-3, np.inf]]


def test_numbers_become_the_type_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("1 2\n3 4\n")
    assert load(f"{path}:bf16").dtype == ml_dtypes.bfloat16
    assert load(f"{path}:i32").tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("odd", ["300", "1.5", "nan", "inf"])
def test_integers_are_not_rounded(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"1 2\n3 {odd}\n")
    with pytest.raises(FileMistake, match=r"must hold numbers of int8; .* at \[1, 1\] is none"):
        load(f"{path}:i8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "its lines have none"),
        ("1 2\n3\n", "its lines have 1, 2"),
        ("1 2\n3 x\n", "line 2 has 'x'"),
        ("row 0: 1 2\n", "line 1 has 'row'"),
    ],
)
def test_what_is_no_matrix(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(FileMistake, match=reason):
        load(str(path))


def test_much_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_matrix, "MOST_BYTES", 8)
    path = tmp_path / "a.txt"
    path.write_text("1 2 3 4 5 6\n")
    with pytest.raises(FileMistake, match="at most"):
        load(str(path))


def test_case_8_as_it_was_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    want = np.arange(256).reshape(16, 16)
    row = np.arange(16)
    for name, array in (("want", want), ("got", want[2 * row % 16 + row // 8])):
        lines = "\n".join(" ".join(f"{number:6.2f}" for number in line) for line in array)
        (tmp_path / f"{name}.txt").write_text(lines)
    files = [f"--{name}={tmp_path / name}.txt" for name in ("want", "got")]
    done = ran(capsys, "diagnose", "gfx1100", OP, *files)
    assert done.code == 1
    assert "Store with row = (lane // 16) + 2*v" in done.out
