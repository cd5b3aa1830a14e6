"""Whole numbers on the command line, and targets in any case, of every command that takes them."""

import pytest

from tests.cli.command import ran

DENSE = "v_wmma_f32_16x16x16_f16"
LINE = f"{DENSE} v[0:7], v[8:15], v[16:23], v[0:7]"
SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4"
SPARSE = "v_smfmac_f32_16x16x32_f16"
GEMM = ("gemm", "a.npy", "b.npy", "-o", "d.npy", "--target", "gfx1100")
ODD = ("1.5", "32.0", "3_2", "\u0663\u0662", "x")
TAKERS = [
    (*GEMM, "--threads"),
    (*GEMM, "--wave"),
    ("asm", "gfx1100", LINE, "--wave"),
    ("dis", "gfx1100", "0x00000000", "--wave"),
    ("layout", "gfx1100", DENSE, "D", "--wave"),
    ("check-layout", "gfx1100", DENSE, "D", "row = v; col = lane", "--wave"),
    ("numerics", "f16", "--a", "1", "--b", "1", "--chain"),
    ("numerics", "f16", "--a", "1", "--b", "1", "--wave"),
    ("peak", "gfx942", "--units"),
    ("scale", "where", "gfx950", SCALED, "A", "1"),
    ("sparse", "info", "gfx942", SPARSE, "--abid"),
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("words", TAKERS, ids=lambda words: f"{words[0]} {words[-1]}")
def test_only_whole_numbers_are_taken(capsys, tmp_path, monkeypatch, words, odd):
    monkeypatch.chdir(tmp_path)
    found = ran(capsys, *words, odd)
    assert (found.code, found.out) == (2, "")
    assert f"must be a whole number; {odd!r} was given" in found.err
    assert not list(tmp_path.iterdir())


IN_ANY_CASE = [
    ("where", "gfx1100", DENSE, "D", "1", "2"),
    ("where", "gfx1100", DENSE, "D", "--at", "1", "2"),
    ("layout", "gfx1100", DENSE, "D"),
    ("check-layout", "gfx1100", DENSE, "D", "row = 2*v + lane//16; col = lane%16"),
    ("show", "gfx1100"),
    ("show", DENSE, "--target", "gfx1100"),
    ("show", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "--target", "gfx1100"),
    ("list", "--target", "gfx1100"),
    ("asm", "gfx1100", LINE),
    ("dis", "gfx1100", "0xcc404000 0x1c022108"),
    ("port", "gfx1100", "gfx1201", "--op", DENSE),
    ("rate", "gfx1100", DENSE),
    ("peak", "gfx1100", "--type", "fp16"),
    ("numerics", "f16", "--a", "1", "--b", "2", "--target", "gfx1100"),
    ("bits", "fp16", "1", "--target", "gfx1100"),
    ("scale", "where", "gfx950", SCALED, "A", "1", "1"),
    ("scale", "value", "127", "--target", "gfx950"),
    ("sparse", "info", "gfx942", SPARSE),
    ("why", LINE, "--target", "gfx1201"),
]


@pytest.mark.parametrize("words", IN_ANY_CASE, ids=" ".join)
def test_case_of_a_target_does_not_matter(capsys, words):
    small = ran(capsys, *words)
    large = ran(capsys, *(w.upper() if w.startswith("gfx") else w for w in words))
    assert small.code == 0
    assert large == small
