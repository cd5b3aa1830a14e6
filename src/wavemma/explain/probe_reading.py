"""Which candidate does the silicon follow, by the output of a probe?"""

from typing import Literal

import msgspec
import numpy as np

from wavemma.errors import FileMistake, Unsupported
from wavemma.explain.answer import Answer
from wavemma.explain.codes import number_text
from wavemma.explain.probe import evidence_of
from wavemma.explain.probe_experiment import (
    Experiment,
    Results,
    experiment,
    predicted,
    results_of,
    same,
)
from wavemma.explain.probe_measure import Measurement, measurements
from wavemma.explain.probe_output import Output, parse_output, registers_of
from wavemma.explain.probe_point import Candidate, Point, points_of
from wavemma.formats import decode, number_format
from wavemma.numerics.model import models
from wavemma.tables.probes import points

Verdict = Literal["one", "none", "several", "measured"]


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """The first element that a candidate has otherwise: bits and numbers."""

    run: int
    row: int
    column: int
    got: int
    got_number: str
    said: int
    said_number: str
    bits: int


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """How far a candidate agrees with the silicon.

    Attributes:
        name: The candidate.
        title: What it means.
        agreeing: Elements of D that are as it says.
        elements: All of them.
        first: The first that is not; None if all are.

    """

    name: str
    title: str
    agreeing: int
    elements: int
    first: Mismatch | None

    @property
    def is_whole(self) -> bool:
        """Whether every element agrees."""
        return self.agreeing == self.elements


class ProbeReading(Answer, frozen=True, kw_only=True, tag=True):
    """What the output of a probe says.

    Attributes:
        point: The open point.
        question: What was not known.
        target: The target that the program is for.
        instruction: What it ran.
        wave: Lanes of the wave.
        device: What the program says that it ran on.
        verdict: "one" if one candidate agrees in every element, "several" or "none"; "measured"
            where there is no candidate.
        followed: The candidates that agree in every element.
        fits: How far each candidate agrees, the best first.
        other_models: Known models that are no candidates and agree in every element.
        measured: What the results show by themselves.

    """

    point: str
    question: str
    target: str
    instruction: str
    wave: int
    device: str
    verdict: Verdict
    followed: tuple[str, ...]
    fits: tuple[Fit, ...]
    other_models: tuple[str, ...]
    measured: tuple[Measurement, ...]


def read_probe(text: str) -> ProbeReading:
    """Say which candidate the output of a probe's program follows.

    Args:
        text: All that the program printed.

    Raises:
        FileMistake: It is no output of a probe, not all of it, damaged, or of other inputs.

    """
    output = parse_output(text)
    made = experiment(_point(output))
    point = made.point
    results = results_of(made, registers_of(output, made))
    fits = sorted(
        (_fit(made, each, results) for each in point.candidates), key=lambda fit: -fit.agreeing
    )
    followed = tuple(each.name for each in fits if each.is_whole)
    open_still = bool(point.candidates) and len(followed) != 1
    shown = open_still or not point.candidates or point.row.inputs == "underflow"
    return ProbeReading(
        point=point.row.name,
        question=point.row.question,
        target=point.target,
        instruction=point.instruction.name,
        wave=point.wave,
        device=output.facts["device"],
        verdict=_verdict(point, followed),
        followed=followed,
        fits=tuple(fits),
        other_models=tuple(_other_models(made, results)) if open_still else (),
        measured=measurements(made, results) if shown else (),
        evidence=evidence_of(point),
        notes=(point.row.note,) if point.row.note else (),
    )


def _point(output: Output) -> Point:
    """Find the point, target and instruction that an output is about."""
    facts = output.facts
    row = points().get(facts["point"])
    for each in points_of(row, facts["target"]) if row else ():
        if (each.instruction.name, str(each.wave)) == (facts["instruction"], facts["wave"]):
            return each
    raise FileMistake(
        f"The output must be of an open point that this version knows; it is of {facts['point']}"
        f" with {facts['instruction']} on {facts['target']}, wave{facts['wave']}.",
        subject=facts["point"],
        allowed=points(),
        hint="All: wavemma probe --list",
    )


def _verdict(point: Point, followed: tuple[str, ...]) -> Verdict:
    if not point.candidates:
        return "measured"
    return ("none", "one")[len(followed)] if len(followed) < 2 else "several"


def _fit(made: Experiment, candidate: Candidate, results: Results) -> Fit:
    said = results_of(made, predicted(made, candidate))
    agree = same(made, results, said)
    return Fit(
        name=candidate.name,
        title=candidate.title,
        agreeing=int(agree.sum()),
        elements=int(agree.size),
        first=None if agree.all() else _mismatch(made, results, said, int(np.argmin(agree))),
    )


def _mismatch(made: Experiment, results: Results, said: Results, place: int) -> Mismatch:
    run, row, column = (int(each) for each in np.unravel_index(place, results.shape))
    form = number_format(made.point.operands.formats["d"])
    codes = int(results[run, row, column]), int(said[run, row, column])
    got, other = (number_text(float(decode(form, np.array(code)))) for code in codes)
    return Mismatch(
        run=run,
        row=row,
        column=column,
        got=codes[0],
        got_number=got,
        said=codes[1],
        said_number=other,
        bits=form.bits,
    )


def _other_models(made: Experiment, results: Results) -> list[str]:
    """List known models that are no candidates and agree in every element."""
    point = made.point
    if point.row.inputs not in ("sums", "clamp"):
        return []
    tried = {each.model.name for each in point.candidates}
    found = []
    for each in models():
        candidate = Candidate(each.name, each.row.title, each, point.instruction)
        try:
            if each.name not in tried and _fit(made, candidate, results).is_whole:
                found.append(each.name)
        except Unsupported:
            continue
    return found
