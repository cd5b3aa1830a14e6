"""The house rules that a program can check on the source text."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wavemma.tables.builtins import builtins
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import architectures, targets

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "wavemma"
MODULES = sorted(SOURCE.rglob("*.py"))
EVERY_FILE = sorted(
    path for part in ("src", "tests", "tools", "benchmarks") for path in (ROOT / part).rglob("*.py")
)
BANNED = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "base",
    "core",
    "manager",
    "handler",
}


def test_there_is_something_to_check() -> None:
    assert len(MODULES) > 40


@pytest.mark.parametrize("path", EVERY_FILE, ids=lambda p: str(p.relative_to(ROOT)))
def test_file_is_short_and_well_named(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
    assert not set(re.split(r"[_.]", path.name)) & BANNED
    assert path.parent.name not in BANNED


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_functions_are_short(path: Path) -> None:
    for node in functions(path):
        assert node.end_lineno is not None
        body = node.end_lineno - node.body[0].lineno + 1
        if isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
            body -= node.body[0].end_lineno - node.body[0].lineno + 1  # type: ignore[operator]
        assert body <= 40, f"{node.name} has {body} lines without its docstring"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_hardware_name_stands_in_code(path: Path) -> None:
    names = hardware_names()
    for text, line in strings(path):
        words = set(re.findall(r"[\w.]+", text))
        assert not words & names, f"line {line}: {sorted(words & names)} is a fact: make it a row"


def hardware_names() -> set[str]:
    """Targets, architectures, instructions and builtins: all are data."""
    names = set(targets()) | set(architectures()) | set(builtins())
    for architecture in architectures():
        table = architecture_rows(architecture)
        names |= {row.name for row in (*table.instructions, *table.scale_loads)}
        names |= {alias for row in table.instructions for alias in row.aliases}
    return names


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def strings(path: Path) -> Iterator[tuple[str, int]]:
    """Every string constant that is no docstring; the examples in help text are docstrings too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documentation:
            yield node.value, node.lineno
