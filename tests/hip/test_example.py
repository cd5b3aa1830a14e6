"""The example program whole: compiled for host and device, run, and what it reports."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "gemm.hip"
pytestmark = pytest.mark.slow


def run(
    target: str, *words: str, report: str, flags: str = "-O3"
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wavemma", "run", str(EXAMPLE), "--target", target]
    command += ["--flags", flags]
    return subprocess.run(
        [*command, "--report", report, "--", *words],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_matrix_instructions_run_as_silicon_does(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("gfx1100", "80", report=str(report))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("PASSED") == 2
    assert "Radeon RX 7900 XTX (gfx1100), warp size 32" in done.stdout
    found = json.loads(report.read_text())
    assert len(found["launches"]) == 26
    (matrix,) = [each for each in found["executed"] if each["is_matrix"]]
    # 3 x 3 workgroups of 4 waves, 5 steps of k, 26 launches.
    assert (matrix["name"], matrix["count"]) == ("v_wmma_f32_16x16x16_f16", 9 * 4 * 5 * 26)
    assert (matrix["grade"], matrix["model"]) == ("H", "complement_2")
    assert found["matrix_cycles"] == matrix["count"] * 32
    assert found["cycles"] > found["matrix_cycles"]
    # Fewer waves than the product has SIMDs, so each has one of its own, at 2498 MHz.
    for each in found["launches"]:
        assert each["modelled_seconds"] == pytest.approx(each["cycles"] / 36 / 2.498e9)


def test_another_target_takes_the_other_path() -> None:
    # Compiled so, a thread still compiles what runs hot when the program exits.
    done = run("gfx1201", "48", report="-", flags="-O1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("PASSED") == 2
    assert "Path: multiply-add f32" in done.stdout
    assert "26 launches on gfx1201" in done.stderr
    assert "peak matrix rate" not in done.stderr


PROGRAMS = [
    ("bf16", "gfx1100", 1),
    ("integers", "gfx1100", 7),
    ("packed_half", "gfx1100", 1),
    ("rdna4", "gfx1201", 2),
    ("attention", "gfx1100", 1),
    ("cdna3", "gfx942", 2),
]
GEMM = [("gemm", target, 2) for target in ("gfx1100", "gfx1201", "gfx942")]
OTHERWISE = [
    (*each, flags) for each in (*PROGRAMS, *GEMM) for flags in ("-O0", "-O1", "-O2", "-O3")
] + [("gemm", "gfx1201", 2, f"{level} -mwavefrontsize64") for level in ("-O0", "-O3")]


def passes(name: str, target: str, passed: int, *words: str) -> None:
    command = [sys.executable, "-m", "wavemma", "run", str(EXAMPLE.with_name(f"{name}.hip"))]
    size = ("--", "48") if name == "gemm" else ()
    done = subprocess.run(
        [*command, "--target", target, *words, *size],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (done.stdout.count("PASSED"), done.stdout.count("FAILED")) == (passed, 0)


@pytest.mark.parametrize(("name", "target", "passed"), PROGRAMS)
def test_a_program_verifies_itself(name: str, target: str, passed: int) -> None:
    passes(name, target, passed)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "target", "passed", "flags"), OTHERWISE)
def test_a_program_compiled_otherwise(name: str, target: str, passed: int, flags: str) -> None:
    passes(name, target, passed, "--flags", flags)
