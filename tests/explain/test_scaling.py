import math

import pytest

from tests.formats.rules import NAN, RULES, exact
from wavemma.errors import OutOfRange, UnknownFormat, UnknownTarget
from wavemma.explain.scaling import scale_values, scale_words

SCALES = ("e8m0", "e5m3", "e4m3")
CDNA5 = ("gfx1250", "gfx1251")


def test_case_28_byte_zero_is_no_one_and_no_zero():
    found = {each.format: each for each in scale_values([0x00, 0x7F]).formats}
    assert [code.value for code in found["e8m0"].codes] == [math.ldexp(1, -127), 1.0]
    assert found["e8m0"].neutral == "0x7f"
    assert scale_words([0x7F]).words == ("0x7f7f7f7f",)
    assert scale_words([0x7F]).bytes == ("0x7f",) * 4


def test_every_byte_in_every_scale_format():
    answer = scale_values(range(256))
    assert tuple(each.format for each in answer.formats) == SCALES
    for each in answer.formats:
        rule = RULES[each.format]
        for code, found in enumerate(each.codes):
            _, value = exact(rule, code)
            assert (found.kind == "NaN") if value == NAN else (found.value == value)
        assert exact(rule, int(each.neutral, 16)) == (False, 1)


def test_who_takes_which():
    assert {each.format: each.targets for each in scale_values([0]).formats} == {
        "e8m0": ("gfx950", *CDNA5),
        "e5m3": CDNA5,
        "e4m3": CDNA5,
    }
    assert [each.format for each in scale_values([0], targets=["gfx950"]).formats] == ["e8m0"]
    (one,) = scale_values([0], format="E5M3", targets=["GFX1251"]).formats
    assert (one.format, one.targets) == ("e5m3", ("gfx1251",))


def test_words_have_the_first_byte_lowest():
    answer = scale_words([0x7F, 0x80, 0x7E, 0x00])
    assert answer.words == ("0x007e807f",)
    assert answer.bytes == ("0x7f", "0x80", "0x7e", "0x00")
    assert scale_words([1, 2, 3, 4, 5, 6, 7, 8]).words == ("0x04030201", "0x08070605")


@pytest.mark.parametrize("count", [0, 2, 3, 5, 9])
def test_a_word_needs_one_or_four_or_eight_bytes(count):
    with pytest.raises(OutOfRange, match=f"1, 4 or 8 scale bytes; {count} were given"):
        scale_words([0] * count)


def test_mistakes():
    with pytest.raises(OutOfRange, match=r"must be 0x00\.\.0xff, 8 bits; it is 0x100"):
        scale_values([0x100])
    with pytest.raises(UnknownFormat, match=r"A scale format must be e8m0 or .*; 'f16' was given"):
        scale_values([0], format="f16")
    with pytest.raises(
        UnknownFormat, match="A scale format of gfx950 must be e8m0; 'e5m3' was given"
    ):
        scale_values([0], format="e5m3", targets=["gfx950"])
    with pytest.raises(UnknownFormat, match="gfx942 has no scaled instruction"):
        scale_values([0], targets=["gfx942"])
    with pytest.raises(UnknownTarget):
        scale_values([0], targets=["gfx9"])
