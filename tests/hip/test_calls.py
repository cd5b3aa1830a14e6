"""Calls of the interface and functions of devices, in programs that check them themselves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hip.programs import ROOT

pytestmark = pytest.mark.slow
SOURCES = Path(__file__).parent / "sources"
TARGETS = ("gfx1100", "gfx1201", "gfx942")
# Each on one target in every full run, or on none, and on all of them at night.
PROGRAMS = {
    "graphs": "gfx1100",
    "host_memory": "gfx942",
    "heap": "gfx1201",
    "groups": "gfx942",
    "traps": "gfx1100",
    "bessel": "",
}


def passes(name: str, target: str, *words: str) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "wavemma", "run", str(SOURCES / f"{name}.hip")),
            *("--target", target, *words),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (0, "PASSED\n"), done


@pytest.mark.parametrize(
    ("name", "target"),
    [
        pytest.param(name, target, marks=[] if target == usual else pytest.mark.nightly)
        for name, usual in PROGRAMS.items()
        for target in TARGETS
    ],
)
def test_programs_check_themselves(name: str, target: str) -> None:
    passes(name, target)
