"""Codes in a stream of 32-bit registers, low bits first.

Code i of a stream stands in bits b*i .. b*i + b - 1, counted through the registers, so a 6-bit
code may begin in one register and end in the next; sixteen of them fill three.
"""

from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, OutOfRange

WORD_BITS = 32
_LOW = np.uint64(0xFFFFFFFF)

Words = npt.NDArray[np.uint32]


def words_for(count: int, bits: int) -> int:
    """Give how many 32-bit words hold `count` codes of `bits` bits."""
    return -(-count * bits // WORD_BITS)


def pack_codes(codes: npt.ArrayLike, bits: int) -> Words:
    """Put codes into as few words as hold them.

    Args:
        codes: Unsigned integers [..., n], each below 2**bits.
        bits: Width of a code, 1 to 32.

    Returns:
        uint32 [..., words]; the bits above the last code are 0.

    Raises:
        ArrayMistake: They are no such codes.
        OutOfRange: The width is not 1 to 32.

    Example:
        >>> [hex(word) for word in pack_codes(range(16), 6).tolist()]
        ['0x440c2040', '0xa2481c61', '0x3ce34c2c']

    """
    array = _checked(np.asarray(codes), bits)
    # The fewest codes that fill whole words share one pattern of shifts.
    shared = gcd(bits, WORD_BITS)
    per_group, words_per_group = WORD_BITS // shared, bits // shared
    *batch, count = array.shape
    groups = -(-count // per_group)
    padded = np.zeros((*batch, groups * per_group), dtype=np.uint64)
    padded[..., :count] = array
    grouped = padded.reshape(*batch, groups, per_group)
    words = np.zeros((*batch, groups, words_per_group), dtype=np.uint64)
    for number in range(per_group):
        word, shift = divmod(number * bits, WORD_BITS)
        moved = grouped[..., number] << np.uint64(shift)
        words[..., word] |= moved & _LOW
        if shift + bits > WORD_BITS:
            words[..., word + 1] |= moved >> np.uint64(WORD_BITS)
    flat = words.astype(np.uint32).reshape(*batch, groups * words_per_group)
    return flat[..., : words_for(count, bits)]


def unpack_codes(words: npt.ArrayLike, bits: int, count: int | None = None) -> npt.NDArray[Any]:
    """Read codes from words; the reverse of `pack_codes`.

    Args:
        words: uint32 [..., words].
        bits: Width of a code, 1 to 32.
        count: How many codes; all that fit if None.

    Returns:
        Codes [..., count] in the smallest unsigned type.

    Raises:
        ArrayMistake: The words are no words, or too few.
        OutOfRange: The width is not 1 to 32, or the count is negative.

    """
    _check_width(bits)
    array = _checked(np.asarray(words), WORD_BITS)
    room = array.shape[-1] * WORD_BITS // bits
    wanted = room if count is None else count
    if wanted < 0:
        raise OutOfRange(f"The count of codes must be 0 or more, not {wanted}.", subject=wanted)
    if wanted > room:
        raise ArrayMistake(
            f"{wanted} codes of {bits} bits need {words_for(wanted, bits)} words; got"
            f" {array.shape[-1]}.",
            subject=wanted,
        )
    first, shift = np.divmod(np.arange(wanted) * bits, WORD_BITS)
    # A word more, so that the upper part of the last code can always be looked up.
    wide = np.zeros((*array.shape[:-1], array.shape[-1] + 1), dtype=np.uint64)
    wide[..., :-1] = array
    both = wide[..., first] | wide[..., first + 1] << np.uint64(WORD_BITS)
    codes = both >> shift.astype(np.uint64) & np.uint64((1 << bits) - 1)
    found: npt.NDArray[Any] = codes.astype(np.min_scalar_type((1 << bits) - 1))
    return found


def _check_width(bits: int) -> None:
    if not 1 <= bits <= WORD_BITS:
        raise OutOfRange(
            f"The width of a code must be 1 to {WORD_BITS} bits, not {bits}.", subject=bits
        )


def _checked(array: npt.NDArray[Any], bits: int) -> npt.NDArray[Any]:
    """Refuse what is no array of codes."""
    _check_width(bits)
    if array.ndim < 1 or array.dtype.kind not in "iu":
        raise ArrayMistake(
            f"Codes must be integers [..., n]; got {array.dtype} {list(array.shape)}.",
            subject=str(array.dtype),
        )
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < 1 << bits:
        raise ArrayMistake(
            f"Codes of {bits} bits must be 0 to {(1 << bits) - 1}; got {int(array.min())} to"
            f" {int(array.max())}.",
            subject=bits,
        )
    return array
