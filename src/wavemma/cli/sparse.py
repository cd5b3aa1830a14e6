"""wavemma sparse: 2:4 sparse operands."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from cyclopts import Parameter
from msgspec.structs import replace

from wavemma.cli.arrays import Array, load, save
from wavemma.cli.modifiers import DEFAULTS, Moves
from wavemma.cli.output import present
from wavemma.cli.written import check_distinct, check_writable
from wavemma.errors import SyntaxMistake
from wavemma.explain.index_check import verify_index
from wavemma.explain.sparse_packing import pack_a
from wavemma.explain.sparsity import explain_index
from wavemma.fragments.compressed import SparseOperand
from wavemma.layouts import GROUP, KEPT

NO = 1
_ORDER = ("registers", "index_registers", "kept", "positions")


def pack(
    a: str,
    /,
    *,
    target: str,
    op: str,
    output: Annotated[tuple[Path, ...], Parameter(("--output", "-o"), consume_multiple=True)],
    wave: Literal[32, 64] | None = None,
    prune: bool = False,
    share: bool = False,
    moves: Moves = DEFAULTS,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Pack a 2:4 sparse A and its index.

    For example:

    | wavemma sparse pack a.npy --target gfx942 --op v_smfmac_f32_16x16x32_f16 -o words.npy
      index.npy

    Args:
        a: A dense A [..., M, K]: a .npy or .npz file, or FILE:TYPE such as a.npy:bf16.
        target: Such as gfx942, or a product such as MI300X.
        op: A sparse instruction, such as v_smfmac_f32_16x16x32_f16.
        output: One to four .npy files, in this order: registers of A, registers of the index,
            kept elements, their places.
        wave: Lanes of the wave; the target's default if not given.
        prune: Keep only the two largest of each four along k.
        share: Let tiles along K fill the parts of one index register.
        moves: Which part of its register the index goes to.
        json: Print JSON.

    """
    if not 1 <= len(output) <= len(_ORDER):
        raise SyntaxMistake(f"sparse pack writes 1 to {len(_ORDER)} files, not {len(output)}.")
    if share and moves.given():
        raise SyntaxMistake("--share fills all parts of a register; it goes with no part chosen.")
    for path in output:
        check_writable(path)
    check_distinct(output)
    dense = load(a, target)
    made = pack_a(dense, target, op, wave=wave, modifiers=moves.given(), share=share, pruned=prune)
    parts = _as_gemm_takes_them(made.operand, dense)
    files = tuple(zip(map(str, output), _written(parts), strict=False))
    for path, name in zip(output, _ORDER, strict=False):
        save(path, np.ascontiguousarray(getattr(parts, name)))
    present(replace(made.answer, files=files), json=json)
    return 0


def verify(
    index: str,
    /,
    *,
    target: str,
    op: str,
    wave: Literal[32, 64] | None = None,
    moves: Moves = DEFAULTS,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Check an index operand.

    For example:

    | wavemma sparse verify index.npy --target gfx942 --op v_smfmac_f32_16x16x32_f16

    Args:
        index: Registers of the index, uint32 [..., register, lane]: a .npy file.
        target: Such as gfx942, or a product such as MI300X.
        op: A sparse instruction, such as v_smfmac_f32_16x16x32_f16.
        wave: Lanes of the wave; the target's default if not given.
        moves: Which part of its register is read.
        json: Print JSON.

    """
    found = verify_index(load(index), target, op, wave=wave, modifiers=moves.given())
    present(found, json=json)
    return 0 if found.is_legal else NO


def info(
    target: str,
    op: str,
    /,
    *,
    wave: Literal[32, 64] | None = None,
    format: str | None = None,
    moves: Moves = DEFAULTS,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Explain the index operand of an instruction.

    For example:

    | wavemma sparse info gfx942 v_smfmac_f32_16x16x32_f16

    Args:
        target: Such as gfx942, or a product such as MI300X.
        op: A sparse instruction, such as v_smfmac_f32_16x16x32_f16.
        wave: Lanes of the wave; the target's default if not given.
        format: Format of A where a modifier chooses it.
        moves: Which part of its register is read.
        json: Print JSON.

    """
    found = explain_index(target, op, wave=wave, format=format, modifiers=moves.given())
    present(found, json=json)
    return 0 if not found.unknown else NO


def _as_gemm_takes_them(made: SparseOperand, dense: Array) -> SparseOperand:
    """Cut what fills up tiles off kept elements and places, and give elements A's own type."""
    m, k = dense.shape[-2:]
    own = (..., slice(m), slice(-(-k // GROUP) * KEPT))
    kept = np.ascontiguousarray(made.kept[own]).view(dense.dtype)
    return made._replace(kept=kept, positions=made.positions[own])


def _written(made: SparseOperand) -> list[str]:
    """Say what each file holds."""
    words = ("registers of A", "registers of the index", "kept elements", "their places")
    return [
        f"{word}, {array.dtype} {list(array.shape)}"
        for word, array in zip(words, (getattr(made, name) for name in _ORDER), strict=True)
    ]
