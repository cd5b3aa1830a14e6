"""What a product takes beside its inputs and outputs does not grow with them."""

import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.gemm.matmul import matmul

SPARSE = {"target": "gfx942", "op": "v_smfmac_f32_16x16x32_f16"}
SCALED = {"target": "gfx950", "op": "v_mfma_scale_f32_16x16x128_f8f6f4"}
DENSE = {"target": "gfx1100", "op": "v_wmma_f32_16x16x16_f16"}
FORMS = [
    ("sparse", SPARSE, np.float16),
    ("pruned", SPARSE | {"prune": True}, np.float16),
    ("scaled", SCALED, ml_dtypes.float8_e4m3fn),
    ("dense", DENSE, np.float16),
]
SHAPES = [("wide", 2400, 32), ("deep", 16, 150_000)]
SPARE_BYTES = 40e6


@pytest.mark.parametrize(("m", "k"), [shape[1:] for shape in SHAPES], ids=[s[0] for s in SHAPES])
@pytest.mark.parametrize(("options", "kind"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
def test_beside_inputs_and_outputs(options: dict[str, Any], kind: type, m: int, k: int) -> None:
    a, b = np.zeros((m, k), kind), np.ones((k, m), kind)
    a[:, ::4] = 1
    # Compiled and laid out once, so that only the product is measured.
    matmul(a[:1, :4], b[:4, :1], **options)
    tracemalloc.start()
    try:
        d = matmul(a, b, threads=2, **options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (d == k // 4).all()
    assert peak - d.nbytes < SPARE_BYTES, f"{(peak - d.nbytes) / 1e6:.0f} MB"


@pytest.mark.parametrize(("m", "n", "k"), [(600, 1100, 12), (3, 5, 150_001)])
@pytest.mark.parametrize(("options", "kind"), [f[1:] for f in FORMS], ids=[f[0] for f in FORMS])
def test_parts_come_together(options: dict[str, Any], kind: type, m: int, n: int, k: int) -> None:
    # Whole numbers whose sums f32 holds: every order of them gives the same.
    generator = np.random.default_rng(m)
    a, b = generator.integers(-2, 3, (m, k)), generator.integers(-1, 2, (k, n))
    a[:, 1::4] = a[:, 2::4] = 0
    want = (a @ b).astype(np.float32)
    if options is DENSE:
        # One's complements cost units: only sums of one sign are exact.
        a, want = np.abs(a), (np.abs(a) @ np.abs(b)).astype(np.float32)
        b = np.abs(b)
    assert np.array_equal(matmul(a.astype(kind), b.astype(kind), **options), want)
