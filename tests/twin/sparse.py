"""2:4 selection: numerics.md section 8, and the SWMMAC signs of 5.7."""

from collections.abc import Sequence

from tests.twin.modifiers import negated

Pair = tuple[int, int]


def groups(register: int, count: int, key: int = 0) -> list[int]:
    """The 4-bit groups of an index register; set ``key`` starts at bit 4*count*key."""
    first = 4 * count * key
    if first + 4 * count > 32:
        raise ValueError(f"set {key} of {count} groups does not fit 32 bits")
    return [(register >> (first + 4 * g)) & 0xF for g in range(count)]


def positions(index: Sequence[int]) -> list[int]:
    """The dense k of every stored element, in stored order."""
    return [4 * q + (group >> (2 * s) & 3) for q, group in enumerate(index) for s in (0, 1)]


def select(stored: Sequence[int], index: Sequence[int], b: Sequence[int]) -> list[Pair]:
    """The (a, b) pairs that are multiplied, in ascending compressed order.

    Args:
        stored: Stored elements of A, two a pair; K/2 patterns.
        index: One 4-bit group a pair.
        b: The dense column of B; K patterns.
    """
    if len(stored) != 2 * len(index) or len(b) != 2 * len(stored):
        raise ValueError(f"{len(stored)} stored, {len(index)} groups and {len(b)} of B disagree")
    return [(a, b[k]) for a, k in zip(stored, positions(index), strict=True)]


def swmmac_signs(
    pairs: Sequence[Pair], a_format: str, b_format: str, *, neg_lo: int = 0, neg_hi: int = 0
) -> list[Pair]:
    """5.7: bit 0 negates stored a, bit 1 the matched b; lo the first of a pair, hi the second."""
    signed = []
    for i, (a, b) in enumerate(pairs):
        bits = neg_hi if i % 2 else neg_lo
        signed.append((negated(a_format, a, bits & 1), negated(b_format, b, bits >> 1 & 1)))
    return signed
