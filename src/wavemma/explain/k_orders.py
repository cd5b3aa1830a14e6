"""A claim about A or B that differs from the table by nothing but one order of k."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from wavemma.explain.claim import PLACES, Claim, seen, spot
from wavemma.explain.layout_search import Element, element_of, judge, numbers_of
from wavemma.explain.map_index import ALONG
from wavemma.explain.operand import Operand
from wavemma.explain.own_form import formulas_text
from wavemma.layouts import GROUP, KEPT, Layout, Role
from wavemma.layouts.algebra import contiguous_k, relabel
from wavemma.tables.formats import format_row

GROUP_BITS = GROUP.bit_length() - 1
_PARTNERS: dict[Role, Role] = {"a": "b", "b": "a"}
Scales = Literal["none", "stay", "move", "mixed"]
_TEXT_SYNTAX = ("python", "c")


class KPermutation(msgspec.Struct, frozen=True):
    """One order of k by which a claim and the table are the same.

    Attributes:
        order: order[n] is the table's k where the claim says k = n; of a sparse A or B whole
            groups of four move.
        bits: If it permutes bits, bits[n] is the table's bit of k that is the claim's bit n.
        is_contiguous: Whether lanes load neighbouring k in it.
        partner: The operand that needs the same order, "A" or "B".
        partner_form: The partner's map in this order, in formulas; empty if none are short.
        orders: How many orders of k there are; each is right if A and B share it.
        differs: What is still not the same, one sentence each.
        scales: What becomes of the blocks of k that share a scale: there are none; each stays;
            they move as wholes, and their scales must too; or they are mixed, and then this order
            is wrong.

    """

    order: tuple[int, ...]
    bits: tuple[int, ...]
    is_contiguous: bool
    partner: str
    partner_form: str
    orders: int
    differs: tuple[str, ...]
    scales: Scales = "none"


def k_permutation(claim: Claim, asked: Operand) -> KPermutation | None:
    """Find the one order of k that turns a claim about A or B into the table; None if none does."""
    if asked.role not in _PARTNERS or asked.layout.has_moves:
        return None
    found = _order(claim, seen(asked.layout, by_pairs=claim.by_pairs), asked)
    if found is None:
        return None
    bits, scales = _bits(found), _scales(found, asked)
    partner = asked.sibling(_PARTNERS[asked.role])
    group = GROUP if asked.instruction.is_sparse else 1
    factors = [asked, partner] if asked.role == "a" else [partner, asked]
    return KPermutation(
        order=found,
        bits=bits,
        is_contiguous=contiguous_k(*(each.layout for each in factors)) == found,
        partner=partner.letter,
        partner_form=_partner_form(claim, partner, bits) if bits and scales != "mixed" else "",
        orders=_orders(len(found) // group, asked.instruction.matrix.scale_block // group),
        differs=(*_SCALE_WORDS[scales], *_differs(asked)),
        scales=scales,
    )


_SCALE_WORDS: dict[Scales, tuple[str, ...]] = {
    "none": (),
    "stay": (),
    "move": ("scales: whole blocks of k move, so the scales of A and of B must move with them",),
    "mixed": (
        "scales: blocks of k that share a scale are mixed, so elements meet scales of others",
    ),
}


def _orders(count: int, block: int) -> int:
    """Count the orders of k that are right as they are: with block scales those inside blocks."""
    if block:
        return int(math.factorial(block) ** (count // block))
    return math.factorial(count)


def _scales(order: tuple[int, ...], asked: Operand) -> Scales:
    """Say what an order of k does to the blocks that share a scale."""
    block = asked.instruction.matrix.scale_block
    if not block:
        return "none"
    blocks = [[k // block for k in order[n : n + block]] for n in range(0, len(order), block)]
    if any(len(set(each)) > 1 for each in blocks):
        return "mixed"
    return "stay" if all(each[0] == n for n, each in enumerate(blocks)) else "move"


def _order(claim: Claim, layout: Layout, asked: Operand) -> tuple[int, ...] | None:
    """Read the order of k off a claim; None if it changes anything else."""
    along = "g" if claim.by_pairs else ALONG[asked.role]
    moved: dict[int, int] = {}
    for theirs, right in _pairs(claim, layout):
        rest = {**right, along: theirs.get(along)}
        if theirs != rest or moved.setdefault(theirs[along], right[along]) != right[along]:
            return None
    size = layout.size.get(along, 0)
    if sorted(moved) != list(range(size)) or sorted(moved.values()) != list(range(size)):
        return None
    order = [moved[n] for n in range(size)]
    return _whole_groups(order, asked, along) if asked.instruction.is_sparse else tuple(order)


def _whole_groups(order: Sequence[int], asked: Operand, along: str) -> tuple[int, ...] | None:
    """Write an order of kept elements, groups or k as one of k; None if it parts groups."""
    step = 1 if along == "g" else KEPT if asked.role == "a" else GROUP
    groups = [n // step for n in order[::step]]
    if list(order) != [group * step + within for group in groups for within in range(step)]:
        return None
    return tuple(GROUP * group + within for group in groups for within in range(GROUP))


def _pairs(claim: Claim, layout: Layout) -> Iterator[tuple[Element, Element]]:
    """Yield each claimed element beside the one that really lies at its place."""
    if claim.is_forward:
        for each in judge(claim, layout):
            yield each.element, {name: each.right[0].get(name, 0) for name in claim.outputs}
        return
    lanes = {"thread": "lane"}
    at: dict[tuple[int, ...], Element] = {}
    for number in range(layout.elements_count):
        element = element_of(layout, number)
        for place in layout.place(**element):
            numbers = numbers_of(spot(layout, place.lane, place.slot))
            at[tuple(numbers[lanes.get(name, name)] for name in claim.outputs)] = element
    unknown: Element = {name: -1 for name in layout.size}
    for number in range(layout.elements_count):
        element = element_of(layout, number)
        theirs = claim.value({"b": 0, **element})
        yield element, at.get(tuple(theirs[name] for name in claim.outputs), unknown)


def _bits(order: tuple[int, ...]) -> tuple[int, ...]:
    """Read an order as a permutation of bits; empty if it is none."""
    count = (len(order) - 1).bit_length()
    images = [order[1 << bit] for bit in range(count)]
    positions = tuple(image.bit_length() - 1 for image in images)
    if sorted(positions) != list(range(count)):
        return ()
    made = [
        sum((n >> new & 1) << old for new, old in enumerate(positions)) for n in range(len(order))
    ]
    return positions if made == list(order) else ()


def _partner_form(claim: Claim, partner: Operand, bits: tuple[int, ...]) -> str:
    """Write the partner's map in the claim's order of k."""
    if "g" in partner.layout.size:
        groups = tuple(bit - GROUP_BITS for bit in bits[GROUP_BITS:])
        layout = relabel(partner.layout, "g", groups)
    else:
        layout = relabel(partner.layout, "k", bits)
    view = seen(layout, by_pairs=claim.by_pairs and "g" in layout.size)
    letters = dict(zip(view.size, layout.size, strict=False))
    axes = {name: _axis_word(claim, name, letters) for name in view.size}
    words = {**claim.inputs, **claim.outputs}
    places = {name: words[name] for name in PLACES if name in words} or {"lane": "lane"}
    forward = claim.is_forward
    like = claim._replace(
        syntax=claim.syntax if claim.syntax in _TEXT_SYNTAX else "python",
        inputs=places if forward else axes,
        outputs=axes if forward else places,
    )
    return formulas_text(like, view, partner.role)


def _axis_word(claim: Claim, name: str, letters: dict[str, str]) -> str:
    """Name an axis of the partner: row and col if the user says so, else by its letter."""
    words = {**claim.inputs, **claim.outputs}
    said = words.get(name, name)
    return said if len(said) > 1 else letters.get(name, name)


def _differs(asked: Operand) -> tuple[str, ...]:
    """Say what an order of k changes."""
    d = asked.instruction.formats["d"][0]
    exact = format_row(d).kind == "integer"
    bits = (
        f"bits: none, as sums of {d} are exact whatever their order"
        if exact
        else f"bits: sums in {d} round in another order, so the last bits of D may change"
    )
    sparse = (
        "sparse: the index names groups of four k, so only whole groups may move, and the index"
        " with them"
        if asked.instruction.is_sparse
        else "sparse forms: their index names groups of four k in the table's order, so there only"
        " whole groups may move"
    )
    return (
        bits,
        sparse,
        "transposed: a D that becomes A or B of a next product, and loads that transpose, bring"
        " their own order of k",
    )
