"""An exact twin of the matrix arithmetic, written from shared/spec/numerics.md alone."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.twin.cdna import (
    cdna1_exact,
    cdna2_flush,
    cdna3_even_odd,
    cdna3_truncated,
    cdna4_even_odd_16bit,
    fma_chain,
)
from tests.twin.cdna5 import cdna5_scaled, cdna5_sequential
from tests.twin.integer import integer
from tests.twin.problem import Problem
from tests.twin.rdna3 import rdna3_step
from tests.twin.rdna4 import rdna4_fp8, rdna4_fp8_whole, rdna4_step
from tests.twin.scaled import scaled_even_odd, scaled_reference
from tests.twin.values import FORMATS, NAN, decode

RULES: dict[str, Callable[[Problem], int]] = {
    "fma_chain_f32": fma_chain,
    "fma_chain_f64": fma_chain,
    "cdna1_exact": cdna1_exact,
    "cdna2_flush": cdna2_flush,
    "cdna3_truncated": cdna3_truncated,
    "cdna3_even_odd": cdna3_even_odd,
    "cdna4_even_odd_16bit": cdna4_even_odd_16bit,
    "scaled_reference": scaled_reference,
    "scaled_even_odd": scaled_even_odd,
    "rdna3_step": rdna3_step,
    "rdna4_step": rdna4_step,
    "rdna4_fp8": rdna4_fp8,
    "rdna4_fp8_whole": rdna4_fp8_whole,
    "integer": integer,
    "cdna5_sequential": cdna5_sequential,
    "cdna5_scaled": cdna5_scaled,
}
UNKNOWN_NANS = frozenset(rule for rule in RULES if rule.startswith(("fma", "cdna1", "cdna2")))
UNKNOWN_NANS |= {"cdna3_truncated", "cdna3_even_odd", "cdna4_even_odd_16bit"}
UNKNOWN_NANS |= {"scaled_reference", "scaled_even_odd", "cdna5_scaled"}
"""Rules whose NaN bits no source knows, so only the class can be compared."""


def dot(
    rule: str,
    a_bits: Sequence[int],
    b_bits: Sequence[int],
    c_bits: int,
    *,
    a_format: str,
    b_format: str | None = None,
    c_format: str = "f32",
    d_format: str | None = None,
    **options: Any,
) -> int:
    """Compute one output element of one instruction.

    Args:
        rule: A key of RULES.
        a_bits: K patterns of A in ascending k (calculator's numbering).
        b_bits: K patterns of B.
        c_bits: The pattern of C.
        a_format: Format of A.
        b_format: Format of B; as A unless given.
        c_format: Format of C.
        d_format: Format of D; as C unless given.
        **options: Fields of tests.twin.problem.Problem.

    Returns:
        The pattern of D, unsigned.
    """
    problem = Problem(
        tuple(a_bits),
        tuple(b_bits),
        c_bits,
        a_format,
        b_format or a_format,
        c_format,
        d_format or c_format,
        **options,
    )
    return RULES[rule](problem)


def same(
    rule: str,
    got: int,
    want: int,
    *,
    d_format: str = "f32",
    a_format: str = "",
    b_format: str = "",
) -> bool:
    """Whether two results agree: equal bits, or NaNs both where their bits are unknown.

    Args:
        rule: A key of RULES.
        got: A pattern of d_format.
        want: Another.
        d_format: Format of D.
        a_format: Format of A; the NaN of an 8-bit factor is a class in cdna5_sequential.
        b_format: Format of B, where it may differ: one 8-bit factor of the two is enough.
    """
    factors = (FORMATS[name] for name in (a_format, b_format) if name in FORMATS)
    eight_bit = any(form.width == 8 for form in factors)
    if rule in UNKNOWN_NANS or (rule == "cdna5_sequential" and eight_bit):
        return got == want or (is_nan(d_format, got) and is_nan(d_format, want))
    return got == want


def is_nan(name: str, bits: int) -> bool:
    """Whether a pattern is a NaN; never for integers."""
    return name in FORMATS and decode(name, bits).kind == NAN
