"""Every case as a person would ask it, and the table of what tests its kind."""

import ast
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.cases.asked import F16, Line
from tests.cases.table import CASES
from tests.cli.command import ran
from tests.facts import facts_text

TESTS = Path(__file__).resolve().parents[1]
LINES = [
    pytest.param(line, id=f"{number}-{' '.join(line.words)[:50]}")
    for number, case in CASES.items()
    for line in case.lines
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the arrays that cases speak of."""
    monkeypatch.chdir(tmp_path)
    row = np.arange(16)
    want = np.arange(256, dtype=np.float32).reshape(16, 16)
    scales = np.full((16, 4), 0x7F, np.uint8)
    scales[3, 1] = 0x80
    one_of_four = np.zeros((16, 32), np.float16)
    one_of_four[:, 3::4] = 5
    arrays = {
        "want": want,
        "store": want[2 * row % 16 + row // 8],
        "ones32": np.ones((16, 32), np.float16),
        "ones32t": np.ones((32, 16), np.float16),
        "sixteen": np.full((16, 16), 16, np.float32),
        "one8": np.full((16, 128), 0x38, np.uint8),
        "one8t": np.full((128, 16), 0x38, np.uint8),
        "sa": scales,
        "sb": np.full((4, 16), 0x7F, np.uint8),
        "one_of_four": one_of_four,
    }
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    first = f"{F16} v[8:15], v[16:23], v[24:31], v[8:15]"
    second = f"{F16} v[32:39], v[8:15], v[24:31], v[32:39]"
    sources = {
        "banks": f"{F16} v[0:7], v[8:15], v[16:23], v[0:7]",
        "hazard": f"{first}\n{second}",
        "repaired": f"{first}\nv_nop\n{second}",
    }
    for name, text in sources.items():
        (tmp_path / f"{name}.s").write_text(f"{text}\n")
    return tmp_path


@pytest.mark.parametrize("line", LINES)
def test_case(capsys: pytest.CaptureFixture[str], files: Path, line: Line) -> None:
    done = ran(capsys, *line.words)
    text = " ".join((done.out + done.err).split())
    assert done.code == line.code, text
    for words in line.says:
        assert words in text


def test_case_29_one_byte_doubles_the_share_of_one_block(
    capsys: pytest.CaptureFixture[str], files: Path
) -> None:
    assert ran(capsys, *CASES[29].lines[1].words).code == 0
    want = np.full((16, 16), 128.0)
    want[3] = 128 + 32
    assert (np.load(files / "d.npy") == want).all()


@cache
def _functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


@pytest.mark.parametrize("number", CASES)
def test_the_kind_has_its_test(number: int) -> None:
    assert CASES[number].lines
    assert CASES[number].kinds
    for place in CASES[number].kinds:
        file, _, name = place.partition("::")
        assert name in _functions(file), place


@pytest.mark.facts
def test_every_case_is_in_the_table() -> None:
    numbers = re.findall(r"^\| (\d+) \|", facts_text("cases.md"), re.M)
    assert len(numbers) == 37
    assert set(CASES) == set(map(int, numbers))
