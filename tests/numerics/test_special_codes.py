"""Every model takes every format that it accepts: NaN, infinities, bits that are ignored."""

import re

import numpy as np
import pytest

from tests.execute.rule_map import rule_of
from tests.facts import facts_json, facts_text
from tests.numerics.twins import CASES
from wavemma.errors import Unsupported
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.isa.catalog import instructions
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import Model, models
from wavemma.numerics.path import Setting

K = 16
F32 = number_format("f32")
FORMATS = [form for form in number_formats() if form.is_float and form.has_sign and form.bits < 64]


def codes_of_all_kinds(form: Format) -> np.ndarray:
    """Give all codes of a short format; of a long one NaNs, infinities and ordinary numbers."""
    if form.bits <= 8:
        return np.arange(form.codes, dtype=np.uint64)
    top = form.sign_bit - 1
    special = [top, top - (top >> (form.exponent + 1)), top >> 1, (top >> 1) + 1]
    random = np.random.default_rng(form.bits).integers(0, form.codes, 200).tolist()
    negative = [code ^ form.sign_bit for code in special]
    return np.array([*special, *negative, *random], np.uint64)


def times_one(row: Model, form: Format, codes: np.ndarray) -> np.ndarray:
    """Multiply each code, at a place of k of its own, by one and add nothing."""
    a = np.zeros((codes.size, K), np.uint64)
    a[np.arange(codes.size), np.arange(codes.size) % K] = codes
    b = np.full_like(a, int(encode(form, np.array(1.0))))
    start = np.zeros(codes.size, np.uint32)
    got = accumulate(row, Setting(form, form, F32, F32, depth=K), a, b, start)
    return np.asarray(got).astype(np.uint32).view(np.float32)


def takers(form: Format) -> set[str]:
    """The models whose rule speaks of a format: any float's, or for f32 those that f32 rows have.

    The others multiply factors of at most 16 bits, so that numerics.md does not say what they
    would do with 24-bit significands; integers take no float.
    """
    if form.name != "f32":
        return {case.model for case in CASES if case.rule != "integer"}
    rows = [each for each in instructions(type="f32") if "f32" in each.formats["a"]]
    rules = {rule_of(row, row.waves[0], {"a": "f32"})[0] for row in rows}
    return {case.model for case in CASES if case.rule in rules}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_code_times_one(form: Format) -> None:
    codes, taken = codes_of_all_kinds(form), set[str]()
    want = decode(form, codes)
    for row in models():
        try:
            got = times_one(row, form, codes)
        except Unsupported:
            continue
        taken.add(row.name)
        assert np.array_equal(np.isnan(got), np.isnan(want)), row.name
        # Some models flush subnormals of inputs or products.
        large = np.abs(want) >= max(2.0**-120, 2.0**form.min_exponent)
        assert np.array_equal(got[large], want[large].astype(np.float32)), row.name
        for bits in range(form.ignored):
            assert np.array_equal(
                times_one(row, form, codes ^ np.uint64(1 << bits))[large], got[large]
            ), row.name
    assert taken == takers(form)


@pytest.mark.facts
def test_the_rules_of_f32_are_those_of_the_facts() -> None:
    """Section 1: f32 on all CDNA is an FMA chain, and on gfx1250 a sequential FMA."""
    section = facts_text("numerics.md").split("## 1. Rule map")[1].split("## 2.")[0]
    assert "| all CDNA | f64, f32 | FMA chain (3.1) |" in section
    assert "| gfx1250/1251 | all float | sequential f32 FMA" in section
    rows = facts_json("instructions")["instructions"]
    owners = {row["arch"] for row in rows if row.get("types", {}).get("A") == "f32"}
    assert owners == {"cdna1", "cdna2", "cdna3", "cdna4", "cdna5"}
    assert takers(number_format("f32")) == {"fma_chain", "fma_chain_first_nan"}


@pytest.mark.facts
def test_no_format_is_forgotten() -> None:
    """Section 2 lists exponent bits, significand bits and bias; f32 is a container there."""
    section = facts_text("numerics.md").split("## 2. Number formats")[1].split("Sources:")[0]
    told = re.findall(r"^\| [^|]+ \| 1/(\d+)/(\d+) \| (\d+) \|", section, re.MULTILINE)
    wanted = [tuple(map(int, found)) for found in told]
    f32 = (8, 23, 127)
    assert section.count("| f32 container") == 1
    wanted += [f32, f32]  # xf32 and f32 itself.
    assert sorted((x.exponent, x.fraction, x.bias) for x in FORMATS) == sorted(wanted)
