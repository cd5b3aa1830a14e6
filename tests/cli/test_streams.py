"""Streams that are closed, full or left: a sentence and the right code, never a traceback."""

import json
import os
import subprocess
import sys

import pytest

from tests.cli.command import ran
from wavemma.cli import output

COMMAND = f"{sys.executable} -m wavemma"
FULL = "/dev/full"


def _shell(line: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["bash", "-c", line.replace("wavemma ", f"{COMMAND} ")],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("words", ["list --json", "list", "--help"])
def test_a_reader_that_has_gone_away_is_no_error(words: str) -> None:
    done = _shell(f"(sleep 0.3; wavemma {words}) | true; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("words", ["list", "list --json", "--help", "--version", "show --help"])
def test_a_full_disk_is_a_sentence(words: str) -> None:
    done = _shell(f"wavemma {words} > {FULL}")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert len(done.stderr.splitlines()) == 1 or '"code": 2' in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", ["list", "--help"])
def test_a_closed_output_is_refused(words: str) -> None:
    done = _shell(f"wavemma {words} >&-")
    assert done.returncode == 2
    assert done.stderr.startswith("FileMistake: The standard output must be open")


@pytest.mark.parametrize("away", [f"2> {FULL}", "2>&-", f"> {FULL} 2>&1"])
def test_a_complaint_that_cannot_be_heard_keeps_its_code(away: str) -> None:
    done = _shell(f"wavemma list nope {away}")
    assert (done.returncode, done.stderr) == (2, "")


def test_what_goes_to_the_answer_s_place_is_there_alone(tmp_path) -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"
    op = line.split()[0]
    done = _shell(f"wavemma asm gfx1100 '{line}' -o /dev/stdout | wc -c")
    assert (done.stdout.strip(), done.stderr) == ("8", "")
    done = _shell(f"wavemma layout gfx1100 {op} A --svg /dev/stdout | tail -c 7")
    assert (done.stdout.strip(), done.stderr) == ("</svg>", "")


def test_why_without_a_standard_input() -> None:
    done = _shell("wavemma why <&-")
    assert (done.returncode, done.stderr.split(":")[0]) == (2, "SyntaxMistake")


def test_an_interrupt_says_so_once(capsys, monkeypatch) -> None:
    def interrupt(answer: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(output, "as_json", interrupt)
    done = ran(capsys, "list", "--json")
    assert done.code == 130
    assert '"message": "stopped before the end; no file was left half written."' in done.err


def test_an_interrupt_while_loading_is_no_traceback() -> None:
    program = """
import sys
class Interrupting:
    def find_spec(self, name, *rest):
        if name == "wavemma.cli.app":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from wavemma.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "MemoryError: there is not enough memory"),
        (OSError(5, "Input/output error", "x"), "OSError: the system refused: Input/output error"),
        (RecursionError("deep"), "Fault: a fault of ours, please report it: RecursionError in"),
        (KeyError("k"), "Fault: a fault of ours, please report it: KeyError in cli/test_streams"),
    ],
)
def test_what_nobody_foresaw_is_a_sentence(capsys, monkeypatch, error, told: str) -> None:
    def fail(answer: object) -> str:
        raise error

    monkeypatch.setattr(output, "as_json", fail)
    done = ran(capsys, "list", "--json")
    assert done.code == 2
    kind, _, sentence = told.partition(": ")
    assert f'"mistake": "{kind}"' in done.err
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_names_that_are_no_text_are_still_told(capsys) -> None:
    for more in ((), ("--json",)):
        done = ran(capsys, "show", "\udcff" * 3, *more)
        assert done.code == 2
        assert "UnknownName" in done.err


def test_files_whose_names_are_no_text(capsys, tmp_path) -> None:
    for folder in (str(tmp_path / "\udcff"), str(tmp_path / "a")):
        done = ran(capsys, "cache", "info", "--folder", folder, "--json")
        assert (done.code, json.loads(done.out)["folder"]) == (0, folder)
    done = subprocess.run(
        [sys.executable, "-m", "wavemma", "cache", "info", "--folder", "/none/\udcff"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"/none/\\udcff" in done.stdout
