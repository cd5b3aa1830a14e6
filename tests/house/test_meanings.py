"""Rows name meanings, patterns name rows: none of either is left over."""

import importlib.util
import re
from pathlib import Path

import pytest

from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.meaning import Meaning
from wavemma.machine.semantics import MEANINGS
from wavemma.tables.not_run import not_run, reasons
from wavemma.tables.ordinary import OrdinaryRow, taken_rows
from wavemma.tables.targets import architectures

ROOT = Path(__file__).resolve().parents[2]
# So many rows at least have a meaning, or lead control elsewhere; the rest ends a wave.
KNOWN = {"rdna3": 1333, "rdna3.5": 1391, "rdna4": 1409, "cdna3": 1607}
KNOWN |= {"cdna1": 1543, "cdna2": 1562, "cdna4": 1662, "cdna5": 1504, "rdna4m": 1425}


def all_rows() -> list[OrdinaryRow]:
    return [row for name in architectures() for row in ordinary_table(name).rows.instructions]


def pattern_lines() -> list[tuple[str, list[str], list[str]]]:
    """Give patterns, and the architectures and the encodings that each is for; none is any."""
    found = []
    for path in sorted((ROOT / "tools" / "meanings").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.partition("#")[0].split()
            if words:
                marks = [word.removeprefix("on=") for word in words if word.startswith("on=")]
                inside = [word.removeprefix("in=") for word in words if word.startswith("in=")]
                places = marks[0].split(",") if marks else architectures()
                found.append((words[0], places, inside[0].split(",") if inside else []))
    return found


def test_every_meaning_that_rows_name_is_written() -> None:
    named = {row.meaning for row in all_rows()} - {""}
    assert named <= set(MEANINGS), named - set(MEANINGS)


def test_every_meaning_is_named_by_a_row() -> None:
    named = {row.meaning for row in all_rows()}
    assert set(MEANINGS) <= named, set(MEANINGS) - named


def test_every_pattern_is_the_first_that_matches_some_row() -> None:
    lines = pattern_lines()
    assert len(lines) > 200
    used = set()
    for place in architectures():
        own = [(n, re.compile(p), i) for n, (p, on, i) in enumerate(lines) if place in on]
        rows = ordinary_table(place).rows.instructions
        for name, encoding in {(row.name, row.encoding) for row in rows}:
            fits = (n for n, p, i in own if p.fullmatch(name) and (not i or encoding in i))
            used.add(next(fits, None))
    unused = [lines[n] for n in range(len(lines)) if n not in used]
    assert not unused


def test_rows_are_as_the_tool_writes_them() -> None:
    path = ROOT / "tools" / "name_meanings.py"
    spec = importlib.util.spec_from_file_location("name_meanings", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    for name in [each for each in architectures() if not taken_rows(each)]:
        known = tool.patterns(name)
        for each in ("scalar", "vector", "memory", "control"):
            text = (tool.DATA / name / f"{each}.toml").read_text(encoding="utf-8")
            assert tool.with_meanings(text, known)[0] == text, (name, each)


def test_branches_are_functions_of_values() -> None:
    for row in all_rows():
        if row.flow == "branch" and row.meaning:
            assert isinstance(MEANINGS[row.meaning], Meaning), row.name


@pytest.mark.parametrize("name", KNOWN)
def test_how_many_rows_can_be_run(name: str) -> None:
    rows = ordinary_table(name).rows.instructions
    count = sum(bool(row.meaning or row.flow) for row in rows)
    missing = [row.name for row in rows if not row.meaning and not row.flow]
    assert count >= KNOWN[name], f"{count} of {len(rows)}; not: {', '.join(missing)}"


@pytest.mark.parametrize("name", KNOWN)
def test_what_cannot_be_run_has_a_reason(name: str) -> None:
    rows = ordinary_table(name).rows.instructions
    running = {row.name for row in rows if row.meaning or row.flow not in ("", "branch")}
    missing = {row.name for row in rows} - running
    assert missing == set(reasons(name))


def test_reasons_are_of_what_cannot_be_run() -> None:
    for row in not_run():
        for name in row.architectures:
            rows = ordinary_table(name).rows.instructions
            missing = {r.name for r in rows if not r.meaning and r.flow in ("", "branch")}
            assert set(row.names) <= missing, (name, row.names)
