"""A type of an argument that means several formats is the target's."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from wavemma.cli.kernel_arguments import kernel_argument
from wavemma.errors import UnknownFormat

TYPES = [
    ("gfx942", ml_dtypes.float8_e4m3fnuz),
    ("gfx950", ml_dtypes.float8_e4m3fn),
    ("MI300X", ml_dtypes.float8_e4m3fnuz),
]


@pytest.mark.parametrize(("target", "kind"), TYPES)
def test_the_target_chooses(target: str, kind: type, tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros(4, np.uint8))
    for word in ("out=c.npy:fp8:4x4", f"{tmp_path}/a.npy:fp8", f"inout={tmp_path}/a.npy:fp8"):
        assert kernel_argument(word, target).array.dtype == np.dtype(kind)


def test_without_a_target_one_must_be_named() -> None:
    with pytest.raises(UnknownFormat, match="name one"):
        kernel_argument("out=c.npy:fp8:4x4")
