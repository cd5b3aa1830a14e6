"""A C and a C++ compiler for this computer: ziglang's, so that no machine is without one."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-function")


def compile_c(source: Path, binary: Path, *flags: str) -> None:
    """Compile a C11 program whose warnings are mistakes."""
    run("cc", ["-std=c11", "-O1", *WARNINGS, *flags, "-o", str(binary), str(source)])


def compile_cplusplus(source: Path, made: Path) -> None:
    """Compile a file of C++17 to an object; its warnings are mistakes."""
    run("c++", ["-std=c++17", *WARNINGS, "-c", "-o", str(made), str(source)])


def run(driver: str, words: Sequence[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", driver, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
