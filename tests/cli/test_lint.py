import json
import random
from pathlib import Path

import pytest

from tests.cli.command import ran
from tests.objects.compiled import linked

GFX11 = """
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[17:24], v[26:33]
{}
v_wmma_f32_16x16x16_f16 v[40:47], v[0:7], v[17:24], v[50:57]
"""


def test_case_30(capsys, tmp_path: Path) -> None:
    """gfx11: a WMMA whose A is the D of the WMMA before it needs one v_nop between."""
    path = tmp_path / "k.s"
    path.write_text(GFX11.format(""))
    found = ran(capsys, "lint", str(path), "--target", "gfx1100")
    assert found.code == 1
    assert "error: hazard rdna-wmma-ab, line 4" in found.out
    assert "+ v_nop" in found.out
    assert "1 VALU slot in between, has 0" in found.out
    assert max(map(len, found.out.splitlines())) <= 82
    path.write_text(GFX11.format("v_nop"))
    assert ran(capsys, "lint", str(path), "--target", "gfx1100").code == 0
    path.write_text(GFX11.format("s_nop 7"))
    assert ran(capsys, "lint", str(path), "--target", "gfx1100").code == 1


@pytest.mark.parametrize("target", ["gfx1100", "gfx1102", "gfx1150", "gfx1153"])
@pytest.mark.parametrize(("operand", "fires"), [("a", True), ("b", True), ("c", False)])
def test_case_30_as_a_kind(capsys, tmp_path: Path, target: str, operand: str, fires: bool) -> None:
    """Any of A and B, by one register that they share; C is forwarded by the hardware."""
    at = {"a": 100, "b": 117, "c": 134} | {operand: 7}
    path = tmp_path / "k.s"
    operands = ", ".join(f"v[{at[role]}:{at[role] + 7}]" for role in "abc")
    first = GFX11.splitlines()[1]
    path.write_text(f"{first}\nv_wmma_f32_16x16x16_f16 v[150:157], {operands}\n")
    assert ran(capsys, "lint", str(path), "--target", target).code == int(fires)


def test_what_asm_writes_is_read(capsys, tmp_path: Path) -> None:
    source, code = tmp_path / "k.s", tmp_path / "k.bin"
    other = "v_wmma_f32_16x16x16_f16 v[60:67], v[70:77], v[81:88], v[92:99]"
    for gap, verdict in (("", 1), (other, 0)):
        source.write_text(GFX11.format(gap))
        assert ran(capsys, "asm", "gfx1100", str(source), "-o", str(code)).code == 0
        found = ran(capsys, "lint", str(code), "--target", "gfx1100")
        assert found.code == verdict
        assert "bare code" in found.out
        assert ("error: hazard rdna-wmma-ab, 0x8" in found.out) == bool(verdict)
    for words, message in (
        ((str(code),), "doesn't say for which target"),
        ((str(code), "--target", "gfx1100", "--kernel", "k"), "no names of kernels"),
    ):
        refused = ran(capsys, "lint", *words)
        assert (refused.code, message in refused.err) == (2, True)


def test_bytes_that_are_no_code_are_not_called_clean(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.bin"
    path.write_bytes(random.Random(1).randbytes(4096))
    found = ran(capsys, "lint", str(path), "--target", "gfx1100")
    assert (found.code, "too few for code" in found.err) == (2, True)
    path.write_bytes(path.read_bytes()[:4095])
    found = ran(capsys, "lint", str(path), "--target", "gfx1100")
    assert (found.code, "whole 32-bit words; it has 4095" in found.err) == (2, True)


def test_case_27(capsys, tmp_path: Path) -> None:
    """32 cycles, 34 in one bank; the 5 of llvm-mca is a placeholder."""
    for target in ("gfx1100", "gfx1103", "gfx1150", "gfx1151"):
        rate = " ".join(ran(capsys, "rate", target, "v_wmma_f32_16x16x16_f16").out.split())
        assert "32 cycles each, 34 with a bank conflict" in rate
        assert "5 that llvm-mca prints for RDNA3 is a placeholder" in rate
    path = tmp_path / "k.s"
    path.write_text("v_wmma_f32_16x16x16_f16 v[40:47], v[8:15], v[16:23], v[24:31]")
    found = ran(capsys, "lint", str(path), "--target", "gfx1151")
    assert found.code == 0
    assert "hint: register banks" in found.out
    assert "34 cycles, not 32" in " ".join(found.out.split())


def test_a_product_is_a_target_too(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(GFX11.format(""))
    wanted = ran(capsys, "lint", str(path), "--target", "gfx1100")
    assert ran(capsys, "lint", str(path), "--target", "RX 7900 XTX") == wanted
    long = tmp_path / "long.s"
    long.write_text("v_nop\n" * 3_000_000)
    found = ran(capsys, "lint", str(long), "--target", "gfx1100")
    assert found.code == 2
    assert "characters at most" in found.err


def test_json_has_everything(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(GFX11.format(""))
    found = ran(capsys, "lint", str(path), "--target", "gfx1100", "--json")
    answer = json.loads(found.out)
    (finding,) = [each for each in answer["findings"] if each["what"] == "hazard"]
    assert answer["answer"] == "Lint"
    assert (finding["rule"], finding["needs"], finding["has"]) == ("rdna-wmma-ab", 1, 0)
    assert finding["producer"]["place"] == 2
    assert finding["fix"] == ["v_nop"]
    assert finding["grade"] == "V"


def test_a_clean_code_object(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(linked("gfx942"))
    found = ran(capsys, "lint", str(path))
    assert found.code == 0
    assert found.out.startswith("Clean: nothing was found\n")
    assert "gfx942, wave64" in found.out


def test_what_is_not_known_is_not_called_clean(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("v_nop\nimage_sample v[0:3], v[4:5], s[0:7], s[8:11]\ns_endpgm\n")
    found = ran(capsys, "lint", str(path), "--target", "gfx1100")
    assert found.out.startswith("Nothing was found in 2 of 3 instructions; the rest is not known\n")


def test_mistakes_say_what_to_do(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(linked("gfx942"))
    for words, said in (
        ((str(path), "--target", "gfx950"), "wavemma lint FILE --target gfx942"),
        ((str(path), "--kernel", "nothing"), "There is no kernel or function 'nothing'"),
        ((str(tmp_path / "absent.s"),), "cannot be read"),
        ((str(tmp_path),), "must be a file"),
        ((str(path), "--wave", "32"), "64"),
        ((str(path), "--target", "gfx9999"), "gfx9999"),
    ):
        found = ran(capsys, "lint", *words)
        assert found.code == 2, words
        assert said in found.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "must hold a code object or assembly; it is empty"),
        (b"hello\n", "The file is no code object; as text it must say its target"),
    ],
)
def test_what_is_no_code_object_is_told_so(
    capsys, tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "hi.hsaco"
    path.write_bytes(content)
    found = ran(capsys, "lint", str(path))
    assert (found.code, found.out) == (2, "")
    assert said in found.err
