"""How the index of a sparse instruction reads."""

from wavemma.explain.sparsity import GroupPlace, Selector, SparseIndex
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import formula_blocks, lanes_text, spot_text
from wavemma.render.words import plural, ranges


@document_of.register
def _index(answer: SparseIndex) -> Document:
    m, n, k = answer.shape
    blocks: list[Block] = [
        Heading(f"Index of {answer.asked}", 1),
        Facts(
            (
                ("shape", f"{m} x {n} x {k}, A keeps {k // 2} of {k} along k"),
                ("format of A", answer.asked.format),
                ("a lane holds", _lane_text(answer)),
                ("part read", _part_text(answer)),
                *(_selector(each) for each in answer.selectors),
            )
        ),
    ]
    if answer.unknown:
        return (*blocks, Text(f"Where this part stands is unknown: {answer.unknown}."))
    blocks += [
        Table(
            ("group", "k", "first kept", "second kept", "lanes"),
            tuple(_row(each) for each in answer.row),
            title="Row 0 of A",
        ),
        *formula_blocks(answer.formulas),
    ]
    return tuple(blocks)


def _lane_text(answer: SparseIndex) -> str:
    room = f"; room for {plural(answer.parts, 'such index', 'such indices')}"
    return (
        f"{plural(answer.groups_per_lane, 'group')}, {answer.bits_per_lane} bits, in"
        f" {plural(answer.registers, 'register')}{room}"
    )


def _part_text(answer: SparseIndex) -> str:
    return f"{answer.part} of 0..{answer.parts - 1}" if answer.parts > 1 else "all of it"


def _selector(selector: Selector) -> tuple[str, str]:
    meaning = f": {selector.meaning}" if selector.meaning else ""
    return selector.word, f"{ranges(selector.values)}{meaning}"


def _row(place: GroupPlace) -> tuple[str, ...]:
    half = len(place.places) // 2
    first, second = place.places[:half], place.places[half:]
    return (
        str(place.group),
        f"{place.first_k}..{place.last_k}",
        spot_text(first[0]),
        spot_text(second[0]),
        lanes_text(first).removeprefix("lanes ").removeprefix("lane "),
    )
