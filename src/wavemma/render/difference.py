"""How a diagnosis reads."""

from collections.abc import Callable
from math import isnan

from wavemma.explain.alternatives import Told
from wavemma.explain.difference import Diagnosis, Verdict
from wavemma.explain.edges import Edge
from wavemma.explain.explanation import Explanation, Place
from wavemma.explain.telling_inputs import STEPS
from wavemma.explain.wrong_elements import Deviation
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import lanes_text, spot_text
from wavemma.render.words import plural

_MOST = 8
_MOST_UNSEEN = 3
_STAR = " (*)"
_STARS = " (**)"
_MORE = "loads, formats, steps along k, C"
_MORE_OF_C = "faults of C"
_MARKS: dict[Told, str] = {"inputs": "", "nothing": _STAR, "unknown": _STARS}


@document_of.register
def _diagnosis(answer: Diagnosis) -> Document:
    blocks: list[Block] = [Heading(f"Output of {answer.asked}", 1)]
    # What is wrong comes first, what was looked at behind it.
    blocks += _BODIES[answer.verdict](answer)
    if answer.alternatives:
        blocks.append(Text(_telling(answer)))
    if answer.repetitive:
        blocks.append(Text(_repetitive(answer)))
    return tuple(blocks)


def _found(answer: Diagnosis) -> list[Block]:
    rows = Facts(tuple(_rows(answer)))
    return [rows, Text(_differs(answer))]


def _several(answer: Diagnosis) -> list[Block]:
    causes = len(answer.alternatives) + 1
    text = f"{causes} causes cannot be told apart from this output; the likeliest comes first."
    return [Text(text), *_found(answer)]


def _none(answer: Diagnosis) -> list[Block]:
    text = f"None of these: none of the {answer.tried} faults tried gives this output."
    blocks: list[Block] = [Text(f"{text} {_differs(answer)}")]
    if answer.wrong:
        blocks.append(Facts(tuple(_wrong_rows(answer.wrong))))
    if answer.explanations:
        blocks.append(_nearest(answer.explanations))
    return [*blocks, Text(_tried(answer))]


def _telling(answer: Diagnosis) -> str:
    """Say which inputs tell the causes apart, and which causes none do."""
    text = ""
    if any(each.told_by == "inputs" for each in answer.alternatives):
        kinds = {fault.kind for each in answer.alternatives for fault in each.faults}
        kinds |= {fault.kind for each in answer.explanations for fault in each.faults}
        fill = ", with D full of NaN before," if "unwritten" in kinds else ""
        text = (
            f"These inputs tell them apart: {_inputs(answer)} writes them. Run the kernel on"
            f" them{fill} and diagnose what it gives."
        )
    if any(each.told_by == "nothing" for each in answer.alternatives):
        text += (
            f"{' ' if text else ''}{_STAR.strip()} Gives what the first gives with any inputs: only"
            " the code can tell."
        )
    if any(each.told_by == "unknown" for each in answer.alternatives):
        text += (
            f"{' ' if text else ''}{_STARS.strip()} Gives what the first gives with these inputs,"
            " and with those of --inputs; others, such as more steps along k, may tell."
        )
    return text


def _inputs(answer: Diagnosis) -> str:
    steps = f" --steps {answer.steps}" if answer.steps > STEPS else ""
    asked = answer.asked
    return f"wavemma diagnose {asked.target} {asked.instruction} --inputs DIR{steps}"


def _equal(answer: Diagnosis) -> list[Block]:
    every = f"all {answer.tiles} tiles" if answer.tiles > 1 else "the one tile"
    every += "" if answer.edge is None else " and in the edges"
    text = f"Nothing is wrong: got is what was wanted, in {every}"
    if answer.tolerance:
        text += (
            f", within {answer.tolerance:.1g} of each element and as much of the usual size:"
            " sums in another order may differ so far"
        )
    text += "."
    if answer.unseen:
        shown = "; ".join(fault.what for fault in answer.unseen_faults[:_MOST_UNSEEN])
        more = "; ..." if answer.unseen > _MOST_UNSEEN else ""
        text += (
            f" {answer.unseen} of {answer.tried} faults would not show with these inputs:"
            f" {shown}{more}."
        )
    return [Text(text)]


def _differs(answer: Diagnosis) -> str:
    looked_at = f"{answer.looked_at} tiles" if answer.looked_at > 1 else "tile"
    nan = "Every wrong value is NaN. " if answer.only_nan else ""
    besides = _edge_words(answer.edge)
    return (
        f"{nan}Tiles that differ: {answer.differing} of {answer.tiles}. Of the elements in the"
        f" {looked_at} looked at, {answer.right:.1%} are right."
        f"{f' Wrong in the edge too: {besides}.' if besides else ''}"
    )


def _edge(answer: Diagnosis) -> list[Block]:
    tiles = f"{answer.tiles} tiles are" if answer.tiles > 1 else "tile is"
    text = (
        f"All that is wrong lies in the edge: {_edge_words(answer.edge)}. The {tiles} right. Look"
        " at the guard of the loads and stores of tiles that the matrix does not fill."
    )
    return [Text(text)]


def _edge_words(rim: Edge | None) -> str:
    """Say where an edge is wrong, and how much of it; nothing of one that is right."""
    if rim is None or not rim.wrong:
        return ""
    text = f"{', and '.join(rim.places)} ({rim.wrong} of {plural(rim.count, 'element')} of the edge"
    if rim.value is None:
        return f"{text})"
    return f"{text}, all {'NaN' if isnan(rim.value) else f'{rim.value:.7g}'})"


def _tried(answer: Diagnosis) -> str:
    """Say what was tried, and what would let more be."""
    text = (
        "Nor do two of the faults give it, in two places (A, B, the steps, C, the stores, what"
        " becomes of results). Two in one place are not tried, nor two of which one concerns the"
        f" whole output. Kinds tried: {', '.join(answer.kinds)}."
    )
    if answer.lacking:
        options = " ".join(f"--{name.replace('_', '-')}" for name in answer.lacking)
        more = _MORE_OF_C if answer.lacking == ("c",) else _MORE
        text += f" Give {options} too, and more can be tried: {more}."
    return text


_BODIES: dict[Verdict, Callable[[Diagnosis], list[Block]]] = {
    "equal": _equal,
    "edge": _edge,
    "explained": _found,
    "ambiguous": _several,
    "none": _none,
}


def _rows(answer: Diagnosis) -> list[tuple[str, str]]:
    found, rows = answer.explanations[0], []
    likeliest = "likeliest" if answer.alternatives else "fault"
    for number, fault in enumerate(found.faults):
        rows += [(likeliest if number == 0 else "and", fault.what), ("fix", fault.fix)]
    rows.append(("explains", f"{_percent(found)} of the elements"))
    if found.left:
        first = ", ".join(map(_element, found.first_left))
        more = ", ..." if found.left > len(found.first_left) else ""
        rows.append(("left", f"{plural(found.left, 'element')}: {first}{more}"))
    for other in answer.alternatives[:_MOST]:
        what = ", and ".join(fault.what for fault in other.faults)
        rows.append(("or", what + _MARKS[other.told_by]))
        fixes = dict.fromkeys(fault.fix for fault in other.faults)
        if fixes.keys() - {fault.fix for fault in found.faults}:
            rows += [("fix", fix) for fix in fixes]
    more_causes = len(answer.alternatives) - _MOST
    return [*rows, ("or", f"{more_causes} more: --json lists them")] if more_causes > 0 else rows


def _percent(found: Explanation) -> str:
    """Write a share; all is said only where nothing is left."""
    return f"{found.share:.1%}" if not found.left or found.share < 0.9995 else "over 99.9%"


def _element(place: Place) -> str:
    where = f"D[{place.row}][{place.column}]"
    named = (("batch", place.batch), ("block", place.block))
    return where + "".join(f" of {name} {number}" for name, number in named if number)


def _wrong_rows(wrong: Deviation) -> list[tuple[str, str]]:
    """List the first wrong elements, and how far all of them are off."""
    rows = [("wrong", f"{plural(wrong.count, 'element')} of those looked at")]
    rows += [("striking" if each == wrong.striking[0] else "", each) for each in wrong.striking]
    rows += [
        (
            "first" if number == 0 else "",
            f"{_element(each.at)}: got {each.got:.7g}, want {each.want:.7g},"
            f" {spot_text(each.places[0])} {lanes_text(each.places)}",
        )
        for number, each in enumerate(wrong.first)
    ]
    if wrong.largest:
        rows.append(
            (
                "off by",
                f"{wrong.largest:.4g} at most, a relative error of up to {wrong.relative:.4g};"
                f" got / want is {wrong.least_ratio:.4g} to {wrong.largest_ratio:.4g}",
            )
        )
    return rows


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
