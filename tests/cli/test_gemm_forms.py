"""`wavemma gemm` on sparse and scaled forms: bits as matmul's, and what is refused."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import ran
from tests.cli.product_files import FP8, Gemm, K, M, N, made_folder, made_gemm, read, same_bits
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.matmul import matmul

__all__ = ["made_folder", "made_gemm"]


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1201", "gfx1250"])
def test_kept_elements_with_their_index(folder: Path, gemm: Gemm, target: str) -> None:
    done = gemm("kept.npy", "b.npy", "--target", target, "--index", "places.npy", "--json")
    assert done.code == 0, done.err
    dense, b = read(folder, "dense"), read(folder, "b")
    op = json.loads(done.out)["plan"]["instruction"]
    assert same_bits(folder, matmul(dense, b, target=target, op=op))
    report = json.loads(done.out)
    assert report["plan"]["is_sparse"]
    # The error is that of the whole A, worked out here, and lies within the model's bound.
    error = np.abs(np.load(folder / "out.npy") - dense.astype(float) @ b.astype(float)).max()
    assert report["accuracy"]["max_absolute"] == pytest.approx(error, rel=1e-9)
    assert 0 < report["accuracy"]["max_share"] <= 1


def test_a_dense_a_by_a_sparse_instruction_and_pruned(folder: Path, gemm: Gemm) -> None:
    op = ("--target", "gfx942", "--op", "v_smfmac_f32_16x16x32_f16")
    assert gemm("dense.npy", "b.npy", *op).code == 0
    assert same_bits(folder, matmul(read(folder, "dense"), read(folder, "b"), target="gfx942",
                                    op=op[-1]))  # fmt: skip
    done = gemm("full.npy", "b.npy", *op)
    assert (done.code, "may have 2 elements that are not zero" in done.err) == (2, True)
    done = gemm("full.npy", "b.npy", "--target", "gfx942", "--prune", "--json")
    assert done.code == 0, done.err
    full, b = read(folder, "full"), read(folder, "b")
    assert same_bits(folder, matmul(full, b, target="gfx942", prune=True))
    smallest = np.argsort(np.abs(full.reshape(M, -1, 4)), axis=-1, kind="stable")[..., :2]
    left = full.reshape(M, -1, 4).copy()
    np.put_along_axis(left, smallest, 0, axis=-1)
    exact = left.reshape(M, K).astype(float) @ b.astype(float)
    error = np.abs(np.load(folder / "out.npy") - exact).max()
    assert json.loads(done.out)["accuracy"]["max_absolute"] == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("target", ["gfx950", "gfx1250"])
def test_scales_from_files(folder: Path, gemm: Gemm, target: str) -> None:
    words = ("--target", target, "--scale-a", "sa.npy", "--scale-b", "sb.npy", "--json")
    done = gemm("a8.npy:fp8", "b8.npy:fp8", *words)
    assert done.code == 0, done.err
    a, b = read(folder, "a8", FP8), read(folder, "b8", FP8)
    sa, sb = read(folder, "sa"), read(folder, "sb")
    assert same_bits(folder, matmul(a, b, target=target, scales=BlockScales(sa, sb)))
    powers = [np.ldexp(1.0, s.astype(int) - 127) for s in (sa, sb)]
    exact = (a.astype(float) * np.repeat(powers[0], 32, axis=1)) @ (
        b.astype(float) * np.repeat(powers[1], 32, axis=0)
    )
    report = json.loads(done.out)
    error = np.abs(np.load(folder / "out.npy") - exact).max()
    assert report["accuracy"]["max_absolute"] == pytest.approx(error, rel=1e-6)
    assert 0 < report["accuracy"]["max_share"] <= 1
    one = gemm("a8.npy:fp8", "b8.npy:fp8", "--target", target, "--scale-b", "sb.npy:e8m0")
    assert one.code == 0, one.err
    assert same_bits(folder, matmul(a, b, target=target, scales=BlockScales(b=sb)))


def test_other_scale_formats(folder: Path, gemm: Gemm) -> None:
    generator = np.random.default_rng(5)
    for name, shape in (("a4", (M, K)), ("b4", (K, N))):
        np.save(folder / f"{name}.npy", generator.integers(0, 16, shape).astype(np.uint8))
    for name in ("sa", "sb"):
        np.save(folder / f"{name}.npy", read(folder, name) % 0x60)
    done = gemm(
        "a4.npy:fp4", "b4.npy:fp4", "--target", "gfx1250", "--scale-a", "sa.npy",
        "--scale-b", "sb.npy", "--scale-format-a", "e5m3", "--scale-format-b", "e5m3",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "scales e5m3 and e5m3" in done.out
    kind = ml_dtypes.float4_e2m1fn
    given = BlockScales(read(folder, "sa"), read(folder, "sb"), "e5m3", "e5m3")
    want = matmul(read(folder, "a4", kind), read(folder, "b4", kind), target="gfx1250",
                  scales=given)  # fmt: skip
    assert same_bits(folder, want)


def test_real_numbers_are_quantised(folder: Path, gemm: Gemm) -> None:
    words = ("--target", "gfx950", "--format-a", "fp4", "--format-b", "fp8")
    done = gemm("real_a.npy", "real_b.npy", *words, "--scale-rule", "fit")
    assert done.code == 0, done.err
    assert "A fp4, B fp8_ocp" in done.out
    a, b = read(folder, "real_a"), read(folder, "real_b")
    want = matmul(a, b, target="gfx950", scales=Quantise("fp4", "fp8_ocp", rule="fit"))
    assert same_bits(folder, want)
    gemm("real_a.npy", "real_b.npy", *words)
    assert not same_bits(folder, want)


def test_nan_scales_only_where_asked_for(folder: Path, gemm: Gemm) -> None:
    spoilt = read(folder, "sa").copy()
    spoilt[3, 1] = 0xFF
    np.save(folder / "sa.npy", spoilt)
    words = ("a8.npy:fp8", "b8.npy:fp8", "--target", "gfx950", "--scale-a", "sa.npy")
    done = gemm(*words)
    assert done.code == 2
    assert "that of row 3, block 1 is NaN (0xff in e8m0)" in done.err
    assert "--allow-nan-scales" in done.err
    assert not (folder / "out.npy").exists()
    assert gemm(*words, "--allow-nan-scales").code == 0
    nan = np.isnan(np.load(folder / "out.npy"))
    assert nan[3].all()
    assert nan.sum() == N


def test_compared_with_other_targets(folder: Path, gemm: Gemm) -> None:
    scales = ("--scale-a", "sa.npy", "--scale-b", "sb.npy")
    done = gemm("a8.npy:fp8", "b8.npy:fp8", "--target", "gfx950", *scales,
                "--compare", "gfx1250", "--json")  # fmt: skip
    assert done.code == 0, done.err
    (apart,) = json.loads(done.out)["differences"]
    given = BlockScales(read(folder, "sa"), read(folder, "sb"))
    one, other = (
        matmul(read(folder, "a8", FP8), read(folder, "b8", FP8), target=target, scales=given)
        for target in ("gfx950", "gfx1250")
    )
    assert apart["differing"] == (one != other).sum()


def test_nothing_along_k_or_of_rows(folder: Path, gemm: Gemm) -> None:
    for name, shape in (("no_k", (4, 0)), ("no_k_b", (0, 5)), ("no_rows", (0, K))):
        np.save(folder / f"{name}.npy", np.zeros(shape, np.float16))
    assert gemm("no_k.npy", "no_k_b.npy", "--target", "gfx942", "--prune").code == 0
    out = np.load(folder / "out.npy")
    assert out.shape == (4, 5)
    assert not out.any()
    assert gemm("no_rows.npy", "b.npy", "--target", "gfx942", "--prune").code == 0
    assert np.load(folder / "out.npy").shape == (0, N)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 33, 127])
def test_any_k(folder: Path, gemm: Gemm, k: int) -> None:
    """K that is no multiple of four, of a block or of the instruction's."""
    a, b = read(folder, "dense")[:, :k], read(folder, "b")[:k]
    np.save(folder / "a.npy", a)
    np.save(folder / "short.npy", b)
    assert gemm("a.npy", "short.npy", "--target", "gfx942", "--prune").code == 0
    longer = -(-k // 4) * 4
    wide = np.zeros((M, longer), np.float16)
    wide[:, :k] = a
    tall = np.zeros((longer, N), np.float16)
    tall[:k] = b
    assert same_bits(folder, matmul(wide, tall, target="gfx942", prune=True))
    a8, b8 = read(folder, "a8")[:, :k], read(folder, "b8")[:k]
    np.save(folder / "a.npy", a8)
    np.save(folder / "short.npy", b8)
    np.save(folder / "sa.npy", read(folder, "sa")[:, : -(-k // 32)])
    done = gemm("a.npy:fp8", "short.npy:fp8", "--target", "gfx950", "--scale-a", "sa.npy")
    assert done.code == 0, done.err
    whole = [np.zeros((M, K), np.uint8), np.zeros((K, N), np.uint8)]
    whole[0][:, :k], whole[1][:k] = a8, b8
    scales = np.full((M, 4), 127, np.uint8)
    scales[:, : -(-k // 32)] = read(folder, "sa")
    want = matmul(
        whole[0].view(FP8), whole[1].view(FP8), target="gfx950", scales=BlockScales(scales)
    )
    assert same_bits(folder, want)


def index_words(places: np.ndarray, shape: tuple[int, int], part: int) -> np.ndarray:
    """Words by the formulas of layouts.md: SMFMAC 16-bit, lane i + 16*(g // 2), 2 groups each.

    Args:
        places: uint8 [M, K/2].
        shape: Tiles along M and K.
        part: Which byte the first tile along K goes to; the next ones follow.
    """
    words = np.zeros((*shape, 1, 64), np.uint32)
    for row, column in np.ndindex(*places.shape):
        tile, (g, s) = column // 16, divmod(column % 16, 2)
        own = shape[1] == 4
        bit = 2 * (s + 2 * (g % 2)) + 8 * (part if own else tile % 4)
        at = (row // 16, tile if own else tile // 4, 0, row % 16 + 16 * (g // 2))
        words[at] |= np.uint32(int(places[row, column]) << bit)
    return words


SMFMAC = ("--target", "gfx942", "--op", "v_smfmac_f32_16x16x32_f16")


@pytest.mark.parametrize("part", [None, 0, 3])
def test_kept_elements_with_the_words_of_their_index(
    folder: Path, gemm: Gemm, part: int | None
) -> None:
    """K = 128 is four tiles: each has words of its own, or they share (None)."""
    places = read(folder, "places")
    words = index_words(places, (2, 1 if part is None else 4), part or 0)
    # Rows 20 to 31 are no rows of A: what the last tile says of them must not matter.
    words[1, ..., 4:16] = 0xFFFFFFFF
    np.save(folder / "words.npy", words)
    more = () if part is None else ("--index-part", str(part))
    done = gemm("kept.npy", "b.npy", *SMFMAC, "--index-words", "words.npy", *more)
    assert done.code == 0, done.err
    want = matmul(read(folder, "dense"), read(folder, "b"), target="gfx942", op=SMFMAC[-1])
    assert same_bits(folder, want)


def test_words_are_compared_on_targets_with_other_registers(folder: Path, gemm: Gemm) -> None:
    np.save(folder / "words.npy", index_words(read(folder, "places"), (2, 4), 0))
    done = gemm("kept.npy", "b.npy", *SMFMAC, "--index-words", "words.npy",
                "--compare", "gfx1201", "--json")  # fmt: skip
    assert done.code == 0, done.err
    (apart,) = json.loads(done.out)["differences"]
    dense, b = read(folder, "dense"), read(folder, "b")
    one = matmul(dense, b, target="gfx942", op=SMFMAC[-1])
    assert apart["differing"] == (one != matmul(dense, b, target="gfx1201", prune=True)).sum()


@pytest.mark.parametrize(
    ("target", "op", "wave"),
    [
        ("gfx942", "v_smfmac_f32_32x32x16_f16", "64"),
        ("gfx950", "v_smfmac_f32_16x16x64_f16", "64"),
        ("gfx1201", "v_swmmac_f32_16x16x32_f16", "32"),
        ("gfx1170", "v_swmmac_f32_16x16x32_f16", "64"),
        ("gfx1250", "v_swmmac_f32_16x16x64_f16", "32"),
    ],
)
def test_what_sparse_pack_writes_is_taken(
    folder: Path, capsys: pytest.CaptureFixture[str], target: str, op: str, wave: str
) -> None:
    names = [str(folder / f"packed_{n}.npy") for n in range(3)]
    which = ("--target", target, "--op", op, "--wave", wave)
    packed = ran(capsys, "sparse", "pack", str(folder / "dense.npy"), *which, "-o", *names)
    assert packed.code == 0, packed.err
    out = str(folder / "out.npy")
    done = ran(capsys, "gemm", f"{names[2]}:f16", str(folder / "b.npy"), "-o", out, *which,
               "--index-words", names[1])  # fmt: skip
    assert done.code == 0, done.err
    dense, b = read(folder, "dense"), read(folder, "b")
    rows = np.load(out)[:M]
    assert np.array_equal(rows, matmul(dense, b, target=target, op=op, wave=int(wave)))
