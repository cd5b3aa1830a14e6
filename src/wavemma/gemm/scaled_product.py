"""A product by a block-scaled instruction: blocks along k of A and of B have scales."""

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, UnknownFormat, Unsupported
from wavemma.formats import decode, encode, number_format
from wavemma.formats.dlpack import as_array
from wavemma.formats.dtypes import codes_of, formats_of
from wavemma.fragments.quantised import quantise_operand, scale_formats
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.by_tiles import Tiled
from wavemma.gemm.choice import choose
from wavemma.gemm.factors import Factors
from wavemma.gemm.memory import check_memory, check_sizes
from wavemma.gemm.operands import Array, Matrix
from wavemma.gemm.plan import Product, plan
from wavemma.gemm.request import Request
from wavemma.gemm.sparse_product import run_batch
from wavemma.isa.instruction import Instruction
from wavemma.numerics.model import model as named_model
from wavemma.tables.format_names import format_among, formats_alike

Side = Literal["a", "b"]
_K_AXES: dict[Side, int] = {"a": -1, "b": -2}


class CodedFactor(NamedTuple):
    """A or B in codes with scales.

    Attributes:
        codes: A [..., M, K] or B [..., K, N].
        scales: [..., M, K/block] or [..., K/block, N].
        format: Name of the elements' format.
        scale_format: Name of the scales' format.

    """

    codes: Array
    scales: Array
    format: str
    scale_format: str


def multiply_scaled(asked: Request) -> Product:
    """Multiply by a scaled instruction, the fastest for the types if none is named.

    Raises:
        ArrayMistake: Types, shapes or scales do not fit.
        UnknownFormat: Elements or scales cannot have a format.
        Unsupported: Another order of k is asked for, or a tile policy.
        WavemmaError: As for `matmul`.

    """
    scales = asked.scales or BlockScales()
    names = (asked.a.formats, asked.b.formats)
    if isinstance(scales, Quantise):
        names = (formats_alike(scales.a), formats_alike(scales.b))
    instruction, left, right = choose(asked.target, asked.op, *names, asked.c_format, "scaled")
    _check(asked)
    lanes, size = asked.lanes(instruction), asked.size()
    check_sizes((left, right, instruction.formats["d"][0]), size, math.prod(asked.batch()))
    a = _factor(asked.a, "a", left, scales, instruction)
    b = _factor(asked.b, "b", right, scales, instruction)
    _check_pair(a, b, instruction)
    batch = asked.batch(a.scales, b.scales)
    made = plan(
        instruction,
        asked.target,
        (left, right),
        size,
        batch=int(np.prod(batch, dtype=np.int64)),
        wave=lanes,
        k_order="calculator",
        summing=named_model(asked.model or instruction.model(lanes)),
        scales=(a.scale_format, b.scale_format),
    )
    check_memory(made)
    tiled = Tiled(
        instruction,
        lanes,
        _effects(instruction, a, b),
        {"scale_a": _one(a.scale_format), "scale_b": _one(b.scale_format)},
        asked.model,
        asked.threads,
        asked.cache_folder,
    )
    factors = {"a": a.codes, "b": b.codes, "scale_a": a.scales, "scale_b": b.scales}
    d = run_batch(tiled, factors, asked, batch, size, made.d)
    return Product(d, made, lambda: _numbers(a, b, instruction.matrix.scale_block))


def _numbers(a: CodedFactor, b: CodedFactor, block: int) -> Factors:
    """Give the numbers of elements and of their scales."""
    found: list[Array] = []
    for factor, axis in ((a, _K_AXES["a"]), (b, _K_AXES["b"])):
        scales = decode(number_format(factor.scale_format), factor.scales)
        spread = np.repeat(scales, block, axis=axis)
        found += [
            decode(number_format(factor.format), factor.codes),
            np.take(spread, np.arange(factor.codes.shape[axis]), axis=axis),
        ]
    return Factors(found[0], found[2], found[1], found[3])


def _check(asked: Request) -> None:
    if asked.k_order != "calculator":
        raise Unsupported(
            "A scaled product has the calculator's order of k only: blocks of k have scales.",
            subject=asked.k_order,
        )
    if asked.tile is not None:
        raise Unsupported("Tile policies are for dense instructions.", subject="tile")


def _factor(
    held: Matrix, side: Side, format: str, scales: BlockScales | Quantise, instruction: Instruction
) -> CodedFactor:
    """Give codes and scales of A or B."""
    if isinstance(scales, Quantise):
        scale = scales.scale_a if side == "a" else scales.scale_b
        made = quantise_operand(
            held.array, instruction, side, format=format, scale_format=scale, rule=scales.rule
        )
        size = held.array.shape[_K_AXES[side]]
        codes = np.take(made.codes, np.arange(size), axis=_K_AXES[side])
        return CodedFactor(codes, made.scales, made.format, made.scale_format)
    codes = held.codes(format)
    given, name = (scales.a, scales.a_format) if side == "a" else (scales.b, scales.b_format)
    name = format_among(name, instruction.formats[f"scale_{side}"], f"The scales of {side.upper()}")
    if given is None:
        return CodedFactor(codes, _ones(codes, side, name, instruction), format, name)
    array, name = _read(given, name, side, instruction)
    _check_shape(array, codes, side, instruction)
    if not scales.allow_nan:
        _refuse_nan(array, name, side)
    return CodedFactor(codes, array, format, name)


def _read(
    given: npt.ArrayLike, name: str, side: Side, instruction: Instruction
) -> tuple[Array, str]:
    """Take scales as codes, with the format that their type has, if it has one."""
    array = as_array(given)
    if array.dtype.kind in "iu":
        form = number_format(name)
        if array.size and not 0 <= int(array.min()) <= int(array.max()) < form.codes:
            raise ArrayMistake(
                f"The scales of {side.upper()} must be codes 0..{form.codes - 1}; given"
                f" {int(array.min())} to {int(array.max())}.",
                subject=side,
            )
        return array.astype(np.uint8), name
    allowed = instruction.formats[f"scale_{side}"]
    known = [each for each in formats_of(array.dtype).formats if each in allowed]
    if not known:
        raise ArrayMistake(
            f"The scales of {side.upper()} must be codes as integers, or of a type with the codes"
            f" of {' or '.join(allowed)}; given {array.dtype}.",
            subject=str(array.dtype),
        )
    return codes_of(array, number_format(known[0])), known[0]


def _scale_shape(codes: Array, side: Side, instruction: Instruction) -> tuple[int, ...]:
    """Give the last two axes that the scales of a factor have."""
    rows, columns = codes.shape[-2:]
    block = instruction.matrix.scale_block
    return (rows, -(-columns // block)) if side == "a" else (-(-rows // block), columns)


def _check_shape(scales: Array, codes: Array, side: Side, instruction: Instruction) -> None:
    wanted = _scale_shape(codes, side, instruction)
    if scales.shape[-2:] != wanted:
        raise ArrayMistake(
            f"The scales of {side.upper()} must be [..., {wanted[0]}, {wanted[1]}], one for each"
            f" {instruction.matrix.scale_block} elements along k; given {list(scales.shape)}.",
            subject=scales.shape,
        )


def _refuse_nan(codes: Array, name: str, side: Side) -> None:
    """Refuse scales that are NaN: the hardware's answer to a byte that was never set."""
    wrong = np.argwhere(np.isnan(decode(number_format(name), codes)))
    if not len(wrong):
        return
    place = tuple(wrong[0].tolist())
    axes = ("row", "block") if side == "a" else ("block", "column")
    where = ", ".join(f"{axis} {at}" for axis, at in zip(axes, place[-2:], strict=True))
    raise ArrayMistake(
        f"The scales of {side.upper()} must be numbers; that of {where} is NaN"
        f" ({codes[place]:#04x} in {name}), and {len(wrong)} of {codes.size} are.",
        subject=place,
        hint=f"Hardware gives NaN for the whole {'row' if side == 'a' else 'column'}: ask for that"
        " with BlockScales(allow_nan=True) or --allow-nan-scales.",
    )


def _ones(codes: Array, side: Side, name: str, instruction: Instruction) -> Array:
    shape = _scale_shape(codes, side, instruction)
    return np.full(shape, _one(name), dtype=np.uint8)


def _one(name: str) -> int:
    """Give the code of the scale 1."""
    return int(encode(number_format(name), 1.0))


def _check_pair(a: CodedFactor, b: CodedFactor, instruction: Instruction) -> None:
    """Refuse scale formats that do not go with the elements, or not with each other."""
    for side, factor in (("A", a), ("B", b)):
        fitting = scale_formats(instruction, factor.format)
        if factor.scale_format not in fitting:
            raise UnknownFormat(
                f"The scales of {side} in {factor.format} must be {' or '.join(fitting)} in"
                f" {instruction.name}; {factor.scale_format} was given.",
                subject=factor.scale_format,
                allowed=fitting,
            )
    free = instruction.matrix.scale_free
    if a.format == b.format == free and a.scale_format != b.scale_format:
        raise UnknownFormat(
            f"The scales of A and B must have one format where both are {free}; given"
            f" {a.scale_format} and {b.scale_format}.",
            subject=b.scale_format,
        )


def _effects(instruction: Instruction, a: CodedFactor, b: CodedFactor) -> dict[str, int]:
    """Give the format codes of the instruction's modifiers."""
    found: dict[str, int] = {}
    for side, factor in (("a", a), ("b", b)):
        found[f"format_{side}"] = instruction.formats[side].index(factor.format)
        allowed = instruction.formats[f"scale_{side}"]
        found[f"scale_format_{side}"] = allowed.index(factor.scale_format)
    return found
