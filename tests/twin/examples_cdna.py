"""Section 13, CDNA and format rows: what the twin gives beside what the table says."""

import re
from typing import Any

from tests.twin import dot
from tests.twin.examples_rdna import Check
from tests.twin.examples_table import Row, hex_list, operands
from tests.twin.values import FINITE, NAN, decode, encode_value, pack

FORMAT = {
    "E4M3 OCP": "fp8_ocp",
    "E4M3 FNUZ": "fp8_fnuz",
    "E5M2 OCP": "bf8_ocp",
    "E5M2 FNUZ": "bf8_fnuz",
    "E2M3": "fp6",
    "E3M2": "bf6",
    "E2M1": "fp4",
    "E8M0": "e8m0",
    "E5M3": "e5m3",
}
NAN_CLASS = "NaN"


def _rule(target: str, name: str) -> tuple[str, str, dict[str, Any]]:
    """Rule, format and options of a target and an A/B type as the table names them."""
    if name == "f32":
        return "fma_chain_f32", "f32", {}
    if target == "908":
        return "cdna1_exact", name, {}
    if target.startswith("90a"):
        return "cdna2_flush", name, {"step": 2} if (target, name) == ("90a", "bf16") else {}
    if name in ("fp8", "bf8"):
        return "cdna3_even_odd", name + "_fnuz", {}
    return "cdna3_truncated", name, {}


def mfma(row: Row) -> list[Check]:
    """Rows 69 to 98, 100 to 102 and 131: each target named gets its own result."""
    targets = re.findall(r"90a _1k|908|90a|942", row.instruction.split("MFMA")[0])
    name = re.search(r"MFMA f32 (\w+)", row.instruction)
    length = re.search(r"K=(\d+)|group (\d+)", row.instruction)
    assert name is not None
    a, b, c = operands(row, int(length[1] or length[2]) if length else 0)
    words = row.words * (len(targets) // len(row.words))
    checks: list[Check] = []
    for target, want in zip(targets, words, strict=True):
        rule, form, options = _rule(target, name[1])
        checks.append((rule, dot(rule, a, b, c, a_format=form, **options), want))
    return checks


def long_chain(row: Row) -> list[Check]:
    """Row 99: K=8192, 2**20 taken off the result afterwards."""
    big, quarter, eighth, minus_eighth = 0x6400, 0x3400, 0x3000, 0xB000
    a = [big] + [quarter if k % 2 else eighth for k in range(1, 8192)]
    b = [big] + [minus_eighth] * 8191
    d = decode("f32", dot("cdna1_exact", a, b, 0, a_format="f16"))
    two_to_20 = 20
    number = d.signed - (1 << (two_to_20 - d.power))
    got = encode_value("f32", d._replace(negative=number < 0, significand=abs(number)))
    assert got is not None
    return [("cdna1_exact", got, row.words[0])]


def mfma_i8(row: Row) -> list[Check]:
    """Row 103."""
    a, b = hex_list(row.inputs, "A"), hex_list(row.inputs, "B")
    c = hex_list(row.inputs, "C")[0]
    assert len(a) == 16
    return [("integer", dot("integer", a, b, c, a_format="i8", c_format="i32"), row.words[0])]


def decoded(row: Row) -> list[Check]:
    """Rows 110 to 118: values as f32 patterns."""
    name = FORMAT[row.instruction.removeprefix("decode ")]
    patterns = row.inputs.split(" / ")
    checks: list[Check] = []
    for text, want in zip(patterns, row.results, strict=True):
        value = decode(name, int(text, 16))
        bits = NAN_CLASS if value.kind == NAN else encode_value("f32", value)
        assert bits is not None
        checks.append(("decode", bits, want if want == NAN_CLASS else int(want, 16)))
    return checks


def packing(row: Row) -> list[Check]:
    """Row 119."""
    wanted = [int(word, 16) for word in row.result.strip("`").split()]
    return [("pack", g, w) for g, w in zip(pack(range(16), 6), wanted, strict=True)]


def gfx950_scaled(row: Row) -> list[Check]:
    """Row 120, by both rules of 3.10."""
    options: dict[str, Any] = {"scale_a": [0x80] * 4, "scale_b": [0x7E] * 4}
    ones = [0x38] * 128
    c = hex_list(row.inputs, "C")[0]
    return [
        (rule, dot(rule, ones, ones, c, a_format="fp8_ocp", **options), row.words[0])
        for rule in ("scaled_reference", "scaled_even_odd")
    ]


def gfx950_nan_scale(row: Row) -> list[Check]:
    """Row 121: a NaN scale in any one block, every format."""
    checks: list[Check] = []
    for name in ("fp8_ocp", "bf8_ocp", "fp6", "bf6", "fp4"):
        for block in range(4):
            scales = [0xFF if q == block else 0x7F for q in range(4)]
            for rule in ("scaled_reference", "scaled_even_odd"):
                got = dot(rule, [1] * 128, [1] * 128, 0, a_format=name, scale_a=scales)
                kind = decode("f32", got).kind
                checks.append((rule, kind, NAN if row.results == [NAN_CLASS] else FINITE))
    return checks


def gfx1250_scaled(row: Row) -> list[Check]:
    """Row 122, with blocks of 32 and of 16."""
    checks: list[Check] = []
    for block in (32, 16):
        got = dot(
            "cdna5_scaled",
            [2] * 128,
            [2] * 128,
            0,
            a_format="fp4",
            scale_a=[0x30] * (128 // block),
            scale_b=[0x40] * (128 // block),
            scale_a_format="e4m3",
            scale_b_format="e4m3",
            block=block,
        )
        checks.append(("cdna5_scaled", got, row.words[0]))
    return checks
