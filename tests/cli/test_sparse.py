import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran
from tests.fragments.test_compressed import sparse_numbers
from wavemma.gemm.matmul import matmul

OP = "v_smfmac_f32_16x16x32_f16"
TARGET = ("--target", "gfx942", "--op", OP)


@pytest.fixture
def dense(tmp_path: Path) -> Path:
    path = tmp_path / "a.npy"
    np.save(path, sparse_numbers(1, (20, 96)).astype(np.float16))
    return path


def test_pack_and_verify(capsys, dense: Path, tmp_path: Path) -> None:
    names = [tmp_path / f"{name}.npy" for name in ("registers", "index", "kept", "places")]
    found = ran(capsys, "sparse", "pack", str(dense), *TARGET, "-o", *map(str, names))
    assert found.code == 0, found.err
    assert "20 x 96, f16" in found.out
    assert "2 along M, 3 along K" in found.out
    registers, index, kept, places = map(np.load, names)
    assert (registers.shape, registers.dtype) == ((2, 3, 2, 64), np.uint32)
    assert (index.shape, index.dtype) == ((2, 3, 1, 64), np.uint32)
    back = np.zeros((20, 24, 4), np.float16)
    assert kept.dtype == np.float16
    np.put_along_axis(back, places.reshape(20, 24, 2), kept.reshape(20, 24, 2), axis=-1)
    assert (back.reshape(20, 96) == np.load(dense)).all()
    checked = ran(capsys, "sparse", "verify", str(names[1]), *TARGET)
    assert checked.code == 0
    assert "Legal: the places of all 768 groups ascend." in checked.out
    index[1, 2, 0, 5] ^= 0xF
    np.save(names[1], index)
    checked = ran(capsys, "sparse", "verify", str(names[1]), *TARGET)
    assert checked.code == 1
    assert "Not legal: 1 of 768 groups" in checked.out
    assert "tile [1, 2], row 5, k 0..3" in checked.out


def test_the_part_of_the_register_is_chosen(capsys, dense: Path, tmp_path: Path) -> None:
    files = ("-o", str(tmp_path / "a2.npy"), str(tmp_path / "i.npy"))
    assert ran(capsys, "sparse", "pack", str(dense), *TARGET, *files, "--abid", "2").code == 0
    words = np.load(tmp_path / "i.npy")
    assert not (words & 0xFF00FFFF).any()
    assert (words & 0x00FF0000).all()
    verify = ("sparse", "verify", str(tmp_path / "i.npy"), *TARGET)
    assert ran(capsys, *verify, "--abid", "2").code == 0
    assert ran(capsys, *verify).code == 1


def test_sharing_and_pruning(capsys, dense: Path, tmp_path: Path) -> None:
    np.save(dense, np.ones((16, 128), np.float16))
    files = ("-o", str(tmp_path / "a2.npy"), str(tmp_path / "i.npy"))
    found = ran(capsys, "sparse", "pack", str(dense), *TARGET, *files, "--prune", "--share")
    assert found.code == 0
    assert "1024 elements, 50 % of the sum of magnitudes" in found.out
    assert np.load(tmp_path / "i.npy").shape == (1, 1, 1, 64)
    assert (np.load(tmp_path / "i.npy") == 0x44444444).all()


def test_info(capsys) -> None:
    found = ran(capsys, "sparse", "info", "gfx950", "v_smfmac_f32_16x16x64_f16", "--abid", "1")
    assert found.code == 0
    assert "4 groups, 16 bits, in 1 register; room for 2 such indices" in found.out
    assert max(map(len, found.out.splitlines())) <= 80
    answer = json.loads(ran(capsys, "sparse", "info", "gfx942", OP, "--json").out)
    assert (answer["answer"], answer["groups_per_lane"], answer["parts"]) == ("SparseIndex", 2, 4)
    assert (
        ran(
            capsys, "sparse", "info", "gfx1250", "v_swmmac_f32_16x16x64_f16", "--index-key", "1"
        ).code
        == 1
    )


def test_case_36(capsys) -> None:
    found = ran(capsys, "sparse", "info", "gfx950", "v_smfmac_f32_16x16x64_f16", "--abid", "2")
    assert found.code == 2
    assert "abid must be 0..1; it is 2 (which 16-bit part" in found.err


def test_nothing_is_written_after_a_mistake(capsys, dense: Path, tmp_path: Path) -> None:
    np.save(dense, np.ones((16, 32), np.float16))
    made = tmp_path / "made.npy"
    cases = [
        ((str(dense), *TARGET, "-o", str(made)), "may have 2 elements that are not zero"),
        ((str(dense), *TARGET, "-o", str(tmp_path / "no" / "x.npy")), "cannot be written"),
        (
            (str(dense), "--target", "gfx942", "--op", "v_mfma_f32_16x16x16_f16", "-o", str(made)),
            "not sparse",
        ),
        ((str(tmp_path / "none.npy"), *TARGET, "-o", str(made)), "cannot be read"),
        ((str(dense), *TARGET, "-o", *[str(made)] * 5), "writes 1 to 4 files, not 5"),
        (
            (str(dense), *TARGET, "-o", str(made), "--prune", "--share", "--abid", "1"),
            "--share fills",
        ),
    ]
    for words, message in cases:
        found = ran(capsys, "sparse", "pack", *words)
        assert found.code == 2, words
        assert message in found.err
        assert not made.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npy"]


@pytest.mark.parametrize(("m", "k"), [(16, 32), (2, 8), (5, 39)])
def test_what_is_packed_is_multiplied(capsys, tmp_path: Path, m: int, k: int) -> None:
    a = sparse_numbers(m, (m, k + -k % 4))[:, :k].astype(np.float16)
    b = np.arange(3 * k).reshape(k, 3).astype(np.float16)
    files = {
        name: str(tmp_path / f"{name}.npy") for name in ("a", "b", "r", "i", "kept", "at", "d")
    }
    np.save(files["a"], a)
    np.save(files["b"], b)
    made = [files[name] for name in ("r", "i", "kept", "at")]
    assert ran(capsys, "sparse", "pack", files["a"], *TARGET, "-o", *made).code == 0
    want = matmul(a, b, target="gfx942", op=OP)
    for more in (("--index", files["at"]), ("--index-words", files["i"])):
        for kept in (files["kept"], f"{files['kept']}:f16"):
            done = ran(capsys, "gemm", kept, files["b"], "-o", files["d"], *TARGET, *more)
            assert done.code == 0, done.err
            assert np.array_equal(np.load(files["d"]), want)
