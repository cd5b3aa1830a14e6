"""gfx950 F8F6F4 and its scaled form: numerics.md section 3.10."""

from collections.abc import Sequence

from tests.twin.cdna import NAN_BITS, even_odd_block, overflowed
from tests.twin.ieee import add
from tests.twin.problem import Problem, chunks
from tests.twin.values import FINITE, NAN, Value, decode, encode_value

NEUTRAL = 127
NARROW = ("fp6", "bf6", "fp4")


def _shifts(p: Problem) -> list[int | None]:
    """The exponent sa + sb - 254 of every block, None for a NaN scale."""
    count = -(-len(p.a) // p.block)
    scales = [_bytes(p.scale_a, count), _bytes(p.scale_b, count)]
    pairs = zip(*scales, strict=True)
    return [None if 0xFF in pair else sum(pair) - 2 * NEUTRAL for pair in pairs]


def _bytes(scales: Sequence[int] | None, count: int) -> Sequence[int]:
    if scales is None:
        return [NEUTRAL] * count
    if len(scales) != count:
        raise ValueError(f"{len(scales)} scale bytes given, {count} blocks to scale")
    return scales


def _or_nan(bits: int | None) -> int:
    return NAN_BITS["f32"] if bits is None else bits


def scaled_reference(p: Problem) -> int:
    """3.10 reference: an FMA chain a block, scaled, rounded and added in f32."""
    acc, shifts = p.c, _shifts(p)
    if None in shifts:
        return NAN_BITS["f32"]
    for block, shift in zip(chunks(p.products, p.block), shifts, strict=True):
        t = 0
        for product in block:
            t = _or_nan(add(product, decode("f32", t), "f32"))
        u = _or_nan(encode_value("f32", decode("f32", t).shifted(shift or 0)))
        acc = _or_nan(add(decode("f32", acc), decode("f32", u), "f32"))
    return acc


def _shifted(product: Value, shift: int | None) -> Value:
    if shift is None:
        return Value(NAN, False)
    return overflowed(product.shifted(shift)) if product.kind == FINITE else product


def scaled_even_odd(p: Problem) -> int:
    """3.10 expected hardware: rule 3.5 on products shifted by their block's scales."""
    shifts = _shifts(p)
    products = [_shifted(v, shifts[k // p.block]) for k, v in enumerate(p.products)]
    narrow = p.a_format in NARROW and p.b_format in NARROW
    acc = p.c
    for block in chunks(products, p.step or (64 if narrow else 32)):
        acc = even_odd_block(block, acc, cut_off=True)
    return acc
