import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.isa.drawn_lines import draw_line
from wavemma.errors import EncodingMistake, SyntaxMistake, UnknownInstruction, WavemmaError
from wavemma.isa import catalog
from wavemma.isa.assemble import assemble, assemble_lines, parse
from wavemma.isa.disassemble import disassemble, text_of
from wavemma.tables.targets import targets

MODES = [(name, wave) for name, row in targets().items() for wave in row.waves]
IU8 = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]"
LETTERS = st.sampled_from([*"v_wmfa[]:,0123456789 x.-+csbznegl", "v_", "v[0:7]", ", ", "é"])


def test_cases_31_and_32() -> None:
    line = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"
    assert assemble(line, "gfx942").hex() == "0a00cdd302091a0c"
    line = f"{IU8} neg_lo:[1,1,0] clamp"
    assert assemble(line, "gfx1100").hex() == "00c044cc0819027c"


def test_case_35_wave64_needs_fewer_registers() -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[0:3]"
    assert assemble(line, "gfx1100", 64).hex() == "004040cc0821021c"
    with pytest.raises(EncodingMistake, match=r"D must be 8 registers; v\[0:3\] is 4 registers"):
        assemble(line, "gfx1100")


def test_case_36_index_sets() -> None:
    line = "v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v3 abid:2"
    with pytest.raises(EncodingMistake, match=r"abid must be 0\.\.1; it is 2"):
        assemble(line, "gfx950")
    line = "v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[8:11], v3 abid:3"
    assert disassemble(assemble(line, "gfx942"), "gfx942") == line


def test_freedom_of_writing() -> None:
    plain = assemble(f"{IU8} neg_lo:[1,1,0]", "gfx1100")
    for text in (
        f"   {IU8.upper()}   NEG_LO:[1,1,0]  ",
        f"{IU8} neg_lo:[1, 1] // A and B are signed",
        f"{IU8.replace(', ', ' ,')} neg_lo:[ 1,1,0 ] ; comment",
        f"{IU8.replace('[', '[ ').replace(':', ' : ')} neg_lo:[1,1,0]",
        f"{IU8} /* here */ neg_lo:[1,1,0]",
    ):
        assert assemble(text, "gfx1100") == plain
    one = "v_mfma_f32_32x32x1f32 a[0:31], v1, a2, a[0:31]"
    assert assemble(one.replace("v1", "v[1]").replace("a2", "a[2:2]"), "gfx908") == assemble(
        one, "gfx908"
    )


def test_constants() -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], {}"
    for text, code in {
        "0": 128,
        "64": 192,
        "-1": 193,
        "-16": 208,
        "0x40": 192,
        "0.5": 240,
        "1.0": 242,
        "1.": 242,
        "-4.0": 247,
        "0.15915494309189532": 248,
        "0.15915494": 248,
    }.items():
        word = int.from_bytes(assemble(line.format(text), "gfx1100"), "little")
        assert word >> 50 & 0x1FF == code, text
    assert text_of(parse(line.format("0.15915494"), "gfx1100")).endswith("0.15915494309189532")
    assert text_of(parse(line.replace("0:7", "0:3").format("0.15915494"), "gfx1100", 64)).endswith(
        "0.15915494"
    )


@pytest.mark.parametrize(
    ("line", "target", "kind", "text"),
    [
        ("", "gfx1100", SyntaxMistake, "A line must be a mnemonic"),
        ("v_wmma_f32_16x16x16_f17 v0", "gfx1100", UnknownInstruction, "Closest: v_wmma_f32"),
        (f"{IU8}, v1", "gfx1100", EncodingMistake, "must have 4 operands, not 5"),
        (f"{IU8} clamp neg_lo:[1,0,0]", "gfx1100", SyntaxMistake, "neg_lo must come before clamp"),
        (f"{IU8} clamp clamp", "gfx1100", SyntaxMistake, "clamp must not be given twice"),
        (f"{IU8} cbsz:1", "gfx1100", EncodingMistake, "takes no modifier 'cbsz'"),
        (f"{IU8} neg_lo:[2,0,0]", "gfx1100", SyntaxMistake, "must be followed by 3 bits"),
        (f"{IU8} neg_lo:[0,0,1]", "gfx1100", EncodingMistake, r"may only have bits of [1,1,0]"),
        (f"{IU8} clamp:1", "gfx1100", SyntaxMistake, "clamp takes no value"),
        (f"{IU8} clamp!", "gfx1100", SyntaxMistake, "A modifier must be a word"),
        (IU8.replace("v[8:11]", "a[8:11]"), "gfx1100", SyntaxMistake, "can name the registers v"),
        (IU8.replace("v[8:11]", "v[8:12]"), "gfx1100", EncodingMistake, "A must be 4 registers"),
        (IU8.replace("v[8:11]", "v[11:8]"), "gfx1100", SyntaxMistake, "must not end before"),
        (IU8.replace("v[8:11]", "v[254:257]"), "gfx1100", EncodingMistake, "end at v255 at most"),
        (IU8.replace("v[8:11]", "v[256:259]"), "gfx1100", SyntaxMistake, "start at v255 at most"),
        (IU8.replace("v[8:11]", "1.0"), "gfx1100", EncodingMistake, "A must be VGPRs"),
        (IU8.replace("v[12:15], v[0:7]", "v[12:15], 65"), "gfx1100", SyntaxMistake, "a literal"),
        (IU8.replace("v[12:15], v[0:7]", "v[12:15], foo"), "gfx1100", SyntaxMistake, "'foo'"),
        (
            "v_mfma_f32_16x16x16_f16 v[1:4], a[2:3], v[4:5], v[6:9]",
            "gfx942",
            EncodingMistake,
            "D must start at a multiple of 2; v[1:4] was given",
        ),
        (
            "v_mfma_f32_16x16x16_f16 v[0:3], a[2:3], v[4:5], a[6:9]",
            "gfx942",
            EncodingMistake,
            "D and C must both be VGPRs or both AGPRs; v[0:3] and a[6:9] were given",
        ),
        (
            "v_mfma_f32_32x32x8_f16 v[0:15], a[2:3], v[4:5], v[2:17]",
            "gfx942",
            EncodingMistake,
            "C must be D or have none of its registers; v[2:17] and v[0:15] were given",
        ),
        (
            "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:4",
            "gfx950",
            EncodingMistake,
            "A must be 4 registers; v[4:11] is 8 registers",
        ),
        (
            "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[4:5], v[12:13], v[0:3] cbsz:1 abid:2",
            "gfx950",
            EncodingMistake,
            "abid must be below 2^cbsz, 0..1 here; it is 2",
        ),
        ("v_mfma_ld_scale_b32 s1, s2", "gfx950", EncodingMistake, "At most 1 different scalar"),
        (
            "v_wmma_ld_scale16_paired_b64 m0, 1.0",
            "gfx1250",
            EncodingMistake,
            "The scale of A must have 64 bits; m0 has not",
        ),
        (
            "v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[0:7], v1, v2"
            " matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3",
            "gfx1250",
            EncodingMistake,
            "The scale format of A must be e8m0 unless A is fp4; it is e5m3",
        ),
        (
            "v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20 index_key:2",
            "gfx1201",
            SyntaxMistake,
            "index_key must be 0..1; it is 2",
        ),
        (
            "v_wmma_bf16_16x16x16_bf16 v[0:3], v[4:7], v[8:11], 0.15915494",
            "gfx1201",
            EncodingMistake,
            "C must not be 1/(2*pi) here",
        ),
    ],
)
def test_refusals_say_why(line: str, target: str, kind: type[WavemmaError], text: str) -> None:
    with pytest.raises(kind) as caught:
        assemble(line, target)
    assert text in str(caught.value)


def test_files() -> None:
    lines = f"// two lines\n\n{IU8}\n  {IU8} clamp ; saturating\n"
    assert [code.hex() for code in assemble_lines(lines, "gfx1100")] == [
        "004044cc0819021c",
        "00c044cc0819021c",
    ]
    with pytest.raises(EncodingMistake, match=r"Line 3: v_wmma_i32_16x16x16_iu8 must have 4"):
        assemble_lines(f"{IU8}\n\n{IU8}, 1\n", "gfx1100")


@given(st.sampled_from(MODES), st.randoms(use_true_random=False))
def test_text_comes_back(mode: tuple[str, int], rng: random.Random) -> None:
    target, wave = mode
    line = draw_line(rng.choice(catalog.instructions(target)), wave, rng)
    assert text_of(parse(line, target, wave)) == line
    assert disassemble(assemble(line, target, wave), target, wave) == line


@given(st.sampled_from(MODES), st.one_of(st.text(), st.lists(LETTERS).map("".join)))
def test_any_text_is_taken_or_refused(mode: tuple[str, int], text: str) -> None:
    refused(text, *mode)


@given(st.sampled_from(MODES), st.randoms(use_true_random=False), LETTERS)
def test_damaged_lines_are_taken_or_refused(
    mode: tuple[str, int], rng: random.Random, letter: str
) -> None:
    line = draw_line(rng.choice(catalog.instructions(mode[0])), mode[1], rng)
    place = rng.randrange(len(line))
    refused(line[:place] + letter + line[place + rng.randrange(3) :], *mode)


def refused(text: str, target: str, wave: int) -> None:
    try:
        data = assemble(text, target, wave)
    except WavemmaError:
        return
    assert len(data) in (8, 16)
