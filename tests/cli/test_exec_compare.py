"""wavemma exec --compare: the first store that another arithmetic changes."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran
from tests.objects.compiled import linked
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.objects import code_object, listing

FP8 = "v_wmma_f32_16x16x16_fp8_fp8"
SOURCE = """
typedef int v2 __attribute__((ext_vector_type(2)));
typedef float v8 __attribute__((ext_vector_type(8)));
#define MULTIPLY __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12
#define __global__ extern "C" __attribute__((global))
__global__ void multiply(v2* a, v2* b, v8* c) {
  int i = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  v8 zero = {0};
  c[i + 32 * g] = MULTIPLY(a[i + 32 * g], b[i], zero);  // stored here
}
__global__ void elsewhere(v2* a, v2* b, float* c) {
  int i = __builtin_amdgcn_workitem_id_x();
  v8 zero = {0};
  v8 d = MULTIPLY(a[i], b[i], zero);
  c[__float_as_bits(d[0]) & 255] = i;
}
__global__ void added(v2* a, v2* b, float* c) {
  int i = __builtin_amdgcn_workitem_id_x();
  v8 zero = {0};
  v8 d = MULTIPLY(a[i], b[i], zero);
  __hip_atomic_fetch_add(c, d[3], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__global__ void plain(float* c) { c[0] = 1; }
""".replace("__float_as_bits(d[0])", "__builtin_bit_cast(int, (float)d[0])")
GROUPS = 3
ONE = 0x38
LINE = next(n for n, line in enumerate(SOURCE.splitlines(), 1) if "// stored here" in line)


@pytest.fixture(scope="module")
def binary() -> bytes:
    return linked("gfx1201", "-O2", "-g", source=SOURCE)


@pytest.fixture
def folder(tmp_path: Path, binary: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hsaco").write_bytes(binary)
    # Finite codes of all sizes, so that sums are rounded.
    generator = np.random.default_rng(7)
    a, b = (generator.integers(0, 0x7F, (rows, 8), dtype=np.uint8) for rows in (GROUPS * 32, 32))
    a ^= generator.integers(0, 2, a.shape, dtype=np.uint8) << 7
    # All the same in the first workgroup: every order of summing gives the same.
    a[:32] = ONE
    np.save("a.npy", a)
    np.save("b.npy", b)
    return tmp_path


def words(kernel: str, output: str, groups: int = GROUPS) -> list[str]:
    given = [part for each in ("a.npy", "b.npy", output) for part in ("--arg", each)]
    return ["exec", "k.hsaco", "--kernel", kernel, "--grid", f"{groups}", "--block", "32", *given]


def result(capsys: pytest.CaptureFixture[str], *more: str) -> np.ndarray:
    assert ran(capsys, *words("multiply", f"out=c.npy:f32:{GROUPS * 32}x8"), *more).code == 0
    return np.load("c.npy")


def stores_of(kernel: str) -> list[str]:
    """Give the stores of a kernel in the order of its code."""
    found = code_object(Path("k.hsaco").read_bytes())
    texts = [
        text_any(each.instruction)
        for each in listing(found)
        if each.function == kernel and not isinstance(each.instruction, Undecoded)
    ]
    return [text for text in texts if text.startswith("global_store")]


def test_the_first_store_that_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = result(capsys)
    other = result(capsys, "--model", f"{FP8}=fma_chain")
    (folder / "c.npy").unlink()
    differs = own.view(np.uint32) != other.view(np.uint32)
    assert differs.any()
    call = words("multiply", f"out=c.npy:f32:{GROUPS * 32}x8")
    told = ran(capsys, *call, "--compare", "fma_chain", "--json")
    assert told.code == 1
    assert not (folder / "c.npy").exists()
    answer = json.loads(told.out)
    assert answer["models"] == [{"instruction": FP8, "own": "grouped_8", "other": "fma_chain"}]
    (array,) = [each for each in answer["arrays"] if each["differing"]]
    distance = np.abs(own.astype(np.float64) - other)
    assert (array["argument"], array["output"], array["type"]) == (2, "c.npy", "float32")
    assert (array["elements"], array["differing"]) == (own.size, differs.sum())
    assert array["largest"] == distance.max()
    # A lane stores its 8 sums by two instructions of 4 each: all lanes the one, then the other.
    halves = [int("offset:16" in text) for text in stores_of("multiply")]
    assert sorted(halves) == [0, 1]
    group, turn, lane, column = min(
        (row // 32, turn, row % 32, column)
        for row, turn, column in np.ndindex(GROUPS * 32, 2, 4)
        if differs[row, 4 * halves[turn] + column]
    )
    row, column = 32 * group + lane, 4 * halves[turn] + column
    sides = answer["own"], answer["other"]
    for side, stored in zip(sides, (own, other), strict=True):
        assert side["index"] == [row, column]
        assert (side["group"], side["wave"], side["lane"]) == ([group, 0, 0], 0, lane)
        assert side["instruction"].startswith("global_store_b128")
        assert (side["function"], side["line"]["line"]) == ("multiply", LINE)
        number = stored[row, column]
        assert side["bits"] == f"{number.view(np.uint32):08x}"
        assert float(side["number"]) == number
        assert side["address"] % 16 == 0
        assert (side["argument"], side["output"]) == (2, "c.npy")


def test_how_it_reads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = words("multiply", f"out=c.npy:f32:{GROUPS * 32}x8")
    told = ran(capsys, *call, "--compare", f"{FP8}=fma_chain")
    assert told.code == 1
    for word in ("First store that differs, after", "of argument 2 (c.npy), float32", "stored"):
        assert word in told.out
    assert f"k.hip:{LINE}" in told.out.replace("\n", "")


def test_saved_runs_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = words("multiply", f"out=c.npy:f32:{GROUPS * 32}x8")
    direct = json.loads(ran(capsys, *call, "--compare", "fma_chain", "--json").out)
    ran(capsys, *call, "--save", "bug.zip")
    again = ran(capsys, "exec", "bug.zip", "--compare", "fma_chain", "--json")
    assert again.code == 1
    for side in ("own", "other"):
        told = json.loads(again.out)[side]
        # Memory may lie elsewhere.
        assert {**told, "address": 0} == {**direct[side], "address": 0}


def test_nothing_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = words("multiply", "out=c.npy:f32:32x8", groups=1)
    np.save("b.npy", np.full((32, 8), ONE, dtype=np.uint8))
    told = ran(capsys, *call, "--compare", "fma_chain")
    assert told.code == 0
    assert "All 64 stores of lanes are the same bits." in told.out
    # Another target of the generation has the same models.
    told = ran(capsys, *words("multiply", "out=c.npy:f32:96x8"), "--compare", "gfx1200", "--json")
    assert (told.code, json.loads(told.out)["own"]) == (0, None)


def test_runs_that_go_different_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("a.npy", np.load("a.npy")[32:64])
    told = ran(capsys, *words("elsewhere", "out=c.npy:f32:256", groups=1), "--compare", "fma_chain")
    assert told.code == 1
    assert "The runs went different ways." in told.out
    assert "The other run" in told.out


def test_atomics_are_stores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("a.npy", np.load("a.npy")[32:64])
    call = words("added", "out=c.npy:f32:1", groups=1)
    told = ran(capsys, *call, "--compare", "fma_chain", "--json")
    assert told.code == 1
    answer = json.loads(told.out)
    assert answer["own"]["instruction"].startswith(("global_atomic_add_f32", "flat_atomic_add_f32"))
    assert answer["own"]["index"] == [0]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("fma_chains", "'fma_chains'.\n  Closest: fma_chain"),
        ("gfx1100", f"gfx1100 must have a matrix instruction of the code; it has none of {FP8}"),
        (
            "integer",
            f"must sum the formats of a matrix instruction of the code; it does not for {FP8}",
        ),
        (f"{FP8}=grouped", "grouped"),
    ],
)
def test_what_cannot_be_compared(
    word: str, text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ran(capsys, *words("multiply", "out=c.npy:f32:96x8"), "--compare", word)
    assert told.code in (125, 126)
    assert text in told.err


def test_options_that_do_not_go_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = (*words("multiply", "out=c.npy:f32:96x8"), "--compare", "fma_chain")
    told = ran(capsys, *call, "--save", "bug.zip")
    assert (told.code, "not both" in told.err) == (125, True)
    told = ran(capsys, *call, "--interpreted")
    assert (told.code, "must not be interpreted" in told.err) == (125, True)


PLAIN = 'extern "C" __attribute__((global)) void k(float* c) { c[0] = 1; }'


def test_code_without_matrix_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hsaco").write_bytes(linked("gfx1201", "-O2", source=PLAIN))
    call = ("exec", "k.hsaco", "--block", "1", "--arg", "out=c.npy:f32:1")
    told = ran(capsys, *call, "--compare", "gfx1100")
    assert (told.code, "must have matrix instructions; it has none" in told.err) == (125, True)
