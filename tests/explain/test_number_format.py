"""Everything that `show` says of a number format, against the format table of numerics.md."""

import json

import ml_dtypes
import numpy as np
import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownFormat
from wavemma.explain.number_format import explain_format
from wavemma.render.structure import as_json

# Section 2 of numerics.md: sign/exponent/fraction bits, bias, highest value, infinity, NaN code,
# minus zero.
FORMATS = {
    "f16": ((1, 5, 10), 15, 65504, True, True),
    "bf16": ((1, 8, 7), 127, float(ml_dtypes.finfo("bfloat16").max), True, True),
    "xf32": ((1, 8, 23), 127, None, True, True),
    "fp8_fnuz": ((1, 4, 3), 8, 240, False, False),
    "bf8_fnuz": ((1, 5, 2), 16, 57344, False, False),
    "fp8_ocp": ((1, 4, 3), 7, 448, False, True),
    "bf8_ocp": ((1, 5, 2), 15, 57344, True, True),
    "fp6": ((1, 2, 3), 1, 7.5, False, True),
    "bf6": ((1, 3, 2), 3, 28, False, True),
    "fp4": ((1, 2, 1), 1, 6, False, True),
    "e8m0": ((0, 8, 0), 127, 2.0**127, False, False),
    "e5m3": ((0, 5, 3), 15, 114688, False, False),
    "e4m3": ((1, 4, 3), 7, 448, False, True),
}
NAN = {"fp8_fnuz": "0x80", "bf8_fnuz": "0x80", "fp8_ocp": "0x7f", "e8m0": "0xff", "e5m3": "0xff"}
NAN |= {"fp6": None, "bf6": None, "fp4": None}


def _entry(name):
    document = json.loads(as_json(explain_format(name)))
    assert document["answer"] == "FormatFacts"
    # The word e4m3 means formats of factors too.
    (entry,) = (each for each in document["formats"] if each["name"] == name)
    return entry


@pytest.mark.parametrize("name", FORMATS)
def test_bits_and_values(name):
    widths, bias, highest, infinity, minus_zero = FORMATS[name]
    entry = _entry(name)
    assert entry["width_bits"] == sum(widths)
    parts = {each["name"]: each["hi"] - each["lo"] + 1 for each in entry["layout"]}
    named = zip(("sign", "exponent", "fraction"), widths, strict=True)
    assert parts == {part: width for part, width in named if width}
    assert entry["bias"] == bias
    if highest is not None:
        assert entry["ranges"][0][1] == highest
    assert (entry["infinity_code"] is not None) == infinity
    assert entry["has_negative_zero"] == minus_zero
    if name in NAN:
        assert entry["nan_code"] == NAN[name]


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("e5m3", "xf32")])
def test_smallest_values_are_those_of_the_dtype(name):
    entry = _entry(name)
    info = ml_dtypes.finfo(np.dtype(entry["dtype"]))
    assert entry["min_normal"] == float(info.smallest_normal)
    if entry["min_subnormal"] is not None:
        assert entry["min_subnormal"] == float(info.smallest_subnormal)
    assert entry["ranges"][0][1] == float(info.max)


@pytest.mark.facts
def test_widths_and_users_are_those_of_the_instructions():
    facts = facts_json("instructions")
    types = facts["types"]
    for word, width in types.items():
        for entry in explain_format(word).formats:
            assert entry.width_bits == width
    rows = [row for row in facts["instructions"] if "M" in row]
    for word in types:
        users = {}
        for entry in explain_format(word).formats:
            for use in entry.uses:
                users[use.target] = users.get(use.target, 0) + use.instructions
        want = {}
        for row in rows:
            every = {t for v in row["types"].values() for t in ([v] if isinstance(v, str) else v)}
            for target in row["targets"] if word in every else ():
                want[target] = want.get(target, 0) + 1
        assert users == want, word


@pytest.mark.parametrize(
    ("target", "name", "highest"), [("gfx942", "fp8_fnuz", 240), ("gfx950", "fp8_ocp", 448)]
)
def test_what_a_target_means_by_fp8(target, name, highest):
    """Cases 18 and 19."""
    (entry,) = explain_format("fp8", target).formats
    assert (entry.name, entry.ranges[0][1]) == (name, highest)


def test_without_a_target_both_are_shown():
    answer = explain_format("FP8")
    assert [each.name for each in answer.formats] == ["fp8_ocp", "fp8_fnuz"]
    assert any("means several formats" in note for note in answer.notes)


@pytest.mark.parametrize("target", ["gfx950", "gfx1250"])
def test_xf32_is_absent(target):
    """Case 20."""
    with pytest.raises(UnknownFormat, match="These targets have it: gfx942"):
        explain_format("xf32", target)


def test_integers_have_both_ranges_where_the_sign_is_chosen():
    assert explain_format("iu8").formats[0].ranges == ((-128, 127), (0, 255))
    assert explain_format("iu4").formats[0].ranges == ((-8, 7), (0, 15))
    assert explain_format("i8").formats[0].ranges == ((-128, 127),)


def test_unknown_format():
    with pytest.raises(UnknownFormat, match="Closest: fp8"):
        explain_format("fp9")
