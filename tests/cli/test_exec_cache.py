"""Kernels run whatever the cache folder is like, and side by side."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device

SOURCE = """
extern "C" __attribute__((global)) void {name}(int *out) {{
  int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
  out[i] = i * {factor} + 1;
}}
"""
COUNT = 256


def code(factor: int) -> bytes:
    return linked("gfx1100", "-O1", source=SOURCE.format(name="k", factor=factor))


def started(folder: Path, output: str, cache: Path | None = None, **environment: str):
    (folder / "k.hsaco").write_bytes(code(7))
    words = (
        "exec",
        "k.hsaco",
        "--grid",
        "4",
        "--block",
        "64",
        "--arg",
        f"out={output}:i32:{COUNT}",
    )
    where = ("--cache", str(cache)) if cache else ()
    return subprocess.Popen(
        (sys.executable, "-m", "wavemma", *words, *where),
        cwd=folder,
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_right(folder: Path, output: str, running: "subprocess.Popen[str]") -> None:
    _, err = running.communicate(timeout=100)
    assert (running.returncode, err) == (0, "")
    assert np.array_equal(np.load(folder / output), np.arange(COUNT) * 7 + 1)


def test_no_home(tmp_path: Path) -> None:
    # Nothing can be made below a file.
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}
    assert_right(tmp_path, "c.npy", started(tmp_path, "c.npy", **nowhere))


@pytest.mark.slow
def test_two_processes_on_one_cache_and_then_a_damaged_one(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    both = [started(tmp_path, f"{number}.npy", cache) for number in range(2)]
    for number, running in enumerate(both):
        assert_right(tmp_path, f"{number}.npy", running)
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files
    for number, path in enumerate(files):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2] if number % 2 else data[:-1] + b"\0\1")
    assert_right(tmp_path, "again.npy", started(tmp_path, "again.npy", cache))


@pytest.mark.parametrize("interpreted", [False, True])
def test_threads_on_one_device(interpreted: bool, tmp_path: Path) -> None:
    device = Device("gfx1100", threads=2, cache_folder=tmp_path)
    modules = [device.load(code(factor)) for factor in (3, 5)]
    wrong: list[object] = []
    used = device.memory.used_bytes

    def work(number: int) -> None:
        try:
            module, factor = modules[number % 2], (3, 5)[number % 2]
            for _ in range(3):
                out = device.memory.allocate(4 * COUNT)
                device.launch(module, "k", 4, 64, [out], interpreted=interpreted)
                found = device.memory.array(out, np.int32, (COUNT,))
                if not np.array_equal(found, np.arange(COUNT) * factor + 1):
                    wrong.append(found.copy())
                device.memory.free(out)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong
    assert device.memory.used_bytes == used


FORKS = """
import os, sys
import numpy as np
from wavemma.machine.device import Device

device = Device("gfx1100", threads=2)


def is_right(file, factor):
    module = device.load(open(file, "rb").read())
    out = device.memory.allocate(1024)
    device.launch(module, "k", 4, 64, [out])
    found = device.memory.array(out, np.int32, (256,))
    return np.array_equal(found, np.arange(256) * factor + 1)


assert is_right("3", 3)
children = []
for _ in range(3):
    child = os.fork()
    if not child:
        os._exit(0 if is_right("3", 3) and is_right("5", 5) else 1)
    children.append(child)
codes = [os.waitpid(child, 0)[1] for child in children]
print(codes, is_right("5", 5))
"""


def test_children_go_on_with_the_device_of_their_parent(tmp_path: Path) -> None:
    for factor in (3, 5):
        (tmp_path / str(factor)).write_bytes(code(factor))
    done = subprocess.run(
        (sys.executable, "-c", FORKS),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.stdout, done.stderr) == ("[0, 0, 0] True\n", "")
