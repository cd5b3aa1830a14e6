"""Sign modifiers, applied to patterns before any arithmetic: sections 3.11, 4.6, 5.8, 7."""

from collections.abc import Sequence

from tests.twin.values import FORMATS

Operands = tuple[list[int], list[int], int]


def negated(name: str, bits: int, flag: int | bool) -> int:
    """The pattern with its sign bit flipped where ``flag`` is set."""
    return bits ^ FORMATS[name].sign if flag else bits


def addend(name: str, bits: int, *, neg: int | bool, absolute: int | bool) -> int:
    """C after abs, then neg."""
    bits = bits & ~FORMATS[name].sign if absolute else bits
    return negated(name, bits, neg)


def rdna(
    a: Sequence[int],
    b: Sequence[int],
    c: int,
    *,
    a_format: str,
    b_format: str,
    c_format: str,
    neg_lo: int = 0,
    neg_hi: int = 0,
) -> Operands:
    """4.6 and 5.8: lo negates even k, hi odd k of A (bit 0) and B (bit 1); bit 2 is C's.

    Only C's bits act on 8-bit formats (5.5).
    """
    wide = FORMATS[a_format].width > 8
    flags = (neg_lo, neg_hi) if wide else (0, 0)
    return (
        [negated(a_format, x, flags[k % 2] & 1) for k, x in enumerate(a)],
        [negated(b_format, x, flags[k % 2] >> 1 & 1) for k, x in enumerate(b)],
        addend(c_format, c, neg=neg_lo >> 2 & 1, absolute=neg_hi >> 2 & 1),
    )


def cdna5(
    a: Sequence[int],
    b: Sequence[int],
    c: int,
    *,
    a_format: str,
    b_format: str,
    c_format: str,
    neg_a: bool = False,
    neg_b: bool = False,
    neg_c: bool = False,
    abs_c: bool = False,
) -> Operands:
    """Section 7: one flag each for the whole of A and B, abs and neg for C."""
    return (
        [negated(a_format, x, neg_a) for x in a],
        [negated(b_format, x, neg_b) for x in b],
        addend(c_format, c, neg=neg_c, absolute=abs_c),
    )


def f64_blgp(a: Sequence[int], b: Sequence[int], c: int, blgp: int) -> Operands:
    """3.11, gfx942 and gfx950: BLGP bits 0, 1, 2 negate A, B, C."""
    return (
        [negated("f64", x, blgp & 1) for x in a],
        [negated("f64", x, blgp >> 1 & 1) for x in b],
        negated("f64", c, blgp >> 2 & 1),
    )


def merge_half(old: int, result: int, op_sel: int | bool) -> int:
    """4.4: a packed gfx11 result in the selected half of D, the other half kept."""
    if op_sel:
        return (old & 0xFFFF) | (result << 16)
    return (old & 0xFFFF0000) | result
