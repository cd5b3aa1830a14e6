"""torch's tensors as operands, through DLPack: the bits are those of the same numbers here."""

import importlib
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.gemm.block_scales import BlockScales
from wavemma.gemm.matmul import matmul

pytestmark = pytest.mark.oracle


@pytest.fixture
def torch() -> Any:
    """An oracle: where it is missing the test fails, and ./check all installs it."""
    return importlib.import_module("torch")


# torch's name, the same type here, and targets that take it.
TYPES = [
    ("float16", np.float16, ["gfx1100", "gfx942"]),
    ("bfloat16", ml_dtypes.bfloat16, ["gfx1100", "gfx1201", "gfx908", "gfx950"]),
    ("float32", np.float32, ["gfx90a"]),
    ("float64", np.float64, ["gfx942"]),
    ("int8", np.int8, ["gfx942", "gfx1201"]),
    ("uint8", np.uint8, ["gfx1100"]),
    ("float8_e4m3fn", ml_dtypes.float8_e4m3fn, ["gfx1201", "gfx950"]),
    ("float8_e5m2", ml_dtypes.float8_e5m2, ["gfx1201", "gfx950"]),
    ("float8_e4m3fnuz", ml_dtypes.float8_e4m3fnuz, ["gfx942"]),
    ("float8_e5m2fnuz", ml_dtypes.float8_e5m2fnuz, ["gfx942"]),
]


@pytest.mark.parametrize(("name", "kind", "targets"), TYPES, ids=[name for name, *_ in TYPES])
def test_tensors_are_taken(torch: Any, name: str, kind: type, targets: list[str]) -> None:
    torch.manual_seed(1)
    numbers = torch.randint(-3, 4, (2, 20, 40)).to(torch.float64)
    numbers = numbers.abs() if name == "uint8" else numbers
    numbers = numbers if "int" in name else numbers * 0.75
    left = numbers.to(getattr(torch, name))
    right = left.transpose(-1, -2)
    # What torch says that its tensor holds, and not our reading of its bits.
    here = left.to(torch.float64).numpy().astype(kind)
    for target in targets:
        want = matmul(here, np.swapaxes(here, -1, -2), target=target)
        got = matmul(left, right, target=target)
        assert got.dtype == want.dtype
        assert np.array_equal(got.view(np.uint8), want.view(np.uint8))
        parts = matmul(left[:, ::2], right[..., 1::3], target=target)
        assert np.array_equal(parts, want[:, ::2, 1::3])


def test_scales_are_taken(torch: Any) -> None:
    ones = torch.ones((16, 128)).to(torch.float8_e4m3fn)
    half = torch.full((16, 4), 0.5).to(torch.float8_e8m0fnu)
    got = matmul(ones, ones.T, target="gfx950", scales=BlockScales(a=half))
    assert (got == 64).all()


def test_what_cannot_be_taken_is_told(torch: Any) -> None:
    packed = torch.zeros((4, 4), dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    with pytest.raises(ArrayMistake, match=r"(?s)type code 17 .* one code a byte"):
        matmul(packed, packed, target="gfx950")
    learning = torch.ones((4, 4), requires_grad=True)
    with pytest.raises(ArrayMistake, match=r"could not be taken through DLPack: .*grad"):
        matmul(learning, learning, target="gfx942")
