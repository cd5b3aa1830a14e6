"""A product by a sparse instruction: A keeps two of each four elements along k."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, Unsupported
from wavemma.formats import number_format
from wavemma.formats.dlpack import as_array
from wavemma.formats.dtypes import dtype_of
from wavemma.fragments import compress, expand, illegal_group
from wavemma.fragments.compressed import prune
from wavemma.gemm.by_tiles import Tiled
from wavemma.gemm.choice import choose
from wavemma.gemm.factors import Factors
from wavemma.gemm.index_words import IndexWords, positions_in
from wavemma.gemm.memory import check_memory, check_sizes
from wavemma.gemm.operands import Array
from wavemma.gemm.plan import Product, plan
from wavemma.gemm.request import Request
from wavemma.isa.instruction import Instruction
from wavemma.layouts import GROUP, KEPT
from wavemma.numerics.model import model as named_model


def multiply_sparse(asked: Request) -> Product:
    """Multiply by a sparse instruction, the fastest for the types if none is named.

    Raises:
        ArrayMistake: Types, shapes or positions do not fit, or a group of A has more than two
            elements that are not zero and may not be pruned.
        Unsupported: The instruction's C and D differ, or another order of k is asked for.
        WavemmaError: As for `matmul`.

    """
    instruction, left, right = choose(
        asked.target, asked.op, asked.a.formats, asked.b.formats, asked.c_format, "sparse"
    )
    _check(asked)
    lanes = asked.lanes(instruction)
    size = asked.size(packed=asked.positions is not None)
    check_sizes((left, right, instruction.formats["d"][0]), size, math.prod(asked.batch()))
    kept, positions = _kept(asked, left, instruction)
    batch = asked.batch(positions)
    made = plan(
        instruction,
        asked.target,
        (left, right),
        size,
        batch=int(np.prod(batch, dtype=np.int64)),
        wave=lanes,
        k_order="calculator",
        summing=named_model(asked.model or instruction.model(lanes)),
    )
    signs = {"signed_a": int(asked.a.signed), "signed_b": int(asked.b.signed)}
    tiled = Tiled(instruction, lanes, signs, {}, asked.model, asked.threads, asked.cache_folder)
    factors = {"a": kept, "index": positions, "b": asked.b.codes(right)}
    check_memory(made)
    d = run_batch(tiled, factors, asked, batch, size, made.d)
    return Product(d, made, lambda: _filled_up(asked, kept, positions))


def _filled_up(asked: Request, kept: Array, positions: Array) -> Factors:
    """Give A with zeros where nothing is kept, in the type in which it was given."""
    shape = np.broadcast_shapes(kept.shape, positions.shape)
    dense = expand(np.broadcast_to(kept, shape), np.broadcast_to(positions, shape))
    whole = dense[..., : asked.b.array.shape[-2]]
    return Factors(np.ascontiguousarray(whole).view(asked.a.array.dtype), asked.b.array)


def run_batch(
    tiled: Tiled,
    factors: dict[str, Array],
    asked: Request,
    batch: tuple[int, ...],
    size: tuple[int, int, int],
    d: str,
) -> Array:
    """Multiply every product of a batch by tiles.

    Args:
        tiled: The loop.
        factors: Codes by role, batch axes first.
        asked: What was asked, for C.
        batch: The batch axes of the result.
        size: M, N, K.
        d: Format of C and D.

    """
    form = number_format(d)
    kind: Any = dtype_of(form)
    spread = {
        role: np.broadcast_to(each, (*batch, *each.shape[-2:])) for role, each in factors.items()
    }
    start = np.zeros((1, 1), dtype=f"u{kind.itemsize}") if asked.c is None else asked.c.codes(d)
    starts = np.broadcast_to(start, (*batch, *size[:2]))
    result = np.empty((*batch, *size[:2]), dtype=kind)
    codes = result.view(start.dtype)
    for index in np.ndindex(*batch):
        own = {role: each[index] for role, each in spread.items()}
        tiled.run(own, starts[index], codes[index])
    return result


def _check(asked: Request) -> None:
    if asked.k_order != "calculator":
        raise Unsupported(
            "A sparse product has the calculator's order of k only: the index speaks of it.",
            subject=asked.k_order,
        )
    if asked.tile is not None:
        raise Unsupported("Tile policies are for dense instructions.", subject="tile")
    if asked.prune and asked.positions is not None:
        raise ArrayMistake(
            "prune is for a dense A; with positions its elements are chosen already.",
            subject="prune",
        )
    if isinstance(asked.positions, IndexWords) and asked.op is None:
        raise ArrayMistake(
            "Index words are laid out for one instruction, which op (--op) must name.",
            subject="positions",
        )


def _kept(asked: Request, format: str, instruction: Instruction) -> tuple[Array, Array]:
    """Give kept elements and positions, [..., M, K/2], K filled up to whole groups."""
    form = number_format(format)
    codes = asked.a.codes(format)
    if isinstance(asked.positions, IndexWords):
        lanes = asked.lanes(instruction)
        found = positions_in(asked.positions, instruction, lanes, codes.shape)
        return codes, _checked(found, codes.shape)
    if asked.positions is not None:
        return codes, _checked(asked.positions, codes.shape)
    if not codes.size:
        nothing = np.zeros((*codes.shape[:-1], -(-codes.shape[-1] // GROUP) * KEPT), codes.dtype)
        return nothing, nothing.astype(np.uint8)
    short = -codes.shape[-1] % GROUP
    dense = np.pad(codes, [(0, 0)] * (codes.ndim - 1) + [(0, short)])
    if asked.prune:
        dense = prune(dense, form, signed=asked.a.signed)
    try:
        both = compress(dense, form.sign_bit if form.has_negative_zero else None)
    except ArrayMistake as error:
        raise ArrayMistake(
            error.message,
            subject=error.subject,
            hint="prune=True or --prune sets the smallest of such a group to zero.",
        ) from None
    return both.kept, both.positions


def _checked(given: npt.ArrayLike, shape: tuple[int, ...]) -> Array:
    positions = as_array(given)
    if positions.dtype.kind not in "iu" or positions.shape[-2:] != shape[-2:]:
        raise ArrayMistake(
            f"positions must be integers of the shape of the packed A, {list(shape)}; given"
            f" {positions.dtype} {list(positions.shape)}.",
            subject="positions",
        )
    if positions.size and not 0 <= int(positions.min()) <= int(positions.max()) < GROUP:
        raise ArrayMistake(
            f"positions must be 0..{GROUP - 1}; given {int(positions.min())} to"
            f" {int(positions.max())}.",
            subject="positions",
        )
    narrow = positions.astype(np.uint8)
    wrong = illegal_group(narrow)
    if wrong is not None:
        raise ArrayMistake(
            f"The two positions of a group must ascend; those of group {wrong[-1]} (k"
            f" {GROUP * wrong[-1]}..{GROUP * wrong[-1] + GROUP - 1}) of row {wrong[-2]} do not.",
            subject=wrong,
            hint="Check an index: wavemma sparse verify --help",
        )
    return narrow
