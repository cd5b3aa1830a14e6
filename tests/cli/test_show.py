"""`wavemma show`, in this process and as one of its own."""

import json
import re
import subprocess
import sys

import pytest

from tests.cli.command import ran
from wavemma.explain.instruction import explain_instruction
from wavemma.explain.name import explain_name
from wavemma.isa.catalog import instructions
from wavemma.render.terminal import as_text
from wavemma.tables.builtins import builtins
from wavemma.tables.formats import format_rows
from wavemma.tables.models import model_rows
from wavemma.tables.processors import processors
from wavemma.tables.products import products
from wavemma.tables.targets import architectures, targets

ONE_OF_EACH = [
    "v_wmma_f16_16x16x64_fp8_bf8",
    "v_mfma_f32_16x16x16f16",
    "v_wmma_scale_f32_16x16x128_f8f6f4",
    "v_wmma_ld_scale_paired_b32",
    "v_swmmac_f32_16x16x32_f16",
    "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w64",
    "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4",
    "__builtin_amdgcn_mfma_f32_4x4x4f16",
    "gfx1250",
    "rdna3.5",
    "fp8",
    "AMD Instinct MI355X",
    "truncated_8",
]


def _fits(text, width):
    return [line for line in text.splitlines() if len(line) > width]


@pytest.mark.parametrize("name", ONE_OF_EACH)
@pytest.mark.parametrize("width", [80, 120])
def test_text_fits_and_ends_with_what_it_rests_on(name, width):
    text = as_text(explain_name(name), width=width, colour=False)
    assert _fits(text, width) == []
    assert "\nSources\n" in text
    assert "Grades: " in text.splitlines()[-1] or text.endswith("names the documents\n")
    whole = as_text(explain_name(name), width=width, colour=False, full=True)
    assert _fits(whole, width) == []
    assert "Grades: " in "".join(whole.splitlines()[-3:])


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_an_answer_is_one_screen_and_names_the_rest(name):
    """About 40 lines; several architectures, and the longest signatures, have more."""
    lines = as_text(explain_name(name), width=80, colour=False).splitlines()
    assert len(lines) <= 55
    assert len(lines) <= 51 or "iu8" in name
    whole = as_text(explain_name(name), width=80, colour=False, full=True).splitlines()
    assert len(whole) <= len(lines) or any("--full" in line for line in lines)


LONG = [
    *model_rows(),
    *(each.name for each in instructions() if "f8f6f4" in each.name),
    *(name for name in builtins() if "f8f6f4" in name),
]


@pytest.mark.parametrize("name", LONG)
def test_what_is_long_is_one_screen_too(name):
    """Rules that results can be computed from, and operands of many formats."""
    text = as_text(explain_name(name), width=80, colour=False)
    assert len(text.splitlines()) <= (50 if name in model_rows() else 54)
    assert name not in model_rows() or "e(x) is the exponent field" in text


def test_maps_of_a_and_b_that_mirror_are_one_line():
    text = as_text(explain_name("v_mfma_f32_32x32x64_f8f6f4"), width=120, colour=False)
    (line,) = (line for line in text.splitlines() if line.startswith("A, B fp4"))
    assert "i (of B: j) = lane % 32; k = n + 8*v + 32*(lane // 32)" in line
    assert not any(line.startswith(("A fp", "B fp")) for line in text.splitlines())


def test_a_model_names_few_of_many_instructions_and_all_in_full():
    whole = as_text(explain_name("fma_chain_first_nan"), width=80, colour=False, full=True)
    text = as_text(explain_name("fma_chain_first_nan"), width=80, colour=False)
    assert "v_swmmac_f16_16x16x128_bf8_bf8" in whole
    assert "v_swmmac_f16_16x16x128_bf8_bf8" not in text
    assert "more: --full" in " ".join(text.split())


SHARES = [pytest.param(4, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.nightly)]


@pytest.mark.parametrize("every", SHARES)
def test_every_name_fits(every):
    names = {each.name for each in instructions()} | set(builtins()) | set(targets())
    names |= set(architectures()) | set(format_rows()) | set(model_rows()) | set(products())
    for name in sorted(names)[::every]:
        answer = explain_name(name)
        for width in (80, 120):
            assert _fits(as_text(answer, width=width, colour=False), width) == [], (name, width)
    assert len(names) > 450


def test_the_seed_document_s_parts(capsys):
    done = ran(capsys, "show", "v_wmma_f16_16x16x64_fp8_bf8", "--full")
    assert done.code == 0
    for part in (
        "0x00000000CC6F0000",
        "VOP3P, 64 bits",
        "111 (0x6f)",
        "Multiplies the 16x64 matrix A",
        "63:61",
        "vgpr, inline constant",
        "gfx1250, gfx1251",
        "has it not",
        "Related",
        "Sources disagree",
    ):
        assert part in done.out


def test_the_lane_is_defined_and_the_builtin_s_parts_are_there(capsys):
    done = ran(capsys, "show", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "--full")
    assert done.code == 0
    for part in (
        "lane is a thread's number modulo the wave size",
        "using halfx16 = _Float16 [[clang::ext_vector_type(16)]];",
        "Parameters",
        "D: rows, lanes and registers",
        "the same in lane +",
        "amdclang++ --offload-arch=gfx1100",
        "__has_builtin",
        "ops/WGP/cycle",
    ):
        assert part in done.out


def test_json_is_the_answer(capsys):
    done = ran(capsys, "show", "v_mfma_f32_32x32x8_f16", "--target", "gfx942", "--json")
    document = json.loads(done.out)
    assert list(document)[:2] == ["schema", "answer"]
    assert (document["schema"], document["answer"]) == ("wavemma/1", "InstructionFacts")
    answer = explain_instruction("v_mfma_f32_32x32x8_f16", "gfx942")
    assert document["forms"][0]["word"]["template"] == answer.forms[0].word.template


def test_wave(capsys):
    done = ran(
        capsys, "show", "v_wmma_f32_16x16x16_f16", "--target", "gfx1100", "--wave", "64", "--json"
    )
    waves = {each["wave"] for each in json.loads(done.out)["forms"][0]["layouts"]}
    assert waves == {64}


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["gfx1030"], "UnknownTarget: gfx1030 is a real target"),
        (["v_wmma_f32_16x16x16_f16", "--target", "gfx942"], "UnknownInstruction:"),
        (["v_wmma_f32_16x16x16_f16", "--target", "gfx1030"], "UnknownTarget:"),
        (["xf32", "--target", "gfx950"], "UnknownFormat: No matrix instruction of gfx950"),
        (["v_mfma_f32_32x32x8_f16", "--target", "gfx942", "--wave", "32"], "OutOfRange:"),
        (["v_mfma_f32_32x32x8_f16", "--wave", "many"], "Usage:"),
        (["nonsense_of_no_kind"], "UnknownName:"),
        ([], "Usage:"),
    ],
)
def test_mistakes_end_with_2_and_a_sentence(capsys, words, error):
    done = ran(capsys, "show", *words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(error)
    assert "Traceback" not in done.err


def test_as_a_process():
    words = [sys.executable, "-m", "wavemma", "show", "gfx942"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0
    assert "304" not in done.stderr
    assert done.stdout.startswith("gfx942\n")


def test_no_heavy_package_is_loaded():
    code = (
        "import sys; from wavemma.cli.app import run; run(['show', 'gfx942']);"
        " run(['list', '--target', 'gfx942']); run(['rate', 'gfx942', 'v_mfma_f32_32x32x8_f16']);"
        " run(['peak', 'mi300x']);"
        " sys.exit(bool({'numpy', 'llvmlite', 'ml_dtypes'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("show",), ("list", "--target")])
def test_a_processor_without_matrix_instructions(capsys, words):
    """Every one that the compiler knows, however far its name is from a target's."""
    count = 0
    for row in processors().values():
        done = ran(capsys, *words, row.name)
        said = "stands for several targets" if row.covers else "is a real target, but it has no"
        assert (done.code, said in done.err) == (2, True), row.name
        count += 1
    assert count > 30


def test_a_builtin_shows_operations_name_and_counterparts(capsys):
    words = ("show", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32")
    short = ran(capsys, *words).out
    assert re.search(r"^cycles +RDNA3, RDNA3.5: 32, 512 ops/CU/cycle \[V\]$", short, re.M)
    assert re.search(
        r"^RDNA4m, RDNA4 +__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12", short, re.M
    )
    text = ran(capsys, *words, "--full").out
    # 16 * 16 * 16 multiplications and as many additions.
    assert re.search(r"^targets +ops +cycles", text, re.M)
    assert re.search(r"gfx1100, gfx1101, +8192 +32 ", text)
    assert re.search(r"^w32 +for waves of 32 lanes$", text, re.M)
    line = r"^CDNA3: gfx942 +__builtin_amdgcn_mfma_f32_16x16x16f16 +waves of 64$"
    assert re.search(line, text, re.M)
    line = (
        r"^RDNA4: +__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12 +only in$\n^gfx1200, +layouts$"
    )
    assert re.search(line, text, re.M)


def test_a_builtin_shows_every_row_on_request(capsys):
    words = ("show", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32")
    text = ran(capsys, *words, "--full").out
    assert "D: rows, lanes and registers" in text
    assert "--offload-arch=gfx1153" in text
