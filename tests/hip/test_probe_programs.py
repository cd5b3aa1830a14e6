"""Probes as whole programs: compiled, run on the machine by each candidate, and read."""

import subprocess
import sys
from pathlib import Path

import pytest

from wavemma.explain.probe import probe
from wavemma.explain.probe_point import find_points, points_of
from wavemma.explain.probe_reading import read_probe
from wavemma.hip.build_cache import default_folder
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.render.probe_program import WAVE_OPTION, as_program
from wavemma.tables.probes import points
from wavemma.tables.targets import target

# A builtin with another source is younger than ziglang's clang.
ZIG_LLVM, ZIG_SOURCE = 22, "llvm22"
SAMPLE = (
    ("gfx1201", "wmma_bytes"),
    ("gfx950", "mfma_scaled_narrow"),
    ("gfx1250", "wmma_byte_order"),
    ("gfx1170", "underflow_sign"),
)
COUNT = 80
ROOT = Path(__file__).resolve().parents[2]
OF_NEWER = {"rdna4m": "gfx1200"}
"""Of architectures that ziglang's clang does not know: the relative that has their builtins."""


def command_line(name: str, builtin_source: str) -> list[str]:
    """Begin a command line whose compiler knows a target and a builtin."""
    if target(name).oldest_llvm <= ZIG_LLVM and builtin_source == ZIG_SOURCE:
        return [sys.executable, "-m", "wavemma"]
    relative = OF_NEWER.get(target(name).architecture, name)
    return [sys.executable, "-m", "tests.hip.newer.command", name, relative]


POINTS = [(name, row.name) for row in points().values() for name in row.targets]
EVERY = [
    (name, point.instruction.name, point.wave)
    for row in points().values()
    for name in row.targets[:1]
    for point in points_of(row, name)
    if target(name).oldest_llvm <= ZIG_LLVM and point.builtin.source == ZIG_SOURCE
]


def test_points_are_all_there() -> None:
    assert len(POINTS) == COUNT
    assert {point for _, point in POINTS} == set(points())


def output_of(name: str, point_name: str, options: list[str], folder: Path) -> str:
    """Compile and run the program of a point, and give what it prints."""
    made = probe(name, point_name)
    source = folder / f"{point_name}.hip"
    source.write_text(as_program(made))
    flags = ["--flags", WAVE_OPTION] if made.wave_option else []
    done = subprocess.run(
        [
            *command_line(name, find_points(name, point_name)[0].builtin.source),
            *("run", str(source), "--target", name, *flags, *options),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_by_each_candidate(name: str, point_name: str, folder: Path) -> None:
    """Run the program once for each candidate; each must be read as what it is."""
    [point] = find_points(name, point_name)
    for candidate in point.candidates:
        own = candidate.instruction.matrix.layout
        laid = f"@{own}" if own != point.instruction.matrix.layout else ""
        model = f"{point.instruction.name}={candidate.model.name}{laid}"
        found = read_probe(output_of(name, point_name, ["--model", model], folder))
        assert found.verdict == "one", found.fits
        assert found.followed == (candidate.name,)
        assert found.device.startswith(name)
    if not point.candidates:
        # Nobody says which bits these are, so that they are only measured.
        found = read_probe(output_of(name, point_name, [], folder))
        assert found.verdict == "measured"
        assert found.measured
        assert found.device.startswith(name)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "point_name"), SAMPLE)
def test_each_candidate_is_recognised_on_the_machine(name, point_name, tmp_path: Path) -> None:
    run_by_each_candidate(name, point_name, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "point_name"), POINTS)
def test_each_candidate_of_every_point_is_recognised(name, point_name, tmp_path: Path) -> None:
    run_by_each_candidate(name, point_name, tmp_path)


def compiled(name: str, word: str, wave: int, folder: Path) -> Path:
    made = probe(name, word, wave)
    source = folder / "probe.hip"
    source.write_text(as_program(made))
    flags = (WAVE_OPTION,) if made.wave_option else ()
    request = Request(
        sources=(source,), target=name, cache_folder=default_folder(), flags=("-Werror", *flags)
    )
    return Toolchain(request).device_code(source)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "word", "wave"), sorted(set(EVERY)))
def test_every_program_compiles(name: str, word: str, wave: int, tmp_path: Path) -> None:
    assert compiled(name, word, wave, tmp_path).stat().st_size
