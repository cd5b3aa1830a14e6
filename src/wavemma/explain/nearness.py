"""How near two number formats, and two instructions, come to one another."""

from typing import NamedTuple

from wavemma.isa.instruction import Instruction
from wavemma.tables.formats import FormatRow, format_row
from wavemma.tables.targets import Wave

SAME, RECODED, HELD, ROUNDED, OTHER = range(5)
"""Equal; the same word and width with other values; all values kept; values rounded; neither."""

WORST = 4
"""The first fields of a distance: they must be 0 where one stands for the other."""
_INPUTS = ("a", "b")


class Setup(NamedTuple):
    """An instruction as it is used: on which target, in which wave, with which formats."""

    target: str
    instruction: Instruction
    wave: Wave
    formats: dict[str, str]


class Distance(NamedTuple):
    """How far one setup is from another; compares as a tuple, the worst difference first.

    Attributes:
        sparsity: 1 if only one of them has a sparse A.
        inputs: The worse of the distances of A and B.
        outputs: The worse of the distances of C and D.
        scales: 1 if their blocks of one scale differ, 2 if only one has scales.
        result: Distance of D.
        recoded: Inputs whose codes mean other values.
        rows: 1 if the tile of D or the number of blocks differs.
        wave: 1 if the waves differ.
        steps: How K differs, in powers of two.
        extra: How many more or fewer formats an argument chooses from.
        kind: 1 if their kinds have other names, which only breaks ties.

    """

    sparsity: int
    inputs: int
    outputs: int
    scales: int
    result: int
    recoded: int
    rows: int
    wave: int
    steps: int
    extra: int
    kind: int

    @property
    def is_equivalent(self) -> bool:
        """Whether one can stand for the other: only shape, wave and codes differ."""
        return max(self[:WORST]) == 0


def distance(old: Setup, new: Setup) -> Distance:
    """Measure how far a setup is from the one that it is to stand for."""
    one, two = old.instruction, new.instruction
    far = {role: between(old.formats[role], new.formats[role]) for role in ("a", "b", "c", "d")}
    k_old, k_new = one.shape[2], two.shape[2]
    same_tile = (one.shape[:2], one.blocks) == (two.shape[:2], two.blocks)
    return Distance(
        sparsity=int(one.is_sparse != two.is_sparse),
        inputs=max(0 if far[role] == RECODED else far[role] for role in _INPUTS),
        outputs=max(far["c"], far["d"]),
        scales=_scales(one.matrix.scale_block, two.matrix.scale_block),
        result=far["d"],
        recoded=sum(far[role] == RECODED for role in _INPUTS),
        rows=int(not same_tile),
        wave=int(old.wave != new.wave),
        steps=abs(k_new.bit_length() - k_old.bit_length()),
        extra=abs(len(two.formats["a"]) - len(one.formats["a"])),
        kind=int(one.kind != two.kind),
    )


def between(old: str, new: str) -> int:
    """Say how a format can stand for another: SAME, RECODED, HELD, ROUNDED or OTHER.

    Args:
        old: Name of the format that is to be replaced.
        new: Name of the one that stands for it.

    """
    if old == new:
        return SAME
    one, two = format_row(old), format_row(new)
    if one.kind == two.kind == "integer" and one.bits == two.bits:
        return SAME
    if one.type == two.type:
        return RECODED
    if holds(two, one):
        return HELD
    return ROUNDED if one.kind == two.kind else OTHER


def holds(wide: FormatRow, narrow: FormatRow) -> bool:
    """Whether a format has every finite value of another."""
    if wide.kind == "integer":
        return narrow.kind == "integer" and wide.bits >= narrow.bits
    if narrow.kind == "integer":
        return _digits(wide) >= narrow.bits and _highest(wide) >= narrow.bits
    return (
        _digits(wide) >= _digits(narrow)
        and _highest(wide) >= _highest(narrow)
        and _lowest(wide) <= _lowest(narrow)
    )


def _digits(row: FormatRow) -> int:
    return row.fraction - row.ignored + 1


def _highest(row: FormatRow) -> int:
    """Give the exponent of the highest binade; a little generous to formats with infinities."""
    return (1 << row.exponent) - 1 - int(row.infinity) - row.bias


def _lowest(row: FormatRow) -> int:
    """Give the exponent of the least value."""
    return 1 - row.bias - (row.fraction - row.ignored)


def _scales(old: int, new: int) -> int:
    return int(old != new) + int(old != new and 0 in (old, new))
