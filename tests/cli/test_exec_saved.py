"""Runs that wavemma exec --save keeps: what is in them, their repetition, and hostile ones."""

import hashlib
import json
import random
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import Ran, ran
from tests.objects.compiled import linked

SOURCE = """
extern "C" __attribute__((global)) void scale(
    const __bf16 *in, float *out, float factor, int n, long *keep) {
  int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
  if (i < n) out[i] = factor * (float)in[i];
  if (i == 0) *keep += n;
}
"""
COUNT = 100
RUN = ("exec", "k.hsaco", "--grid", "2", "--block", "64")


@pytest.fixture(scope="module")
def binary() -> bytes:
    return linked("gfx1100", "-O1", "-g", source=SOURCE)


@pytest.fixture
def folder(tmp_path: Path, binary: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hsaco").write_bytes(binary)
    numbers = np.arange(COUNT).astype(ml_dtypes.bfloat16)
    np.save("in.npy", numbers.view(np.uint16))
    np.save("keep.npy", np.array([5], dtype=np.int64))
    return tmp_path


def saved(
    capsys: pytest.CaptureFixture[str], *more: str, count: int = COUNT, to: str = "bug.zip"
) -> Ran:
    words = ("in.npy:bf16", f"out=out.npy:f32:{count}", "0.75", f"i32:{COUNT}", "inout=keep.npy")
    arguments = [part for word in words for part in ("--arg", word)]
    return ran(capsys, *RUN, *arguments, "--save", to, *more)


def test_everything_is_in_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert saved(capsys, "--lds", "32", "--ordered").code == 0
    with zipfile.ZipFile("bug.zip") as archive:
        run = json.loads(archive.read("run.json"))
        held = {each: archive.read(each) for each in archive.namelist() if each != "run.json"}
    assert held["code.hsaco"] == (folder / "k.hsaco").read_bytes()
    assert held["arguments/0.bin"] == np.load("in.npy").tobytes()
    assert held["arguments/1.bin"] == bytes(4 * COUNT)
    # Before the launch, which wrote 105.
    assert held["arguments/4.bin"] == np.int64(5).tobytes()
    assert held.keys() == {"code.hsaco", *(f"arguments/{number}.bin" for number in (0, 1, 4))}
    assert (run["kernel"], run["grid"], run["block"]) == ("", [2], [64])
    assert (run["dynamic_lds_bytes"], run["ordered"], run["whole_grid"]) == (32, True, False)
    types = [each.get("type") for each in run["arguments"]]
    assert types == ["bfloat16", "<f4", None, "<i4", "<i8"]
    assert run["arguments"][2] == {"number": 0.75}
    after = {"0": np.load("in.npy"), "1": np.load("out.npy"), "4": np.load("keep.npy")}
    assert np.array_equal(after["1"], np.arange(COUNT, dtype=np.float32) * np.float32(0.75))
    assert after["4"].tolist() == [5 + COUNT]
    assert run["outcome"]["digests"] == {
        number: hashlib.sha256(array.tobytes()).hexdigest() for number, array in after.items()
    }


def test_it_is_repeated_without_its_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(capsys)
    for path in folder.iterdir():
        if path.name != "bug.zip":
            path.unlink()
    for more in ((), ("--interpreted",)):
        again = ran(capsys, "exec", "bug.zip", *more)
        assert (again.code, again.err) == (0, "")
        assert "the same bits as wavemma" in again.out
    answer = json.loads(ran(capsys, "exec", "bug.zip", "--json").out)
    assert (answer["repeat"]["is_same"], answer["outputs"]) == (True, [])
    assert [path.name for path in folder.iterdir()] == ["bug.zip"]


def test_the_same_run_gives_the_same_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for _ in range(2):
        np.save("keep.npy", np.array([5], dtype=np.int64))
        saved(capsys)
        files.append((folder / "bug.zip").read_bytes())
    assert files[0] == files[1]


def changed(name: str, change: object, *, add: tuple[str, ...] = (), method: int = 8) -> None:
    """Write bug.zip again with one file changed, and with others."""
    with zipfile.ZipFile("bug.zip") as archive:
        held = {each: archive.read(each) for each in archive.namelist()}
    held[name] = change(held.get(name, b""))  # type: ignore[operator]
    with zipfile.ZipFile("other.zip", "w", method) as archive:
        for each, data in held.items():
            archive.writestr(each, data)
        for each in add:
            archive.writestr(each, b"x")


def edited(**fields: object) -> object:
    return lambda text: json.dumps({**json.loads(text), **fields}).encode()


def test_other_bits_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(capsys)
    changed("arguments/4.bin", lambda _: np.int64(6).tobytes())
    again = ran(capsys, "exec", "other.zip")
    assert again.code == 1
    assert "other bits in argument 4 than wavemma" in again.out
    assert "gfx1100" in again.out


def test_faults_are_saved_and_repeated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = saved(capsys, "--registers", count=COUNT - 1)
    assert first.code == 126
    assert "k.hip:5, writes" in first.err
    assert "it is 0 bytes behind its end" in first.err
    assert "Registers of the wave; those that are not listed hold 0." in first.err
    assert "exec_lo" in first.err
    assert not (folder / "out.npy").exists()
    again = ran(capsys, "exec", "bug.zip")
    assert again.code == 126
    assert "ended by KernelFault, as wavemma" in again.err
    assert "Registers" not in again.err
    told = json.loads(ran(capsys, "exec", "bug.zip", "--json", "--registers").err)
    assert told["repeat"]["is_same"] is True
    assert told["stop"]["fault"] == "out_of_range"
    assert (told["stop"]["line"], told["stop"]["group"], told["stop"]["lane"]) == (5, [1, 0, 0], 3)
    assert told["stop"]["registers"]["scalars"]["exec_lo"]


HOSTILE = [
    ("run.json", edited(schema="wavemma-run/2"), (), "'wavemma-run/2'"),
    ("run.json", edited(colour=1), (), "unknown field `colour`"),
    ("run.json", lambda _: b"{", (), "damaged"),
    ("run.json", lambda _: b" " * (1 << 23), (), "run.json claims 8,388,608 bytes"),
    ("run.json", lambda text: text, ("../../evil",), "'../../evil', which belongs to no"),
    ("run.json", lambda text: text, ("run.json",), "must be a run"),
    ("arguments/1.bin", lambda _: bytes(1 << 20), (), "arguments/1.bin must have 400 bytes"),
    ("arguments/7.bin", lambda _: b"", (), "'arguments/7.bin', which belongs to no argument"),
    ("code.hsaco", lambda _: b"MZ", (), "must start as an ELF file"),
    ("code.hsaco", lambda code: code[: len(code) // 2], (), "damaged or cut off"),
    ("run.json", edited(grid=[0]), (), "whole numbers above 0"),
    ("run.json", edited(block=[4096]), (), "at most 1024 work-items"),
    ("run.json", edited(kernel="other"), (), "'other' is not a kernel"),
    ("run.json", edited(arguments=[]), (), "belongs to no argument"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("case", HOSTILE, ids=[f"{n} {c[3][:20]}" for n, c in enumerate(HOSTILE)])
def test_hostile_files(
    case: tuple[str, object, tuple[str, ...], str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name, change, add, words = case
    saved(capsys)
    changed(name, change, add=add)
    before = sorted(path.name for path in folder.iterdir())
    told = ran(capsys, "exec", "other.zip")
    assert told.code == 125
    assert words in told.err
    assert sorted(path.name for path in folder.iterdir()) == before
    assert not (folder.parent.parent / "evil").exists()


def test_arrays_that_claim_more_than_the_memory(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(capsys)
    size = 1 << 50
    changed("run.json", lambda text: text.replace(f"{COUNT}".encode(), f"{size}".encode()))
    data = bytearray((folder / "other.zip").read_bytes())
    told = ran(capsys, "exec", "other.zip")
    assert (told.code, "must have" in told.err) == (125, True)
    # The directory claims as much as run.json does; the file has a few hundred bytes.
    with zipfile.ZipFile("bug.zip") as archive:
        held = {each: archive.read(each) for each in archive.namelist()}
    run = json.loads(held["run.json"])
    run["arguments"][1]["shape"] = [(1 << 32) - 4 >> 2]
    held["run.json"] = json.dumps(run).encode()
    with zipfile.ZipFile("other.zip", "w") as archive:
        for each, content in held.items():
            archive.writestr(each, content)
    data = bytearray((folder / "other.zip").read_bytes())
    entry = data.index(b"arguments/1.bin", data.index(b"PK\x01\x02"))
    data[entry - 46 + 24 : entry - 46 + 28] = ((1 << 32) - 4).to_bytes(4, "little")
    (folder / "other.zip").write_bytes(data)
    told = ran(capsys, "exec", "other.zip")
    assert told.code == 125
    assert "must fit into" in told.err or "damaged" in told.err


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing(
    method: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(capsys)
    changed("run.json", lambda text: text, method=method)
    told = ran(capsys, "exec", "other.zip")
    assert (told.code, f"compressed by method {method}" in told.err) == (125, True)


def test_damaged_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved(capsys)
    whole = (folder / "bug.zip").read_bytes()
    generator = random.Random(5)
    codes = set()
    for turn in range(60):
        data = bytearray(whole)
        if turn % 2:
            del data[generator.randrange(2, len(data)) :]
        else:
            for _ in range(3):
                data[generator.randrange(2, len(data))] ^= 1 << generator.randrange(8)
        (folder / "other.zip").write_bytes(data)
        told = ran(capsys, "exec", "other.zip", "--seconds", "5")
        codes.add(told.code)
        assert told.code in (0, 1, 124, 125, 126)
        assert "a fault of ours" not in told.err
    assert 125 in codes


def test_options_that_a_saved_run_has_itself(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(capsys)
    for option in (("--grid", "3"), ("--arg", "i32:1"), ("--lds", "8"), ("--target", "gfx1100")):
        told = ran(capsys, "exec", "bug.zip", *option)
        assert (told.code, "has its own kernel, grid" in told.err) == (125, True)


def test_where_it_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = saved(capsys, to="no/bug.zip")
    assert (told.code, "no folder" in told.err) == (125, True)
    assert not (folder / "out.npy").exists()
    told = saved(capsys, to="out.npy")
    assert (told.code, "must be a file of its own" in told.err) == (125, True)
