"""Words in another order: do the bytes hold instructions if they are turned round?"""

from collections.abc import Iterator
from typing import NamedTuple

from wavemma.explain.encoding import WORD_BYTES
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, sweep_any
from wavemma.isa.target import Wave, target
from wavemma.tables.not_run import reasons

# Orders by the units whose bytes are turned round, one after the other.
_ORDERS = (
    ("the bytes of each 32-bit word turned round", (4,)),
    ("the two words of each 8 bytes exchanged", (8, 4)),
    ("the bytes of each 64-bit number turned round", (8,)),
    ("the bytes of each 16-bit half turned round", (2,)),
    ("the 16-bit halves of each word exchanged", (4, 2)),
    ("the four words of each 16 bytes in reverse", (16, 4)),
    ("the bytes of each 128-bit number turned round", (16,)),
)
# Longer ones would fill the screen.
_SHOWN_BYTES = 32


class Count(NamedTuple):
    """What a sweep found.

    Attributes:
        matrix: Matrix instructions.
        known: Instructions.
        doubtful_bytes: Bytes in none, or in one that kernels do not hold.

    """

    matrix: int
    known: int
    doubtful_bytes: int


Swept = tuple[tuple[int, AnyDecoded | Undecoded], ...]


def count(found: Swept, target_name: str) -> Count:
    """Count what a sweep of words of a target found."""
    strange = reasons(target(target_name).architecture)
    kept = [each for _, each in found if not isinstance(each, Undecoded)]
    doubtful = sum(
        each.size_bytes
        for _, each in found
        if isinstance(each, Undecoded) or each.instruction.name in strange
    )
    return Count(sum(isinstance(each, Decoded) for each in kept), len(kept), doubtful)


def other_order(data: bytes, target_name: str, wave: Wave, found: Count) -> str:
    """Say in which other order some bytes hold instructions that they do not hold as they are.

    Args:
        data: The bytes as they were read.
        target_name: Such as "gfx942".
        wave: Lanes of the wave.
        found: What they hold as they were read.

    Returns:
        A sentence; empty if they hold matrix instructions already, or more in no order.

    """
    if found.matrix:
        return ""
    turned = list(_orders(data))
    swept = [sweep_any(each, target_name, wave) for _, each in turned]
    counts = [count(each, target_name) for each in swept]
    whole = [n for n, each in enumerate(counts) if each.known and not each.doubtful_bytes]
    better = [n for n in whole if counts[n].matrix]
    if not better and found.doubtful_bytes:
        better = whole
    if not better:
        return ""
    return _sentence(*turned[better[0]], swept[better[0]], target_name)


def _sentence(what: str, turned: bytes, swept: Swept, target_name: str) -> str:
    kept = [each for _, each in swept if not isinstance(each, Undecoded)]
    matrix = [each for each in kept if isinstance(each, Decoded)]
    name = (matrix or kept)[0].instruction.name
    more = f" and {len(kept) - 1} more" if len(kept) > 1 else ""
    text = f"With {what} they are {name}{more}; the order may be wrong."
    if len(turned) > _SHOWN_BYTES:
        return text
    return f"{text} Try: wavemma dis {target_name} {turned.hex(' ', WORD_BYTES)}"


def _turned(data: bytes, unit: int) -> bytes:
    """Turn the bytes of each unit round."""
    return b"".join(data[n : n + unit][::-1] for n in range(0, len(data), unit))


def _orders(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield other orders of some bytes, the commoner ones first."""
    for what, units in _ORDERS:
        if len(data) % max(units) == 0:
            turned = data
            for unit in units:
                turned = _turned(turned, unit)
            yield what, turned
