"""What the rules of hazards need to know of one instruction."""

from collections.abc import Iterable, Mapping

import msgspec

Span = tuple[int, int]
"""Registers from the first number up to, but without, the second one."""
Operands = Mapping[str, tuple[Span, ...]]
"""Registers by the words of the rules, such as a, d, vdst and read."""
AGPRS = 1 << 12
"""AGPR n has number AGPRS + n: all vector registers are numbered in one row."""
EXEC: Span = (1 << 13, (1 << 13) + 1)
"""The mask of active lanes, as if it were one more vector register."""
ISSUE: Span = (1 << 14, (1 << 14) + 1)
"""What rules name that are about issue alone: no register, but always the same one."""
Shifts = Mapping[str, int]
"""By role: what is added to the numbers of registers in an instruction."""
IN_PLACE: Shifts = {}
RESULTS = ("d", "vdst", "exec")
"""Words for what a producer writes; its other words are what it reads."""


class Reading(msgspec.Struct, frozen=True, eq=False):
    """An instruction as the rules see it, wherever it stands.

    Attributes:
        name: The mnemonic without the suffix of its encoding.
        operands: Registers by class and word: the instruction is of each of these classes.
        writes: All registers that it writes.
        wait_states: What it counts as where wait states are counted.
        slots: What it counts as where vector instructions are counted.
        passes: Of 4 cycles; 0 where passes do not matter.
        category: Of co-execution; "" where that does not matter.
        doubted: The category that a conflict advises, and that conflict; or "".
        known: Whether its registers are known.

    """

    name: str
    operands: Mapping[str, Operands]
    writes: tuple[Span, ...] = ()
    wait_states: int = 1
    slots: int = 0
    passes: int = 0
    category: str = ""
    doubted: tuple[str, str] = ("", "")
    known: bool = True


class Run(msgspec.Struct, frozen=True, eq=False):
    """Readings that follow each other: entered at the first only, left at the last.

    Attributes:
        first: The number of the first one, in the order in which they lie.
        readings: In order.
        successors: The numbers, in the list of runs, of those that may follow.

    """

    first: int
    readings: tuple[Reading, ...]
    successors: tuple[int, ...]


def moved(spans: Iterable[Span], by: int) -> tuple[Span, ...]:
    """Move registers to higher numbers."""
    return tuple((first + by, end + by) for first, end in spans)


def meet(some: Iterable[Span], others: Iterable[Span]) -> bool:
    """Tell whether two sets of registers have one in common."""
    return any(a < d and c < b for a, b in some for c, d in others)


def shared(some: Iterable[Span], others: Iterable[Span]) -> tuple[Span, ...]:
    """Give the registers that two sets have in common."""
    pairs = [(max(a, c), min(b, d)) for a, b in some for c, d in others]
    return tuple(sorted({(first, end) for first, end in pairs if first < end}))


def without(some: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    """Take registers out of a set."""
    for first, end in others:
        if any(a < end and first < b for a, b in some):
            pieces = [((a, min(b, first)), (max(a, end), b)) for a, b in some]
            some = tuple(piece for pair in pieces for piece in pair if piece[0] < piece[1])
    return some


def together(some: tuple[Span, ...], others: tuple[Span, ...]) -> tuple[Span, ...]:
    """Put sets of registers together."""
    return some if others == some else tuple(sorted({*some, *others}))
