"""Files of every kind through the library call."""

from pathlib import Path

import pytest

import wavemma
from tests.objects.compiled import WMMA, linked, of_both_waves, relocatable
from wavemma.render.terminal import as_text


def test_a_path_is_read(tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(linked("gfx942"))
    assert wavemma.lint(path).is_clean
    with pytest.raises(wavemma.WavemmaError, match="cannot be read"):
        wavemma.lint(tmp_path / "absent")


def test_each_kernel_has_its_own_wave_size() -> None:
    found = wavemma.lint(of_both_waves("gfx1100"))
    assert {(each.name, each.wave) for each in found.linted} == {("narrow", 32), ("wide", 64)}
    assert {each.kind for each in found.linted} == {"kernel"}
    (only,) = wavemma.lint(of_both_waves("gfx1100"), kernel="wide").linted
    assert (only.name, only.matrix_instructions) == ("wide", 1)


def test_inline_assembly_is_where_compilers_do_not_help() -> None:
    """No assembler inserts anything: A of the second is D of the first by mistake."""
    call = "c[i] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a[i], b[i], c[i]);"
    lines = (
        "sums d = c[i]; half16 x = a[i], y = b[i];"
        ' asm volatile("v_wmma_f32_16x16x16_f16 %0, %1, %2, %0\\n\\t"'
        ' "v_wmma_f32_16x16x16_f16 %0, %0, %2, %0" : "+v"(d) : "v"(x), "v"(y)); c[i] = d;'
    )
    source = WMMA.format(name="product", wave=32, lanes=8)
    assert call in source
    source = source.replace(call, lines)
    found = wavemma.lint(relocatable("gfx1100", "-O1", source=source))
    (error,) = [each for each in found.findings if each.severity == "error"]
    assert (error.rule, error.at.function, error.fix) == ("rdna-wmma-ab", "product", ("v_nop",))
    assert error.producer is not None
    assert error.at.place - error.producer.place == 8


def test_text_of_the_answer_fits_and_ends_with_sources() -> None:
    line = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]"
    text = as_text(wavemma.lint(f"{line}\n{line}", target="gfx1100"), width=80, colour=False)
    assert text.startswith("1 hint\n")
    assert max(map(len, text.splitlines())) <= 80
    assert "Grades: H compared with silicon" in text
