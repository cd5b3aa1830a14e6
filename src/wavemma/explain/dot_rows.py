"""One sum of products on targets: which instructions give it, under which model, which bits."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from wavemma.errors import OutOfRange, Unsupported
from wavemma.explain.codes import Code, described
from wavemma.explain.dot_uses import Use
from wavemma.explain.number_input import Side
from wavemma.explain.rounding import as_float
from wavemma.formats import Format, code_dtype
from wavemma.gemm.run import product
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import Model
from wavemma.numerics.model import model as named_model
from wavemma.numerics.path import Setting
from wavemma.tables.keys import Grade
from wavemma.tables.targets import Wave

# Up to so many instructions the array engine is faster than making compiled code ready.
FEW_INSTRUCTIONS = 200
MOST_PRODUCTS = 1 << 24


class OtherResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a target gives if it follows another model.

    Attributes:
        model: Name of the other model.
        title: Its rule in one sentence.
        result: D under it.
        differs: Whether its bits differ from those of the instruction's own model.

    """

    model: str
    title: str
    result: Code
    differs: bool


class TargetResult(msgspec.Struct, frozen=True, kw_only=True):
    """What instructions of one target that follow one model give.

    Attributes:
        target: Name of the target.
        instructions: Those that give these bits under this model; the first stands for all.
        is_default: Whether the first is the one that a product uses if none is named.
        a: Format of A.
        b: Format of B.
        d: Format of C and D.
        wave: Lanes of a wave.
        depth: k of one instruction.
        steps: Instructions along k that were run.
        model: Name of the arithmetic model.
        title: Its rule in one sentence.
        source: Key of the model's citation.
        grade: Evidence for the model on the target.
        result: D.
        error: D less the exact sum; None where one of them is not finite.
        others: Models that hardware may follow instead; empty where the grade is H.

    """

    target: str
    instructions: tuple[str, ...]
    is_default: bool
    a: str
    b: str
    d: str
    wave: Wave
    depth: int
    steps: int
    model: str
    title: str
    source: str
    grade: Grade
    result: Code
    error: float | None
    others: tuple[OtherResult, ...]


class Runner:
    """Runs sums under models, each different one once.

    Args:
        a: Codes of A in ascending k.
        b: Codes of B.
        c: Code of C.
        times: How often the instructions are run along k.

    """

    def __init__(self, a: Sequence[int], b: Sequence[int], c: int, times: int) -> None:
        self.a, self.b, self.c, self.times = a, b, c, times
        self._known: dict[tuple[str, Setting], int] = {}

    def steps(self, depth: int) -> int:
        """Count the instructions that are run."""
        return max(1, -(-len(self.a) // depth)) * self.times

    def run(self, summing: Model, setting: Setting) -> int:
        """Give the code of D.

        Raises:
            OutOfRange: More products than can be run.

        """
        key = (summing.name, setting)
        if key not in self._known:
            self._known[key] = self._run(summing, setting)
        return self._known[key]

    def _run(self, summing: Model, setting: Setting) -> int:
        count = self.steps(setting.depth)
        if count * setting.depth > MOST_PRODUCTS:
            raise OutOfRange(
                f"At most {MOST_PRODUCTS:,} products are added;"
                f" {count:,} instructions of k = {setting.depth} have more.",
                subject=count,
            )
        a = self._filled(self.a, setting.a, setting.depth)
        b = self._filled(self.b, setting.b, setting.depth)
        start = np.array(self.c, dtype=code_dtype(setting.c))
        if count > FEW_INSTRUCTIONS:
            long_a, long_b = np.tile(a, self.times), np.tile(b, self.times)
            made = product(
                long_a[None],
                long_b[:, None],
                start[None, None],
                model=summing,
                setting=setting,
                k_step=setting.depth,
                threads=1,
            )
            return int(made[0, 0])
        for step in range(count):
            place = step * setting.depth % a.size
            part = slice(place, place + setting.depth)
            start = accumulate(summing, setting, a[part], b[part], start)
        return int(start)

    def _filled(self, codes: Sequence[int], form: Format, depth: int) -> np.ndarray:
        """Fill k up with +0 to whole instructions."""
        size = max(1, -(-len(codes) // depth)) * depth
        filled = np.zeros(size, dtype=code_dtype(form))
        filled[: len(codes)] = codes
        return filled


class Question(NamedTuple):
    """What is asked of each target.

    Attributes:
        pair: Formats of A and B.
        runner: The sum.
        exact: The sum without rounding.
        clamp: Whether integer sums saturate.

    """

    pair: tuple[Side, Side]
    runner: Runner
    exact: Fraction | float
    clamp: bool


def rows_of(uses: Sequence[Use], asked: Question) -> tuple[TargetResult, ...]:
    """Run a sum on one target: one row for each model and result.

    Args:
        uses: Instructions of the target, the default first.
        asked: The sum.

    """
    groups: dict[tuple[str, int], list[Use]] = {}
    for use in uses:
        code = asked.runner.run(use.model, use.setting(asked.pair, clamp=asked.clamp))
        groups.setdefault((use.model.name, code), []).append(use)
    return tuple(
        _row(group, code, asked, group[0] is uses[0]) for (_, code), group in groups.items()
    )


def _row(group: Sequence[Use], code: int, asked: Question, is_default: bool) -> TargetResult:
    first = group[0]
    row = first.model.row
    grade = first.model.grade_on(first.target)
    setting = first.setting(asked.pair, clamp=asked.clamp)
    result = described(setting.d, code)
    names = row.alternatives_on(first.target)
    return TargetResult(
        target=first.target,
        instructions=tuple(use.instruction.name for use in group),
        is_default=is_default,
        a=first.a,
        b=first.b,
        d=first.d,
        wave=first.wave,
        depth=first.depth,
        steps=asked.runner.steps(first.depth),
        model=row.name,
        title=row.title,
        source=row.source_on(first.target),
        grade=grade,
        result=result,
        error=_error(result, asked.exact),
        others=tuple(
            other
            for name in names
            for other in _other(named_model(name), setting, code, asked.runner)
        ),
    )


def _other(summing: Model, setting: Setting, code: int, runner: Runner) -> Iterator[OtherResult]:
    """Yield what another model gives, if its rule is for such formats at all."""
    try:
        made = runner.run(summing, setting)
    except Unsupported:
        return
    yield OtherResult(
        model=summing.name,
        title=summing.row.title,
        result=described(setting.d, made),
        differs=made != code,
    )


def _error(result: Code, exact: Fraction | float) -> float | None:
    if result.value is None or not isinstance(exact, Fraction):
        return None
    return as_float(Fraction(result.value) - exact)
