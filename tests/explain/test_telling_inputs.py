"""Inputs for every dense instruction show nearly every fault."""

import numpy as np
import pytest

from wavemma.explain.difference import diagnose
from wavemma.explain.telling_inputs import telling_inputs
from wavemma.isa import catalog

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1251")


@pytest.mark.slow
def test_every_instruction_has_inputs_that_tell() -> None:
    tried = 0
    for target in TARGETS:
        for instruction in catalog.instructions(target):
            if not instruction.is_matrix:
                continue
            made = telling_inputs(target, instruction.name)
            want = made.pop("want")
            found = diagnose(target, instruction.name, want.copy(), want, **made)
            assert (found.verdict, found.repetitive) == ("equal", False), instruction
            assert found.unseen <= 4, (instruction, found.unseen)
            tried += 1
    assert tried > 180


def test_they_are_the_same_at_each_call() -> None:
    one, two = (telling_inputs("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4") for _ in range(2))
    assert sorted(one) == ["a", "b", "c", "scale_a", "scale_b", "want"]
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert [one[name].shape for name in ("a", "b", "c", "scale_a")] == [
        (32, 256),
        (256, 32),
        (32, 32),
        (32, 8),
    ]


def test_a_sparse_a_keeps_two_of_four() -> None:
    a = telling_inputs("gfx942", "v_smfmac_f32_16x16x32_f16")["a"]
    assert (np.count_nonzero(a.reshape(-1, 4), axis=1) == 2).all()
