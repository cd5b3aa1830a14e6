"""Integers read with the wrong sign: what to set depends on whether there is anything to set."""

import numpy as np
import pytest

from wavemma.explain.difference import diagnose

RANDOM = np.random.default_rng(81)
SIGNED = RANDOM.integers(-128, 128, (32, 64)).astype(np.int8)
OTHER = RANDOM.integers(-128, 128, (64, 32)).astype(np.int8)


@pytest.mark.parametrize(
    ("target", "op", "kind", "what", "fix"),
    [
        ("gfx1201", "v_wmma_i32_16x16x16_iu8", np.int8, "the instruction reads A as uint8",
         "Set the instruction's sign bits (the builtin's flags) so that it reads A as int8."),
        ("gfx942", "v_mfma_i32_16x16x32_i8", np.int8,
         "the products count A as uint8, though the instruction reads A as int8",
         "Look for where numbers are widened or converted before: with zeros for their sign."),
        ("gfx942", "v_mfma_i32_16x16x32_i8", np.uint8, "the instruction reads A as int8",
         "The instruction has no choice of signs: give it numbers that A as int8 can hold."),
    ],
)  # fmt: skip
def test_the_fix_is_one_that_there_is(
    target: str, op: str, kind: type, what: str, fix: str
) -> None:
    a = SIGNED.view(kind)
    other = a.view(np.uint8 if kind is np.int8 else np.int8)
    want, got = (each.astype(int) @ OTHER.astype(int) for each in (a, other))
    (fault,) = diagnose(target, op, got, want, a=a, b=OTHER).explanations[0].faults
    assert (fault.what, fault.fix) == (what, fix)
