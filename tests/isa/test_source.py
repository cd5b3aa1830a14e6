import pytest

from tests.facts import facts_json
from wavemma.errors import SyntaxMistake
from wavemma.isa import catalog
from wavemma.isa.source import named_by, parse_source, sources


@pytest.mark.facts
def test_codes_are_those_of_the_facts() -> None:
    facts = facts_json("encodings")["source_operands"]
    table = sources("rdna3")
    floats = {row.text: row.code for row in table.floats}
    known = {
        ("0.15915494" if text.startswith("1/") else text): code
        for text, code in facts["inline_floats"].items()
    }
    assert floats == known
    assert table.integers == {value: 128 + value for value in range(65)} | {
        -value: 192 + value for value in range(1, 17)
    }
    assert table.files["v"].code == 256
    for key, architecture in (("gfx950 scale load", "cdna4"), ("gfx1250 scale operands", "cdna5")):
        words = sources(architecture).words
        single = {text: code for text, code in facts["scalar"][key].items() if "." not in text}
        assert {text: words[text][0].code for text in single} == single


def test_registers_and_special_registers() -> None:
    load = catalog.instruction("v_wmma_ld_scale16_paired_b64", "gfx1250")
    field, table = load.operands[0], sources("cdna5")
    for text, code in {"s[4:5]": 4, "ttmp[2:3]": 110, "vcc": 106, "v[2:3]": 258}.items():
        parsed = parse_source(text, field, 32, table)
        assert (parsed.code, parsed.count, parsed.text) == (code, 2, text)
        assert named_by(field, code, False, 2, 32, table) == parsed
    assert parse_source("null", field, 32, table) == named_by(field, 124, False, 2, 32, table)
    with pytest.raises(LookupError, match="m0, has no 64 bits"):
        named_by(field, 125, False, 2, 32, table)
    with pytest.raises(LookupError, match="255 names nothing"):
        named_by(field, 255, False, 2, 32, table)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v",
        "v[",
        "v[1:]",
        "x3",
        "1e999",
        "nan",
        "65",
        "0.3",
        "--1",
        "065",
        "²",
        "9" * 5000,
        "v" + "9" * 5000,
    ],
)
def test_other_text_is_refused(text: str) -> None:
    load = catalog.instruction("v_wmma_ld_scale16_paired_b64", "gfx1250")
    with pytest.raises(SyntaxMistake):
        parse_source(text, load.operands[0], 32, sources("cdna5"))
