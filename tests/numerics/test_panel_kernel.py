"""Elements prepared by compiled code are those that the array engine prepares."""

from pathlib import Path

import numpy as np
import pytest

from tests.engines.levels import HIGHEST, JITS, LEVELS
from wavemma.engines.array_engine import DTYPES
from wavemma.engines.jit import Jit
from wavemma.formats.decode import decode
from wavemma.formats.format import number_format
from wavemma.numerics.model import model
from wavemma.numerics.panel_kernel import ELEMENTS, PanelKernel
from wavemma.numerics.path import Setting
from wavemma.numerics.prepared import prepared
from wavemma.numerics.product import Preparation

CASES = [
    ("complement_2", "f16", "f32"),
    ("complement_2_flush", "bf16", "f32"),
    ("paired_4", "f16", "f16"),
    ("paired_4", "f16", "f32"),
    ("truncated_16", "bf8_fnuz", "f32"),
    ("fma_chain", "f32", "f32"),
    ("integer", "iu8", "i32"),
]


def codes_of(name: str) -> np.ndarray:
    """Every finite code, or many of a wide format."""
    form = number_format(name)
    if form.bits > 16:
        drawn = np.random.default_rng(1).integers(0, 1 << 32, 1 << 12, dtype=np.uint32)
        edges = np.array([0, 1 << 31, 1, 0x7F800000, 0x7F7FFFFF, 0x00800000], np.uint32)
        drawn[: edges.size] = edges
        return drawn
    codes = np.arange(form.codes, dtype=np.uint8 if form.bits == 8 else np.uint16)
    if form.is_float:
        codes[~np.isfinite(decode(form, codes))] = 0
    return codes


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", CASES, ids="-".join)
@pytest.mark.parametrize("left", [True, False])
def test_every_code(case: tuple[str, str, str], level: str, *, left: bool) -> None:
    name, factor, result = case
    form, third = number_format(factor), number_format(result)
    codes = codes_of(factor)
    for path in model(name).paths(Setting(form, form, third, third, depth=16)):
        if not path.suits(JITS[level].machine):
            continue
        want = prepared(path, form, codes.astype(np.int64), left=left)
        kernel = PanelKernel(path, form, True, left, codes.itemsize * 8)
        made = [np.empty(codes.shape, DTYPES[lane]) for lane in kernel.lanes]
        places = [part.ctypes.data for part in made]
        kernel.compiled(JITS[level])(codes.ctypes.data, codes.size // ELEMENTS, *places)
        for part, expected in zip(made, want, strict=True):
            exact = np.broadcast_to(expected, codes.shape).astype(part.dtype)
            assert np.array_equal(part, exact, equal_nan=part.dtype.kind == "f")
            assert np.array_equal(np.signbit(part), np.signbit(exact))


def test_a_large_matrix_is_prepared_by_compiled_code(tmp_path: Path) -> None:
    jit = Jit(JITS[HIGHEST].machine, tmp_path)
    form = number_format("f16")
    path = model("complement_2").whole_path(Setting(form, form, form, form, depth=16))
    codes = np.random.default_rng(2).integers(0, 0x7C00, (520, 512), dtype=np.uint16)
    for across in (0, 1):
        by_table = Preparation(path, form, True, 8, across)(codes)
        compiled = Preparation(path, form, True, 8, across, jit)(codes)
        for one, other in zip(by_table, compiled, strict=True):
            assert np.array_equal(one, other)
    assert len(list(tmp_path.rglob("*.o"))) == 2
