"""What `wavemma gemm` refuses of sparse and scaled forms, and that nothing is left behind."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.cli.product_files import Gemm, K, M, made_folder, made_gemm, read

__all__ = ["made_folder", "made_gemm"]

INDEX = ("--target", "gfx942", "--index")
WORDS = ("--target", "gfx942", "--op", "v_smfmac_f32_16x16x32_f16", "--index-words")
A8 = ("a8.npy:fp8", "b8.npy:fp8", "--target", "gfx950")
MISTAKES = [
    (("kept.npy", "b.npy", *INDEX, "missing.npy"), "missing.npy cannot be read"),
    (("kept.npy", "b.npy", *INDEX, "descending.npy"), "must ascend; those of group 5 (k 20..23)"),
    (("kept.npy", "b.npy", *INDEX, "equal.npy"), "must ascend; those of group 0 (k 0..3)"),
    (("kept.npy", "b.npy", *INDEX, "four.npy"), "positions must be 0..3; given 0 to 4"),
    (("kept.npy", "b.npy", *INDEX, "negative.npy"), "positions must be 0..3; given -1 to"),
    (("kept.npy", "b.npy", *INDEX, "floats.npy"), "positions must be integers"),
    (("kept.npy", "b.npy", *INDEX, "narrow.npy"), "of the shape of the packed A, [20, 64]"),
    (("kept.npy", "b.npy", *INDEX, "places.npy", "--prune"), "it goes without --prune"),
    (("kept.npy", "b.npy", *INDEX, "places.npy", "--index-words", "words.npy"), "give one of them"),
    (("kept.npy", "b.npy", *INDEX, "places.npy", "--index-part", "1"), "goes with --index-words"),
    (("kept.npy", "b.npy", *WORDS, "words.npy", "--prune"), "it goes without --prune"),
    (("kept.npy", "b.npy", "--target", "gfx942", "--index-words", "words.npy"), "must name"),
    (("kept.npy", "b.npy", *WORDS, "places.npy"),
     "must be uint32 [..., 2, 4, 1, 64] or [..., 2, 1, 1, 64]"),
    (("kept.npy", "b.npy", *WORDS, "signed.npy"), "given int32 [2, 4, 1, 64]"),
    (("kept.npy", "b.npy", *WORDS, "short_words.npy"), "given uint32 [2, 3, 1, 64]"),
    # Words of zeros name position 0 twice.
    (("kept.npy", "b.npy", *WORDS, "words.npy"), "must ascend; those of group 0 (k 0..3) of row 0"),
    (("kept.npy", "b.npy", *WORDS, "words.npy", "--index-part", "4"), "index set must be 0..3"),
    (("kept.npy", "b.npy", *WORDS, "shared.npy", "--index-part", "1"), "from part 0 on; part 1"),
    (("kept.npy", "b.npy", "--target", "gfx942", "--op", "v_mfma_f32_16x16x16_f16",
      "--index-words", "words.npy"), "is a dense instruction"),
    (("full.npy", "b.npy", *INDEX, "full_places.npy"), "A [M, K/2], B [K, N]"),
    (("kept.npy", "b.npy", "--target", "gfx1100", "--index", "places.npy"),
     "gfx1100 has no sparse instruction"),
    (("kept.npy", "b.npy", "--target", "gfx942", "--op", "v_mfma_f32_16x16x16_f16", "--index",
      "places.npy"), "is a dense instruction"),
    (("kept.npy", "b.npy", *INDEX, "places.npy", "--scale-a", "sa.npy"), "sparse A with scales"),
    (("batches.npy", "batch_b.npy", "--target", "gfx942", "--prune"), "batch axes must broadcast"),
    (("long.npy", "long_b.npy", "--target", "gfx942", "--prune"), "no sparse instruction"),
    ((*A8, "--scale-a", "sb.npy"), "The scales of A must be [..., 20, 4]"),
    ((*A8, "--scale-b", "sa.npy"), "The scales of B must be [..., 4, 18]"),
    ((*A8, "--scale-a", "real_a.npy"), "must be codes as integers"),
    ((*A8, "--scale-a", "wide.npy"), "must be codes 0..255; given 0 to 3"),
    ((*A8, "--scale-a", "nan.npy"), "must be numbers; that of row 0, block 0 is NaN"),
    ((*A8, "--scale-a", "empty.npy"), "The scales of A must be [..., 20, 4]"),
    (("two8.npy:fp8", *A8[1:], "--scale-a", "three.npy"), "batch axes must broadcast"),
    ((*A8, "--scale-a", "sa.npy", "--scale-format-a", "e5m3"), "must be e8m0"),
    ((*A8, "--scale-a", "sa.npy", "--scale-format-a", "e9m9"), "e9m9"),
    ((*A8, "--format-a", "fp4"), "--format-a and --format-b go together"),
    ((*A8, "--scale-rule", "fit"), "goes with --format-a and --format-b"),
    (("real_a.npy", "real_b.npy", "--target", "gfx950", "--format-a", "fp4", "--format-b", "fp4",
      "--scale-a", "sa.npy"), "they go without --scale-a"),
    (("real_a.npy", "real_b.npy", "--target", "gfx950", "--format-a", "fp4", "--format-b", "f5"),
     "'f5' is not a number format"),
    (("infinite.npy", "real_b.npy", "--target", "gfx950", "--format-a", "fp4", "--format-b",
      "fp4"), "must be finite"),
    (("nothing.npy", "real_b.npy", "--target", "gfx950", "--format-a", "fp4", "--format-b",
      "fp4"), "must be finite"),
    (("a8.npy:fp8", "b8.npy:fp8", "--target", "gfx942", "--scale-a", "sa.npy"),
     "gfx942 has no scaled instruction"),
    ((*A8, "--op", "v_mfma_f32_16x16x32_f16", "--scale-a", "sa.npy"), "is a dense instruction"),
    ((*A8, "--scale-a", "sa.npy", "--k-order", "contiguous"), "calculator's order of k only"),
    (("huge.npy", "huge_b.npy", "--target", "gfx942", "--prune"), "this machine has"),
    (("huge8.npy:fp8", "huge8_b.npy:fp8", "--target", "gfx950", "--scale-format-a", "e8m0"),
     "this machine has"),
]  # fmt: skip


@pytest.fixture
def spoilt(folder: Path) -> Path:
    """More files, each wrong in one way."""
    places, scales = read(folder, "places"), read(folder, "sa")
    descending, equal, four, nan = (array.copy() for array in (places, places, places, scales))
    descending[4, 10:12] = 3, 2
    equal[0, :2] = 1, 1
    four[2, 7] = 4
    nan[...] = 0xFF
    arrays: dict[str, Any] = {
        "descending": descending,
        "equal": equal,
        "four": four,
        "negative": places.astype(np.int8) - 1,
        "floats": places.astype(np.float32),
        "narrow": places[:, :-2],
        "full_places": np.tile(places, 2),
        "words": np.zeros((2, 4, 1, 64), np.uint32),
        "signed": np.zeros((2, 4, 1, 64), np.int32),
        "short_words": np.zeros((2, 3, 1, 64), np.uint32),
        "shared": np.zeros((2, 1, 1, 64), np.uint32),
        "batches": np.ones((2, 4, 8), np.float16),
        "batch_b": np.ones((3, 8, 4), np.float16),
        "long": np.ones((4, 8)),
        "long_b": np.ones((8, 4)),
        "wide": np.pad(scales[1:].astype(int), ((1, 0), (0, 0))) + np.eye(M, 4, dtype=int) * 256,
        "nan": nan,
        "empty": scales[:0],
        "two8": np.zeros((2, M, K), np.uint8),
        "three": np.stack([scales] * 3),
        "infinite": np.full((M, K), np.inf),
        "nothing": np.full((M, K), np.nan),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return folder


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_mistakes(spoilt: Path, gemm: Gemm, words: tuple[str, ...], sentence: str) -> None:
    for name, kind in (("huge", "<f2"), ("huge8", None)):
        sparse_file(spoilt / f"{name}.npy", (3_000_000, 1), kind)
        sparse_file(spoilt / f"{name}_b.npy", (1, 3_000_000), kind)
    before = sorted(spoilt.iterdir())
    done = gemm(*words)
    assert done.code == 2, done.out
    assert sentence in done.err
    assert "Traceback" not in done.err
    assert "a fault of ours" not in done.err
    assert sorted(spoilt.iterdir()) == before


def sparse_file(place: Path, shape: tuple[int, int], kind: str | None) -> None:
    np.save(place, np.zeros(shape, kind or ml_dtypes.float8_e4m3fn))
