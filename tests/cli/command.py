"""Runs the command in this process."""

from typing import NamedTuple

import pytest

from wavemma.cli.app import run


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> Ran:
    """Run one command line and take what it wrote."""
    code = run(words)
    written = capsys.readouterr()
    return Ran(code, written.out, written.err)
