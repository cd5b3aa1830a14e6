"""Single instructions: reserved bits, other targets' words, signs and banks, in machine code."""

import pytest

import wavemma
from tests.objects.compiled import assembled
from wavemma.isa.assemble import assemble

KERNEL = ".type f,@function\nf:\n{}\ns_endpgm\n"


def words(data: bytes) -> str:
    numbers = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    return ".long " + ", ".join(map(str, numbers))


def object_with(target: str, data: bytes) -> bytes:
    return assembled(target, KERNEL.format(words(data)))


def test_bits_that_must_stay_clear_are_errors() -> None:
    """neg_hi of an iu8 WMMA: bit 8 of the first word, reserved for integers."""
    data = bytearray(
        assemble("v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]", "gfx1100")
    )
    data[1] |= 1
    (error,) = [
        e
        for e in wavemma.lint(object_with("gfx1100", bytes(data))).findings
        if e.what == "not legal"
    ]
    assert error.severity == "error"
    assert "neg_hi" in error.message
    assert (error.at.function, error.at.offset) == ("f", 0)


@pytest.mark.parametrize(
    ("line", "owner", "target"),
    [
        ("v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20", "gfx1201", "gfx1100"),
        ("v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3]", "gfx950", "gfx942"),
        ("v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[8:9], v[0:3]", "gfx942", "gfx1100"),
    ],
)
def test_words_of_another_target_are_errors_that_name_it(
    line: str, owner: str, target: str
) -> None:
    found = wavemma.lint(object_with(target, assemble(line, owner))).findings
    (error,) = [each for each in found if each.what == "not there"]
    assert error.severity == "error"
    assert line.split()[0] in error.message
    assert owner in error.message
    first = int.from_bytes(assemble(line, owner)[:4], "little")
    assert error.at.text.startswith(f".long 0x{first:08x}, 0x")


def test_unsigned_and_mixed_operands_are_hints() -> None:
    line = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]"
    assert not wavemma.lint(f"{line} neg_lo:[1,1,0]", target="gfx1100").findings
    (hint,) = wavemma.lint(f"{line}\n{line}", target="gfx1100").findings
    assert (hint.severity, hint.what, hint.times) == ("hint", "signs", 2)
    assert "A is read as unsigned, B as unsigned" in hint.message
    both = wavemma.lint(f"{line} neg_lo:[1,1,0]\n{line} neg_lo:[1,0,0]", target="gfx1100").findings
    assert "A is read as signed, B as unsigned" in both[0].message
    assert "other signs" in both[0].message
    assert wavemma.lint(line, target="gfx1100").is_clean


@pytest.mark.parametrize(
    ("a", "b", "c", "shared"),
    [
        (8, 16, 24, True),
        (8, 17, 26, False),
        (9, 17, 26, True),
        (8, 17, 25, True),
        (8, 18, 25, False),
    ],
)
def test_operands_in_one_bank_cost_two_cycles(a: int, b: int, c: int, shared: bool) -> None:
    """Measured: 32 cycles if A, B and C start in three banks (number modulo 4), else 34."""
    line = f"v_wmma_f32_16x16x16_f16 v[40:47], v[{a}:{a + 7}], v[{b}:{b + 7}], v[{c}:{c + 7}]"
    for target in ("gfx1100", "gfx1151"):
        found = wavemma.lint(line, target=target)
        assert [each.what for each in found.findings] == (["banks"] if shared else [])
        assert found.is_clean
        if shared:
            (hint,) = found.findings
            assert (hint.severity, hint.grade) == ("hint", "H")
            assert "34 cycles, not 32" in hint.message
    # Nothing was measured elsewhere.
    elsewhere = line.replace(f"{a + 7}]", f"{a + 3}]").replace(f"{b + 7}]", f"{b + 3}]")
    assert not wavemma.lint(elsewhere, target="gfx1201").findings


def test_bits_in_unused_fields_are_suspect() -> None:
    """op_sel of an f32 WMMA on gfx11: LLVM and the manual leave bits 11..13 clear."""
    data = bytearray(
        assemble("v_wmma_f32_16x16x16_f16 v[40:47], v[8:15], v[17:24], v[26:33]", "gfx1100")
    )
    assert not wavemma.lint(object_with("gfx1100", bytes(data))).findings
    data[1] |= 1 << 3
    (found,) = wavemma.lint(object_with("gfx1100", bytes(data))).findings
    assert (found.severity, found.what) in (("suspect", "not legal"), ("error", "not legal"))
    assert "op_sel" in found.message.lower().replace("opsel", "op_sel")


@pytest.mark.parametrize("as_object", [False, True])
def test_what_a_stepping_lacks_is_a_hint(as_object: bool) -> None:
    line = "v_wmma_f32_32x16x128_f4 v[0:15], v[16:31], v[32:39], v[0:15]"
    code = object_with("gfx1250", assemble(line, "gfx1250")) if as_object else line
    (hint,) = wavemma.lint(code, target="gfx1250").findings
    assert (hint.severity, hint.what) == ("hint", "stepping")
    assert "A0 (revision 0) of gfx1250 lacks v_wmma_f32_32x16x128_f4" in hint.message
    other = line.replace("32x16x128_f4", "16x16x128_f8f6f4").replace("32:39", "32:47")
    eight = other.replace("v[0:15]", "v[0:7]")
    assert not wavemma.lint(eight, target="gfx1250").findings
