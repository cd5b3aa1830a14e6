"""How a diagnosis reads."""

from collections.abc import Callable

from wavemma.explain.difference import Diagnosis, Verdict
from wavemma.explain.explanation import Explanation, Place
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import plural


@document_of.register
def _diagnosis(answer: Diagnosis) -> Document:
    blocks: list[Block] = [
        Heading(f"Output of {answer.asked}", 1),
        Text(_VERDICTS[answer.verdict](answer)),
    ]
    if answer.verdict == "none" and answer.explanations:
        blocks.append(_nearest(answer.explanations))
    elif answer.explanations:
        blocks.append(Facts(tuple(_rows(answer.explanations[0]))))
    if answer.alternatives:
        blocks.append(
            Table(
                ("kind", "what else would give this output"),
                tuple((fault.kind, fault.what) for fault in answer.alternatives),
            )
        )
    if answer.repetitive:
        blocks.append(Text(_repetitive(answer)))
    return tuple(blocks)


def _equal(answer: Diagnosis) -> str:
    text = f"Nothing is wrong: got is what was wanted, in all of {_tiles(answer.tiles)}."
    if answer.unseen:
        text += f" {answer.unseen} of {answer.tried} faults would not show with these inputs."
    return text


def _differs(answer: Diagnosis) -> str:
    return (
        f"Tiles that differ: {answer.differing} of {answer.tiles}; {answer.right:.1%} of the"
        f" elements in {_tiles(answer.looked_at)} looked at are right."
    )


def _none(answer: Diagnosis) -> str:
    return (
        f"None of these: none of {answer.tried} faults, nor two of them together, gives this"
        f" output. They are of these kinds: {', '.join(answer.kinds)}. {_differs(answer)}"
    )


_VERDICTS: dict[Verdict, Callable[[Diagnosis], str]] = {
    "equal": _equal,
    "explained": _differs,
    "ambiguous": _differs,
    "none": _none,
}


def _rows(found: Explanation) -> list[tuple[str, str]]:
    rows = []
    for number, fault in enumerate(found.faults):
        rows += [("fault" if number == 0 else "and", fault.what), ("fix", fault.fix)]
    rows.append(("explains", f"{_percent(found)} of the elements"))
    if found.left:
        first = ", ".join(map(_element, found.first_left))
        more = ", ..." if found.left > len(found.first_left) else ""
        rows.append(("left", f"{plural(found.left, 'element')}: {first}{more}"))
    return rows


def _percent(found: Explanation) -> str:
    """Write a share; all is said only where nothing is left."""
    return f"{found.share:.1%}" if not found.left or found.share < 0.9995 else "over 99.9%"


def _element(place: Place) -> str:
    where = f"D[{place.row}][{place.column}]"
    named = (("batch", place.batch), ("block", place.block))
    return where + "".join(f" of {name} {number}" for name, number in named if number)


def _nearest(found: tuple[Explanation, ...]) -> Table:
    return Table(
        ("explains", "the nearest"),
        tuple(
            (f"{each.share:.1%}", ", and ".join(fault.what for fault in each.faults))
            for each in found
        ),
    )


def _repetitive(answer: Diagnosis) -> str:
    command = f"wavemma diagnose {answer.asked.target} {answer.asked.instruction} --inputs DIR"
    return (
        "Many elements of a tile are equal, as with inputs of ones: such inputs cannot tell faults"
        f" apart ({answer.unseen} of {answer.tried} would not show at all). {command} writes inputs"
        " that can."
    )


def _tiles(count: int) -> str:
    return plural(count, "tile")
