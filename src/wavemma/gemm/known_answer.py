"""A product whose result silicon gave, computed on both engines: does this machine agree."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from wavemma.errors import DataMistake
from wavemma.formats import number_format
from wavemma.gemm.run import product
from wavemma.numerics.dot import dot
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting
from wavemma.tables.known_answers import KnownAnswerRow, known_answers

_OFFSET = 14695981039346656037
_PRIME = 1099511628211
_NUMPY = {"f16": np.float16, "f32": np.float32}


def check_known_answers(cache_folder: Path | None = None) -> None:
    """Compute every known answer on the array engine and on the LLVM engine.

    Args:
        cache_folder: Where compiled kernels are kept; the default place if None.

    Raises:
        DataMistake: An engine gives another digest.

    """
    for row in known_answers():
        a, b, c = matrices(row)
        form = {name: number_format(name) for name in (row.a, row.b, row.d)}
        setting = Setting(form[row.a], form[row.b], form[row.d], form[row.d], depth=row.size)
        chosen = model(row.model)
        results = {
            "NumPy": dot(chosen, setting, a, b, c),
            "LLVM": product(
                a, b, c, model=chosen, setting=setting, k_step=row.size, cache_folder=cache_folder
            ),
        }
        for engine, result in results.items():
            if digest(result) != row.digest:
                raise DataMistake(
                    f"The {engine} engine must give digest {row.digest:016x} for {row.model}, it"
                    f" gives {digest(result):016x}.",
                    subject=engine,
                )


def matrices(row: KnownAnswerRow) -> tuple[npt.NDArray[np.generic], ...]:
    """Make A, B and C as bits: small whole numbers, formulas of numerics.md, row 132."""
    i, j = np.indices((row.size, row.size))
    a = (7 * (j - i) % 17 - 8).astype(_NUMPY[row.a])
    b = (6 * (i - j) % 17 - 8).astype(_NUMPY[row.b])
    c = ((79 * i + 13 * j) % 129 - 64).astype(_NUMPY[row.d])
    return a.view(np.uint16), b.view(np.uint16), c.view(np.uint32)


def digest(words: npt.NDArray[np.generic]) -> int:
    """Digest the bytes of an array, FNV-1a with 64 bits."""
    found = _OFFSET
    for byte in words.tobytes():
        found = (found ^ byte) * _PRIME % (1 << 64)
    return found
