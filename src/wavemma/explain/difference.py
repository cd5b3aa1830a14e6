"""What is wrong with this output?"""

from typing import Literal

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.answer import Answer
from wavemma.explain.confusions import Scored, scored, suspected, unseen
from wavemma.explain.explanation import Explanation, explanation
from wavemma.explain.operand import Asked, asked_of, conflicts_of, evidence_of, notes_of, operand
from wavemma.explain.suspect import Fault, multiplied
from wavemma.explain.tile_cutting import sample
from wavemma.explain.tile_sample import Array, Given, Sample, numbers
from wavemma.formats import number_format
from wavemma.formats.dtypes import dtype_of
from wavemma.isa.instruction import Instruction

Verdict = Literal["equal", "explained", "ambiguous", "none"]
EXPLAINED = 0.95
_TIE = 0.002
_MOST = 5
_NEAREST = 3
_WEAKEST = "ratio"
_REPETITIVE = 8
# Products of more multiplications are summed in float32 if their factors are narrow.
_LARGE = 1 << 33


class Diagnosis(Answer, frozen=True, kw_only=True, tag=True):
    """What is wrong with an output.

    Attributes:
        asked: D of the instruction.
        verdict: equal; explained; ambiguous, if other faults give the same output; or none, if
            no known fault gives it.
        tiles: Tiles of the output.
        differing: Those that differ from what was wanted.
        looked_at: Tiles that were looked at.
        right: Share of their elements that are right as they are, 0..1.
        explanations: The best first; of none, the nearest ones.
        alternatives: Other faults that these inputs cannot tell from the first explanation.
        unseen: Faults that these inputs would not show at all.
        tried: Faults that were tried.
        kinds: Their kinds.
        repetitive: Whether so many elements of a tile are equal that little can be told apart.

    """

    asked: Asked
    verdict: Verdict
    tiles: int
    differing: int
    looked_at: int
    right: float
    explanations: tuple[Explanation, ...]
    alternatives: tuple[Fault, ...]
    unseen: int
    tried: int
    kinds: tuple[str, ...]
    repetitive: bool


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
        _typed(value, form[role]) for value, role in ((a, "a"), (b, "b"), (c, "c"))
    )
    scales = (_typed(scale_a, ()), _typed(scale_b, ()))
    came, wanted = _typed(got, form["d"]), _typed(want, form["d"])
    if came is None:
        raise ArrayMistake("got must be given.")
    if wanted is None:
        wanted = _wanted(asked.instruction, came, (given_a, given_b, given_c), scales)
    looked = sample(asked, Given(wanted, came, given_a, given_b, given_c, *scales))
    return _diagnosis(looked, (*_mistrust(looked), *_left_out(looked)))


def _diagnosis(looked: Sample, warnings: tuple[str, ...]) -> Diagnosis:
    parts = suspected(looked)
    found = scored(looked, parts) if looked.differing else ()
    right = float(looked.close(looked.want, looked.got).mean())
    best = [each for each in found if each.share >= max(EXPLAINED, right + _TIE)]
    alternatives = _alternatives(best)
    verdict: Verdict = "none"
    if not looked.differing:
        verdict = "equal"
    elif best:
        kinds = {fault.kind for fault in alternatives} - {best[0].faults[0].kind}
        verdict = "ambiguous" if kinds else "explained"
    shown = best[:1] if best else [each for each in found[:_NEAREST] if each.share > right + 0.05]
    return Diagnosis(
        asked=asked_of(looked.asked),
        verdict=verdict,
        tiles=int(np.prod(looked.grid)),
        differing=looked.differing,
        looked_at=len(looked.tiles),
        right=right,
        explanations=tuple(explanation(looked, each) for each in shown),
        alternatives=alternatives,
        unseen=unseen(looked, parts),
        tried=len(parts),
        kinds=tuple(dict.fromkeys(part.suspect.fault.kind for part in parts)),
        repetitive=_is_repetitive(looked),
        evidence=evidence_of(looked.asked),
        conflicts=conflicts_of(looked.asked),
        notes=(*notes_of(looked.asked), *warnings),
    )


def _alternatives(best: list[Scored]) -> tuple[Fault, ...]:
    """List single faults that explain as much as the best explanation does."""
    if not best or len(best[0].faults) > 1:
        return ()
    first = best[0]
    same = list(first.also)
    for each in best[1:]:
        if first.share - each.share <= _TIE and len(each.faults) == 1:
            same += [each.faults[0], *each.also]
    kept = [fault for fault in same if fault.kind not in (_WEAKEST, first.faults[0].kind)]
    kept += [fault for fault in same if fault.kind == first.faults[0].kind]
    return tuple(kept[:_MOST])


def _is_repetitive(looked: Sample) -> bool:
    """Whether a tile has few values for its size."""
    return bool(len(np.unique(looked.want[0])) * _REPETITIVE <= looked.want.shape[1])


def _typed(value: npt.ArrayLike | None, formats: tuple[str, ...]) -> Array | None:
    """Take an array; bytes that have lost their type get that of the operand."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.size == 0:
        raise ArrayMistake(
            f"Arrays must hold numbers; one of shape {list(array.shape)} has none.",
            subject=array.shape,
        )
    if array.dtype.kind in "cmM":
        raise ArrayMistake(
            f"Arrays must hold real numbers; given {array.dtype}.", subject=str(array.dtype)
        )
    if array.dtype.kind == "V" and array.dtype.names is None:
        for name in formats:
            kind = dtype_of(number_format(name), signed=True)
            if kind is not None and array.dtype in (kind, np.dtype(f"V{kind.itemsize}")):
                return array.view(kind)
    try:
        numbers(array[:1])
    except (TypeError, ValueError, IndexError):
        raise ArrayMistake(
            f"Arrays must hold numbers of a known type; given {array.dtype}.",
            subject=str(array.dtype),
            hint="Name the type: FILE:TYPE on the command line, .view(TYPE) in Python.",
        ) from None
    return array


def _wanted(
    instruction: Instruction,
    got: Array,
    arrays: tuple[Array | None, Array | None, Array | None],
    scales: tuple[Array | None, Array | None],
) -> Array:
    """Compute what D should be from A, B and C."""
    a, b, c = arrays
    if a is None or b is None:
        raise ArrayMistake(
            "want must be given, or a and b to compute it from.",
            hint="wavemma diagnose TARGET OP --want want.npy --got got.npy",
        )
    made = exact_product(instruction, (a, b, c), scales)
    if made.shape[-2:] != got.shape[-2:]:
        raise ArrayMistake(
            f"a and b make a matrix of {list(made.shape)}; got has shape {list(got.shape)}.",
            subject=got.shape,
        )
    return made


def exact_product(
    instruction: Instruction,
    arrays: tuple[Array, Array, Array | None],
    scales: tuple[Array | None, Array | None],
) -> Array:
    """Multiply in float64.

    Args:
        instruction: Whose formats the arrays have.
        arrays: A [..., M, K], B [..., K, N], and C [..., M, N] or None.
        scales: Scales of A [..., M, K / block] and of B [..., K / block, N], or None.

    Returns:
        float64 [..., M, N].

    Raises:
        ArrayMistake: A and B do not share K.

    """
    a, b, c = arrays
    left, right = numbers(a, instruction.formats["a"][0]), numbers(b, instruction.formats["b"][0])
    spread = instruction.matrix.scale_block
    if scales[0] is not None and spread:
        found = numbers(scales[0], instruction.formats["scale_a"][0])
        left = left * np.repeat(found, spread, axis=-1)[..., : left.shape[-1]]
    if scales[1] is not None and spread:
        found = numbers(scales[1], instruction.formats["scale_b"][0])
        right = right * np.repeat(found, spread, axis=-2)[..., : right.shape[-2], :]
    if left.ndim < 2 or right.ndim < 2 or left.shape[-1] != right.shape[-2]:
        raise ArrayMistake(
            f"a [..., M, K] and b [..., K, N] must share K; they have shapes {list(a.shape)} and"
            f" {list(b.shape)}.",
            subject=a.shape,
        )
    floats = all(number_format(instruction.formats[role][0]).is_float for role in ("a", "b"))
    if floats and left.size * right.shape[-1] > _LARGE and max(a.itemsize, b.itemsize) <= 2:
        # Floats of 16 bits and less lose nothing that a comparison of sums would see.
        left, right = left.astype(np.float32), right.astype(np.float32)
    product: Array = np.matmul(left, right).astype(np.float64)
    return product if c is None else product + numbers(c, instruction.formats["c"][0])


def _left_out(looked: Sample) -> tuple[str, ...]:
    """Say that edges were not looked at."""
    _, m, n = looked.shape
    rows, columns = looked.given.want.shape[-2:]
    if rows % m == 0 and columns % n == 0:
        return ()
    return (f"Edges that fill no whole tile of {m} x {n} were not looked at.",)


def _mistrust(looked: Sample) -> tuple[str, ...]:
    """Warn where what was wanted is not what A, B and C make."""
    found = looked.factors
    if found is None:
        return ()
    made = multiplied(found.a * found.scale_a, found.b * found.scale_b)
    made = made if looked.c is None else made + looked.c
    share = float(looked.close(made, looked.want).mean())
    if share >= EXPLAINED:
        return ()
    return (
        f"want is not a @ b{' + c' if looked.c is not None else ''}: they agree in {share:.0%} of"
        " the elements looked at, so the faults of loads and steps may be missed.",
    )
