"""Files that sparse and scaled products are made of, and the command on them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.cli.command import Ran, ran

Gemm = Callable[..., Ran]
FP8 = ml_dtypes.float8_e4m3fn
M, N, K = 20, 18, 128


def sparse_a(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A dense 2:4 A, its kept elements and their places, made place by place."""
    kept = generator.uniform(1, 2, (M, K // 2)).astype(np.float16)
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    places = np.array(
        [[pairs[i] for i in row] for row in generator.integers(0, 6, (M, K // 4))], np.uint8
    ).reshape(M, K // 2)
    dense = np.zeros((M, K), np.float16)
    for row in range(M):
        for number in range(K // 2):
            dense[row, number // 2 * 4 + places[row, number]] = kept[row, number]
    return dense, kept, places


@pytest.fixture(name="folder")
def made_folder(tmp_path: Path) -> Path:
    generator = np.random.default_rng(21)
    dense, kept, places = sparse_a(generator)
    arrays: dict[str, Any] = {
        "dense": dense,
        "kept": kept,
        "places": places,
        "b": generator.standard_normal((K, N)).astype(np.float16),
        "full": generator.standard_normal((M, K)).astype(np.float16),
        "a8": generator.standard_normal((M, K)).astype(FP8).view(np.uint8),
        "b8": generator.standard_normal((K, N)).astype(FP8).view(np.uint8),
        "sa": generator.integers(100, 150, (M, K // 32)).astype(np.uint8),
        "sb": generator.integers(100, 150, (K // 32, N)).astype(np.uint8),
        "real_a": generator.standard_normal((M, K)),
        "real_b": generator.standard_normal((K, N)),
    }
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    return tmp_path


@pytest.fixture(name="gemm")
def made_gemm(folder: Path, capsys: pytest.CaptureFixture[str]) -> Gemm:
    def run(a: str, b: str, *words: str) -> Ran:
        named = [str(folder / word) if ".npy" in word else word for word in words]
        files = (str(folder / a), str(folder / b), "-o", str(folder / "out.npy"))
        return ran(capsys, "gemm", *files, *named)

    return run


def read(folder: Path, name: str, kind: Any = None) -> np.ndarray:
    array = np.load(folder / f"{name}.npy")
    return array if kind is None else array.view(kind)


def same_bits(folder: Path, want: np.ndarray) -> bool:
    got = np.load(folder / "out.npy")
    return got.dtype == want.dtype and np.array_equal(got.view(np.uint8), want.view(np.uint8))
