"""Which inputs tell two targets apart?"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.explain.answer import Answer
from wavemma.explain.citation import cited, distinct
from wavemma.explain.codes import number_text
from wavemma.explain.dot_product import DotProducts, dot_products
from wavemma.explain.dot_uses import Use, inputs_meant, uses_by_target
from wavemma.explain.number_input import Side, sides
from wavemma.explain.separating_inputs import Trial, cut_down, pool, trials
from wavemma.formats import Format, code_dtype, decode, encode, number_format
from wavemma.numerics.dot import accumulate
from wavemma.tables.keys import Grade
from wavemma.tables.targets import Wave, target

ZERO_NOTE = "The two differ in nothing but the sign of a zero."


class ModelOfTarget(msgspec.Struct, frozen=True, kw_only=True):
    """What one of the two targets runs.

    Attributes:
        target: Name of the target.
        instruction: The instruction that was run.
        model: Name of its arithmetic model.
        title: The rule in one sentence.
        source: Key of the citation.
        grade: Evidence for the model on the target.

    """

    target: str
    instruction: str
    model: str
    title: str
    source: str
    grade: Grade


class Separation(Answer, frozen=True, kw_only=True, tag=True):
    """The simplest inputs found whose results differ between two targets.

    Attributes:
        format: The format that was asked for.
        targets: What the two run.
        same_rule: Both follow one model with instructions of one size.
        tried: How many inputs were tried.
        found: The results on both; None if no input tells them apart.

    """

    format: str
    targets: tuple[ModelOfTarget, ModelOfTarget]
    same_rule: bool
    tried: int
    found: DotProducts | None


def separation(
    format: str,
    first: str,
    second: str,
    *,
    op: str | None = None,
    wave: Wave | None = None,
    clamp: bool = False,
) -> Separation:
    """Find the simplest inputs whose results differ between two targets.

    Fewest products first, then numbers near one; infinities and NaN last; two NaN count as equal.

    Args:
        format: As for `dot_products`.
        first: A target.
        second: Another one.
        op: Only this instruction.
        wave: Lanes of a wave.
        clamp: Whether integer sums saturate.

    Raises:
        WavemmaError: As for `dot_products`.

    """
    format, op = inputs_meant(format, op)
    pair = sides(format)
    names = (target(first).name, target(second).name)
    uses = [uses_by_target(pair, (name,), op, wave)[name][0] for name in names]
    same = _is_same(uses[0], uses[1])
    search = _Search(_Judge(uses, pair, clamp), pair)
    hit = None if same else search.run()
    answer = None
    if hit is not None:
        a, b, c = _texts(hit)
        answer = dot_products(format, a, b, c, target_names=names, op=op, wave=wave, clamp=clamp)
        answer = msgspec.structs.replace(
            answer, rows=tuple(row for row in answer.rows if row.is_default)
        )
    told = [_told(use) for use in uses]
    return Separation(
        format=format.lower(),
        targets=(told[0], told[1]),
        same_rule=same,
        tried=search.tried,
        found=answer,
        evidence=distinct(cited(f"{t.model} ({t.target})", t.source, t.grade) for t in told),
        notes=(ZERO_NOTE,) if search.is_zero else (),
    )


def _is_same(first: Use, second: Use) -> bool:
    keys = [(use.model.name, use.depth, use.a, use.b, use.d) for use in (first, second)]
    return keys[0] == keys[1]


def _told(use: Use) -> ModelOfTarget:
    row = use.model.row
    return ModelOfTarget(
        target=use.target,
        instruction=use.instruction.name,
        model=row.name,
        title=row.title,
        source=row.source_on(use.target),
        grade=row.grade_on(use.target),
    )


class _Judge(NamedTuple):
    """Runs inputs on both targets."""

    uses: Sequence[Use]
    pair: tuple[Side, Side]
    clamp: bool

    def results(self, use: Use, trial: Trial) -> npt.NDArray[np.float64]:
        """Give D of every input."""
        setting = use.setting(self.pair, clamp=self.clamp)
        a = _codes(setting.a, trial.a, signed=self.pair[0].signed)
        b = _codes(setting.b, trial.b, signed=self.pair[1].signed)
        state = _codes(setting.c, trial.c, signed=True)
        for first in range(0, a.shape[1], use.depth):
            part = slice(first, first + use.depth)
            state = accumulate(use.model, setting, a[:, part], b[:, part], state)
        return np.asarray(decode(setting.d, state), dtype=np.float64)

    def both(self, trial: Trial) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Tell which inputs give different numbers, and which zeros of different signs."""
        x, y = (self.results(use, trial) for use in self.uses)
        numbers = (x != y) & ~(np.isnan(x) & np.isnan(y))
        return numbers, (x == y) & (np.signbit(x) != np.signbit(y))

    def differ(self, trial: Trial) -> npt.NDArray[np.bool_]:
        """Tell which inputs give different numbers."""
        return self.both(trial)[0]


class _Search:
    """Tries inputs until one separates."""

    def __init__(self, judge: _Judge, pair: tuple[Side, Side]) -> None:
        self.judge = judge
        self.pair = pair
        self.tried = 0
        self.is_zero = False

    def run(self) -> Trial | None:
        """Give one input that separates, the first that was found, cut down."""
        zero: Trial | None = None
        for trial in self._trials():
            self.tried += trial.c.size
            numbers, zeros = self.judge.both(trial)
            if numbers.any():
                return cut_down(_pick(trial, numbers), self.judge.differ)
            if zero is None and zeros.any():
                zero = _pick(trial, zeros)
        self.is_zero = zero is not None
        return zero

    def _trials(self) -> Iterator[Trial]:
        uses = self.judge.uses
        a = pool([number_format(use.a) for use in uses], signed=self.pair[0].signed)
        b = pool([number_format(use.b) for use in uses], signed=self.pair[1].signed)
        c = pool([number_format(use.d) for use in uses])
        return trials(a, b, c, max(use.depth for use in uses))


def _pick(trial: Trial, flags: npt.NDArray[np.bool_]) -> Trial:
    """Give the first flagged input."""
    row = slice(first := int(np.argmax(flags)), first + 1)
    return Trial(trial.a[row], trial.b[row], trial.c[row])


def _codes(form: Format, values: npt.NDArray[np.float64], *, signed: bool) -> npt.NDArray[Any]:
    """Encode many numbers of which few are different."""
    found, places = np.unique(values.view(np.uint64), return_inverse=True)
    codes = encode(form, found.view(np.float64), signed=signed).astype(code_dtype(form))
    return np.asarray(codes[places.reshape(values.shape)])


def _texts(trial: Trial) -> tuple[list[str], list[str], str]:
    """Write an input as text, up to its last product."""
    used = np.flatnonzero((trial.a[0] != 0) & (trial.b[0] != 0))
    last = int(used[-1]) + 1 if used.size else 1
    a = [number_text(float(x)) for x in trial.a[0, :last]]
    b = [number_text(float(x)) for x in trial.b[0, :last]]
    return a, b, number_text(float(trial.c[0]))
