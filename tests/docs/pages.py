"""Reads the blocks of a page, and runs them as a reader would: in their order, in one folder.

A block ```console holds commands behind "$ " and what they print; a line "..." stands for any
lines, and "..." in a line for any signs. With the word `slow` behind it, it runs in the slow tests
only. ```python holds a session (">>> "), and a block of another language whose first word is a
file's name is that file.
"""

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from wavemma.cli.app import run

_FENCE = re.compile(r"^```(?P<language>\w*)(?P<words>[^\n]*)\n(?P<text>.*?)^```$", re.M | re.S)
_COMMAND = re.compile(r"(?:[^\n]*\\\n)*[^\n]*")
_LEFT_OUT = "..."
_PROGRAM = "wavemma"
_PROGRESS = "wavemma: "
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class CodeBlock(NamedTuple):
    """One block of code of a page."""

    language: str
    words: tuple[str, ...]
    text: str


class Command(NamedTuple):
    """One command of a console block, and the lines that it should print."""

    line: str
    output: tuple[str, ...]


def blocks(page: Path) -> list[CodeBlock]:
    """List the fenced blocks of a page."""
    return [
        CodeBlock(found["language"], tuple(found["words"].split()), found["text"])
        for found in _FENCE.finditer(page.read_text(encoding="utf-8"))
    ]


def commands(text: str) -> Iterator[Command]:
    """Cut a console block at its commands; a line that ends with a backslash goes on."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        found = _COMMAND.match(part)
        assert found, part
        line, output = found[0].replace("\\\n", ""), part[found.end() :].removeprefix("\n")
        yield Command(line, tuple(output.rstrip("\n").split("\n")) if output.strip() else ())


def matches(wanted: tuple[str, ...], got: list[str]) -> bool:
    """Whether lines are those that are wanted; "..." stands for any lines."""
    if not wanted:
        return not got
    if wanted[0] == _LEFT_OUT:
        return any(matches(wanted[1:], got[n:]) for n in range(len(got) + 1))
    return bool(got) and _is_line(wanted[0], got[0]) and matches(wanted[1:], got[1:])


def _is_line(wanted: str, got: str) -> bool:
    """Whether a line is the wanted one; "..." in it stands for any signs."""
    pattern = ".*".join(map(re.escape, wanted.rstrip().split(_LEFT_OUT)))
    return re.fullmatch(pattern, got.rstrip()) is not None


class Session:
    """Runs the blocks of one page."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capfd = folder, capfd
        self.names: dict[str, object] = {}
        self.ran = 0

    def run(self, block: CodeBlock) -> None:
        """Run one block and hold what it prints against the page."""
        if block.language == "console":
            for command in commands(block.text):
                self.command(command)
        elif block.language == "python" and ">>> " in block.text:
            self.python(block.text)
        elif block.words and "." in block.words[0]:
            (self.folder / block.words[0]).write_text(block.text)

    def command(self, command: Command) -> None:
        """Run one command line."""
        words = shlex.split(command.line)
        assert words[0] == _PROGRAM, f"a guide's commands are of {_PROGRAM}: {command.line}"
        self.capfd.readouterr()
        run(words[1:])
        written = self.capfd.readouterr()
        told = [line for line in written.err.splitlines() if not line.startswith(_PROGRESS)]
        got = [*written.out.splitlines(), *told]
        self.ran += 1
        assert matches(command.output, got), (
            f"$ {command.line}\n"
            + "\n".join(got)
            + "\n\nbut the page says\n\n"
            + "\n".join(command.output)
        )

    def python(self, text: str) -> None:
        """Run a session of Python."""
        test = doctest.DocTestParser().get_doctest(text, self.names, "page", None, 0)
        told: list[str] = []
        found = doctest.DocTestRunner(optionflags=_FLAGS).run(
            test, out=told.append, clear_globs=False
        )
        self.names = test.globs
        self.ran += found.attempted
        assert found.failed == 0, "".join(told)
