import math

import numpy as np
import pytest

from tests.formats.rules import INFINITE, NAN, RULES, exact
from wavemma.errors import OutOfRange, UnknownFormat, UnknownTarget
from wavemma.explain.bits import code_values
from wavemma.formats import number_formats
from wavemma.tables.targets import architectures, targets

FNUZ = ("gfx942",)
OCP = ("gfx950", "gfx1250", "gfx1251", "gfx1170", "gfx1171", "gfx1172", "gfx1200", "gfx1201")


def texts(answer):
    return {each.format: [code.text for code in each.codes] for each in answer.readings}


def test_case_18_the_same_bytes_on_two_targets():
    answer = code_values("fp8", [0x38, 0x40, 0x7E, 0x7F, 0x80], ["gfx942", "gfx950"])
    assert [(each.format, each.targets) for each in answer.readings] == [
        ("fp8_fnuz", ("gfx942",)),
        ("fp8_ocp", ("gfx950",)),
    ]
    assert texts(answer) == {
        "fp8_fnuz": ["0.5", "1", "224", "240", "NaN"],
        "fp8_ocp": ["1", "2", "448", "NaN", "-0"],
    }


@pytest.mark.parametrize("word", ["fp8", "bf8"])
def test_case_19_which_targets_are_fnuz(word):
    answer = code_values(word, [0])
    users = {each.format: each.targets for each in answer.readings}
    assert users == {f"{word}_ocp": OCP, f"{word}_fnuz": FNUZ}
    for name in targets():
        family = architectures()[targets()[name].architecture].fp8
        if family == "none":
            with pytest.raises(UnknownFormat, match="These targets have it"):
                code_values(word, [0], [name])
        else:
            assert [each.format for each in code_values(word, [0], [name]).readings] == [
                f"{word}_{family}"
            ]


def test_case_20_xf32_is_only_on_gfx942():
    assert code_values("xf32", [0]).readings[0].targets == ("gfx942",)
    for name in set(targets()) - {"gfx942"}:
        with pytest.raises(UnknownFormat, match=f"No matrix instruction of {name} takes xf32"):
            code_values("xf32", [0], [name])


@pytest.mark.parametrize("name", RULES)
def test_every_code_taken_apart(name):
    rule = RULES[name]
    step = 1 if rule.bits <= 8 else 257
    codes = range(0, 1 << rule.bits, step)
    # The word e4m3 means formats of factors too.
    (reading,) = (each for each in code_values(name, codes).readings if each.format == name)
    assert len(reading.codes) == len(codes)
    for code, found in zip(codes, reading.codes, strict=True):
        negative, value = exact(rule, code)
        assert found.code == f"0x{code:0{-(-rule.bits // 4)}x}"
        if rule.sign:
            fields = found.sign << (rule.bits - 1) | found.exponent << rule.fraction
        else:
            assert found.sign is None
            fields = found.exponent << rule.fraction
        assert fields | found.fraction == code
        if value in (NAN, INFINITE):
            assert found.value is None
            assert found.kind == {NAN: "NaN", INFINITE: "infinity"}[value]
            assert found.product == ""
            continue
        assert found.value == value
        assert float(found.text) == value
        assert found.text.startswith("-") == negative
        if value == 0:
            assert found.kind == "zero"
            continue
        significand, _, power = found.product.partition(" * 2^")
        assert float(significand) * 2.0 ** int(power) == value
        normal = abs(float(significand)) >= 1
        assert found.kind == ("normal" if normal else "subnormal")


def test_every_format_is_taken_apart():
    for form in number_formats():
        answer = code_values(form.name, [0, 1, form.codes - 1])
        assert answer.evidence
        assert all(len(each.codes) == 3 for each in answer.readings)
        own = [each for each in answer.readings if each.format == form.name]
        assert len(own) == (2 if form.sign == "chosen" else 1)


def test_integers_are_read_both_ways():
    answer = code_values("iu8", [0xFF, 0x80])
    assert [(each.signed, [code.text for code in each.codes]) for each in answer.readings] == [
        (True, ["-1", "-128"]),
        (False, ["255", "128"]),
    ]


@pytest.mark.parametrize(
    ("word", "texts"),
    [("uint8", ["255"]), ("u4", ["15"]), ("int4", ["-1"]), ("int8", ["-1", "-1"])],
)
def test_a_word_that_says_its_sign_is_read_so(word, texts):
    code = 0xF if "4" in word else 0xFF
    answer = code_values(word, [code])
    assert [each.codes[0].text for each in answer.readings] == texts


def test_wide_codes():
    (reading,) = code_values("f64", [0x7FF0000000000000, 0x3FF0000000000001]).readings
    assert [code.text for code in reading.codes] == ["inf", "1.0000000000000002"]
    (reading,) = code_values("xf32", [0x3F801FFF, 0x7F800001]).readings
    assert [code.text for code in reading.codes] == ["1", "inf"]
    assert reading.codes[0].fraction == 0x1FFF
    assert reading.codes[0].product == "1 * 2^0"


def test_the_odd_things_are_said():
    assert code_values("e8m0", [0]).notes == ("e8m0: code 0 is 2^-127, not zero.",)
    assert code_values("e8m0", [0]).readings[0].codes[0].value == math.ldexp(1, -127)


@pytest.mark.parametrize(
    ("name", "codes", "target", "mistake", "match"),
    [
        ("fp4", [0x10], [], OutOfRange, "A code of fp4 must be 0x0..0xf, 4 bits; it is 0x10"),
        ("f16", [-1], [], OutOfRange, "must be 0x0000..0xffff"),
        ("fp9", [0], [], UnknownFormat, "'fp9' is not a number format"),
        ("fp8", [0], ["gfx9"], UnknownTarget, "gfx9"),
        ("fp8_fnuz", [0], ["gfx950"], UnknownFormat, "No matrix instruction of gfx950"),
    ],
)
def test_mistakes(name, codes, target, mistake, match):
    with pytest.raises(mistake, match=match):
        code_values(name, codes, target)


def test_all_codes_of_a_format_at_once():
    (reading,) = code_values("f16", range(1 << 16), ["GFX1100"]).readings
    wanted = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
    found = [float(each.text) for each in reading.codes]
    assert np.array_equal(found, wanted, equal_nan=True)
    assert reading.targets == ("gfx1100",)
