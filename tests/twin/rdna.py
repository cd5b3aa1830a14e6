"""What RDNA3 and RDNA4 steps share: special values (4.2) and narrowing (4.4, 5.4)."""

from collections.abc import Sequence

from tests.twin.values import INFINITE, INVALID, NAN, Value, decode, encode, widen

FACTOR_NAN = 0xFFC00A3D
INVALID_NAN = 0xFFC00000
QUIET = 0x00400000


def special_step(products: Sequence[Value], c_format: str, c_bits: int) -> int | None:
    """4.2: the f32 pattern of a step with special values; None for a finite step."""
    c = decode(c_format, c_bits)
    signs = {v.negative for v in products if v.kind == INFINITE}
    if any(v.kind == NAN for v in products):
        return FACTOR_NAN
    if len(signs) == 2 or any(v.kind == INVALID for v in products):
        return INVALID_NAN
    if c.kind == NAN:
        return widen(c_format, c_bits) | QUIET
    if signs and c.kind == INFINITE and c.negative not in signs:
        return INVALID_NAN
    if signs:
        return 0xFF800000 if True in signs else 0x7F800000
    return widen(c_format, c_bits) if c.kind == INFINITE else None


def narrow_special(name: str, bits: int) -> int:
    """4.2: a special f32 pattern in the output format."""
    if name == "f32":
        return bits
    if bits == FACTOR_NAN:
        return 0xFE3D if name == "f16" else 0xFFFD
    if name == "bf16":
        return bits >> 16
    return (bits >> 16 & 0x8000) | 0x7C00 | (bits >> 13 & 0x3FF)


def narrow_f16(number: int, power: int, *, fp16_ovfl: bool) -> int:
    """4.4: round a sum to f16; an underflow is +0, an overflow infinity or 0x7BFF."""
    bits = encode("f16", number, power)
    magnitude = bits & 0x7FFF
    if not magnitude:
        return 0
    if magnitude == 0x7C00 and fp16_ovfl:
        return (bits & 0x8000) | 0x7BFF
    return bits
