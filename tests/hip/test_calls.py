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
    "intrinsics": "gfx942",
    "waits": "gfx1201",
    "library": "gfx1100",
}


def ran(name: str, target: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
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


@pytest.mark.parametrize(
    ("name", "target"),
    [
        pytest.param(name, target, marks=[] if target == usual else pytest.mark.nightly)
        for name, usual in PROGRAMS.items()
        for target in TARGETS
    ],
)
def test_programs_check_themselves(name: str, target: str) -> None:
    done = ran(name, target)
    assert (done.returncode, done.stdout) == (0, "PASSED\n"), done


@pytest.mark.parametrize(
    "target",
    ["gfx1100", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("gfx1201", "gfx942"))],
)
def test_lanes_of_wide_waves(target: str) -> None:
    words = ("--flags=-mwavefrontsize64",) if target != "gfx942" else ()
    done = ran("wide_waves", target, *words)
    assert (done.returncode, done.stdout) == (0, "PASSED\n"), done


def test_a_stream_that_waits_for_ever_ends_the_program() -> None:
    done = ran("waits", "gfx1201", "--", "forever")
    assert done.returncode == 124
    assert "hipDeviceSynchronize" not in done.stdout
    # The number, where it lies, and what holds it: nothing of the program can write it any more.
    assert "waits for ever" in done.stderr
    assert "at least 0x5" in done.stderr
    assert "0x0" in done.stderr
    assert "hipMalloc" in done.stderr or "bytes" in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("target", TARGETS)
def test_a_trap_ends_the_program(target: str) -> None:
    done = ran("traps", target, "--", "once")
    assert (done.returncode, done.stdout) == (126, "")
    assert "traps.hip:26, traps: the program called abort" in done.stderr
