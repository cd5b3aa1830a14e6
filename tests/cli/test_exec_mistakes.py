"""What wavemma exec refuses, in which words and with which code."""

import signal
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran
from tests.objects.compiled import linked

SOURCE = """
struct Pair { int a; float b; int c; };
#define __global__ extern "C" __attribute__((global))
__global__ void fill(int *out, int n, Pair pair) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n) out[i] = pair.a + pair.c;
}
__global__ void unknown(int *out) { asm volatile(".long 0xffffffff"); }
__global__ void killed(int *out) { asm volatile("s_setkill 1"); }
__global__ void endless(int *in, int *out) {
  asm volatile("1: s_sleep 1\\n s_branch 1b");
}
"""
FILL = ("--kernel", "fill", "--block", "32", "--arg")
PAIR = ("--arg", "pair.npy")


@pytest.fixture(scope="module")
def binary() -> bytes:
    return linked("gfx1100", "-O1", source=SOURCE)


@pytest.fixture
def folder(tmp_path: Path, binary: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hsaco").write_bytes(binary)
    (tmp_path / "cut.hsaco").write_bytes(binary[: len(binary) * 2 // 3])
    (tmp_path / "text.hsaco").write_bytes(b"__global__ void k() {}")
    pair = np.array([(30, 0.5, 4)], dtype=[("a", "i4"), ("b", "f4"), ("c", "i4")])
    np.save("pair.npy", pair.view(np.uint8))
    return tmp_path


def test_a_structure_is_given_by_its_bytes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("exec", "k.hsaco", *FILL, "out=c.npy:i32:40", "--arg", "i32:32", *PAIR)
    assert ran(capsys, *words).code == 0
    assert np.load("c.npy").tolist() == [34] * 32 + [0] * 8


CASES = [
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i32:40", *PAIR, "--target", "gfx1201"), 125,
     "must be for gfx1201, as was asked for; it is for gfx1100"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--target", "gfx11000"), 125, "Closest: gfx1100"),
    ("cut.hsaco", (*FILL, "out=c.npy:i32:40"), 125, "damaged or cut off"),
    ("text.hsaco", (*FILL, "out=c.npy:i32:40"), 125, "must start as an ELF file does"),
    ("none.hsaco", (*FILL, "out=c.npy:i32:40"), 125, "none.hsaco cannot be read: No such file"),
    ("k.hsaco", ("--block", "32"), 125, "A kernel must be named where there are 4"),
    ("k.hsaco", ("--kernel", "fil", "--block", "32"), 125, "Closest: fill"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40"), 125, "fill takes 3 arguments, got 1"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i64:4", *PAIR), 125,
     "Argument 1 of fill, 4 bytes, must be a NumPy scalar, an array or bytes of 4 bytes; got"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "32", *PAIR), 125,
     "A bare number has no size"),
    ("k.hsaco", (*FILL, "f32:1.5", "--arg", "i32:4", *PAIR), 125,
     "Argument 0 of fill, a pointer, must be an address in device memory, or an array there; got"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "pair.npy", *PAIR), 125,
     "Argument 1 of fill must be a value of 4 bytes, or an array of so many"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i32:4", "--arg", "out=d.npy:i32:3"), 125,
     "got an array of 12 bytes to be written"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i32:4", *PAIR, "--grid", "0,1"), 125,
     "A grid must be one to three whole numbers above 0, got (0, 1)"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i32:4", *PAIR, "--grid", "1,2,3,4"), 125,
     "--grid must be one to three whole numbers with commas"),
    ("k.hsaco", (*FILL, "out=c.npy:i32:40", "--arg", "i32:4", *PAIR, "--lds", "65537"), 125,
     "at most 65,536 bytes of LDS; fill declares 0 and the launch asks for 65,537 more"),
    ("k.hsaco", ("--kernel", "unknown", "--block", "1025", "--arg", "ptr:0"), 125,
     "at most 1024 work-items; 1025 x 1 x 1 are 1025"),
    ("k.hsaco", ("--kernel", "unknown", "--arg", "ptr:0"), 125, "--block must be one to three"),
    ("k.hsaco", ("--kernel", "unknown", "--block", "1", "--arg", "ptr:0"), 126,
     "Unsupported: unknown: 'the word 0xffffffff' at"),
    ("k.hsaco", ("--kernel", "endless", "--block", "1", "--arg", "ptr:0", "--arg", "ptr:0",
     "--seconds", "0.5"), 124, "WatchdogExpired: endless "),
    *[("k.hsaco", ("--kernel", "endless", "--block", "1", "--arg", "ptr:0", "--arg", "ptr:0",
       f"--seconds={each}", "--save", "bug.zip"), 125, "OutOfRange: The seconds that a kernel may")
      for each in ("0", "-5", "nan")],
    ("k.hsaco", ("--kernel", "killed", "--block", "1", "--arg", "ptr:0"), 126,
     "Unsupported: killed"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[f"{n} {case[3][:24]}" for n, case in enumerate(CASES)])
def test_mistakes(
    case: tuple[str, tuple[str, ...], int, str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, words, code, text = case
    before = {path.name for path in folder.iterdir()}
    told = ran(capsys, "exec", file, *words)
    assert (told.code, told.out) == (code, "")
    assert text in told.err
    assert {path.name for path in folder.iterdir()} == before


def test_interrupted(folder: Path) -> None:
    (folder / "in.npy").unlink(missing_ok=True)
    pipe = folder / "in.npy"
    subprocess.run(["mkfifo", str(pipe)], check=True)
    words = ("exec", "k.hsaco", "--kernel", "endless", "--block", "32", "--arg", "in.npy")
    outputs = ("--arg", "out=c.npy:i32:4", "--save", "bug.zip", "--cache", "cache")
    before = {path.name for path in folder.iterdir()}
    command = (sys.executable, "-m", "wavemma", *words, *outputs)
    running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        content = BytesIO()
        np.save(content, np.zeros(4, dtype=np.int32))
        # Opening waits for the reader: from then on the command is at work.
        with pipe.open("wb") as stream:
            stream.write(content.getvalue())
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=100)
    finally:
        running.kill()
    assert (running.returncode, out) == (130, "")
    assert err == "Interrupted: stopped before the end; no file was left half written.\n"
    assert {path.name for path in folder.iterdir()} - before <= {"cache"}
