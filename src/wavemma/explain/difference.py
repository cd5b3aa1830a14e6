"""What is wrong with this output?"""

from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.alternatives import Alternative, alternatives, steps_of
from wavemma.explain.answer import Answer
from wavemma.explain.confusions.nan_sources import only_nan
from wavemma.explain.confusions.suspicions import suspected
from wavemma.explain.edges import Edge, edge
from wavemma.explain.exact_output import wanted_of
from wavemma.explain.explanation import Explanation, explanation
from wavemma.explain.fault_output import part_of
from wavemma.explain.formulas import layout_notes
from wavemma.explain.given_array import check_outputs, given_array
from wavemma.explain.given_scales import check_scales
from wavemma.explain.given_want import mistrust, other_want, unset
from wavemma.explain.operand import Asked, asked_of, conflicts_of, evidence_of, operand
from wavemma.explain.right_tiles import borne_out
from wavemma.explain.scoring import Scored, scored, unseen
from wavemma.explain.suspect import Fault
from wavemma.explain.tile_cutting import sample
from wavemma.explain.tile_sample import Given, Sample
from wavemma.explain.wrong_elements import Deviation, deviation
from wavemma.explain.wrong_pattern import is_blank

Verdict = Literal["equal", "edge", "explained", "ambiguous", "none"]
EXPLAINED = 0.95
_NEAREST = 3
_NEARER = 0.05
_OF_WRONG = 0.75
_REPETITIVE = 8


class Diagnosis(Answer, frozen=True, kw_only=True, tag=True):
    """What is wrong with an output.

    Attributes:
        asked: D of the instruction.
        verdict: equal; edge, if all that is wrong lies outside of every whole tile; explained;
            ambiguous, if other faults give the same output; or none, if no known fault gives it.
        tiles: Tiles of the output.
        differing: Those that differ from what was wanted.
        looked_at: Tiles that were looked at.
        right: Share of their elements that are right as they are, 0..1.
        explanations: The best first; of none, the nearest ones.
        alternatives: Other faults that these inputs cannot tell from the first explanation.
        steps: Steps along k that inputs need to tell them apart.
        unseen: Faults that these inputs would not show at all: how many.
        unseen_faults: Those faults.
        tried: Faults that were tried.
        kinds: Their kinds.
        tolerance: What an element may be off, relative to itself and to the usual size.
        repetitive: Whether so many elements of a tile are equal that little can be told apart.
        wrong: Of an output that no fault explains, its wrong elements.
        only_nan: Whether every wrong value of the tiles looked at is NaN.
        edge: The elements outside of every whole tile, if there are any.
        lacking: Arrays that were not given, and would let more faults be tried.

    """

    asked: Asked
    verdict: Verdict
    tiles: int
    differing: int
    looked_at: int
    right: float
    explanations: tuple[Explanation, ...]
    alternatives: tuple[Alternative, ...]
    steps: int
    unseen: int
    tried: int
    kinds: tuple[str, ...]
    repetitive: bool
    tolerance: float
    unseen_faults: tuple[Fault, ...] = ()
    wrong: Deviation | None = None
    only_nan: bool = False
    edge: Edge | None = None
    lacking: tuple[str, ...] = ()


# Infinities and NaN are values of an output like others, not accidents of ours.
@np.errstate(all="ignore")
def diagnose(
    target: str,
    instruction: str,
    got: npt.ArrayLike,
    want: npt.ArrayLike | None = None,
    *,
    a: npt.ArrayLike | None = None,
    b: npt.ArrayLike | None = None,
    c: npt.ArrayLike | None = None,
    scale_a: npt.ArrayLike | None = None,
    scale_b: npt.ArrayLike | None = None,
    wave: int | None = None,
) -> Diagnosis:
    """Find the fault that makes an output what it is.

    Args:
        target: Such as "gfx1100".
        instruction: The mnemonic that computes it.
        got: What came, [..., M, N] (with blocks [..., blocks, M, N]): a tile or whole matrices.
        want: What should have come; a @ b + c if None.
        a: A, [..., M, K], if known: then faults of loads, formats and steps are told apart too.
        b: B, [..., K, N].
        c: C, the shape of D.
        scale_a: Scales of A, [..., M, K / block], as codes or a type that has them.
        scale_b: Scales of B, [..., K / block, N].
        wave: Lanes of the wave; the target's default if None.

    Raises:
        ArrayMistake: Shapes do not fit, or neither want nor a and b are given.
        WavemmaError: As for `operand`.

    """
    asked = operand(target, instruction, "d", wave=wave)
    form = asked.instruction.formats
    given_a, given_b, given_c = (
        given_array(role, value, form[role]) for value, role in ((a, "a"), (b, "b"), (c, "c"))
    )
    if (given_a is None) != (given_b is None):
        alone = "b" if given_a is None else "a"
        raise ArrayMistake(f"a and b go together; only {alone} was given.", subject=alone)
    scales = (given_array("scale_a", scale_a, ()), given_array("scale_b", scale_b, ()))
    check_scales(asked.instruction, (given_a, given_b), scales)
    came, wanted = given_array("got", got, form["d"]), given_array("want", want, form["d"])
    if came is None:
        raise ArrayMistake("got must be given: what the kernel computed, [..., M, N].")
    if wanted is None:
        wanted = wanted_of(asked.instruction, came, (given_a, given_b, given_c), scales)
    check_outputs(wanted, came, asked.format)
    looked = sample(asked, Given(wanted, came, given_a, given_b, given_c, *scales))
    return _diagnosis(looked, _left_out(looked))


def _diagnosis(looked: Sample, warnings: tuple[str, ...]) -> Diagnosis:
    other, rim = other_want(looked), edge(looked)
    parts = suspected(looked) if other is None else (part_of(looked, other),)
    doubts = mistrust(looked) if other is None else ()
    warnings = (*unset(looked), *doubts, *warnings)
    hidden = unseen(looked, parts)
    found = scored(looked, parts) if looked.differing else ()
    right = float(looked.close(looked.want, looked.got).mean())
    best = _enough(looked, found, right)
    others = alternatives(looked, best)
    verdict = _verdict(looked, rim, explained=bool(best), alone=not others)
    wrong = deviation(looked) if verdict == "none" else None
    near = borne_out(looked, (each for each in found if each.share > right + _NEARER))
    nearest = [] if best else list(islice(near, _NEAREST))
    nearest = [] if is_blank(looked) else nearest
    shown = best[:1] if best else nearest
    return Diagnosis(
        asked=asked_of(looked.asked),
        verdict=verdict,
        tiles=int(np.prod(looked.grid)),
        differing=looked.differing,
        looked_at=len(looked.tiles),
        right=right,
        explanations=tuple(explanation(looked, each) for each in shown),
        alternatives=others,
        steps=steps_of(looked),
        unseen=len(hidden),
        unseen_faults=hidden,
        tried=len(parts),
        kinds=tuple(dict.fromkeys(part.suspect.fault.kind for part in parts)),
        repetitive=_is_repetitive(looked),
        tolerance=looked.tolerance,
        wrong=wrong,
        only_nan=only_nan(looked),
        edge=rim,
        lacking=_lacking(looked),
        evidence=evidence_of(looked.asked),
        conflicts=conflicts_of(looked.asked),
        notes=(*layout_notes(looked.asked.instruction), *warnings),
    )


def _verdict(looked: Sample, rim: Edge | None, *, explained: bool, alone: bool) -> Verdict:
    """Judge the whole tiles, and where those are right the edge."""
    if not looked.differing:
        return "edge" if rim is not None and rim.wrong else "equal"
    if not explained:
        return "none"
    return "explained" if alone else "ambiguous"


def _lacking(looked: Sample) -> tuple[str, ...]:
    """Name the arrays that would let more be tried."""
    given, chosen = looked.given, looked.asked.instruction
    names = ["a", "b", "c", *(("scale_a", "scale_b") if chosen.is_scaled else ())]
    return tuple(name for name in names if getattr(given, name) is None)


def _enough(looked: Sample, found: tuple[Scored, ...], right: float) -> list[Scored]:
    """Keep what explains most of the elements, and most of those that are wrong."""
    least = max(EXPLAINED, right + _OF_WRONG * (1 - right))
    return list(borne_out(looked, (each for each in found if each.share >= least)))


def _is_repetitive(looked: Sample) -> bool:
    """Whether a tile has few values for its size."""
    bits = looked.want[0].view(np.int64)
    return bool(len(set(bits.tolist())) * _REPETITIVE <= bits.size)


def _left_out(looked: Sample) -> tuple[str, ...]:
    """Say that no fault was held against edges."""
    _, m, n = looked.shape
    rows, columns = looked.given.want.shape[-2:]
    if rows % m == 0 and columns % n == 0:
        return ()
    return (
        f"Edges that fill no whole tile of {m} x {n} were compared element by element; faults were"
        " looked for in whole tiles.",
    )
