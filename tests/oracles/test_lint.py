"""GEMM loops of Triton's LLVM 24: a newer compiler than ziglang's leaves nothing out either."""

import importlib
from typing import Any

import pytest

import wavemma
from wavemma.explain.lint import Lint

pytestmark = pytest.mark.oracle
TILES = {"BM": 128, "BN": 128, "BK": 64}
TYPES = ("*fp16", "*bf16", "*i8", "*fp8e5")
CASES = [
    ("gfx908", 64),
    ("gfx90a", 64),
    ("gfx942", 64),
    ("gfx950", 64),
    ("gfx1100", 32),
    ("gfx1201", 32),
    ("gfx1250", 32),
]


@pytest.fixture
def kernels(monkeypatch, tmp_path) -> Any:
    """An oracle: where Triton is missing the test fails, and ./check all installs it."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    return importlib.import_module("tests.oracles.triton_kernels")


def linted(kernels: Any, target: str, kind: str) -> Lint:
    import triton.language as tl

    whole = kind == "*i8"
    types = [kind, kind, "*i32" if whole else "*fp32", "i32", "i32", "i32"]
    chosen = TILES | {"SUM": tl.int32 if whole else tl.float32, "MASKED": False}
    made = kernels.compiled(kernels.multiply, target, types, chosen)
    return wavemma.lint(made.asm["hsaco"])


def check(kernels: Any, target: str, lanes: int, kind: str) -> None:
    found = linted(kernels, target, kind)
    assert found.is_clean, found.findings[0]
    (kernel,) = found.linted
    assert kernel.matrix_instructions >= 8
    assert kernel.wave == lanes
    # Of CDNA5 loads into LDS and some pairs are in no table.
    assert kernel.unknown * 20 < kernel.instructions
    assert kernel.unknown == 0 or target == "gfx1250"


@pytest.mark.parametrize(("target", "lanes"), [("gfx950", 64), ("gfx1250", 32)])
def test_a_loop_is_clean(kernels: Any, target: str, lanes: int) -> None:
    check(kernels, target, lanes, "*fp16")


@pytest.mark.nightly
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(("target", "lanes"), CASES)
def test_every_loop_is_clean(kernels: Any, target: str, lanes: int, kind: str) -> None:
    check(kernels, target, lanes, kind)
