"""Programs and calls that go wrong, with the real command: each has its code and its words."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.hip.programs import ROOT, Ran
from tests.objects.compiled import linked

pytestmark = pytest.mark.slow
SOURCE = Path(__file__).parent / "sources" / "bad.hip"
COMMAND = (sys.executable, "-m", "wavemma", "run")
KERNEL = 'extern "C" __attribute__((global)) void k(int *out) { *out = 1; }'


def environment(**more: str) -> dict[str, str]:
    plain = {"PYTHONPATH": str(ROOT / "src"), "HOME": str(Path.home()), "PATH": os.environ["PATH"]}
    return {**plain, **more}


def started(*words: str, source: Path = SOURCE, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, str(source), "--target", "gfx1100", *words],
        env=environment(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A terminal's Ctrl-C reaches all processes of a group.
        start_new_session=True,
    )


def run(*words: str, source: Path = SOURCE, **more: str) -> Ran:
    child = started(*words, source=source, **more)
    out, err = child.communicate(timeout=300)
    return Ran(child.returncode, out, err)


def line_of(mark: str) -> int:
    lines = SOURCE.read_text().splitlines()
    return next(n for n, text in enumerate(lines, 1) if text.endswith(f"// {mark}"))


def test_launches_that_are_refused() -> None:
    done = run("--", "refused")
    assert done.code == 9, done
    names = dict(line.split() for line in done.out.splitlines()[1:])
    configuration = dict.fromkeys(
        ("grid", "block", "flat", "dynamic", "both", "none"), "hipErrorInvalidConfiguration"
    )
    assert names == {**configuration, "handle": "hipErrorInvalidDeviceFunction"}
    assert "A grid must be one to three whole numbers above 0, got (0, 1, 1)." in done.err
    assert "at most 1024 work-items; 1025 x 1 x 1 are 1025." in done.err
    assert "_Z4fillPii declares 0 and the launch asks for 131,072 more." in done.err
    assert "_Z5largePi declares 64,000 and the launch asks for 2,048 more." in done.err
    assert "_Z4fillPii takes arguments; none were passed." in done.err


def test_a_fault_tells_everything(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    done = run("--registers", "--report", str(report), "--", "beyond")
    assert (done.code, len(done.out.split())) == (126, 1)
    assert f"bad.hip:{line_of('beyond')}, writes 4 bytes at 0x" in done.err
    assert ": it is 144 bytes behind its end." in done.err
    assert "wavemma: Registers of the wave; those that are not listed hold 0.\n" in done.err
    assert "exec_lo  ffffffff" in done.err
    stop = json.loads(report.read_text())["stop"]
    assert (stop["fault"], stop["line"]) == ("out_of_range", line_of("beyond"))
    assert stop["registers"]["scalars"]["exec_lo"] == 0xFFFFFFFF


def test_a_kernel_without_an_end(tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    done = run("--timeout", "3", "--report", str(report), "--", "endless")
    assert done.code == 124
    assert (
        "endless (_Z7endlessPi) ran for 3.0 s without an end; it was at workgroup (0, 0, 0).\n"
        in done.err
    )
    stop = json.loads(report.read_text())["stop"]
    assert (stop["kernel"], stop["fault"]) == ("_Z7endlessPi", "too_long")
    assert [(each["wave"], each["does"], each["line"]) for each in stop["waves"]] == [
        (0, "runs", line_of("endless")),
        (1, "runs", line_of("endless")),
    ]
    assert "Registers" not in done.err


@pytest.mark.nightly
def test_ends_that_are_the_programs_own() -> None:
    assert run("--", "nothing").code == 7
    null = run("--", "null")
    assert (null.code, null.err) == (128 + 11, "wavemma: the program was ended by SIGSEGV.\n")
    assert run("--", "abort").code == 128 + 6


def test_ends_of_programs() -> None:
    unknown = run("--", "unknown")
    assert unknown.code == 126
    assert "'the word 0xffffffff'" in unknown.err
    assert run("--", "forks").code == 65


@pytest.mark.nightly
def test_much_text_of_a_kernel() -> None:
    done = run("--", "talks", "10000")
    assert done.code == 7
    assert "A kernel may print 4,194,304 bytes" in done.err
    assert done.out.count("\n0: a line that is written again and again\n") >= 1
    assert 1 << 21 < len(done.out) < 1 << 24


@pytest.mark.nightly
def test_very_much_text() -> None:
    flood = run("--", "floods", "2000")
    assert (flood.code, flood.out.count("x")) == (7, 2000 << 16)
    # A reader that has enough ends the program, as it ends any.
    child = started("--", "floods", "100000")
    assert child.stdout is not None
    child.stdout.read(1000)
    child.stdout.close()
    assert child.wait(timeout=60) in (3, 128 + signal.SIGPIPE)


def test_modules_that_are_none(tmp_path: Path) -> None:
    whole = linked("gfx1100", "-O1", source=KERNEL)
    files = {
        "whole": whole,
        "cut": whole[: len(whole) * 2 // 3],
        "other": linked("gfx1201", "-O1", source=KERNEL),
        "text": KERNEL.encode(),
        "empty": b"",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    paths = [str(tmp_path / name) for name in (*files, "missing")]
    done = run("--", "modules", *paths)
    assert done.code == 0, done
    assert done.out.splitlines()[1:] == [
        "/whole hipSuccess",
        "/whole hipErrorNotFound",
        *(f"/{name} hipErrorNoBinaryForGpu" for name in ("cut", "other", "text", "empty")),
        "/missing hipErrorFileNotFound",
    ]
    assert "The code object is for gfx1201, the device is a gfx1100." in done.err


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    kept = "/wavemma/hip, where built programs are kept, must be writable: Not a directory."
    for done in (run("--cache", "/dev/null/wavemma/hip"), run(HOME="/dev/null")):
        assert (done.code, done.out) == (125, "")
        assert kept in done.err
        assert "Name another folder: --cache FOLDER" in done.err
    assert "must be a file that can be read" in run(source=tmp_path).err
    report = run("--report", "/dev/null/r.json")
    assert (report.code, report.out) == (125, "")
    temporaries = run("--save-temps", "/dev/null/x")
    assert (temporaries.code, temporaries.out) == (125, "")
    assert "/dev/null/x, which gets device and host code, must be a folder" in temporaries.err


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("broken.hip", "int main( {", "broken.hip does not compile for gfx1100:\n"),
        ("cut.o", "\x7fELF\x02\x01\x01", "The program does not link:\n"),
        pytest.param("empty.hip", "", "The program must have a function main.\n",
                     marks=pytest.mark.nightly),
        pytest.param("none.hip", "int f(); int main() { return f(); }",
                     "undefined symbol: f()", marks=pytest.mark.nightly),
    ],
)  # fmt: skip
def test_sources_that_are_none(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).write_text(text)
    done = run(source=tmp_path / name)
    assert (done.code, done.out) == (125, "")
    assert words in done.err


@pytest.mark.nightly
def test_two_commands_on_one_cache(tmp_path: Path) -> None:
    # A source that no cache has.
    source = tmp_path / "new.hip"
    source.write_text(f"{SOURCE.read_text()}\n// {time.time_ns()}\n")
    children = [started("--", "forks", source=source) for _ in range(2)]
    for child in children:
        child.communicate(timeout=300)
    assert [child.returncode for child in children] == [65, 65]


@pytest.mark.nightly
def test_two_commands_on_a_new_cache(tmp_path: Path) -> None:
    children = [started("--cache", str(tmp_path / "c"), "--", "forks") for _ in range(2)]
    for child in children:
        child.communicate(timeout=900)
    assert [child.returncode for child in children] == [65, 65]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("what", "signal_"),
    [
        ("endless", signal.SIGINT),
        ("loops", signal.SIGTERM),
        pytest.param("loops", signal.SIGINT, marks=pytest.mark.nightly),
        pytest.param("endless", signal.SIGKILL, marks=pytest.mark.nightly),
    ],
)
def test_signals_end_the_program_too(what: str, signal_: signal.Signals) -> None:
    child = started("--", what)
    assert child.stdout is not None
    program = int(child.stdout.readline())
    time.sleep(0.3)
    if signal_ is signal.SIGINT:
        os.killpg(child.pid, signal_)
    else:
        child.send_signal(signal_)
    _, err = child.communicate(timeout=30)
    assert child.returncode == (130 if signal_ is signal.SIGINT else -signal_)
    assert "Traceback" not in err
    said = "interrupted: the program was stopped before its end."
    assert err.count(said) == (signal_ is signal.SIGINT)
    end = time.monotonic() + 10
    while is_alive(program) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_alive(program)
