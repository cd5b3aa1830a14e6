"""Completion in a real bash, as a script asks it and as a person presses the key."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import ran
from wavemma.cli.complete import complete

BASH = shutil.which("bash") or ""
FP8 = "v_wmma_f32_16x16x16_fp8_fp8"


@pytest.fixture
def folder(tmp_path: Path, capsys) -> Path:
    """Give a folder with the command and its script."""
    command = tmp_path / "wavemma"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wavemma "$@"\n')
    command.chmod(0o755)
    (tmp_path / "script").write_text(ran(capsys, "completion", "bash").out)
    return tmp_path


def asked(folder: Path, *words: str) -> list[str]:
    """Let a bash complete the last word, as its library calls the function."""
    quoted = " ".join(f"'{word}'" for word in ("wavemma", *words))
    text = (
        f"source {folder}/script; COMP_WORDS=({quoted}); COMP_CWORD={len(words)};"
        ' _wavemma; for each in "${COMPREPLY[@]}"; do echo "$each"; done'
    )
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        [BASH, "--norc", "-c", text], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout.splitlines()


def test_bash_gets_names(folder: Path) -> None:
    assert asked(folder, "layout", "gfx94") == ["gfx942"]
    assert asked(folder, "layout", "gfx1201", "v_wmma_f32_16x16x16_fp8_f") == [FP8]
    assert asked(folder, "layout", "gfx1201", FP8, "") == ["A", "B", "C", "D"]
    assert asked(folder, "run", "no-such-file") == []


def test_names_with_spaces_are_one_word(folder: Path) -> None:
    assert asked(folder, "peak", "AMD Instinct MI100") == ["AMD\\ Instinct\\ MI100"]
    assert asked(folder, "peak", '"AMD Instinct MI100') == ["AMD Instinct MI100"]


def typed(folder: Path, keys: str, wanted: str) -> str:
    """Type into an interactive bash; give what it shows until the wanted text, or for a while."""
    environment = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TERM": "dumb",
        "HOME": str(folder),
        "PS1": "$ ",
    }
    child, handle = pty.fork()
    if child == 0:
        os.execve(BASH, [BASH, "--norc", "--noprofile", "-i"], environment)
    try:
        os.write(handle, f"source {folder}/script\n{keys}".encode())
        shown, end = "", time.monotonic() + 60
        while wanted not in shown and time.monotonic() < end:
            if select.select([handle], [], [], 0.2)[0]:
                shown += os.read(handle, 4096).decode(errors="replace")
        return shown
    finally:
        os.write(handle, b"\x03exit\n")
        os.close(handle)
        os.waitpid(child, 0)


def test_a_person_presses_tab(folder: Path) -> None:
    assert FP8 in typed(folder, "wavemma layout gfx1201 v_wmma_f32_16x16x16_fp8_f\t", FP8)


def test_a_person_presses_tab_inside_of_quotes(folder: Path) -> None:
    name = '"AMD Instinct MI250X"'
    assert name in typed(folder, 'wavemma peak "AMD Instinct MI250X\t', name)


@pytest.mark.parametrize("words", [["show", "v_"], ["layout", "x", "x", "D", "--"], ["peak", ""]])
def test_a_completion_as_a_process(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wavemma", "--complete", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == complete(words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_ask_the_command(capsys, shell: str) -> None:
    found = ran(capsys, "completion", shell)
    assert found.code == 0
    assert "--complete" in found.out
    assert f"wavemma completion {shell}" in found.out


def test_another_shell(capsys) -> None:
    found = ran(capsys, "completion", "tcsh")
    assert found.code == 2
    assert "bash" in found.err
