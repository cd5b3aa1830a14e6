import numpy as np
import pytest

from tests.fragments.test_quantised import SCALED
from wavemma.errors import EncodingMistake, OutOfRange, UnknownName
from wavemma.execute import execute
from wavemma.explain.scale_place import scale_place
from wavemma.formats import encode, number_format
from wavemma.fragments import fragments_of, pack, unpack

MFMA = "v_mfma_scale_f32_16x16x128_f8f6f4"
WMMA = "v_wmma_scale_f32_16x16x128_f8f6f4"
WMMA16 = "v_wmma_scale16_f32_16x16x128_f8f6f4"


def ids(instruction):
    return f"{instruction.architecture}-{instruction.name}"


def lanes_of_the_facts(instruction, role, row, number, select):
    """numerics.md 3.10 and 7.1: (register, byte, lane) of a scale."""
    m, n, _ = instruction.shape
    if instruction.kind == "mfma":
        return 0, select, (m if role == "A" else n) * number + row
    lane = row if (role == "A" and m == 32) else row + 16 * select
    return number // 4, number % 4, lane


@pytest.mark.parametrize("instruction", SCALED, ids=ids)
@pytest.mark.parametrize("role", ["A", "B"])
def test_every_scale_of_every_instruction(instruction, role):
    m, n, k = instruction.shape
    block = instruction.matrix.scale_block
    word = "scale_byte" if instruction.kind == "mfma" else "scale_row"
    rows = m if role == "A" else n
    selects = range(4 if instruction.kind == "mfma" else 2)
    for row, first in np.ndindex(rows, k // block):
        for select in selects:
            found = scale_place(
                instruction.targets[0],
                instruction.name,
                role,
                row,
                first * block + (row + select) % block,
                modifiers={word: select} if select else {},
            )
            register, byte, lane = lanes_of_the_facts(instruction, role, row, first, select)
            (spot,) = found.places
            (bits,) = spot.bits
            assert (bits.register, bits.lo, bits.hi) == (register, 8 * byte, 8 * byte + 7)
            assert (spot.lane, found.byte) == (lane, byte)
            assert (found.first_k, found.last_k) == (first * block, first * block + block - 1)
            assert found.scale == (row, first)


@pytest.mark.parametrize("instruction", SCALED, ids=ids)
@pytest.mark.parametrize("role", ["A", "B"])
def test_case_29_one_byte_doubles_one_block_of_one_row(instruction, role):
    """All ones; the byte at the place that we name is 0x80, all others 0x7f."""
    m, n, k = instruction.shape
    block = instruction.matrix.scale_block
    fragments = fragments_of(instruction)
    one = encode(number_format(instruction.formats["a"][0]), 1.0)
    registers = {
        "a": pack(np.full((m, k), one), fragments["a"]),
        "b": pack(np.full((k, n), one), fragments["b"]),
        "c": pack(np.zeros((m, n), np.uint32), fragments["c"]),
        **{
            name: np.full((fragments[name].registers, fragments[name].lanes), 0x7F7F7F7F, np.uint32)
            for name in ("scale_a", "scale_b")
        },
    }
    row, at = 5, k - block - 3
    place = scale_place(instruction.targets[0], instruction.name, role, row, at)
    (spot,) = place.places
    (bits,) = spot.bits
    register = registers[f"scale_{role.lower()}"]
    register[bits.register, spot.lane] += np.uint32(1) << np.uint32(bits.lo)
    d = unpack(execute(instruction, registers), fragments["d"]).view(np.float32)
    want = np.full((m, n), float(k))
    want[(row, slice(None)) if role == "A" else (slice(None), row)] += block
    assert (d == want).all()
    assert place.first_k <= at <= place.last_k


def test_the_modifiers_that_choose_are_named():
    mfma = scale_place("gfx950", MFMA, "A", 0, 0)
    assert [each.word for each in mfma.choices] == ["op_sel[0]", "op_sel_hi[0]"]
    assert [each.word for each in scale_place("gfx950", MFMA, "b", 0, 0).choices] == [
        "op_sel[1]",
        "op_sel_hi[1]",
    ]
    wmma = scale_place("gfx1250", WMMA, "A", 0, 0)
    assert [each.word for each in wmma.choices] == ["matrix_a_scale", "matrix_a_scale_fmt"]
    assert wmma.choices[1].meaning == "0 e8m0, 1 e5m3, 2 e4m3"
    assert (mfma.formats, wmma.formats) == (("e8m0",), ("e8m0", "e5m3", "e4m3"))


def test_mistakes():
    with pytest.raises(EncodingMistake, match="has no block scales"):
        scale_place("gfx1250", "v_wmma_f32_16x16x32_f16", "A", 0, 0)
    with pytest.raises(EncodingMistake, match="gfx942 has no scaled instruction"):
        scale_place("gfx942", "v_mfma_f32_16x16x16_f16", "A", 0, 0)
    with pytest.raises(OutOfRange, match=r"i of scale_a of .* must be 0\.\.15; it is 16"):
        scale_place("gfx950", MFMA, "A", 16, 0)
    with pytest.raises(OutOfRange, match=r"k of scale_b of .* must be 0\.\.127; it is 128"):
        scale_place("gfx950", MFMA, "B", 0, 128)
    with pytest.raises(UnknownName):
        scale_place("gfx950", MFMA, "C", 0, 0)
    with pytest.raises(OutOfRange, match="scale_byte must be"):
        scale_place("gfx950", MFMA, "A", 0, 0, modifiers={"scale_byte": 4})
    assert scale_place("gfx1250", WMMA16, "A", 0, 127).scale == (0, 7)
