"""Decoding is total: any bytes give an instruction or a named reason."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.isa.ordinary.drawn import forms, wild
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import (
    DecodedOrdinary,
    encode_any,
    encode_ordinary,
    ordinary_table,
    ordinary_text,
    read_any,
    read_ordinary,
    sweep_any,
    text_any,
)

TARGETS = ("gfx1100", "gfx1150", "gfx1201", "gfx1250", "gfx908", "gfx90a", "gfx942", "gfx950")
OF_64 = ("cdna1", "cdna2", "cdna3", "cdna4")
REASONS = {"truncated", "unknown encoding", "unknown opcode", "reserved value"}


def decoded(words: str, wave: int = 32) -> DecodedOrdinary:
    found = read_any(bytes.fromhex(words), "gfx1100", wave)
    assert isinstance(found, DecodedOrdinary), found
    return found


def test_operands_of_a_line() -> None:
    # v_fma_f32 v1, -v2, |s3|, 0x12345678 clamp mul:2 by the fields of VOP3.
    bits = 0x35 << 26 | 0x213 << 16 | 1 << 15 | 1 << 9 | 1
    bits |= (256 + 2) << 32 | 3 << 41 | 255 << 50 | 1 << 59 | 1 << 61
    found = read_ordinary(bits.to_bytes(8, "little") + b"\x78\x56\x34\x12", "rdna3", 32)
    assert isinstance(found, DecodedOrdinary)
    d, a, b, c = found.operands.values()
    assert (d.kind, d.first, d.count) == ("vgpr", 1, 1)
    assert (a.kind, a.first, a.is_negated, a.is_absolute) == ("vgpr", 2, True, False)
    assert (b.kind, b.first, b.is_negated, b.is_absolute) == ("sgpr", 3, False, True)
    assert (c.kind, c.value) == ("literal", 0x12345678)
    assert found.modifiers == {"clamp": 1, "omod": 1}
    assert found.size_bytes == 12
    assert ordinary_text(found) == "v_fma_f32 v1, -v2, |s3|, 0x12345678 clamp mul:2"


def test_dual_instructions() -> None:
    # v_dual_mul_f32 v12, v3, v4 :: v_dual_add_f32 v11, v7, v9
    bits = 0x32 << 26 | (256 + 3) | 4 << 9 | 3 << 22 | 4 << 17
    bits |= (256 + 7) << 32 | 9 << 41 | 5 << 49 | 12 << 56
    found = read_ordinary(bits.to_bytes(8, "little"), "rdna3", 32)
    assert isinstance(found, DecodedOrdinary)
    assert found.second is not None
    assert [each.first for each in found.operands.values()] == [12, 3, 4]
    assert [each.first for each in found.second.operands.values()] == [11, 7, 9]


def test_halves() -> None:
    # v_add_f16 v1.h, v2.l, v3.h: the highest bit of a number says which half.
    found = decoded(
        (0x32 << 25 | (1 | 0x80) << 17 | (3 | 0x80) << 9 | 258).to_bytes(4, "little").hex()
    )
    assert [(each.first, each.half) for each in found.operands.values()] == [(1, 1), (2, 0), (3, 1)]


def test_addresses() -> None:
    load = 0x37 << 26 | 2 << 16 | 0x14 << 18 | 6 << 32 | 24 << 56
    with_base = decoded((load | 10 << 48 | 0x1FFF).to_bytes(8, "little").hex())
    assert ordinary_text(with_base) == "global_load_b32 v24, v6, s[10:11] offset:-1"
    without = decoded((load | 124 << 48).to_bytes(8, "little").hex())
    assert ordinary_text(without) == "global_load_b32 v24, v[6:7], off"


def test_masks_of_lanes_follow_the_wave() -> None:
    words = (0x3E << 25 | 0x12 << 17 | 6 << 9 | 256).to_bytes(4, "little").hex()
    assert ordinary_text(decoded(words, 32)) == "v_cmp_eq_f32_e32 vcc_lo, v0, v6"
    assert ordinary_text(decoded(words, 64)) == "v_cmp_eq_f32_e32 vcc, v0, v6"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "truncated"),
        ("00", "truncated"),
        ("ff0084be", "truncated"),
        ("010003d7", "truncated"),
        ("000000f0f8", "unknown encoding"),
        ("00ff80be", "unknown opcode"),
        ("d10084be", "reserved value"),
        ("fa02027e0600050f", "reserved value"),
    ],
)
def test_reasons(words: str, reason: str) -> None:
    found = read_ordinary(bytes.fromhex(words), "rdna3", 32)
    assert isinstance(found, Undecoded)
    assert found.reason == reason
    assert found.message
    assert found.size_bytes <= len(words) // 2


@settings(deadline=None)
@given(st.binary(max_size=40), st.sampled_from([32, 64]), st.sampled_from(TARGETS))
def test_any_bytes(data: bytes, wave, target) -> None:
    wave = 64 if target in TARGETS[4:] else 32 if target == "gfx1250" else wave
    place = 0
    for offset, each in sweep_any(data, target, wave):
        assert offset == place
        assert each.size_bytes > 0
        place += each.size_bytes
        if isinstance(each, Undecoded):
            assert each.reason in REASONS
        else:
            assert text_any(each)
            assert len(encode_any(each)) == each.size_bytes
    assert place == len(data)


@pytest.mark.parametrize(
    ("architecture", "wave"),
    [
        *((name, 64) for name in OF_64),
        ("cdna5", 32),
        *itertools.product(("rdna3", "rdna3.5", "rdna4"), (32, 64)),
    ],
)
def test_encoding_is_the_inverse(wave, architecture) -> None:
    rng = random.Random(wave)
    table = ordinary_table(architecture)
    seen = 0
    for row, extension in forms(table):
        if row.encoding in ("VOPD_Y", "VOPD3_Y"):
            continue
        found = read_ordinary(wild(table, row, extension, rng), architecture, wave)
        if isinstance(found, Undecoded):
            continue
        seen += 1
        again = read_ordinary(encode_ordinary(found), architecture, wave)
        assert again == found or ordinary_text(again) == ordinary_text(found)
        assert encode_ordinary(again) == encode_ordinary(found)
    # Fewer of the random words are instructions of CDNA.
    assert seen > (1200 if architecture in OF_64 else 2000)


def test_matrix_instructions_are_found_too() -> None:
    found = read_any(bytes.fromhex("004040cc0821421c"), "gfx1100")
    assert not isinstance(found, Undecoded)
    assert text_any(found).startswith("v_wmma_f32_16x16x16_f16")
