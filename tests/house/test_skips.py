"""Tests that a machine may leave out: those listed here, and no others."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
WORDS = re.compile(r"\bskip(?:if)?\(|\bxfail\b|\bimportorskip\b|\bSkipTest\b|\bskipUnless\b")
# What a processor or a system does not have cannot be tested there. Oracles are never missing.
LISTED = {
    "engines/test_float_mode.py": "the register that these read and write is x86's",
    "gemm/test_parallel.py": "one test forks, which POSIX systems can",
}


def test_nothing_else_is_skipped() -> None:
    found = {
        path.relative_to(TESTS).as_posix(): len(WORDS.findall(path.read_text(encoding="utf-8")))
        for path in TESTS.rglob("*.py")
        if path != Path(__file__)
    }
    assert {path: count for path, count in found.items() if count} == dict.fromkeys(LISTED, 1)
