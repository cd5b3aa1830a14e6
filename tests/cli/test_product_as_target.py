"""Wherever a target is asked, the name of a product does: the answer is that of its target."""

from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"
BUILTIN = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"
LINE = f"{OP} v[0:7], v[8:15], v[16:23], v[0:7]"
SPARSE = "v_swmmac_f32_16x16x32_f16"
SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4"
PRODUCT = {
    "gfx1100": "RX 7900 XTX",
    "gfx1201": "rx 9070 xt",
    "gfx942": "MI300X",
    "gfx950": "mi355x",
}

LINES: list[tuple[str, ...]] = [
    ("where", "gfx1100", OP, "D", "2", "3"),
    ("layout", "gfx942", "v_mfma_f32_32x32x8_f16", "D"),
    ("check-layout", "gfx1100", OP, "D", "row = v + 8*(lane//16); col = lane%16"),
    ("show", OP, "--target", "gfx1100"),
    ("list", "--target", "gfx1201"),
    ("asm", "gfx1100", LINE),
    ("dis", "gfx942", "0a00cdd3", "02091a0c"),
    ("why", BUILTIN, "--target", "gfx1201"),
    ("port", "gfx1100", "gfx1201", "--op", "i32_16x16x16_iu8"),
    ("guard", "fp8", "--target", "gfx942,gfx1100"),
    ("rate", "gfx942", "v_mfma_f32_32x32x8_f16"),
    ("numerics", "f16", "--a", "1,2", "--b", "3,4", "--target", "gfx1100,gfx942"),
    ("numerics", "f16", "--separate", "gfx1100", "gfx942"),
    ("bits", "fp8", "0x38", "--target", "gfx942,gfx950"),
    ("scale", "where", "gfx950", SCALED, "A", "0", "0"),
    ("sparse", "info", "gfx1201", SPARSE),
]


def _named(word: str) -> str:
    """Put products for the targets of a word."""
    return ",".join(PRODUCT.get(part, part) for part in word.split(","))


@pytest.mark.parametrize("words", LINES, ids=lambda words: " ".join(words[:2]))
def test_answer(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    wanted = ran(capsys, *words)
    assert wanted.code < 2, wanted.err
    assert ran(capsys, *map(_named, words)) == wanted


def test_product_of_matrices(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in "ab":
        np.save(tmp_path / f"{name}.npy", np.eye(16, dtype=np.float16))
    a, b, d = (str(tmp_path / f"{name}.npy") for name in "abd")
    files = (a, b, "-o", d)
    wanted = ran(capsys, "gemm", *files, "--target", "gfx942")
    assert wanted.code == 0, wanted.err
    assert ran(capsys, "gemm", *files, "--target", "MI300X").out == wanted.out


def test_inputs_for_a_diagnosis(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = ran(capsys, "diagnose", "RX 7900 XTX", OP, "--inputs", str(tmp_path / "new"))
    assert done.code == 0, done.err


@pytest.mark.parametrize("words", ["RX 7900", "rx7900", "mi300"])
def test_the_beginning_of_a_name_lists_the_products(capsys, words: str) -> None:
    done = ran(capsys, "where", words, "v_wmma_f32_16x16x16_f16", "D", "0", "0")
    assert done.code == 2
    assert f"{words!r} must name one product whole; it begins AMD " in done.err
    assert "MI300A (gfx942)" in done.err or "RX 7900 GRE (gfx1100)" in done.err
    assert "Closest" not in done.err
