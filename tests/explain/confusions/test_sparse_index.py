"""Faults of the index of a sparse A, put into its kept elements one by one."""

from typing import Any

import numpy as np
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

CASES = [
    ("gfx942", "v_smfmac_f32_16x16x32_f16"),
    ("gfx1201", "v_swmmac_f32_16x16x32_f16"),
    ("gfx942", "v_smfmac_i32_16x16x64_i8"),
]


def _moved(a: Any, depth: int, fault: str) -> Any:
    """Multiply the kept elements of each group with other rows of B."""
    found = np.zeros_like(a)
    for row in range(a.shape[0]):
        for group in range(0, a.shape[1], 4):
            places = [n for n in range(4) if a[row, group + n]]
            values = [a[row, group + n] for n in places]
            first = [n for n in range(4) if a[row, group % depth + n]]
            wrong: dict[str, list[int]] = {
                "exchanged": places[::-1],
                "0 and 1": [0, 1],
                "from the end": [3 - n for n in places],
                "of the first": first,
                "only the first": places[:1],
                "only the second": places[1:],
            }
            taken = values[1:] if fault == "only the second" else values
            for place, value in zip(wrong[fault], taken, strict=False):
                found[row, group + place] = value
    return found


@pytest.mark.parametrize(
    "fault",
    ["exchanged", "0 and 1", "of the first", "from the end", "only the first", "only the second"],
)
@pytest.mark.parametrize(("target", "op"), CASES)
def test_faults_of_the_index(target: str, op: str, fault: str) -> None:
    made = telling_inputs(target, op)
    a, b, c = (made[name].astype(float) for name in "abc")
    # Where a drawn number is zero, nobody could say which places its group keeps.
    groups = a.reshape(-1, 4)
    groups[(groups != 0).sum(axis=-1) != 2] = (5, 0, -7, 0)
    made["a"] = a.astype(made["a"].dtype)
    want = a @ b + c
    got = _moved(a, a.shape[1] // 2, fault) @ b + c
    found = diagnose(target, op, got, want, a=made["a"], b=made["b"], c=made["c"])
    (named,) = found.explanations[0].faults
    assert named.kind == "index"
    assert fault in named.what
