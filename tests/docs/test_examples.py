"""The examples that people read run: README, guides and docstrings."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import wavemma

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
MODULES = sorted(m.name for m in pkgutil.walk_packages(wavemma.__path__, "wavemma."))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 0, "a page without an example that runs"
    assert found.failed == 0


@pytest.mark.parametrize("name", [m for m in MODULES if not m.endswith("__main__")])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
