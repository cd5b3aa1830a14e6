"""Runs the command in this process."""

import re
from typing import NamedTuple

import pytest

from wavemma.cli.app import run

_CONTINUED = re.compile(r"\n {2}(?=\S)")


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> Ran:
    """Run one command line and take what it wrote, sentences of complaints without their breaks."""
    code = run(words)
    written = capsys.readouterr()
    return Ran(code, written.out, unbroken(written.err))


def unbroken(complaint: str) -> str:
    """Take the breaks of lines out of a complaint's sentences."""
    return _CONTINUED.sub(" ", complaint)
