"""Section 13, RDNA rows: what the twin gives beside what the table says."""

import re
from typing import Any

from tests.twin import digests, dot, modifiers
from tests.twin.examples_table import Row, hex_list, operands, table
from tests.twin.values import encode, unpack

Check = tuple[str, int | str, int | str]
"""Rule, got, want."""

RULE = {"gfx11": "rdna3_step", "gfx12": "rdna4_step"}
WAVE32_ORDER = [*range(4), *range(8, 12), *range(4, 8), *range(12, 16)]
"""5.1: contiguous k labels in the order the wave32 steps take them."""
ONE_OVER_TWO_PI_F32 = 0x3E22F983


def _packed(row: Row, family: str, a: list[int], b: list[int], c: int, **options: Any) -> int:
    name = "bf16" if "bf16" in row.instruction else "f16"
    return dot(RULE[family], a, b, c, a_format=name, c_format=name, **options)


def reordered(x: list[int], order: list[int]) -> list[int]:
    return [x[k] for k in order]


def two_product_step(row: Row) -> list[Check]:
    """Rows 1 to 37."""
    family, name = row.instruction.split()[:2]
    a, b, c = operands(row)
    assert len(a) == 2
    return [(RULE[family], dot(RULE[family], a, b, c, a_format=name), row.words[0])]


def gfx12_waves(row: Row) -> list[Check]:
    """Rows 38 to 40: contiguous labels, so the wave sizes differ in order."""
    name = row.instruction.split()[3]
    a, b, c = operands(row)
    checks: list[Check] = []
    for wave, order in (("wave32", WAVE32_ORDER), ("wave64", list(range(16)))):
        want = re.search(rf"([0-9a-f]{{8}}) \({wave}\)", row.result)
        assert want is not None
        assert len(a) == 16
        got = dot("rdna4_step", reordered(a, order), reordered(b, order), c, a_format=name)
        checks.append(("rdna4_step", got, int(want[1], 16)))
    return checks


def small_integers(row: Row) -> list[Check]:
    """Rows 41 to 45, in f16 and in bf16."""
    lists = [
        [int(x) for x in found.split(",")] for found in re.findall(r"=\[([-0-9, ]+)\]", row.inputs)
    ]
    c = re.search(r"; c=(-?\d+)", row.inputs)
    assert c is not None
    assert [len(x) for x in lists] == [16, 16]
    checks: list[Check] = []
    for name in ("f16", "bf16"):
        a, b = ([encode(name, x, 0) for x in line] for line in lists)
        got = dot("rdna3_step", a, b, encode("f32", int(c[1]), 0), a_format=name)
        checks.append(("rdna3_step", got, row.words[0]))
    return checks


def packed_element(row: Row) -> list[Check]:
    """Rows 46 to 51 and 123 to 126: gfx1100 / gfx1201 wave32, contiguous labels."""
    a, b, c = operands(row)
    assert len(a) == 16
    a32, b32 = reordered(a, WAVE32_ORDER), reordered(b, WAVE32_ORDER)
    want11, want12 = row.words
    checks: list[Check] = [
        ("rdna3_step", _packed(row, "gfx11", a, b, c), want11),
        ("rdna4_step", _packed(row, "gfx12", a32, b32, c), want12),
    ]
    wave64 = re.search(r"gfx1201 wave64 gives ([0-9a-f]{4})", row.note)
    if wave64:
        checks.append(("rdna4_step", _packed(row, "gfx12", a, b, c), int(wave64[1], 16)))
    return checks


def _uniform(row: Row) -> tuple[list[int], list[int], int]:
    words = re.search(r"A word ([0-9a-f]{8}), B word ([0-9a-f]{8}), C=([0-9a-f]{4})", row.inputs)
    assert words is not None
    return (
        unpack([int(words[1], 16)] * 8, 16),
        unpack([int(words[2], 16)] * 8, 16),
        int(words[3], 16),
    )


def uniform_words(row: Row) -> list[Check]:
    """Rows 52 to 57 and 127: the modifier bits are read from the text."""
    text = row.inputs.split("modifiers ")[1]
    masks = {"neg_lo": 0, "neg_hi": 0}
    for field, bit in re.findall(r"(neg_lo|neg_hi)\[(\d)\]", text):
        masks[field] |= 1 << int(bit)
    a, b, c = modifiers.rdna(
        *_uniform(row),
        a_format="f16",
        b_format="f16",
        c_format="f16",
        neg_lo=masks["neg_lo"],
        neg_hi=masks["neg_hi"],
    )
    return [(RULE[f], _packed(row, f, a, b, c), row.words[0]) for f in RULE]


def op_sel_half(row: Row) -> list[Check]:
    """Row 58: which half of D is written."""
    result = _packed(row, "gfx11", *_uniform(table()[52]))
    return [
        ("rdna3_step", modifiers.merge_half(0x56781234, result, op_sel), want)
        for op_sel, want in enumerate(row.words)
    ]


def overflow(row: Row) -> list[Check]:
    """Rows 59 to 64: two large products, then perhaps one at the start of the next step."""
    values = [int(x, 16) for x in re.findall(r"=([0-9a-f]{4})\b", row.inputs)]
    ovfl = {"fp16_ovfl": "FP16_OVFL=1" in row.inputs}
    checks: list[Check] = []
    for (family, step), want in zip((("gfx11", 2), ("gfx12", 4)), row.words, strict=True):
        a, b = [values[0]] * 2 + [0] * 14, [values[1]] * 2 + [0] * 14
        if "next step" in row.inputs:
            a[step], b[step] = values[2:4]
        checks.append((RULE[family], _packed(row, family, a, b, 0, **ovfl), want))
    return checks


def dot4(row: Row) -> list[Check]:
    """Rows 65 to 68 and 130."""
    name = "fp8_ocp" if "FP8" in row.instruction else "bf8_ocp"
    a, b, c = operands(row)
    assert len(a) == 4
    return [("rdna4_fp8", dot("rdna4_fp8", a, b, c, a_format=name), row.words[0])]


def inline_integers(row: Row) -> list[Check]:
    """Row 128: the raw low 16 bits of 1, 64 and -1 as C."""
    wanted = [pair.split(" / ") for pair in re.findall(r"`([^`]+)`", row.result)]
    constants = [int(x) for x in row.inputs.split("constant ")[1].split(" / ")]
    return [
        (RULE[family], _packed(row, family, [0] * 16, [0] * 16, c & 0xFFFF), int(want, 16))
        for c, pair in zip(constants, wanted, strict=True)
        for family, want in zip(RULE, pair, strict=True)
    ]


def inline_float(row: Row) -> list[Check]:
    """Row 129: 1/(2*pi), rounded to f16 and cut to bf16, passes through."""
    wanted = [int(x, 16) for x in re.findall(r"`([^`]+)`", row.result)]
    pi = (ONE_OVER_TWO_PI_F32 & 0x7FFFFF) | 0x800000
    constants = [encode("f16", pi, 124 - 127 - 23), ONE_OVER_TWO_PI_F32 >> 16]
    zeros = [0] * 16
    return [
        (RULE[f], dot(RULE[f], zeros, zeros, c, a_format=name, c_format=name), want)
        for name, c, want in zip(("f16", "bf16"), constants, wanted, strict=True)
        for f in RULE
    ]


def gfx11_integer(row: Row) -> list[Check]:
    """Rows 104 and 105."""
    c = hex_list(row.inputs, "C")[0]
    a, b = hex_list(row.inputs, "A"), hex_list(row.inputs, "B")
    head, *settings = re.findall(
        r"(NEG|CLAMP)=(\d)", row.instruction.replace("CLAMP=1 / 0", "CLAMP=1 / CLAMP=0")
    )
    checks: list[Check] = []
    for (field, text), want in zip([head, *settings], row.words, strict=True):
        neg, clamp = (int(text), False) if field == "NEG" else (0, text == "1")
        signs: dict[str, Any] = {"signed_a": bool(neg & 1), "signed_b": bool(neg & 2)}
        got = dot("integer", a, b, c, a_format="iu8", c_format="i32", clamp=clamp, **signs)
        checks.append(("integer", got, want))
    return checks


def gfx12_clamp(row: Row) -> list[Check]:
    """Row 106: +8 in the lower half of k, -8 in the upper one."""
    a, b = [1] * 8 + [0xFF] * 8, [1] * 16
    c = hex_list(row.inputs, "C")[0]
    got = [
        dot("integer", a, b, c, a_format="iu8", c_format="i32", clamp=True, stages=n)
        for n in (2, 1)
    ]
    return [("integer", got[0], row.words[0]), ("integer", got[1], 0x7FFFFFFF)]


def digest(row: Row) -> list[Check]:
    """Rows 107 to 109 and 132."""
    wanted = re.findall(r"[0-9a-f]{16}", row.result)
    got = {
        107: lambda: [digests.dense(0, "iu8", 16, mode) for mode in (0, 7)],
        108: lambda: [digests.dense(0, "iu4", k, 0) for k in (16, 32)],
        109: lambda: [digests.sparse_iu8(0, 0)],
        132: lambda: [digests.small_integer_matrix(name) for name in ("f16", "bf16")],
    }[row.number]()
    wanted = wanted * (len(got) // len(wanted))
    return [("digest", g, w) for g, w in zip(got, wanted, strict=True)]
