"""The examples that people read run: README, guides and docstrings."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import wavemma
from tests.docs.pages import CodeBlock, Session, blocks, matches
from wavemma.cli.app import build

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
GUIDES = sorted((ROOT / "docs").glob("*.md"))
PAGES = [README, *GUIDES]
SLOW_PAGES = [page for page in GUIDES if any("slow" in each.words for each in blocks(page))]
MODULES = sorted(m.name for m in pkgutil.walk_packages(wavemma.__path__, "wavemma."))


def _name(page: Path) -> str:
    return page.name


@pytest.fixture
def session(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Session:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return Session(tmp_path, capfd)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_page(page: Path, session: Session) -> None:
    for block in blocks(page):
        if "slow" not in block.words:
            session.run(block)
    assert session.ran > 0, "a page without an example that runs"


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW_PAGES, ids=_name)
def test_page_with_its_programs(page: Path, session: Session) -> None:
    for block in blocks(page):
        session.run(block)


def _readme_commands() -> list[str]:
    lines = re.findall(r"^ {4}wavemma (.+)$", README.read_text(encoding="utf-8"), re.M)
    return [line for line in lines if " | " not in line]


@pytest.mark.parametrize("line", _readme_commands())
def test_commands_of_the_readme_fit_their_commands(line: str) -> None:
    words = shlex.split(line, comments=True)
    own = words[: words.index("--")] if "--" in words else words
    # It raises where words do not fit.
    build().parse_args(own, exit_on_error=False, print_error=False)


@pytest.mark.parametrize("page", GUIDES, ids=_name)
def test_no_code_of_a_guide_is_left_to_itself(page: Path) -> None:
    """Every block is a session, a command with its output, or a file that commands use."""
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"^ {4}wavemma ", text, re.M), "a command outside of a console block"
    for block in blocks(page):
        assert _is_run(block) or _is_used(block, text), block.text


def _is_run(block: CodeBlock) -> bool:
    return block.language == "console" or ">>> " in block.text


def _is_used(block: CodeBlock, text: str) -> bool:
    return bool(block.words) and text.count(block.words[0]) > 1


@pytest.mark.parametrize("page", GUIDES, ids=_name)
def test_a_guide_is_one_or_two_screens_and_readme_leads_to_it(page: Path) -> None:
    assert f"docs/{page.name}" in README.read_text(encoding="utf-8")
    assert len(page.read_text(encoding="utf-8").splitlines()) <= 140


@pytest.mark.parametrize(
    ("wanted", "got", "same"),
    [
        (("a", "b"), ["a", "b"], True),
        (("a", "..."), ["a", "b", "c"], True),
        (("...", "c"), ["a", "b", "c"], True),
        (("a", "...", "d"), ["a", "b", "c"], False),
        (("a",), ["a", "b"], False),
        ((), ["a"], False),
        (("at 0x... of a",), ["at 0x7f of a"], True),
        (("at 0x... of a",), ["at 0x7f of b"], False),
    ],
)
def test_what_matches(wanted: tuple[str, ...], got: list[str], same: bool) -> None:
    assert matches(wanted, got) == same


@pytest.mark.parametrize("name", [m for m in MODULES if not m.endswith("__main__")])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
