"""Codes in registers: the stream, its borders, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats import pack_codes, unpack_codes, words_for


def stream(codes, bits):
    """The stream as one big integer, cut into words."""
    whole = sum(code << (bits * number) for number, code in enumerate(codes))
    return [whole >> 32 * word & 0xFFFFFFFF for word in range(-(-len(codes) * bits // 32))]


def test_sixteen_codes_of_six_bits_fill_three_registers():
    """Example 119 of numerics.md."""
    words = pack_codes(range(16), 6)
    assert words.dtype == np.uint32
    assert words.tolist() == [0x440C2040, 0xA2481C61, 0x3CE34C2C]
    assert unpack_codes(words, 6).tolist() == list(range(16))


@given(st.integers(1, 32), st.data())
def test_packing_is_a_stream_of_bits(bits, data):
    codes = data.draw(st.lists(st.integers(0, (1 << bits) - 1), max_size=70))
    words = pack_codes(np.array(codes, dtype=np.uint32), bits)
    assert words.tolist() == stream(codes, bits)
    assert len(words) == words_for(len(codes), bits)
    assert unpack_codes(words, bits, len(codes)).tolist() == codes


@pytest.mark.parametrize("bits", [4, 6, 8, 16])
def test_rows_are_packed_for_themselves(bits):
    codes = np.random.default_rng(bits).integers(0, 1 << bits, (3, 2, 24))
    words = pack_codes(codes, bits)
    assert words.shape == (3, 2, -(-24 * bits // 32))
    for row in np.ndindex(3, 2):
        assert words[row].tolist() == stream(codes[row].tolist(), bits)
    assert (unpack_codes(words, bits, 24) == codes).all()


def test_all_that_fit_are_read():
    assert unpack_codes(np.array([0xFFFFFFFF], np.uint32), 6).tolist() == [63] * 5
    assert unpack_codes(np.zeros((2, 0), np.uint32), 6).shape == (2, 0)
    assert pack_codes(np.zeros((2, 0), np.uint8), 6).shape == (2, 0)


@pytest.mark.parametrize(
    ("codes", "bits", "mistake", "match"),
    [
        ([16], 4, ArrayMistake, "Codes of 4 bits must be 0 to 15; got 16 to 16"),
        ([-1], 4, ArrayMistake, "got -1"),
        ([1.0], 4, ArrayMistake, "Codes must be integers"),
        (3, 4, ArrayMistake, "Codes must be integers"),
        ([1], 0, OutOfRange, "1 to 32 bits, not 0"),
        ([1], 33, OutOfRange, "1 to 32 bits, not 33"),
    ],
)
def test_what_is_no_code_is_refused(codes, bits, mistake, match):
    with pytest.raises(mistake, match=match):
        pack_codes(codes, bits)


def test_too_few_words_are_refused():
    with pytest.raises(ArrayMistake, match="6 codes of 6 bits need 2 words; got 1"):
        unpack_codes([0], 6, 6)
    with pytest.raises(OutOfRange, match="must be 0 or more"):
        unpack_codes([0], 6, -1)
