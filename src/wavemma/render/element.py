"""How the place of an element reads."""

from wavemma.explain.element import Element, Kept
from wavemma.explain.spots import Spot
from wavemma.layouts import GROUP
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import asked_facts, formula_blocks, lanes_text, spot_text

_ORDER = ("first", "second")


@document_of.register
def _element(answer: Element) -> Document:
    blocks: list[Block] = [Heading(f"{answer.element} of {answer.asked}", 1)]
    if answer.unknown:
        blocks.append(Text(f"Unknown: {answer.unknown}."))
    elif answer.kept:
        blocks += _sparse(answer)
    else:
        blocks.append(Text(_sentence(answer.places)))
    blocks.append(Facts((*asked_facts(answer.asked), *_other_waves(answer))))
    if not answer.unknown:
        blocks += formula_blocks(answer.formulas)
    return tuple(blocks)


def _other_waves(answer: Element) -> list[tuple[str, str]]:
    """Say where the element is in waves of the other size; of a sparse A, how to ask."""
    return [
        (
            f"wave{each.wave}",
            f"ask with --wave {each.wave}"
            if answer.kept
            else f"{_sentence(each.places)} (formulas: --wave {each.wave})",
        )
        for each in answer.other_waves
    ]


def _sentence(places: tuple[Spot, ...]) -> str:
    """Say where an element is; copies lie in the same bits of several lanes."""
    count = len(places)
    copies = "both" if count == 2 else f"all {count}"
    return _spots(places) + (f": {copies} copies must be loaded" if count > 1 else "")


def _sparse(answer: Element) -> list[Block]:
    group, position = divmod(answer.indices["k"], GROUP)
    has_places = any(kept.places for kept in answer.kept)
    head = ("kept element", *(("lies in",) if has_places else ()), "index bits", "is it")
    return [
        Text(f"k = {answer.indices['k']} is position {position} of group {group}."),
        Table(head, tuple(_row(kept) for kept in answer.kept)),
        Text("The element is 0 where neither of the two is it."),
    ]


def _row(kept: Kept) -> tuple[str, ...]:
    return (
        f"{_ORDER[kept.s]} (s = {kept.s})",
        *((_spots(kept.places),) if kept.places else ()),
        _spots(kept.index_places) if kept.index_places else "unknown",
        "no: positions ascend" if kept.holds_if is None else f"if they are {kept.holds_if}",
    )


def _spots(spots: tuple[Spot, ...]) -> str:
    return f"{spot_text(spots[0])}, {lanes_text(spots)}"
