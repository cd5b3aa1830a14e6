"""What people type who have read --help alone: it works, or the answer says what would."""

import json

import pytest

from tests.cli.command import ran

OP = "v_wmma_f32_16x16x16_f16"
BUILTIN = "__builtin_amdgcn_wmma_f32_16x16x16_f16"

MFMA = "v_mfma_f32_16x16x16_f16"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("where", "gfx1100", OP, "D[2][3]"), "v1, lane 3"),
        (("where", "gfx1100", OP, "d[2, 3]", "--wave", "64"), "v0, lane 35"),
        (("where", "RX 7900 XTX", f"{BUILTIN}_w32", "D", "2", "3"), "v1, lane 3"),
        (("where", "gfx1100", f"{BUILTIN}_w64", "D", "2", "3"), "v0, lane 35"),
        (("layout", "gfx1201", f"{BUILTIN}_w32_gfx12", "D"), f"D of {OP} on gfx1201, wave32"),
        (
            (
                "check-layout",
                "gfx1100",
                f"{BUILTIN}_w32",
                "D",
                "2*v + lane/16, lane%16",
            ),
            "Right: it holds for all 256 places.",
        ),
        (
            ("check-layout", "gfx1100", OP, "D", "lambda lane, v: (2*v + lane//16, lane%16)"),
            "Right: it holds for all 256 places.",
        ),
        (
            ("check-layout", "gfx1100", OP, "D", "return 2*v + (lane//16), (lane%16)"),
            "Right: it holds for all 256 places.",
        ),
        (("numerics", "half", "--a", "1", "--b", "1"), "half: 1 product and C"),
        (("numerics", "int8", "--a=-1", "--b", "1", "--target", "gfx1100"), "-1"),
    ],
)
def test_it_works(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str) -> None:
    done = ran(capsys, *words)
    assert done.code == 0, done.err
    assert says in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("where",), "where needs TARGET.  See: wavemma where --help"),
        (("port", "gfx1100", "gfx1201"), "port needs --op."),
        (
            ("where", "gfx1100", OP, "D", "1", "2", "--wave"),
            "--wave needs a value; one that begins with - is written --wave=VALUE.",
        ),
        (("sparse", "pack"), "sparse pack needs A.  See: wavemma sparse pack --help"),
        (("sparse", "pak"), "See: wavemma sparse --help"),
        (("numerics", "f16", "--separate", "gfx942"), "--separate needs 2 values, with a space"),
        (("numerics", "f16", "--separate=gfx942"), "--separate needs 2 values, with a space"),
        (("where", OP, "D", "2", "3"), f"'{OP}' is not a target with matrix instructions."),
        (("where", "RDNA 3", OP, "D", "2", "3"), "is a family of targets: gfx1100, gfx1101"),
        (("where", "gfx12", OP, "D", "2", "3"), "gfx1200, gfx1201. Name one of them"),
        (("dis", "0a00cdd3", "02091a0c"), "dis needs TARGET before the words"),
        (("where", "gfx1100", OP, "D", "2,3"), "ROW must be a whole number; '2,3' was given."),
        (
            ("diagnose", "gfx1100", OP, "want.npy", "got.npy"),
            "diagnose has no place for 'want.npy got.npy': options begin with --",
        ),
        (
            ("check-layout", "gfx1100", OP, "D", "row=2*v", "col=lane"),
            "a text with spaces or semicolons must stand in quotes",
        ),
        (("numerics", "f16", "--a", "1 2", "--b", "1 2"), "Several numbers stand with commas"),
    ],
)
def test_it_says_how(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str) -> None:
    done = ran(capsys, *words)
    assert done.code == 2
    assert says in done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("where", "gfx1100", "f16", "16x16x16", "D", "2", "3"), '"f16 16x16x16"'),
        (("show", "f16", "16x16x16"), '"f16 16x16x16"'),
        (("numerics", "mfma", "16x16x16", "--a", "1", "--b", "1"), '"mfma 16x16x16"'),
    ],
)
def test_words_without_quotes(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    done = ran(capsys, *words)
    assert done.code == 2
    assert f"Words for an instruction stand in quotes: {says}." in done.err


@pytest.mark.parametrize("words", [OP, OP.removeprefix("v_"), "f32 16x16x16 f16 wmma"])
def test_numerics_of_one_instruction(capsys: pytest.CaptureFixture[str], words: str) -> None:
    done = ran(capsys, "numerics", words, "--a", "4096,4096", "--b", "8192,-8192", "--c", "3")
    assert done.code == 0, done.err
    assert "gfx1100" in done.out
    assert "v_mfma" not in done.out


@pytest.mark.parametrize(
    "words",
    [
        ("show", "gfx90a:sramecc+:xnack-"),
        ("peak", "gfx90a:xnack-"),
        ("guard", "gfx90a:xnack-"),
        ("layout", "GFX90A:xnack+", "v_mfma_f32_16x16x16f16", "D"),
        ("where", "gfx942:sramecc+:xnack-", MFMA, "D(2,3)"),
        ("where", "gfx942", MFMA, "D(2, 3)"),
        ("where", "gfx942", MFMA, "D[2][3]"),
        *(
            ("numerics", word, "--a", "1", "--b", "2")
            for word in [
                "float16",
                "bfloat16",
                "float32",
                "float64",
                "half",
                "fp16",
                "e4m3",
                "e5m2",
            ]
        ),
        *(("show", word) for word in ("float16", "bfloat16", "fp16", "half", "e5m2", "e2m3")),
        ("guard", "float16 wmma"),
        ("guard", "block scaled"),
        ("guard", "block-scaled fp8"),
    ],
    ids=" ".join,
)
def test_what_people_write_is_taken(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    done = ran(capsys, *words)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("float16", "f16"),
        ("e4m3", "fp8"),
        ("float32", "f32"),
        ("torch.bfloat16", "bf16"),
        ("float8_e4m3fn", "fp8_ocp"),
        ("float8_e5m2fnuz", "bf8_fnuz"),
        ("F8E5M2", "bf8_ocp"),
        ("float4_e2m1fn_x2", "fp4"),
        ("mxfp4", "fp4"),
        ("float6_e3m2fn", "bf6"),
        ("int8", "i8"),
        ("uint8", "u8"),
        ("half", "f16"),
        ("fp8e4b8", "fp8_fnuz"),
    ],
)
def test_a_common_word_means_our_format(
    capsys: pytest.CaptureFixture[str], word: str, ours: str
) -> None:
    theirs, named = (
        json.loads(ran(capsys, "numerics", each, "--a", "1.5", "--b", "3", "--json").out)["rows"]
        for each in (word, ours)
    )
    assert theirs == named


@pytest.mark.parametrize(
    "words",
    [
        ("bits", "float8_e8m0fnu", "127"),
        ("bits", "torch.float8_e4m3fnuz", "0x38"),
        ("bits", "e4m3", "0x38", "--target", "gfx942"),
        ("bits", "uint8", "255"),
        ("show", "torch.float4_e2m1fn_x2"),
        ("show", "float8_e5m2"),
        ("list", "--type", "float8_e4m3fnuz"),
        ("list", "--type", "mxfp4", "--result", "float32"),
        ("guard", "float8_e4m3fn wmma"),
        ("guard", "mxfp4 scaled"),
        ("peak", "MI300X", "--type", "torch.float8_e4m3fnuz"),
        ("peak", "MI355X", "--type", "E2M1"),
        ("scale", "value", "127", "--format", "float8_e8m0fnu"),
        ("layout", "gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "--format", "float4_e2m1fn"),
        ("where", "gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "3", "5", "--format", "MXFP4"),
    ],
    ids=" ".join,
)
def test_a_format_by_the_name_of_another_tool(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    done = ran(capsys, *words)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("numerics", "float8", "--a", "1", "--b", "1"), "may be fp8 (E4M3) or bf8 (E5M2)"),
        (("numerics", "mxfp6", "--a", "1", "--b", "1"), "may be fp6 (E2M3) or bf6 (E3M2)"),
        (("bits", "float8_e4m3", "0x38"), "E4M3 with infinities"),
        (("layout", "gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "--format", "float8"),
         "may be fp8_ocp or bf8_ocp"),
    ],
)  # fmt: skip
def test_a_name_of_several_formats_or_none_of_ours_is_told(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    done = ran(capsys, *words)
    assert done.code == 2
    assert told in " ".join(done.err.split())


def test_a_setting_that_a_target_lacks_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("gfx1100:xnack-", "gfx90a:xnack", "gfx90a:wave64+", "gfx90a:"):
        assert ran(capsys, "peak", name).code == 2, name


def test_the_beginning_of_products_offers_those(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, "show", "RX 7900").err
    assert all(f"RX 7900 {end}" in told for end in ("XTX", "XT", "GRE"))
    assert "9070" not in told


def test_words_for_many_instructions_say_which_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = " ".join(ran(capsys, "why", "mfma", "--target", "gfx1100").out.split())
    assert "v_wmma_f32_16x16x16_f16, is shown for one of them" in text
    text = ran(capsys, "why", "v_mfma_f32_16x16x16_f16", "--target", "gfx1100").out
    assert "is shown for one" not in text
