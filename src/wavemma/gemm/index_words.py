"""The index of a sparse A as its instruction reads it: words of registers, tile by tile."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.formats.dlpack import as_array
from wavemma.fragments import Fragment, disagreement, fragment_of, unpack
from wavemma.fragments.compressed import check_sparse
from wavemma.gemm.operands import Array
from wavemma.isa.instruction import Instruction
from wavemma.layouts.movement import index_sets
from wavemma.tables.targets import Wave

_PART = "index_part"


@dataclass(frozen=True, eq=False)
class IndexWords:
    """Registers of the index of a sparse A, as `wavemma sparse pack` writes them.

    Attributes:
        words: uint32 [..., tiles along M, tiles along K, register, lane]. With only as many
            tiles along K as are needed where all parts of a register are filled, tiles that
            follow each other along k are the parts of one register, from part 0 on.
        part: Which part of its register is read where each tile has one of its own.

    """

    words: npt.ArrayLike
    part: int = 0


def positions_in(
    given: IndexWords, instruction: Instruction, wave: Wave, shape: tuple[int, ...]
) -> Array:
    """Take the places of the kept elements out of the index registers of a whole A.

    Args:
        given: The words.
        instruction: The sparse instruction that reads them.
        wave: Lanes of the wave.
        shape: That of the kept elements, [..., M, K/2]; edges of tiles are cut off.

    Returns:
        uint8 [..., M, K/2], 0..3, any order.

    Raises:
        ArrayMistake: Wrong type or shape, or copies of a position that differ.
        EncodingMistake: The instruction is not sparse.
        OutOfRange: The index has no such part.

    """
    check_sparse(instruction)
    index = fragment_of(instruction, "index", wave)
    m, k = index.matrix_shape
    tiles = -(-shape[-2] // m), -(-shape[-1] // k)
    words, parts = as_array(given.words), index_sets(index.layout)
    shared = (tiles[0], -(-tiles[1] // parts))
    places = (index.registers, index.lanes)
    if words.dtype != np.uint32 or words.shape[-4:] not in ((*tiles, *places), (*shared, *places)):
        _refuse(words, instruction, (tiles, shared), places, shape)
    if words.shape[-3] == tiles[1]:
        found = _read(words, index, given.part)
    else:
        if given.part:
            raise OutOfRange(
                f"Tiles share the registers of this index from part 0 on; part {given.part} of"
                " each cannot be chosen.",
                subject=given.part,
            )
        each = [_read(words, index, part) for part in range(parts)]
        found = np.stack(each, axis=-3).reshape(*words.shape[:-3], -1, m, k)
    joined = np.swapaxes(found, -3, -2).reshape(*found.shape[:-4], tiles[0] * m, -1)
    return np.ascontiguousarray(joined[..., : shape[-2], : shape[-1]]).astype(np.uint8)


def _read(words: npt.NDArray[np.uint32], index: Fragment, part: int) -> Array:
    fragment = index.moved({_PART: part})
    if not words.size:
        return np.zeros((*words.shape[:-2], *index.matrix_shape), dtype=np.uint8)
    apart = disagreement(words, fragment)
    if apart is not None:
        one, other = apart.places
        raise ArrayMistake(
            f"All copies of a position must agree; lane {one.lane} has {apart.values[0]}, lane"
            f" {other.lane} {apart.values[1]} for {apart.element}.",
            subject=apart.places,
        )
    return unpack(words, fragment)


def _refuse(
    words: Array,
    instruction: Instruction,
    counts: tuple[tuple[int, int], tuple[int, int]],
    places: tuple[int, int],
    shape: tuple[int, ...],
) -> None:
    shapes = [(*count, *places) for count in dict.fromkeys(counts)]
    told = " or ".join(f"[..., {', '.join(map(str, each))}]" for each in shapes)
    raise ArrayMistake(
        f"The index words of {instruction.name} for kept elements {list(shape)} must be uint32"
        f" {told}, tiles along M and K, registers and lanes; given {words.dtype}"
        f" {list(words.shape)}.",
        subject=words.shape,
        hint="wavemma sparse pack writes them; wavemma sparse info tells their layout.",
    )
