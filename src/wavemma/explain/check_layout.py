"""Is this mapping right, and if not, whose is it?"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from wavemma.errors import SyntaxMistake, Unsupported
from wavemma.explain.access_input import by_columns
from wavemma.explain.answer import Answer
from wavemma.explain.claim import Claim, crosses, in_register, seen
from wavemma.explain.claim_input import Mapped, claim_of
from wavemma.explain.k_orders import KPermutation, k_permutation
from wavemma.explain.layout_search import (
    Judged,
    Owner,
    check_entries,
    is_determined,
    judge,
    owners,
)
from wavemma.explain.operand import (
    Asked,
    Operand,
    asked_of,
    conflicts_of,
    evidence_of,
    notes_of,
    operand,
)
from wavemma.explain.own_form import right_form
from wavemma.explain.thread_use import later_fault
from wavemma.layouts import Layout

Verdict = Literal["right", "right so far", "equivalent", "first wave only", "wrong", "unknown"]
_NOTHING: Mapping[str, int] = {}
_AXES = ("b", "row", "col", "g", "s")


class Counterexample(msgspec.Struct, frozen=True):
    """The first place, or element, at which a mapping is wrong.

    Attributes:
        at: Where: numbers of the place, or indices of the element.
        claimed: What the mapping says; empty where a table says nothing.
        right: What is right.

    """

    at: dict[str, int]
    claimed: dict[str, int]
    right: dict[str, int]


class LayoutCheck(Answer, frozen=True, kw_only=True, tag=True):
    """What is right and wrong about a mapping.

    Attributes:
        asked: The operand that the question is about.
        given: The mapping as it was written; empty for a function.
        syntax: How it was written.
        words: The user's word for each index and number that the mapping speaks of.
        verdict: right; right so far, where it does not give all of a place; equivalent, which is
            right if A and B share the order of k; first wave only, where a thread's number was used
            as its lane; wrong; or unknown.
        total: Places that hold something, or elements if the mapping leads from them.
        wrong: Those at which the mapping is wrong.
        outside: Those of the wrong ones where it leaves the matrix or the registers.
        counted: "places" or "elements".
        first: The first wrong one, lane by lane.
        owners: Whose map it really is.
        permutation: The order of k by which it is the table's; only of A and B.
        right_form: The right map in the user's own form; empty if that has none.
        unchecked: What the mapping does not give, and so was not checked.
        stride: By what the subscript of a statement multiplies the row, or the column.
        read_as: How that subscript was read; empty if there is none.

    """

    asked: Asked
    given: str
    syntax: str
    words: dict[str, str]
    verdict: Verdict
    total: int = 0
    wrong: int = 0
    outside: int = 0
    counted: str = "places"
    first: Counterexample | None = None
    owners: tuple[Owner, ...] = ()
    permutation: KPermutation | None = None
    right_form: str = ""
    unchecked: tuple[str, ...] = ()
    stride: str = ""
    read_as: str = ""


class _Count(NamedTuple):
    """What holding a claim against the table gave."""

    total: int
    wrong: int
    outside: int
    first: Counterexample | None


def check_layout(
    target: str,
    instruction: str,
    role: str,
    mapping: Mapped,
    *,
    wave: int | None = None,
    format: str | None = None,
    modifiers: Mapping[str, int] = _NOTHING,
) -> LayoutCheck:
    """Hold a mapping against the layout of an operand.

    Args:
        target: Such as "gfx1100".
        instruction: A mnemonic.
        role: A, B, C, D, index, scale_a or scale_b.
        mapping: Formulas, such as "row = 2*v + lane//16; col = lane%16", in Python or C and in
            either direction; the statement that loads or stores it, such as
            "C[(2*v + lane/16)*ldc + lane%16] = acc[v]"; a CuTe layout of (lane, value); bases of a
            linear layout; the path of a CSV file; or a function of lane, v, n, slot (or row,
            column, block).
        wave: Lanes of the wave; the target's default if None.
        format: Where a modifier chooses the format, its name.
        modifiers: Values by the keys of `moves.CHOICES`.

    Raises:
        SyntaxMistake: The mapping does not parse; says where and why.
        OutOfRange: A formula divides by zero, or a function raises.
        WavemmaError: As for `operand`.

    Examples:
        >>> found = check_layout("gfx1100", "v_wmma_f32_16x16x16_f16", "D",
        ...                      "row = v + 8*(lane//16); col = lane%16")
        >>> found.wrong, found.total, found.owners[0].targets[-1]
        (224, 256, 'gfx1201')

    """
    asked = operand(target, instruction, role, wave=wave, format=format, modifiers=modifiers)
    return check_operand(asked, mapping, modifiers)


def check_operand(
    asked: Operand, mapping: Mapped, modifiers: Mapping[str, int] = _NOTHING
) -> LayoutCheck:
    """Hold a mapping against an operand that was found before; as `check_layout`."""
    claim = claim_of(mapping, asked)
    layout = seen(asked.layout, by_pairs=claim.by_pairs)
    _check_words(claim, layout)
    found = LayoutCheck(
        asked=asked_of(asked),
        given=claim.text,
        syntax=claim.syntax,
        words={**claim.inputs, **claim.outputs},
        stride=claim.stride,
        read_as="row*stride + column" if claim.stride else "",
        verdict="unknown",
        counted="places" if claim.is_forward else "elements",
        evidence=evidence_of(asked),
        conflicts=conflicts_of(asked),
        notes=notes_of(asked, modifiers),
    )
    if asked.unknown:
        return found
    made = _judged(found, claim, layout, asked)
    if claim.stride and made.verdict == "wrong":
        other = _judged(found, by_columns(claim), layout, asked)
        if other.verdict != "wrong":
            return msgspec.structs.replace(other, read_as="column*stride + row")
    return made


def _judged(found: LayoutCheck, claim: Claim, layout: Layout, asked: Operand) -> LayoutCheck:
    """Fill the answer in."""
    count = _counted(claim, layout)
    if count.wrong == 0:
        check_entries(claim, count.total)
    later = _later_waves(claim, layout) if count.wrong == 0 else None
    permutation = k_permutation(claim, asked) if count.wrong else None
    unchecked = _unchecked(claim, layout)
    verdict: Verdict = "right so far" if unchecked else "right"
    if count.wrong:
        verdict = "equivalent" if permutation and permutation.scales != "mixed" else "wrong"
    elif later:
        verdict = "first wave only"
    return msgspec.structs.replace(
        found,
        verdict=verdict,
        total=count.total,
        wrong=count.wrong,
        outside=count.outside,
        first=count.first or later,
        owners=owners(claim, asked) if count.wrong else (),
        permutation=permutation,
        right_form=right_form(claim, layout, asked.role),
        unchecked=unchecked,
    )


def _counted(claim: Claim, layout: Layout) -> _Count:
    total = wrong = outside = 0
    first = None
    for each in judge(claim, layout):
        total += 1
        if each.is_right:
            continue
        wrong += 1
        outside += _is_outside(claim, layout, each)
        first = first or _counterexample(claim, each)
    return _Count(total, wrong, outside, first)


def _counterexample(claim: Claim, each: Judged) -> Counterexample:
    if claim.is_forward:
        return Counterexample(_place(each.place, claim), each.element, _only(each.right[0], claim))
    return Counterexample(each.element, each.place, _only(each.right[0], claim))


def _only(found: Mapping[str, int], claim: Claim) -> dict[str, int]:
    """Keep the numbers that the mapping speaks of."""
    return {name: found.get(name, 0) for name in claim.outputs}


def _place(numbers: Mapping[str, int], claim: Claim) -> dict[str, int]:
    """Name a place by its lane (and thread) and by what the mapping or its registers need."""
    names = ["thread"] if "thread" in claim.inputs else []
    names.append("lane")
    names += [name for name in ("v", "n", "slot") if name in claim.inputs]
    if names[-1] in ("thread", "lane"):
        names.append("slot" if numbers["v"] < 0 else "v")
    return {name: numbers[name] for name in names}


def _is_outside(claim: Claim, layout: Layout, each: Judged) -> bool:
    """Whether what is claimed lies outside of the matrix, or of the lanes and registers."""
    if claim.is_forward:
        sizes = {name: layout.size.get(name, 1) for name in _AXES}
        return any(not 0 <= value < sizes[name] for name, value in each.element.items())
    last = layout.registers
    limits = {"lane": layout.wave, "thread": layout.wave, "slot": layout.slots, "v": last}
    return any(not 0 <= value < limits.get(name, value + 1) for name, value in each.place.items())


def _later_waves(claim: Claim, layout: Layout) -> Counterexample | None:
    """Show where a mapping from the thread's number fails in later waves of a workgroup."""
    found = later_fault(claim, layout)
    if found is None:
        return None
    return Counterexample(_place(found.numbers, claim), found.claimed, _only(found.right, claim))


def _check_words(claim: Claim, layout: Layout) -> None:
    """Refuse words for places that this operand's places do not have.

    Raises:
        Unsupported: Registers count nothing, as elements run over their borders.
        SyntaxMistake: Registers alone do not say which element is meant.

    """
    if claim.by_register and crosses(layout):
        raise Unsupported(
            f"Elements of {layout.element_bits} bits run over the borders of registers, so v and n"
            " do not name them.",
            hint="Use slot: it numbers the elements of a lane.",
        )
    if not is_determined(claim, layout):
        raise SyntaxMistake(
            f"Each register holds {in_register(layout)} elements of this operand, so v alone does"
            " not name one.",
            subject=claim.text,
            hint="Use slot, which numbers the elements of a lane, or v with n, the number in the"
            " register.",
        )


def _unchecked(claim: Claim, layout: Layout) -> tuple[str, ...]:
    """List what a mapping does not give."""
    if claim.is_forward:
        needed = (name for name, size in layout.size.items() if size > 1)
        return tuple(name for name in needed if name not in claim.outputs)
    missing = [] if {"lane", "thread"} & set(claim.outputs) else ["lane"]
    names = set(claim.outputs)
    whole = "slot" in names or ("v" in names and (in_register(layout) == 1 or names & {"n", "bit"}))
    return (*missing, *(() if whole or layout.slots == 1 else ("slot",)))
