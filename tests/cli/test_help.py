"""What --help says: the whole of each command's docstring, with examples that run."""

import re
import shlex
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from tests.cli.command import ran
from wavemma.cli.app import COMMANDS, GROUPS, build

PLACES = {
    **{name: place for name, place, _ in COMMANDS},
    **{f"{group} {name}": place for group, _, own in GROUPS for name, place, _ in own},
}
# These need what the reader has: arrays, programs, code objects, or they write and delete.
OWN = re.compile(r"\.(npy|hsaco|hip|s|svg|txt)\b|new_folder|cache clear|^make|doctor|--list")


def _docstring(name: str) -> str:
    module, _, function = PLACES[name].partition(":")
    return str(getattr(import_module(module), function).__doc__)


def _examples(name: str) -> list[str]:
    return re.findall(r"^ +\| (.+)$", _docstring(name), re.M)


ALL = [(name, line) for name in PLACES for line in _examples(name)]


def _words(line: str) -> list[str]:
    return shlex.split(line.rpartition("|& ")[2])[1:]


@pytest.mark.parametrize("name", PLACES)
def test_every_command_shows_its_whole_docstring(
    capsys: pytest.CaptureFixture[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = ran(capsys, *name.split(), "--help")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80
    shown = " ".join(done.out.split())
    told = _docstring(name).partition("Args:")[0].replace("\n    | ", "\n    ")
    assert " ".join(told.split()) in shown
    assert "default: None" not in shown
    assert "default: False" not in shown
    assert _examples(name)
    assert all(line.rpartition("|& ")[2].startswith(f"wavemma {name}") for line in _examples(name))


@pytest.mark.parametrize(("name", "line"), ALL, ids=[line for _, line in ALL])
def test_examples_run(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    line: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    if OWN.search(line):
        words = _words(line)
        program = words.index("--") if "--" in words else len(words)
        # It raises where words do not fit the command.
        build().parse_args(words[:program], exit_on_error=False, print_error=False)
    else:
        assert ran(capsys, *_words(line)).code < 2


@pytest.mark.parametrize("name", PLACES)
def test_the_end_of_the_help_is_true(capsys: pytest.CaptureFixture[str], name: str) -> None:
    shown = " ".join(ran(capsys, *name.split(), "--help").out.split())
    # The command that runs a program, and the one that runs a kernel, pass other codes on.
    codes = re.findall(r"Exit codes: [^.]*\.", shown)
    assert len(codes) == 1, codes
    assert ("124" in codes[0]) == (name in {"run", "exec"})
    module, _, function = PLACES[name].partition(":")
    takes_json = "json" in signature(getattr(import_module(module), function)).parameters
    said = re.search(r"Every command but (\w+) and (\w+) takes --json", shown)
    assert said
    assert takes_json == (name not in said.groups())


def test_readme_says_which_commands_take_json() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "Every command but `run` and `completion` takes `--json`" in text


def test_formulas_keep_their_stars(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(ran(capsys, "check-layout", "--help").out.replace("│", "").split())
    assert '"row = 2*v + lane/16; col = lane%16"' in text
    assert '"C[(2*v + lane/16)*ldc + lane%16] = acc[v]"' in text


def test_the_overview_leads_on(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(ran(capsys, "--help").out.split())
    assert "wavemma COMMAND --help has examples." in text
    assert "wavemma list --help" in text
