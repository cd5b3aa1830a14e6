"""CDNA1 to CDNA4 without scales: numerics.md sections 3.1 to 3.9, floating types."""

from collections.abc import Sequence

from tests.twin.ieee import add
from tests.twin.problem import Problem, chunks
from tests.twin.values import (
    FINITE,
    INFINITE,
    NAN,
    Value,
    decode,
    encode,
    encode_value,
    exponent_field,
    floor_units,
    multiply,
    trunc_units,
)

NAN_BITS = {"f32": 0x7FC00000, "f64": 0x7FF8 << 48}
"""Placeholder of the NaNs whose bits are unknown (3.6)."""
TOO_LARGE = 128


def fma_chain(p: Problem) -> int:
    """3.1: one rounding a product, in the accumulator's format."""
    acc = p.c
    for product in p.products:
        rounded = add(product, decode(p.d_format, acc), p.d_format)
        acc = NAN_BITS[p.d_format] if rounded is None else rounded
    return acc


def special(terms: Sequence[Value]) -> int | None:
    """3.6: the f32 result of a block that has a NaN or an infinity in it, else None."""
    if any(t.kind >= NAN for t in terms):
        return NAN_BITS["f32"]
    signs = {t.negative for t in terms if t.kind == INFINITE}
    if len(signs) == 2:
        return NAN_BITS["f32"]
    if signs:
        return 0xFF800000 if True in signs else 0x7F800000
    return None


def cdna1_exact(p: Problem) -> int:
    """3.2: blocks of L summed exactly with acc, one rounding each."""
    acc = p.c
    for block in chunks(p.products, p.step or (2 if p.a_format == "bf16" else 4)):
        terms = [*block, decode("f32", acc)]
        found = special(terms)
        if found is None:
            power = min(t.power for t in terms)
            found = encode("f32", sum(t.signed << (t.power - power) for t in terms), power)
        acc = found
    return acc


def _flush_input(name: str, bits: int) -> int:
    return bits if exponent_field(name, bits) else 0


def _flush_result(bits: int | None) -> int:
    if bits is None:
        return NAN_BITS["f32"]
    return bits if exponent_field("f32", bits) else bits & 0x80000000


def _flushing_add(x: int, y: int) -> int:
    return _flush_result(add(decode("f32", x), decode("f32", y), "f32"))


def cdna2_flush(p: Problem) -> int:
    """3.3: every product and sum rounded to f32 and flushed, added in pairs."""
    a = [decode(p.a_format, _flush_input(p.a_format, x)) for x in p.a]
    b = [decode(p.b_format, _flush_input(p.b_format, x)) for x in p.b]
    products = [multiply(x, y) for x, y in zip(a, b, strict=True)]
    acc = _flush_input("f32", p.c)
    for block in chunks(products, p.step or 4):
        sums = [_flush_result(encode_value("f32", product)) for product in block]
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=True)
            sums = [_flushing_add(x, y) for x, y in pairs]
        acc = _flushing_add(acc, sums[0])
    return acc


def overflowed(product: Value) -> Value:
    """3.4 step 1: a product of at least 2**128 counts as an infinity."""
    large = product.kind == FINITE and product.significand and product.lead >= TOO_LARGE
    return Value(INFINITE, product.negative) if large else product


def _aligned(products: Sequence[Value]) -> tuple[int, int] | None:
    """3.4 step 2: (T in units of 2**(E_p - 24), E_p), or None when all are zero."""
    nonzero = [product for product in products if product.significand]
    if not nonzero:
        return None
    top = max(product.exponent for product in nonzero)
    return sum(trunc_units(v.signed, v.power, top - 24) for v in nonzero), top


def _finish(total: tuple[int, int] | None, c: Value, *, cut_off: bool) -> int:
    """3.4 steps 3 to 5, C dropped first where the cut-off of 3.5 says so."""
    units, top = total or (0, c.exponent)
    high = max(top, c.exponent)
    number = floor_units(units, top - 24, high - 32)
    if not (cut_off and c.exponent < high - 25):
        number += floor_units(c.signed, c.power, high - 24) << 8
    if not number:
        return 0
    power = high - 32
    lead = max(abs(number).bit_length() - 1 + power, -126)
    grid = lead - 31
    return encode("f32", floor_units(number, power, grid), grid)


def truncated_block(products: Sequence[Value], acc: int) -> int:
    """3.4: one block."""
    c = decode("f32", acc)
    found = special([*products, c])
    return _finish(_aligned(products), c, cut_off=False) if found is None else found


def even_odd_block(products: Sequence[Value], acc: int, *, cut_off: bool) -> int:
    """3.5: one block, even and odd k aligned apart."""
    c = decode("f32", acc)
    found = special([*products, c])
    if found is not None:
        return found
    halves = [half for k in (0, 1) if (half := _aligned(products[k::2])) is not None]
    if not halves:
        return _finish(None, c, cut_off=cut_off)
    top = max(half_top for _, half_top in halves)
    units = sum(floor_units(part, half_top - 24, top - 24) for part, half_top in halves)
    return _finish((units, top), c, cut_off=cut_off)


def cdna3_truncated(p: Problem) -> int:
    """3.4: blocks of 8, or of 4 for xf32."""
    acc = p.c
    products = [overflowed(product) for product in p.products]
    for block in chunks(products, p.step or (4 if p.a_format == "xf32" else 8)):
        acc = truncated_block(block, acc)
    return acc


def cdna3_even_odd(p: Problem) -> int:
    """3.5: blocks of 16 with the C cut-off."""
    acc = p.c
    for block in chunks(p.products, p.step or 16):
        acc = even_odd_block(block, acc, cut_off=True)
    return acc


def cdna4_even_odd_16bit(p: Problem) -> int:
    """3.9: blocks of 16, variant "even_odd" without cut-off, or "single" as 3.4."""
    single = p.need_variant("even_odd", "single") == "single"
    acc = p.c
    products = [overflowed(product) for product in p.products]
    for block in chunks(products, p.step or 16):
        if single:
            acc = truncated_block(block, acc)
        else:
            acc = even_odd_block(block, acc, cut_off=False)
    return acc
