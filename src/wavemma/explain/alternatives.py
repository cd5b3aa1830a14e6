"""Which other faults make the same output, and which inputs would tell them apart."""

from itertools import product
from typing import Literal

import msgspec
import numpy as np

from wavemma.explain.fault_output import part_of, prediction
from wavemma.explain.operand import Operand
from wavemma.explain.scoring import Scored
from wavemma.explain.suspect import Fault, Suspect
from wavemma.explain.telling_inputs import STEPS, telling_inputs
from wavemma.explain.tile_cutting import sample
from wavemma.explain.tile_sample import Floats, Given, Sample

Told = Literal["inputs", "nothing", "unknown"]
TIE = 0.002
_WEAKEST = "ratio"
# What a ratio alone may come from: beside one of these it says nothing more.
_STRONGER = (_WEAKEST, "number family", "scale")
_MOST_STEPS = 1024


class Alternative(msgspec.Struct, frozen=True):
    """What else makes an output just as well as the explanation that stands first.

    Attributes:
        faults: One or two faults.
        told_by: "inputs" if random inputs would tell them from the explanation; "nothing" if no
            inputs can, as both move the same elements to the same places; "unknown" if those random
            inputs cannot, though others may.

    """

    faults: tuple[Fault, ...]
    told_by: Told


def alternatives(looked: Sample, best: list[Scored]) -> tuple[Alternative, ...]:
    """List what explains an output as well as the best explanation; other kinds first.

    Args:
        looked: The sample.
        best: Explanations, the best first.

    """
    if not best:
        return ()
    first = tuple(part.suspect for part in best[0].parts)
    equal = [each for each in best if best[0].share - each.share <= TIE]
    same = {_faults(suspects): suspects for each in equal for suspects in _variants(each)}
    kinds = _kinds(first)
    others = [
        each
        for faults, each in same.items()
        if faults != _faults(first)
        and len(each) == len(first)
        and not _is_weaker(each, kinds)
        # What is read off the output fits any cause that does the same.
        and (_is_seen(first) or not _is_seen(each))
    ]
    others.sort(key=lambda each: _kinds(each) == kinds)
    if not others:
        return ()
    told = _Telling(looked.asked, steps_of(looked))
    return tuple(Alternative(_faults(each), told.by(first, each)) for each in others)


def steps_of(looked: Sample) -> int:
    """Count the steps along k that inputs must have to tell the faults of a sample apart."""
    if looked.factors is None:
        return STEPS
    depth = int(looked.factors.a.shape[-1])
    return min(max(-(-depth // looked.depth), STEPS), _MOST_STEPS)


def _variants(scored: Scored) -> list[tuple[Suspect, ...]]:
    return list(product(*((part.suspect, *part.also) for part in scored.parts)))


def _is_seen(suspects: tuple[Suspect, ...]) -> bool:
    return any(suspect.seen for suspect in suspects)


def _faults(suspects: tuple[Suspect, ...]) -> tuple[Fault, ...]:
    return tuple(suspect.fault for suspect in suspects)


def _kinds(suspects: tuple[Suspect, ...]) -> tuple[str, ...]:
    return tuple(sorted(suspect.fault.kind for suspect in suspects))


def _effects(suspects: tuple[Suspect, ...]) -> set[object]:
    """List what faults do; those of which that is not written down, by their names."""
    return {suspect.always or suspect.fault for suspect in suspects}


def _is_weaker(suspects: tuple[Suspect, ...], than: tuple[str, ...]) -> bool:
    return _WEAKEST in _kinds(suspects) and any(kind in _STRONGER for kind in than)


class _Telling:
    """Random inputs, and what faults make of them."""

    def __init__(self, asked: Operand, steps: int) -> None:
        made = telling_inputs(asked.target, asked.instruction.name, steps=steps)
        want = made.pop("want")
        self.sample = sample(asked, Given(want, want + 1, **made))

    def by(self, one: tuple[Suspect, ...], two: tuple[Suspect, ...]) -> Told:
        """Say what tells two explanations apart."""
        if _effects(one) == _effects(two):
            return "nothing"
        return "inputs" if self.apart(one, two) else "unknown"

    def apart(self, one: tuple[Suspect, ...], two: tuple[Suspect, ...]) -> bool:
        """Say whether two explanations give different outputs for these inputs."""
        first, second = self._output(one), self._output(two)
        return not bool(self.sample.close(first, second).all())

    def _output(self, suspects: tuple[Suspect, ...]) -> Floats:
        """Compute what comes; NaN where nothing is written."""
        every, missing = prediction(self.sample, [part_of(self.sample, s) for s in suspects])
        found = np.where(missing, np.nan, every[0])
        for more in every[1:]:
            found = np.where(np.isnan(found), more, found)
        return found
