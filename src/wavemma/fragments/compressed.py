"""A whole sparse A in registers: kept elements and their index, tile by tile, and back."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, EncodingMistake, OutOfRange
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format
from wavemma.fragments.cells import Matrix
from wavemma.fragments.fragment import Fragment, fragment_of
from wavemma.fragments.pack import pack
from wavemma.fragments.registers import Registers
from wavemma.fragments.sparse import compress, illegal_group
from wavemma.fragments.unpack import Disagreement, disagreement, unpack
from wavemma.isa.instruction import Instruction
from wavemma.layouts import GROUP, KEPT
from wavemma.layouts.movement import index_sets
from wavemma.tables.targets import Wave

_NOTHING: Mapping[str, int] = {}
_PART = "index_part"
# Sorting takes many times the memory of the elements: a part at a time does.
_GROUPS_AT_ONCE = 1 << 15


class SparseOperand(NamedTuple):
    """A sparse A of any size, cut into tiles of one instruction.

    Attributes:
        kept: Bits of the kept elements, [..., M, K/2], edges filled up to whole tiles.
        positions: uint8, the same shape: where each stood in its group of four.
        registers: Registers of A, uint32 [..., tiles along M, tiles along K, register, lane].
        index_registers: Registers of the index, the same but for the registers; if tiles share
            one, the axis of tiles along K is as much shorter.

    """

    kept: Matrix
    positions: npt.NDArray[np.uint8]
    registers: Registers
    index_registers: Registers


class IndexFault(NamedTuple):
    """A group of the index that hardware does not document.

    Attributes:
        batch: The batch index of the registers.
        row: Row of A.
        group: The group: k is 4*group .. 4*group + 3.
        pair: Both positions.
        faults: How many such groups there are.

    """

    batch: tuple[int, ...]
    row: int
    group: int
    pair: tuple[int, int]
    faults: int


class IndexCheck(NamedTuple):
    """What an index operand holds.

    Attributes:
        groups: Groups that were looked at.
        fault: The first group whose positions do not ascend; None if all do.
        disagreement: The first position whose copies differ; None if they agree.

    """

    groups: int
    fault: IndexFault | None
    disagreement: Disagreement | None


def pack_sparse(
    dense: Matrix,
    instruction: Instruction,
    *,
    wave: Wave | None = None,
    format: str | None = None,
    effects: Mapping[str, int] = _NOTHING,
    share: bool = False,
) -> SparseOperand:
    """Compress a dense matrix and put it into the registers of a sparse instruction.

    Args:
        dense: Bits of the elements, unsigned integers [..., M, K], at most two of each four
            along k not zero.
        instruction: A sparse instruction.
        wave: Lanes of the wave, the default wave size if None.
        format: Format of A where a modifier chooses it.
        effects: Modifier values by effect; "index_part" says where in its register an index
            goes.
        share: Tiles that follow each other along k fill the parts of one index register, from
            part 0 on.

    Raises:
        ArrayMistake: Type or shape is wrong, or a group has more than two elements.
        EncodingMistake: The instruction is not sparse.
        OutOfRange: The index has no such part.

    """
    check_sparse(instruction)
    a = fragment_of(instruction, "a", wave, format)
    index = fragment_of(instruction, "index", wave, format)
    form = number_format(a.format)
    kept, positions = compress(
        _padded(dense, instruction), form.sign_bit if form.has_negative_zero else None
    )
    tiles = _tiles(positions, index)
    words = _shared(tiles, index) if share else pack(tiles, index.moved(effects))
    return SparseOperand(kept, positions, pack(_tiles(kept, a), a), words)


def prune(dense: Matrix, form: Format, *, signed: bool = True) -> Matrix:
    """Set all but the two largest magnitudes of each four along the last axis to zero.

    Of equal ones the first stay; NaN counts as largest. Groups that are sparse already stay.

    Args:
        dense: Bits of the elements, unsigned integers [..., M, K], K a multiple of four.
        form: Their format.
        signed: How to read integers whose format leaves the sign to the instruction.

    Raises:
        ArrayMistake: K is no multiple of four.

    """
    if dense.shape[-1] % GROUP:
        raise ArrayMistake(
            f"K must be a multiple of {GROUP} to be pruned; it is {dense.shape[-1]}.",
            subject=dense.shape[-1],
        )
    found = dense.copy()
    groups = found.reshape(-1, GROUP)
    for first in range(0, len(groups), _GROUPS_AT_ONCE):
        part = groups[first : first + _GROUPS_AT_ONCE]
        size = np.abs(decode(form, part, signed=signed)).astype(np.float64)
        # The last key ranks first, so that NaN comes before infinity.
        order = np.lexsort((-np.nan_to_num(size, nan=np.inf, posinf=np.inf), ~np.isnan(size)))
        np.put_along_axis(part, order[..., KEPT:], np.zeros((), dense.dtype), axis=-1)
    return found


def check_index(
    index: Registers,
    instruction: Instruction,
    *,
    wave: Wave | None = None,
    format: str | None = None,
    effects: Mapping[str, int] = _NOTHING,
) -> IndexCheck:
    """Look for groups whose positions do not ascend, and for copies that differ.

    Args:
        index: Registers of the index, uint32 [..., register, lane].
        instruction: A sparse instruction.
        wave: Lanes of the wave, the default wave size if None.
        format: Format of A where a modifier chooses it.
        effects: Modifier values by effect.

    Raises:
        ArrayMistake: Wrong type or shape.
        EncodingMistake: The instruction is not sparse.
        OutOfRange: The index has no such part.

    """
    check_sparse(instruction)
    fragment = fragment_of(instruction, "index", wave, format).moved(effects)
    positions = unpack(index, fragment).astype(np.uint8)
    groups = positions.size // KEPT
    first = illegal_group(positions)
    fault = None
    if first is not None:
        *batch, row, group = first
        pairs = positions.reshape(*positions.shape[:-1], -1, KEPT)
        low, high = (int(each) for each in pairs[first])
        count = int((pairs[..., 0] >= pairs[..., 1]).sum())
        fault = IndexFault(tuple(batch), row, group, (low, high), count)
    return IndexCheck(groups, fault, disagreement(index, fragment))


def index_parts(
    instruction: Instruction, wave: Wave | None = None, format: str | None = None
) -> int:
    """Count the parts of an index register of which a modifier chooses one.

    Raises:
        EncodingMistake: The instruction is not sparse.

    """
    check_sparse(instruction)
    return index_sets(fragment_of(instruction, "index", wave, format).layout)


def check_sparse(instruction: Instruction) -> None:
    """Refuse an instruction without an index.

    Raises:
        EncodingMistake: It has none.

    """
    if not instruction.is_sparse:
        raise EncodingMistake(
            f"{instruction.name} is not sparse: it has no index operand.",
            subject=instruction.name,
            hint="Sparse ones: wavemma list --sparse",
        )


def _padded(dense: Matrix, instruction: Instruction) -> Matrix:
    """Fill a matrix up with zeros to whole tiles."""
    if dense.ndim < 2 or 0 in dense.shape[-2:]:
        raise ArrayMistake(
            f"The dense matrix must be [..., M, K] and hold something; given {list(dense.shape)}.",
            subject=dense.shape,
        )
    m, _, k = instruction.shape
    short = [(0, 0)] * (dense.ndim - 2)
    short += [(0, -size % step) for size, step in zip(dense.shape[-2:], (m, k), strict=True)]
    return np.pad(dense, short)


def _tiles(matrix: Matrix, fragment: Fragment) -> Matrix:
    """Cut [..., M, K/2] into [..., tiles along M, tiles along K, m, k/2]."""
    m, k = fragment.matrix_shape
    *batch, rows, columns = matrix.shape
    cut = matrix.reshape(*batch, rows // m, m, columns // k, k)
    return np.ascontiguousarray(np.swapaxes(cut, -3, -2))


def _shared(tiles: Matrix, index: Fragment) -> Registers:
    """Put the indices of tiles that follow each other along k into the parts of one register."""
    parts = index_sets(index.layout)
    if parts < 2:
        raise OutOfRange(
            "The index fills its registers; tiles cannot share them.",
            subject=parts,
        )
    count = -(-tiles.shape[-3] // parts)
    *batch, _, m, k = tiles.shape
    # Positions 0 and 1, which are legal, for tiles that are not there.
    rest = np.broadcast_to(np.arange(KEPT, dtype=tiles.dtype), (m, k // KEPT, KEPT)).reshape(m, k)
    whole = np.empty((*batch, count * parts, m, k), dtype=tiles.dtype)
    whole[..., : tiles.shape[-3], :, :] = tiles
    whole[..., tiles.shape[-3] :, :, :] = rest
    words = None
    for part in range(parts):
        words = pack(whole[..., part::parts, :, :], index.moved({_PART: part}), into=words)
    assert words is not None
    return words
