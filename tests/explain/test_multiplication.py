"""What is said of a product: who says that another arithmetic may hold."""

import ml_dtypes
import numpy as np
import pytest

from wavemma.explain.multiplication import multiplication
from wavemma.gemm.matmul import multiply
from wavemma.tables.targets import Wave

# numerics.md 3.8, 3.9, 5.5 to 5.7 and 7: the emulator adds in f32 where no silicon was compared;
# the other forms are our own guesses.
EMULATOR, GUESS = "rocjitsu, AMD's emulator", "our own reasoning"
SAID: list[tuple[str, str, type, Wave | None, dict[str, str]]] = [
    ("gfx942", "v_smfmac_f32_16x16x32_f16", np.float16, None, {"fma_chain": EMULATOR}),
    ("gfx950", "v_mfma_f32_16x16x16_f16", np.float16, None, {"fma_chain": EMULATOR}),
    (
        "gfx950",
        "v_mfma_f32_16x16x32_f16",
        np.float16,
        None,
        {"truncated_16": GUESS, "fma_chain": EMULATOR},
    ),
    (
        "gfx1201",
        "v_wmma_f32_16x16x16_fp8_fp8",
        ml_dtypes.float8_e4m3fn,
        None,
        {"fma_chain": EMULATOR},
    ),
    ("gfx1201", "v_swmmac_f32_16x16x32_f16", np.float16, None, {"fma_chain": EMULATOR}),
    ("gfx1250", "v_wmma_f32_16x16x32_f16", np.float16, None, {"paired_4": GUESS}),
    ("gfx1200", "v_wmma_i32_16x16x16_iu8", np.int8, None, {"integer": EMULATOR}),
    ("gfx1201", "v_wmma_i32_16x16x16_iu8", np.int8, 64, {"integer_halves": GUESS}),
    ("gfx942", "v_mfma_f32_16x16x16_f16", np.float16, None, {}),
]


@pytest.mark.parametrize(
    ("target", "op", "kind", "wave", "said"), SAID, ids=[f"{t}-{op}-{w}" for t, op, _, w, _ in SAID]
)
def test_who_says_otherwise(
    target: str, op: str, kind: type, wave: Wave | None, said: dict[str, str]
) -> None:
    made = multiply(np.ones((1, 2), kind), np.ones((2, 1), kind), target=target, op=op, wave=wave)
    found = {
        each.other: each.source
        for each in multiplication(made, None, device=None, check=False).conflicts
    }
    assert list(found) == list(said)
    for other, source in said.items():
        assert found[other].startswith(source), (other, found[other])
