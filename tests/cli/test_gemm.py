"""`wavemma gemm`: files in, file out, and nothing left behind when something is wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import Ran, ran
from wavemma.gemm.matmul import matmul

Gemm = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    generator = np.random.default_rng(11)
    np.save(tmp_path / "a.npy", generator.standard_normal((40, 24)).astype(np.float16))
    np.save(tmp_path / "b.npy", generator.standard_normal((24, 33)).astype(np.float16))
    return tmp_path


@pytest.fixture
def gemm(folder: Path, capsys: pytest.CaptureFixture[str]) -> Gemm:
    def run(a: str, b: str, *more: str) -> Ran:
        files = (str(folder / a), str(folder / b), "-o", str(folder / "out.npy"))
        return ran(capsys, "gemm", *files, *more)

    return run


def test_writes_the_product(folder: Path, gemm: Gemm) -> None:
    done = gemm("a.npy", "b.npy", "--target", "gfx1100", "--device", "RX 7900 XTX")
    assert done.code == 0, done.err
    a, b = np.load(folder / "a.npy"), np.load(folder / "b.npy")
    want = matmul(a, b, target="gfx1100")
    assert np.array_equal(np.load(folder / "out.npy").view(np.uint32), want.view(np.uint32))
    assert "v_wmma_f32_16x16x16_f16" in done.out
    assert "Radeon RX 7900 XTX" in done.out
    assert "H      arithmetic" in done.out


def test_report_as_json(folder: Path, gemm: Gemm) -> None:
    done = gemm("a.npy", "b.npy", "--target", "gfx942", "--json")
    report = json.loads(done.out)
    assert report["schema"] == "wavemma/1"
    # 40 x 33 by tiles of 16 x 16.
    assert report["plan"]["instruction"] == "v_mfma_f32_16x16x16_f16"
    assert report["plan"]["tiles"] == 3 * 3
    a, b = np.load(folder / "a.npy").astype(float), np.load(folder / "b.npy").astype(float)
    error = np.abs(np.load(folder / "out.npy") - a @ b).max()
    assert report["accuracy"]["max_absolute"] == pytest.approx(error, rel=1e-12)


def test_suffix_gives_the_lost_type(folder: Path, gemm: Gemm) -> None:
    for name in ("a", "b"):
        array = np.load(folder / f"{name}.npy").astype(ml_dtypes.bfloat16)
        np.save(folder / f"{name}16.npy", array)
    done = gemm("a16.npy:bf16", "b16.npy:bf16", "--target", "gfx942")
    assert done.code == 0, done.err
    assert "A bf16, B bf16" in done.out


def test_npz_with_one_array(folder: Path, gemm: Gemm) -> None:
    np.savez(folder / "a.npz", only=np.load(folder / "a.npy"))
    assert gemm("a.npz", "b.npy", "--target", "gfx90a").code == 0
    np.savez(folder / "two.npz", x=np.ones(2), y=np.ones(2))
    done = gemm("two.npz", "b.npy", "--target", "gfx90a")
    assert (done.code, "must hold one array; it holds x, y" in done.err) == (2, True)


MISTAKES = [
    (("a.npy", "missing.npy", "--target", "gfx1100"), "missing.npy cannot be read: No such file"),
    (("a.npy", "a.npy", "--target", "gfx1100"), "must fit together"),
    (("a.npy", "b.npy", "--target", "gfx1101x"), "gfx1101"),
    (("a.npy", "b.npy", "--target", "gfx1100", "--op", "v_wmma_f32_16x16x16_f61"), "Closest"),
    (("a.npy", "b.npy", "--target", "gfx942", "--device", "RX 7900 XTX"), "is gfx1100"),
    (("a.npy", "b.npy", "--target", "gfx942", "--device", "RX 7900"), "AMD Radeon RX 7900 XTX"),
    (("a.npy:fp9", "b.npy", "--target", "gfx942"), "'fp9' is not a"),
    (("a.npy:fp8", "b.npy", "--target", "gfx942"), "must hold elements of 1 bytes"),
    (("text.npy", "b.npy", "--target", "gfx942"), "must be a whole .npy or .npz file"),
    (("short.npy", "b.npy", "--target", "gfx942"), "must be a whole .npy or .npz file"),
    (("objects.npy", "b.npy", "--target", "gfx942"), "must be a whole .npy or .npz file"),
    (("huge.npy", "b.npy", "--target", "gfx942"), "must be a whole .npy or .npz file"),
    (("a.npy", "b.npy", "--target", "gfx942", "--model", "exact"), "Closest"),
    (("a.npy", "b.npy", "--target", "gfx942", "--wave", "32"), "waves of 64 lanes"),
    (("a.npy", "b.npy"), "target"),
]


@pytest.mark.parametrize(
    ("words", "sentence"), MISTAKES, ids=lambda w: w if isinstance(w, str) else ""
)
def test_mistakes_leave_nothing_behind(
    folder: Path, gemm: Gemm, words: tuple[str, ...], sentence: str
) -> None:
    whole = (folder / "a.npy").read_bytes()
    (folder / "text.npy").write_text("no array")
    (folder / "short.npy").write_bytes(whole[:-100])
    np.save(folder / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    header = whole[:128].replace(b"(40, 24)", b"(4000000000, 24)")[:128]
    (folder / "huge.npy").write_bytes(header + whole[128:])
    before = sorted(folder.iterdir())
    done = gemm(*words)
    assert done.code == 2
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert sorted(folder.iterdir()) == before


def test_output_is_checked_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = str(folder / "a.npy"), str(folder / "missing.npy")
    place = str(folder / "no" / "c.npy")
    done = ran(capsys, "gemm", a, b, "-o", place, "--target", "gfx1100")
    assert (done.code, "no/c.npy cannot be written" in done.err) == (2, True)
    done = ran(capsys, "gemm", a, b, "-o", str(folder), "--target", "gfx1100")
    assert (done.code, "must be a file to write; it is a folder" in done.err) == (2, True)


def test_an_old_output_survives_a_mistake(folder: Path, gemm: Gemm) -> None:
    (folder / "out.npy").write_bytes(b"old")
    assert gemm("a.npy", "a.npy", "--target", "gfx1100").code == 2
    assert (folder / "out.npy").read_bytes() == b"old"


def test_compares_with_other_targets(folder: Path, gemm: Gemm) -> None:
    done = gemm("a.npy", "b.npy", "--target", "gfx1100", "--compare", "gfx90a,gfx942", "--json")
    assert done.code == 0, done.err
    report = json.loads(done.out)
    a, b = np.load(folder / "a.npy"), np.load(folder / "b.npy")
    here = matmul(a, b, target="gfx1100").view(np.uint32)
    assert [each["target"] for each in report["differences"]] == ["gfx90a", "gfx942"]
    for each in report["differences"]:
        apart = here != matmul(a, b, target=each["target"]).view(np.uint32)
        assert each["differing"] == apart.sum()
        assert tuple(each["first"]) == tuple(np.argwhere(apart)[0])
    assert 0 < report["accuracy"]["max_share"] <= 1
    text = gemm("a.npy", "b.npy", "--target", "gfx1100", "--compare", "gfx1101").out
    assert "elements that differ  0 of 1,320" in text


def test_comparison_needs_targets_that_have_the_type(folder: Path, gemm: Gemm) -> None:
    np.save(folder / "wide.npy", np.ones((24, 24)))
    done = gemm("wide.npy", "wide.npy", "--target", "gfx942", "--compare", "gfx1100")
    assert (done.code, "gfx1100 has no dense instruction" in done.err) == (2, True)
    assert not (folder / "out.npy").exists()


def test_errors_are_told_against_exact_sums_and_only_of_finite_elements(
    folder: Path, gemm: Gemm
) -> None:
    np.save(folder / "large.npy", np.array([[2.0**40, 1, -(2.0**40)]], np.float32))
    np.save(folder / "ones.npy", np.ones((3, 1), np.float32))
    done = gemm("large.npy", "ones.npy", "--target", "gfx942")
    assert "Against exact sums" in done.out
    assert "largest absolute error  1\n" in done.out
    np.save(folder / "nan.npy", np.full((2, 3), np.nan, np.float32))
    done = gemm("nan.npy", "ones.npy", "--target", "gfx942")
    assert "infinite or NaN  2 elements, not compared" in done.out
    assert "correctly rounded" not in done.out
    np.save(folder / "none.npy", np.zeros((0, 3), np.float32))
    done = gemm("none.npy", "ones.npy", "--target", "gfx942")
    assert (done.code, "elements  none" in done.out) == (0, True)
