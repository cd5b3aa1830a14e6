import ml_dtypes
import numpy as np
import pytest

from tests.fragments.test_compressed import SPARSE, label, sparse_numbers
from wavemma.errors import ArrayMistake, EncodingMistake, Unsupported
from wavemma.explain.sparse_packing import pack_a
from wavemma.formats import dtype_of, encode, number_format, typed
from wavemma.fragments import unpack
from wavemma.fragments.compressed import check_index
from wavemma.fragments.fragment import fragment_of

OP = "v_smfmac_f32_16x16x32_f16"


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_arrays_of_every_type(found):
    instruction, wave = found
    m, _, k = instruction.shape
    numbers = sparse_numbers(4, (m + 1, k + 4))
    for name in instruction.formats["a"]:
        form = number_format(name)
        array = typed(encode(form, numbers), form, signed=True)
        assert array.dtype == dtype_of(form, signed=True)
        made = pack_a(array, instruction.targets[0], instruction.name, wave=wave)
        assert made.answer.asked.format == name
        assert made.answer.tiles == (2, 2)
        assert made.answer.pruned == 0
        groups = numbers.reshape(m + 1, -1, 4)
        whole = np.zeros((2 * m, 2 * k // 4), int)
        whole[: m + 1, : groups.shape[1]] = (groups != 0).sum(axis=-1)
        assert made.answer.kept == tuple((whole == count).sum() for count in range(3))
        a = unpack(made.operand.registers, fragment_of(instruction, "a", wave, name))
        assert (a[1, 0] == made.operand.kept[m:, : k // 2]).all()
        assert check_index(made.operand.index_registers, instruction, wave=wave).fault is None
        words = np.array([[int(word, 16) for word in row] for row in made.answer.words])
        assert (words == made.operand.index_registers[0, 0]).all()


def test_pruning_is_told():
    full = np.tile(np.array([1, 2, 3, 4], np.float16), (16, 8))
    with pytest.raises(ArrayMistake, match="128 groups have too many"):
        pack_a(full, "gfx942", OP)
    made = pack_a(full, "gfx942", OP, pruned=True)
    assert made.answer.pruned == 2 * 128
    assert made.answer.pruned_share == pytest.approx(0.3)
    assert made.operand.kept[0, :2].view(np.float16).tolist() == [3, 4]
    full[0, 0] = np.inf
    assert pack_a(full, "gfx942", OP, pruned=True).answer.pruned_share is None


@pytest.mark.parametrize(("kind", "kept"), [(np.uint8, [255, 3]), (np.int8, [2, 3])])
def test_pruning_reads_bytes_as_their_type_does(kind, kept):
    full = np.tile(np.array([255, 2, 3, 1], np.uint8).view(kind), (16, 8))
    made = pack_a(full, "gfx1201", "v_swmmac_i32_16x16x32_iu8", pruned=True)
    assert made.operand.kept[0, :2].tolist() == kept


def test_zeros_have_nothing_to_lose():
    made = pack_a(np.zeros((16, 32), np.float16), "gfx942", OP, pruned=True)
    assert (made.answer.pruned, made.answer.pruned_share) == (0, 0.0)
    assert made.answer.kept == (128, 0, 0)


def test_unsigned_integers_and_minus_zero():
    swmmac = "v_swmmac_i32_16x16x32_iu8"
    made = pack_a(np.full((16, 32), 0, np.uint8), "gfx1201", swmmac)
    assert made.answer.asked.format == "iu8"
    minus = np.full((16, 32), -0.0, np.float16)
    assert pack_a(minus, "gfx942", OP).answer.kept == (128, 0, 0)


@pytest.mark.parametrize(
    ("array", "target", "op", "modifiers", "mistake", "match"),
    [
        (
            np.zeros((16, 32)),
            "gfx942",
            OP,
            {},
            ArrayMistake,
            "must be f16, .* float16; it is float64",
        ),
        (
            np.zeros((16, 64), ml_dtypes.float8_e4m3fn),
            "gfx942",
            "v_smfmac_f32_16x16x64_fp8_fp8",
            {},
            ArrayMistake,
            "must be fp8_fnuz, .* float8_e4m3fnuz; it is float8_e4m3fn",
        ),
        (np.zeros((16, 30), np.float16), "gfx942", OP, {}, None, ""),
        (np.zeros((0, 32), np.float16), "gfx942", OP, {}, ArrayMistake, "hold something"),
        (np.zeros(32, np.float16), "gfx942", OP, {}, ArrayMistake, "hold something"),
        (
            np.zeros((16, 32), np.float16),
            "gfx942",
            "v_mfma_f32_16x16x16_f16",
            {},
            EncodingMistake,
            "not sparse",
        ),
        (
            np.zeros((16, 64), np.float16),
            "gfx1250",
            "v_swmmac_f32_16x16x64_f16",
            {"index_key": 1},
            Unsupported,
            "stands is unknown",
        ),
    ],
)
def test_what_cannot_be_packed(array, target, op, modifiers, mistake, match):
    if mistake is None:
        assert pack_a(array, target, op, modifiers=modifiers).answer.tiles == (1, 1)
        return
    with pytest.raises(mistake, match=match):
        pack_a(array, target, op, modifiers=modifiers)
