"""What a launch executed: how often each instruction ran, and what its arithmetic rests on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.isa import catalog
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded
from wavemma.machine.compiled.translate import Code
from wavemma.machine.meaning import plain_name
from wavemma.machine.semantics import find_meaning
from wavemma.machine.value_type import types_of_row
from wavemma.numerics.model import model
from wavemma.objects import DebugInfo, SourceLine
from wavemma.tables.accuracy import allowed_ulps
from wavemma.tables.instructions import Grade

Fidelity = Literal["exact", "modelled"]


class Executed(msgspec.Struct, frozen=True):
    """One instruction of a launch.

    Attributes:
        name: Mnemonic.
        count: Waves that ran it, each occurrence counted.
        is_matrix: Whether it multiplies matrices.
        grade: Of its arithmetic on the target: H compared with silicon, V a vendor's document or
            tool, D derived.
        model: The arithmetic model of a matrix instruction, else "".
        ulps: Units in the last place that manuals allow hardware to be off; 0 where they name
            none.

    """

    name: str
    count: int
    is_matrix: bool
    grade: Grade
    model: str = ""
    ulps: float = 0.0

    @property
    def fidelity(self) -> Fidelity:
        """Exact where silicon has been compared, else modelled."""
        return "exact" if self.grade == "H" else "modelled"


def executed(
    code: Code, counts: NDArray[np.uint64] | Sequence[int], target_name: str
) -> tuple[Executed, ...]:
    """Sum up a launch, the most frequent instruction first.

    Args:
        code: The code that ran.
        counts: How often each of its blocks ran.
        target_name: Such as "gfx1100".

    """
    names: Counter[str] = Counter()
    about: dict[str, Executed] = {}
    for block, runs in zip(code.blocks, counts, strict=True):
        if not runs:
            continue
        for placed in block.instructions:
            found = placed.instruction
            if isinstance(found, Undecoded):
                continue
            name = found.instruction.name
            names[name] += int(runs)
            if name not in about:
                about[name] = _about(found, target_name)
    return tuple(
        msgspec.structs.replace(about[name], count=count) for name, count in names.most_common()
    )


class LineCount(msgspec.Struct, frozen=True):
    """A source line, and how many instructions of waves it ran."""

    line: SourceLine
    count: int


def line_counts(
    code: Code, counts: NDArray[np.uint64] | Sequence[int], debug: DebugInfo
) -> tuple[LineCount, ...]:
    """Sum up a launch by source line, the most frequent first; nothing without lines (-g).

    Args:
        code: The code that ran.
        counts: How often each of its blocks ran.
        debug: Of the code object.

    """
    lines: Counter[SourceLine] = Counter()
    for block, runs in zip(code.blocks, counts, strict=True):
        for placed in block.instructions if runs and debug.has_lines else ():
            line = debug.line(placed.address)
            if line is not None:
                lines[line] += int(runs)
    return tuple(LineCount(line, count) for line, count in lines.most_common())


def summed(parts: Iterable[Executed]) -> tuple[Executed, ...]:
    """Add up what several codes executed, the most frequent instruction first."""
    found: dict[str, Executed] = {}
    for each in parts:
        count = each.count + (found[each.name].count if each.name in found else 0)
        found[each.name] = msgspec.structs.replace(each, count=count)
    return tuple(sorted(found.values(), key=lambda each: -each.count))


def _about(found: AnyDecoded, target_name: str) -> Executed:
    if isinstance(found, Decoded):
        chosen = model(found.instruction.model(found.wave))
        own = catalog.instruction(found.instruction.name, target_name)
        # Evidence is for the row's own model; one that was put in its place rests on nothing.
        grade = chosen.grade_on(target_name) if found.instruction is own else "D"
        return Executed(found.instruction.name, 0, True, grade, chosen.name)
    row = found.instruction.row
    computed = find_meaning(row.meaning)
    grade = computed.grade if computed else "V"
    result, _ = types_of_row(row.type)
    ulps = allowed_ulps(plain_name(row.meaning), result, found.instruction.architecture)
    return Executed(found.instruction.name, 0, False, grade, ulps=ulps)
