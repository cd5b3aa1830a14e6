"""A whole sparse A: tiles, index words, and that it multiplies as the dense one does."""

import itertools

import numpy as np
import pytest

from tests.twin.sparse import groups, positions
from wavemma.errors import ArrayMistake, EncodingMistake, OutOfRange
from wavemma.execute import execute
from wavemma.formats import decode, encode, number_format
from wavemma.fragments import fragments_of, pack, unpack
from wavemma.fragments.compressed import check_index, index_parts, pack_sparse, prune
from wavemma.isa import catalog
from wavemma.tables.targets import architectures

SPARSE = [
    (instruction, wave)
    for architecture in architectures()
    for instruction in catalog.of_architecture(architecture)
    if instruction.is_matrix and instruction.is_sparse
    for wave in instruction.waves
]
SIGNED = {"signed_a": 1, "signed_b": 1}


def label(found):
    instruction, wave = found
    return f"{instruction.architecture}-{instruction.name}-{wave}"


def sparse_numbers(seed, shape):
    """Whole numbers from -2 to 2, at most two of each four along k not zero."""
    draw = np.random.default_rng(seed)
    groups_ = draw.integers(-2, 3, (*shape[:-1], shape[-1] // 4, 4))
    order = draw.permuted(np.broadcast_to(np.arange(4), groups_.shape), axis=-1)
    groups_[order >= draw.integers(0, 3, (*groups_.shape[:-1], 1))] = 0
    return groups_.reshape(shape)


def test_there_are_all_sparse_rows():
    assert len(SPARSE) == 100
    assert len({(i.architecture, i.name) for i, _ in SPARSE}) == 78


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_a_packed_matrix_multiplies_as_the_dense_one(found):
    instruction, wave = found
    m, n, k = instruction.shape
    dense = sparse_numbers(m + k, (m, k))
    b = np.random.default_rng(k).integers(-3, 4, (k, n))
    forms = {role: number_format(instruction.formats[role][0]) for role in "abcd"}
    made = pack_sparse(encode(forms["a"], dense), instruction, wave=wave)
    assert made.registers.shape[:2] == made.index_registers.shape[:2] == (1, 1)
    fragments = fragments_of(instruction, wave)
    c = np.zeros(fragments["c"].matrix_shape, fragments["c"].dtype)
    registers = {
        "a": made.registers[0, 0],
        "b": pack(encode(forms["b"], b), fragments["b"]),
        "c": pack(c, fragments["c"]),
        "index": made.index_registers[0, 0],
    }
    effects = {
        name: 1
        for name in SIGNED
        if any(name in each.row.effect for each in instruction.modifiers(wave))
    }
    d = unpack(execute(instruction, registers, wave=wave, effects=effects), fragments["d"])
    assert (decode(forms["d"], d) == dense @ b).all()


def words(instruction, wave, dense, **options):
    form = number_format(instruction.formats["a"][0])
    return pack_sparse(encode(form, dense), instruction, wave=wave, **options).index_registers


PAIRS = {
    # numerics.md section 8: lane and group of pair q of row i, groups of a lane.
    ("v_smfmac_f32_16x16x32_f16", "gfx942", 64): (lambda i, q: (16 * (q // 2) + i, q % 2), 2),
    ("v_smfmac_f32_32x32x16_f16", "gfx942", 64): (lambda i, q: (32 * (q // 2) + i, q % 2), 2),
    ("v_smfmac_i32_16x16x64_i8", "gfx942", 64): (lambda i, q: (16 * (q // 4) + i, q % 4), 4),
    ("v_smfmac_i32_32x32x32_i8", "gfx942", 64): (lambda i, q: (32 * (q // 4) + i, q % 4), 4),
    ("v_swmmac_f32_16x16x32_f16", "gfx1201", 32): (
        lambda i, q: (16 * (q // 2 % 2) + i, 2 * (q // 4) + q % 2),
        4,
    ),
    ("v_swmmac_i32_16x16x32_iu8", "gfx1201", 32): (lambda i, q: (16 * (q // 4) + i, q % 4), 4),
    ("v_swmmac_i32_16x16x64_iu4", "gfx1201", 32): (lambda i, q: (16 * (q // 8) + i, q % 8), 8),
}


@pytest.mark.parametrize(
    ("key", "rule"), PAIRS.items(), ids=[f"{name}-{wave}" for name, _, wave in PAIRS]
)
def test_groups_stand_where_the_facts_say(key, rule):
    name, target, wave = key
    place, per_lane = rule
    instruction = catalog.instruction(name, target)
    m, _, k = instruction.shape
    dense = sparse_numbers(3, (m, k))
    for part in range(index_parts(instruction, wave)):
        found = words(instruction, wave, dense, effects={"index_part": part})[0, 0, 0]
        for i, q in itertools.product(range(m), range(k // 4)):
            lane, group = place(i, q)
            nibble = groups(int(found[lane]), per_lane, part)[group]
            first, second = positions([nibble])
            assert first < second
            members = {first, second}
            assert all(not dense[i, 4 * q + s] for s in range(4) if s not in members)
        assert not (found & ~np.uint32(((1 << 4 * per_lane) - 1) << 4 * per_lane * part)).any()


def test_one_of_four_is_one_product():
    """Case 37: [0, 0, 0, x] keeps x at 3 and a zero at a legal place."""
    instruction = catalog.instruction("v_smfmac_f32_16x16x32_f16", "gfx942")
    dense = np.zeros((16, 32), np.uint16)
    dense[0, 3] = 0x3C00
    made = pack_sparse(dense, instruction)
    assert made.kept[0, :2].tolist() == [0, 0x3C00]
    assert made.positions[0, :2].tolist() == [0, 3]
    assert made.index_registers[0, 0, 0, 0] & 0xF == 0xC
    assert (made.kept != 0).sum() == 1


@pytest.mark.parametrize("found", SPARSE, ids=label)
def test_tiles_along_k_share_the_parts_of_a_register(found):
    instruction, wave = found
    m, _, k = instruction.shape
    parts = index_parts(instruction, wave)
    tiles = parts + 1
    dense = sparse_numbers(5, (m + 1, k * tiles - 4))
    if parts == 1:
        with pytest.raises(OutOfRange, match="tiles cannot share"):
            words(instruction, wave, dense, share=True)
        return
    shared = words(instruction, wave, dense, share=True)
    alone = words(instruction, wave, dense)
    assert shared.shape == (2, 2, *alone.shape[2:])
    assert alone.shape[:2] == (2, tiles)
    width = 32 // parts
    for tile in range(tiles):
        number, part = divmod(tile, parts)
        moved = shared[:, number] >> np.uint32(part * width) & np.uint32((1 << width) - 1)
        assert (moved == alone[:, tile]).all()
    for part in range(parts):
        check = check_index(shared, instruction, wave=wave, effects={"index_part": part})
        assert check.fault is None


def test_batches_and_edges():
    instruction = catalog.instruction("v_smfmac_f32_16x16x32_f16", "gfx942")
    dense = encode(number_format("f16"), sparse_numbers(1, (2, 3, 20, 36)))
    made = pack_sparse(dense, instruction)
    assert made.kept.shape == (2, 3, 32, 32)
    assert made.registers.shape == (2, 3, 2, 2, 2, 64)
    for place in np.ndindex(2, 3):
        one = pack_sparse(dense[place], instruction)
        assert (made.registers[place] == one.registers).all()
        assert (made.index_registers[place] == one.index_registers).all()


def test_what_cannot_be_packed_is_refused():
    sparse = catalog.instruction("v_smfmac_f32_16x16x32_f16", "gfx942")
    dense = catalog.instruction("v_mfma_f32_16x16x16_f16", "gfx942")
    full = np.full((16, 32), 0x3C00, np.uint16)
    with pytest.raises(ArrayMistake, match=r"may have 2 elements that are not zero; row 0, k 0..3"):
        pack_sparse(full, sparse)
    with pytest.raises(EncodingMistake, match="v_mfma_f32_16x16x16_f16 is not sparse"):
        pack_sparse(full, dense)
    with pytest.raises(ArrayMistake, match=r"\[..., M, K\] and hold something"):
        pack_sparse(full[:0], sparse)
    with pytest.raises(ArrayMistake, match=r"\[..., M, K\]"):
        pack_sparse(full[0], sparse)
    with pytest.raises(OutOfRange, match="index set"):
        pack_sparse(np.zeros_like(full), sparse, effects={"index_part": 4})


def test_pruning_keeps_the_two_largest():
    form = number_format("f16")
    numbers = [[1.0, -3.0, 2.0, 0.5, 0.0, 0.0, -7.0, 1.0, 2.0, 2.0, -2.0, 2.0]]
    kept = decode(form, prune(encode(form, numbers), form))
    assert kept.tolist() == [[0, -3, 2, 0, 0, 0, -7, 1, 2, 2, 0, 0]]
    odd = encode(form, [[1.0, float("nan"), float("inf"), 3.0]])
    assert (prune(odd, form) == odd * np.array([[0, 1, 1, 0]], np.uint16)).all()
    odd = encode(form, [[float("inf"), float("inf"), float("nan"), -float("nan")]])
    assert (prune(odd, form) == odd * np.array([[0, 0, 1, 1]], np.uint16)).all()
    with pytest.raises(ArrayMistake, match="multiple of 4 to be pruned; it is 6"):
        prune(np.zeros((1, 6), np.uint16), form)


@pytest.mark.parametrize(("form", "large"), [("iu8", 0xFF), ("iu4", 0xF)])
def test_pruning_reads_integers_as_the_instruction_does(form: str, large: int):
    codes = np.array([[large, 2, 3, 1]], np.uint8)
    assert prune(codes, number_format(form)).tolist() == [[0, 2, 3, 0]]
    assert prune(codes, number_format(form), signed=False).tolist() == [[large, 0, 3, 0]]


def test_pruning_leaves_sparse_matrices_alone():
    form = number_format("i8")
    dense = encode(form, sparse_numbers(8, (16, 64)))
    assert (prune(dense, form) == dense).all()


def test_an_index_that_does_not_ascend():
    instruction = catalog.instruction("v_swmmac_f32_16x16x32_f16", "gfx1201")
    index = np.full((3, 1, 32), 0x44444444, np.uint32)
    assert check_index(index, instruction).fault is None
    index[2, 0, 17] = 0x44444544
    fault = check_index(index, instruction).fault
    # Lane 17, bits 11:8, is row 1, group 2 of the lane: pair q = 6, k 24..27 (section 8).
    assert fault is not None
    assert (fault.batch, fault.row, fault.group, fault.pair, fault.faults) == (
        (2,),
        1,
        6,
        (1, 1),
        1,
    )
    assert check_index(index, instruction, effects={"index_part": 1}).fault is None
    with pytest.raises(ArrayMistake):
        check_index(index[..., :16], instruction)
    with pytest.raises(EncodingMistake):
        check_index(index, catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1201"))
