"""What the fields of an instruction say: every bit once, and by name."""

import random

import pytest

from tests.isa.ordinary.drawn import forms, wild
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import explain_any, ordinary_table, read_any, read_ordinary
from wavemma.isa.ordinary.meaning import explain_ordinary


@pytest.mark.parametrize("wave", [32, 64])
def test_every_bit_is_told_once(wave) -> None:
    table, rng = ordinary_table("rdna3"), random.Random(wave)
    for row, extension in forms(table):
        if row.encoding == "VOPD_Y":
            continue
        data = wild(table, row, extension, rng)
        found = read_ordinary(data, "rdna3", wave)
        if isinstance(found, Undecoded):
            continue
        told = explain_ordinary(found, data)
        covered = [bit for each in told for bit in range(each.lo, each.hi + 1)]
        assert covered == list(range(8 * found.size_bytes))
        assert sum(each.value << each.lo for each in told) == int.from_bytes(
            data[: found.size_bytes], "little"
        )
        assert all(each.meaning for each in told)


def test_words() -> None:
    # v_add_f32_e64 v1, -v2, |s3| clamp
    bits = 0x35 << 26 | 0x103 << 16 | 1 << 15 | 2 << 8 | 1 | 258 << 32 | 3 << 41 | 1 << 61
    found = read_any(bits.to_bytes(8, "little"), "gfx1100")
    assert not isinstance(found, Undecoded)
    told = {each.name: each.meaning for each in explain_any(found)}
    assert told["VDST"] == "the result: v1"
    assert told["SRC0"] == "the first source: -v2"
    assert told["SRC1"] == "the second source: |s3|"
    assert told["SRC2"] == "not used by this instruction"
    assert told["CLAMP"] == "clamp"
    assert told["OMOD"] == "no omod"
    assert told["NEG"] == "the first source is negated; the second source is not negated"
    assert told["OP"] == "opcode of v_add_f32"
    assert told["ENCODING"] == "names the encoding, VOP3"
