"""gfx1250 and gfx1251: numerics.md section 7."""

from tests.twin.ieee import add
from tests.twin.problem import Problem
from tests.twin.values import (
    FORMATS,
    INFINITE,
    NAN,
    Value,
    decode,
    encode,
    encode_value,
    multiply,
    widen,
)

INVALID_NAN = {"f32": 0xFFC00000, "f64": 0xFFF8 << 48}
QUIET = {"f32": 1 << 22, "f64": 1 << 51}
PAYLOAD_FORMATS = ("f32", "bf16", "f16")
LARGEST = {"f16": 0x7BFF, "bf16": 0x7F7F}


def _quiet(name: str, bits: int, acc_format: str) -> int:
    """A NaN operand as the quiet NaN of the accumulator's format."""
    if name == acc_format:
        return bits | QUIET[acc_format]
    if name in PAYLOAD_FORMATS:
        return widen(name, bits) | QUIET["f32"]
    sign = 0x80000000 if decode(name, bits).negative else 0
    return sign | 0x7F800000 | QUIET["f32"]


def fma(a: tuple[str, int], b: tuple[str, int], c: int, acc_format: str) -> int:
    """One FMA; the first NaN of (A, B, C) wins, an invalid one has fixed bits."""
    for name, bits in (a, b, (acc_format, c)):
        if decode(name, bits).kind == NAN:
            return _quiet(name, bits, acc_format)
    rounded = add(multiply(decode(*a), decode(*b)), decode(acc_format, c), acc_format)
    return INVALID_NAN[acc_format] if rounded is None else rounded


def narrow(p: Problem, bits: int) -> int:
    """The f32 accumulator in the 16-bit output format, rounded once."""
    value = decode("f32", bits)
    form = FORMATS[p.d_format]
    if value.kind == NAN:
        shift = 23 - form.mantissas
        payload = (bits & 0x7FFFFF) >> shift
        return (bits >> 16 & 0x8000) | form.infinity | payload
    if value.kind != INFINITE and p.need_variant("nearest", "truncate") == "truncate":
        rounded = _truncated(p.d_format, value)
    else:
        rounded = encode_value(p.d_format, value) or 0
    if p.fp16_ovfl and rounded & 0x7FFF == form.infinity:
        return (rounded & 0x8000) | LARGEST[p.d_format]
    return rounded


def _truncated(name: str, value: Value) -> int:
    sign = FORMATS[name].sign if value.negative else 0
    return encode(name, value.significand, value.power, nearest=False) | sign


def cdna5_sequential(p: Problem) -> int:
    """Section 7: FMAs in ascending k in f32 (f64), then one rounding to 16 bits."""
    wide = "f64" if p.d_format == "f64" else "f32"
    acc = p.c if p.c_format == wide else widen(p.c_format, p.c)
    for x, y in zip(p.a, p.b, strict=True):
        acc = fma((p.a_format, x), (p.b_format, y), acc, wide)
    return acc if p.d_format == wide else narrow(p, acc)


def _times_scale(t: int, name: str, byte: int) -> int:
    scale = decode(name, byte)
    if decode("f32", t).kind == NAN:
        return t | QUIET["f32"]
    if scale.kind == NAN:
        return _quiet(name, byte, "f32")
    rounded = encode_value("f32", multiply(decode("f32", t), scale))
    return INVALID_NAN["f32"] if rounded is None else rounded


def _plus(x: int, y: int) -> int:
    for bits in (x, y):
        if decode("f32", bits).kind == NAN:
            return bits | QUIET["f32"]
    rounded = add(decode("f32", x), decode("f32", y), "f32")
    return INVALID_NAN["f32"] if rounded is None else rounded


def cdna5_scaled(p: Problem) -> int:
    """7.1: an FMA chain a block from +0, times both scales, added to acc, all f32."""
    count = -(-len(p.a) // p.block)
    scales = []
    for given, name in ((p.scale_a, p.scale_a_format), (p.scale_b, p.scale_b_format)):
        if given is not None and len(given) != count:
            raise ValueError(f"{len(given)} scale bytes given, {count} blocks to scale")
        scales.append((name, given))
    acc = p.c
    for block in range(count):
        t = 0
        for k in range(block * p.block, min((block + 1) * p.block, len(p.a))):
            t = fma((p.a_format, p.a[k]), (p.b_format, p.b[k]), t, "f32")
        for name, given in scales:
            t = t if given is None else _times_scale(t, name, given[block])
        acc = _plus(acc, t)
    return acc
