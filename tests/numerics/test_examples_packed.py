"""Examples of 16-bit results: captured matrices, overflow mode, inline constants."""

import re

import pytest

from tests.numerics.examples import ROWS, covers, one, setting

pytestmark = pytest.mark.facts


# The captured packed forms list k as a wave32 lane group holds it.
PACKED_ORDER = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15]


def packed(kind, a, b, c, order=PACKED_ORDER, **options):
    """Both chips: the first takes k as listed, the second in the order of its registers."""
    given = setting(kind, d=kind, **options)
    first = "complement_2" if kind == "f16" else "complement_2_flush"
    a = [*a, *[0] * (16 - len(a))]
    b = [*b, *[0] * (16 - len(b))]
    left = one(first, given, a, b, c)
    right = one("paired_4", given, [a[k] for k in order], [b[k] for k in order], c)
    return [f"{left:04x}", f"{right:04x}"]


@covers("packed_elements")
def test_packed_elements(number: int) -> None:
    row = ROWS[number]
    kind = "bf16" if "bf16" in row.instruction else "f16"
    got = packed(kind, row.words("A"), row.words("B"), row.words("C")[0])
    assert got == row.results()


UNIFORM_SIGNS = {
    52: "",
    53: "a_low",
    54: "c_neg",
    55: "c_abs",
    56: "c_abs c_neg",
    57: "a_high",
    127: "",
}


@covers("packed_uniform")
def test_packed_uniform(number: int) -> None:
    edits = UNIFORM_SIGNS[number].split()
    low = 0x3C00 ^ (0x8000 if "a_low" in edits else 0)
    high = 0x4000 ^ (0x8000 if "a_high" in edits else 0)
    c = 0xC500 & (0x7FFF if "c_abs" in edits else 0xFFFF)
    c ^= 0x8000 if "c_neg" in edits else 0
    got = packed("f16", [low, high] * 8, [0x4200, 0x4400] * 8, c)
    assert got == [ROWS[number].results()[0]] * 2


@covers("overflow_mode")
def test_overflow_mode(number: int) -> None:
    text = ROWS[number].inputs
    kind = "bf16" if "bf16" in ROWS[number].instruction else "f16"
    a0 = int(re.search(r"A\[0\]=A\[1\]=(\w+)", text).group(1), 16)
    b0 = int(re.search(r"B\[0\]=B\[1\]=(\w+)", text).group(1), 16)
    later = re.search(r"next step: A=(\w+), B=(\w+)", text)
    keep = text.endswith("FP16_OVFL=1")
    results = []
    for chip, step in ((0, 2), (1, 4)):
        a, b = [0] * 16, [0] * 16
        a[0] = a[1] = a0
        b[0] = b[1] = b0
        if later:
            a[step], b[step] = (int(word, 16) for word in later.groups())
        order = range(16)
        results.append(packed(kind, a, b, 0, order, keep_finite=keep)[chip])
    assert results == ROWS[number].results()


@covers("inline_integers")
def test_inline_integer_constants(number: int) -> None:
    want = re.findall(r"`(\w{4}) / (\w{4})`", ROWS[number].result)
    constants = [1, 64, 0xFFFF]
    assert [tuple(packed("bf16", [0], [0], c)) for c in constants] == want


@covers("inline_floats")
def test_inline_float_constant(number: int) -> None:
    wanted = re.findall(r"`(\w{4})`", ROWS[number].result)
    for kind, want in zip(("f16", "bf16"), wanted, strict=True):
        assert packed(kind, [0], [0], int(want, 16)) == [want, want]
