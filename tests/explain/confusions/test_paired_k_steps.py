"""Steps of A that meet other steps of B: what NumPy makes of them is named."""

import numpy as np
import numpy.typing as npt
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs

OP = "v_wmma_f32_16x16x16_f16"
STEPS = 4
MADE = telling_inputs("gfx1201", OP, steps=STEPS)


def output(meets: list[tuple[int, int]]) -> npt.NDArray[np.float32]:
    """Add the products of steps of A with steps of B, counted from 1."""
    a = np.split(MADE["a"].astype(float), STEPS, axis=1)
    b = np.split(MADE["b"].astype(float), STEPS, axis=0)
    total = sum(a[i - 1] @ b[j - 1] for i, j in meets) + MADE["c"].astype(float)
    return np.asarray(total, np.float32)


@pytest.mark.parametrize(
    ("meets", "what"),
    [
        (
            [(1, 2), (2, 1), (3, 4), (4, 3)],
            "A and B are at different steps along k: steps 1, 2, 3, 4 of A meet steps 2, 1, 4, 3"
            " of B",
        ),
        (
            [(1, 1), (2, 3), (3, 4), (4, 2)],
            "A and B are at different steps along k: steps 1, 2, 3, 4 of A meet steps 1, 3, 4, 2"
            " of B",
        ),
        (
            [(1, 1), (2, 1), (3, 2), (4, 3)],
            "A and B are at different steps along k: steps 1, 2, 3, 4 of A meet steps 1, 1, 2, 3"
            " of B",
        ),
        ([(1, 1), (1, 1), (3, 3), (4, 4)], "of 4 steps along k, step 1 is added 2 times, and 2 is"
                                           " missing"),
        ([(1, 1), (4, 4)], "of 4 steps along k, 2, 3 are missing"),
        ([(1, 1), (1, 2), (2, 2), (3, 3)],
         "steps of A and B are mixed up: step 1 of A meets 1, 2 of B; 2 of A meets 2; 3 of A meets"
         " 3; 4 of A meets none"),
    ],
)  # fmt: skip
def test_which_steps_meet_is_read_from_the_output(meets: list[tuple[int, int]], what: str) -> None:
    found = diagnose("gfx1201", OP, output(meets), **MADE)
    assert found.verdict == "explained", found.alternatives
    assert [fault.what for fault in found.explanations[0].faults] == [what]
    assert found.explanations[0].faults[0].kind == "k step"


def test_steps_that_do_not_match_and_a_wrong_store_are_found_together() -> None:
    """A buffer that is one step behind, and the store loop of RDNA3."""
    behind = output([(1, 1), (2, 1), (3, 2), (4, 3)]).reshape(2, 16, 32)
    rows = [row % 2 * 8 + row // 2 for row in range(16)]
    found = diagnose("gfx1201", OP, behind[:, rows].reshape(32, 32), **MADE)
    named = [found.explanations[0].faults, *(each.faults for each in found.alternatives)]
    assert {"k step", "store map"} <= {fault.kind for faults in named for fault in faults}
    assert any("meet steps 1, 1, 2, 3 of B" in fault.what for each in named for fault in each)


@pytest.mark.parametrize("half", ["first", "second"])
@pytest.mark.parametrize("steps", [1, 3])
def test_a_half_of_the_own_k_of_an_instruction_comes_first(half: str, steps: int) -> None:
    op = "v_wmma_f32_16x16x32_f16"
    made = telling_inputs("gfx1250", op, steps=steps)
    used = (np.arange(32 * steps) % 32 < 16) == (half == "first")
    got = made["a"][:, used].astype(float) @ made["b"][used].astype(float) + made["c"]
    found = diagnose("gfx1250", op, got.astype(np.float32), **made)
    assert found.explanations[0].faults[0].what == (
        f"only the {half} half of the instruction's own K = 32 is used"
        + (", in each step" if steps > 1 else "")
    )
    assert found.verdict == "explained", found.alternatives


@pytest.mark.parametrize(
    ("bit", "value", "where"),
    [
        (2, 0, "0..3, 8..11, ... (registers v0 of A)"),
        (2, 1, "4..7, 12..15, ... (registers v1 of A)"),
        (3, 0, "0..7, ... (lanes 0..15, 32..47 of A)"),
        (0, 0, "0, 2, 4, 6, 8, 10, 12, 14, ... (slots 0, 2, 4, 6 of A)"),
    ],
)
def test_half_of_a_load_is_named_by_its_place(bit: int, value: int, where: str) -> None:
    """MI300X's 16x16x32 fp8 has k = 8*(lane // 16) + slot, four slots to a register."""
    op = "v_mfma_f32_16x16x32_fp8_fp8"
    made = telling_inputs("gfx942", op)
    used = np.arange(64) >> bit & 1 == value
    a, b, c = (made[name].astype(float) for name in "abc")
    found = diagnose("gfx942", op, (a[:, used] @ b[used] + c).astype(np.float32), **made)
    fault = found.explanations[0].faults[0]
    text = f"only half of the instruction's own k is used: {where}, in each step"
    assert (found.verdict, fault.what) == ("explained", text)
