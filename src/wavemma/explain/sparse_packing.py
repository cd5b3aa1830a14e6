"""What does this A become as a sparse operand?"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.answer import Answer
from wavemma.explain.citation import cited, distinct
from wavemma.explain.operand import Asked, Operand, asked_of, conflicts_of, evidence_of, notes_of
from wavemma.explain.sparsity import PAIR_NOTE, index_operand
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import codes_of, dtype_of, formats_of
from wavemma.formats.format import Format, number_format
from wavemma.fragments.compressed import SparseOperand, pack_sparse, prune
from wavemma.layouts import KEPT

Array = npt.NDArray[Any]

_NOTHING: Mapping[str, int] = {}

FEWER_NOTE = (
    "A group with fewer than two elements keeps zeros beside them, at places that still ascend."
)


class SparsePacking(Answer, frozen=True, kw_only=True, tag=True):
    """What a matrix became.

    Attributes:
        asked: The index operand.
        size: The axes of A.
        tiles: Tiles along M and along K; the last ones are filled up with zeros.
        kept: Groups that keep 0, 1 and 2 elements that are not zero, filling included.
        pruned: Elements that were set to zero to get there.
        pruned_share: Their share of the sum of magnitudes; None if that is not finite.
        shared: Whether tiles along K share index registers.
        words: The index registers of the first tile in hexadecimal, by register and lane.
        files: What was written, and into which files.

    """

    asked: Asked
    size: tuple[int, ...]
    tiles: tuple[int, int]
    kept: tuple[int, int, int]
    pruned: int
    pruned_share: float | None
    shared: bool
    words: tuple[tuple[str, ...], ...]
    files: tuple[tuple[str, str], ...] = ()


class Packed(NamedTuple):
    """The arrays, and what there is to say about them."""

    operand: SparseOperand
    answer: SparsePacking


def pack_a(
    array: Array,
    target: str,
    instruction: str,
    *,
    wave: int | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
    share: bool = False,
    pruned: bool = False,
) -> Packed:
    """Pack a dense A into the registers of a sparse instruction.

    Args:
        array: A [..., M, K] of a type that A of the instruction can have; edges are filled up
            with zeros to whole tiles.
        target: Such as "gfx942".
        instruction: A mnemonic.
        wave: Lanes of the wave; the target's default if None.
        modifiers: Values by the keys of `moves.CHOICES`; which part of its register an index
            goes to.
        share: Tiles along K fill the parts of one index register.
        pruned: Groups with more than two elements lose the smallest ones.

    Raises:
        ArrayMistake: Wrong type or shape, or a group has more than two elements.
        EncodingMistake: The instruction is not sparse.
        Unsupported: Where that part of the register stands is unknown.
        WavemmaError: As for `operand`.

    """
    chosen = index_operand(target, instruction, wave=wave, modifiers=modifiers, must_be_known=True)
    form = _format_of(array, chosen)
    if not array.size:
        raise ArrayMistake(
            f"A must hold something; its shape is {list(array.shape)}.", subject=array.shape
        )
    codes = codes_of(array, form)
    dense = prune(codes, form, signed=formats_of(array.dtype).signed) if pruned else codes
    made = pack_sparse(
        dense,
        chosen.instruction,
        wave=chosen.wave,
        format=form.name,
        effects=chosen.effects,
        share=share,
    )
    lost = codes[dense != codes]
    answer = SparsePacking(
        asked=asked_of(chosen._replace(format=form.name)),
        size=array.shape,
        tiles=(made.registers.shape[-4], made.registers.shape[-3]),
        kept=_counts(made.kept, form),
        pruned=lost.size,
        pruned_share=_share(codes, lost, form),
        shared=share,
        words=_words(made.index_registers),
        evidence=distinct(
            (*evidence_of(chosen), cited(f"format {form.name}", form.source, form.grade))
        ),
        conflicts=conflicts_of(chosen),
        notes=(PAIR_NOTE, FEWER_NOTE, *notes_of(chosen, modifiers)),
    )
    return Packed(made, answer)


def _format_of(array: Array, chosen: Operand) -> Format:
    """Find the format of A that has the array's type."""
    allowed = chosen.instruction.formats["a"]
    for name in formats_of(array.dtype).formats:
        if name in allowed:
            return number_format(name)
    types = [str(dtype_of(number_format(name)) or "int8 or uint8") for name in allowed]
    raise ArrayMistake(
        f"A of {chosen.instruction.name} must be {' or '.join(allowed)}, such as an array of"
        f" {', '.join(types)}; it is {array.dtype}.",
        subject=str(array.dtype),
        allowed=types,
    )


def _counts(kept: Array, form: Format) -> tuple[int, int, int]:
    """Count the groups by how many of their kept elements are not zero."""
    pairs = (decode(form, kept) != 0).reshape(-1, KEPT).sum(axis=-1)
    none, one, two = np.bincount(pairs, minlength=KEPT + 1).tolist()
    return none, one, two


def _share(codes: Array, lost: Array, form: Format) -> float | None:
    size = np.abs(decode(form, codes).astype(np.float64)).sum()
    gone = np.abs(decode(form, lost).astype(np.float64)).sum()
    if not np.isfinite(size):
        return None
    return float(gone / size) if size else 0.0


def _words(registers: Array) -> tuple[tuple[str, ...], ...]:
    """Write the index registers of the first tile."""
    first = registers.reshape(-1, *registers.shape[-2:])[0]
    return tuple(tuple(f"0x{word:08x}" for word in row) for row in first.tolist())
