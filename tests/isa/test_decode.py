"""Decoding is total: every input gives an instruction or a named reason."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wavemma.errors import DecodeMistake, OutOfRange, UnknownTarget
from wavemma.isa import catalog
from wavemma.isa.decode import Undecoded, decode, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.disassemble import text_of
from wavemma.isa.encode import encode
from wavemma.isa.meaning import explain
from wavemma.tables.targets import targets

MODES = [(name, wave) for name, row in targets().items() for wave in row.waves]
REASONS = {"truncated", "unknown encoding", "unknown opcode", "reserved value"}
SIZES = (4, 8, 12, 16)


@st.composite
def instruction_like(draw: st.DrawFn) -> tuple[str, int, bytes]:
    """Bytes that hold a row's opcode and anything else."""
    target, wave = draw(st.sampled_from(MODES))
    each = draw(st.sampled_from(catalog.instructions(target)))
    bits = draw(st.integers(0, (1 << 8 * each.size_bytes) - 1))
    whole = bits & ~each.key_mask | each.key
    return target, wave, whole.to_bytes(each.size_bytes, "little") + draw(st.binary(max_size=8))


def check(data: bytes, target: str, wave: int) -> Decoded | Undecoded:
    found = read(data, target, wave)
    if isinstance(found, Undecoded):
        assert found.reason in REASONS
        assert found.message.endswith(".")
        assert 0 < found.size_bytes <= len(data)
        return found
    # What is decoded says the same again after encoding; only unused bits may differ.
    again = decode(encode(found), target, wave)
    assert again == found
    assert text_of(again) == text_of(found)
    rows = explain(found, data)
    covered = [bit for row in rows for bit in range(row.lo, row.hi + 1)]
    assert covered == list(range(8 * found.size_bytes))
    assert all(row.meaning for row in rows)
    return found


@given(st.sampled_from(MODES), st.sampled_from(SIZES), st.data())
def test_random_bytes(mode: tuple[str, int], size: int, data: st.DataObject) -> None:
    check(data.draw(st.binary(min_size=size, max_size=size)), *mode)


@given(instruction_like())
@example(("gfx950", 64, bytes.fromhex("0008acd3142b02100001add304190224")))
def test_random_operands_and_modifiers(drawn: tuple[str, int, bytes]) -> None:
    target, wave, data = drawn
    check(data, target, wave)


def test_every_row_decodes_to_itself() -> None:
    count = 0
    for target, wave in MODES:
        for each in catalog.instructions(target):
            found = check(encode_plain(each), target, wave)
            assert isinstance(found, Decoded)
            assert found.instruction is each
            count += 1
    assert count == 20 + 27 + 46 + 69 + 45 + 46 + 2 * (8 * 6 + 5 * 22)


def encode_plain(each: catalog.Instruction) -> bytes:
    """The row with v0, a0 in every operand and default modifiers."""
    bits = each.base
    for operand in each.operands:
        bits |= operand.field.put(256 & (1 << operand.field.width_bits) - 1)
    return bits.to_bytes(each.size_bytes, "little")


@pytest.mark.parametrize(
    ("target", "data", "reason", "text"),
    [
        ("gfx1100", "", "truncated", "A word has 4 bytes, there are 0."),
        ("gfx1100", "00c044", "truncated", "A word has 4 bytes, there are 3."),
        ("gfx1100", "00c044cc", "truncated", "VOP3P has 8 bytes, there are 4."),
        ("gfx942", "0a00cdd3020900", "truncated", "VOP3P-MAI has 8 bytes, there are 7."),
        ("gfx1100", "ffffffff00000000", "unknown encoding", "0xffffffff starts none"),
        ("gfx942", "00c044cc0819027c", "unknown encoding", "0xcc44c000 starts none"),
        ("gfx1100", "00407fcc0819027c", "unknown opcode", "VOP3P has no matrix instruction"),
        ("gfx1250", "00005bcc00050018", "unknown opcode", "is one of gfx1251 only"),
        ("gfx1100", "004040cc00000000", "reserved value", "SRC0 of v_wmma_f32_16x16x16_f16"),
        ("gfx1100", "004040cc8000021c", "reserved value", "source code 128 is an inline constant"),
    ],
)
def test_reasons(target: str, data: str, reason: str, text: str) -> None:
    with pytest.raises(DecodeMistake) as caught:
        decode(bytes.fromhex(data), target)
    assert caught.value.subject == reason
    assert text in str(caught.value)


def test_wrong_targets_and_waves() -> None:
    with pytest.raises(UnknownTarget):
        decode(bytes(8), "gfx900")
    with pytest.raises(OutOfRange, match="must have 64 lanes; 32 was given"):
        decode(bytes(8), "gfx942", 32)
    with pytest.raises(OutOfRange, match="must have 32 or 64 lanes; 16 was given"):
        decode(bytes(8), "gfx1100", 16)


def test_unused_fields_are_ignored() -> None:
    """LLVM 22 and LLVM 24 fill the third source of the scale half with different numbers."""
    texts = {
        text_of(decode(bytes.fromhex(data), "gfx1250"))
        for data in (
            "000035cced7a000a001033cc0001d613",
            "000035cced7a000c001033cc0001d613",
            "000035cced7a0008001033cc0001d613",
        )
    }
    assert len(texts) == 1
    assert texts.pop().startswith("v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[0:11], v[0:11]")


def test_a_scale_load_and_a_plain_instruction_are_no_pair() -> None:
    """On gfx950 one bit of the second half tells the pair from two instructions (LLVM 22)."""
    pair = bytes.fromhex("0008acd3142b02100009add304190224")
    two = bytes.fromhex("0008acd3142b02100001add304190224")
    assert decode(pair, "gfx950").instruction.name == "v_mfma_scale_f32_16x16x128_f8f6f4"
    assert decode(two, "gfx950").instruction.name == "v_mfma_ld_scale_b32"
    assert decode(two[8:], "gfx950").instruction.name == "v_mfma_f32_16x16x128_f8f6f4"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ("0500cdd302091a0c", "D must start at a multiple of 2; v[5:8] was given."),
        ("fe00cdd302091a0c", "D must end at v255 at most; v[254:257] was given."),
        ("0a05cdd302091a0c", "cbsz must be 0; it is 5."),
    ],
)
def test_what_is_not_legal_is_decoded_and_flagged(data: str, fault: str) -> None:
    found = decode(bytes.fromhex(data), "gfx942")
    assert found.faults == (fault,)
    assert not found.is_legal


def test_single_bits_never_raise() -> None:
    """Each bit of one instruction of every encoding flipped alone."""
    start = {"gfx1100": "00c044cc0819027c", "gfx950": "0008acd3142b02100009add304190224"}
    for target, text in start.items():
        data = int(text, 16).to_bytes(len(text) // 2, "big")
        for place, bit in itertools.product(range(len(data)), range(8)):
            changed = bytearray(data)
            changed[place] ^= 1 << bit
            check(bytes(changed), target, targets()[target].default_wave)
