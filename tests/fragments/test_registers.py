"""Arrays that stand for registers."""

import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.fragments import check_registers, empty_registers


def test_empty_registers() -> None:
    registers = empty_registers(8, 32, (2, 3))
    assert registers.shape == (2, 3, 8, 32)
    assert registers.dtype == np.uint32
    assert not registers.any()
    check_registers(registers, 8, 32)


def test_other_arrays_are_refused() -> None:
    with pytest.raises(ArrayMistake, match=r"uint32 \[\.\.\., 4, 32\].*given uint32 \[8, 32\]"):
        check_registers(empty_registers(8, 32), 4, 32)
    with pytest.raises(ArrayMistake, match="given int64"):
        check_registers(np.zeros((4, 32), dtype=np.int64), 4, 32)
