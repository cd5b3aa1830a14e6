"""Conversions and output modifiers against what hardware gave."""

import numpy as np
import pytest

from tests.machine.one_group import Ended, on_arrays, run
from tests.machine.semantics.captures import BYTES, ROUNDED, SCALED
from tests.machine.semantics.test_lanes import RUNS

TARGET = "gfx1201"


def ended(engine: object, lines: list[str], *registers: list[int]) -> Ended:
    """Run lines on lanes that hold numbers from v10 on."""
    assert engine in (run, on_arrays)
    vectors = np.zeros((16, 32), dtype=np.uint32)
    for place, words in enumerate(registers):
        vectors[10 + place, : len(words)] = words
    return engine(lines, target_name=TARGET, vectors=vectors)  # type: ignore[operator,no-any-return]


@pytest.mark.parametrize("engine", RUNS)
def test_normalised(engine: object) -> None:
    lines = [
        "v_cvt_pk_norm_i16_f32 v20, v10, -v10",
        "v_cvt_pk_norm_u16_f32 v21, v10, -v10 clamp",
        "v_cvt_pk_norm_i16_f16 v22, v11, -v11",
        "v_cvt_pk_norm_u16_f16 v23, v11, -v11 clamp",
        "v_cvt_norm_i16_f16 v24, v11",
        "v_cvt_norm_u16_f16 v25, v11",
    ]
    got = ended(engine, lines, list(ROUNDED), [row[2] for row in ROUNDED.values()]).vectors[0]
    for lane, (number, row) in enumerate(ROUNDED.items()):
        signed, unsigned, _, half_signed, half_unsigned = row
        low = [half_signed & 0xFFFF, half_unsigned & 0xFFFF]
        want = [signed, unsigned, half_signed, half_unsigned, *low]
        assert got[20:26, lane].tolist() == want, hex(number)


@pytest.mark.parametrize("engine", RUNS)
def test_bytes(engine: object) -> None:
    places = [place for place, _ in BYTES.values()]
    lines = ["v_cvt_pk_u8_f32 v20, v10, v11, v12"]
    got = ended(engine, lines, list(BYTES), places, [0x12345678] * len(BYTES)).vectors[0]
    assert got[20, : len(BYTES)].tolist() == [word for _, word in BYTES.values()]


@pytest.mark.parametrize("engine", RUNS)
def test_output_scale(engine: object) -> None:
    lines = [
        f"v_fma_f32 v{20 + n}, v10, 1.0, v11 {how}"
        for n, how in enumerate(("mul:2", "mul:4", "div:2"))
    ]
    got = ended(engine, lines, list(SCALED), [0x80000000] * len(SCALED)).vectors[0]
    for lane, (number, want) in enumerate(SCALED.items()):
        assert tuple(got[20:23, lane].tolist()) == want, hex(number)


@pytest.mark.parametrize("engine", RUNS)
def test_no_output_scale_where_documents_deny_it(engine: object) -> None:
    vectors = np.zeros((16, 32), dtype=np.uint32)
    vectors[10] = 0x3F800001
    got = engine(["v_mul_f32 v20, v10, 1.0 mul:4"], vectors=vectors)  # type: ignore[operator]
    assert set(got.vectors[0][20].tolist()) == {0x3F800001}
