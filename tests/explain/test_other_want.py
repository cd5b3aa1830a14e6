"""A want that is not made of the given inputs, while got is: it is want that differs."""

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

TARGET, OP = "gfx942", "v_mfma_f32_16x16x16_f16"
RANDOM = np.random.default_rng(9)
A, B = (RANDOM.standard_normal(shape).astype(np.float16) for shape in ((32, 48), (48, 32)))
C = RANDOM.standard_normal((32, 32))
GOT = A.astype(float) @ B.astype(float) + C


@pytest.mark.parametrize("want", [0.5 * GOT, np.maximum(GOT, 0), GOT + 1, GOT.T, GOT - C])
def test_a_want_that_alone_differs_is_the_fault(want: np.ndarray) -> None:
    found = diagnose(TARGET, OP, GOT.astype(np.float32), want, a=A, b=B, c=C)
    (fault,) = found.explanations[0].faults
    assert (found.verdict, found.alternatives) == ("explained", ())
    assert fault.what.startswith("the given want is what differs: got is exactly a @ b + c of the")
    assert not any("want is not" in note for note in found.notes)


def test_a_c_that_was_not_given_is_asked_for() -> None:
    found = diagnose(TARGET, OP, GOT - C, GOT, a=A, b=B)
    (fault,) = found.explanations[0].faults
    assert "got is exactly a @ b of the given inputs" in fault.what
    assert "give it too, with --c" in fault.fix


def test_a_got_of_other_numbers_is_no_fault_of_want() -> None:
    got = GOT + RANDOM.standard_normal(GOT.shape)
    found = diagnose(TARGET, OP, got, 0.5 * GOT, a=A, b=B, c=C)
    assert not any(fault.kind == "want" for each in found.explanations for fault in each.faults)
    assert any("want is not a @ b + c" in note for note in found.notes)
