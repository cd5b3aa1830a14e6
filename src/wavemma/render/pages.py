"""From an answer to its document: a file of this room for each file of questions in `explain`.

`explain/element.py` holds the answers, `render/element.py` registers how they read:

    @document_of.register
    def _element(answer: ElementPlaces) -> Document: ...
"""

from functools import singledispatch
from importlib import import_module

from wavemma.errors import DataMistake
from wavemma.explain.answer import Answer, Conflict, Evidence, Grade
from wavemma.explain.formulas import LANE_NOTE
from wavemma.explain.model import EXPONENT_NOTE
from wavemma.render.document import Block, Detail, Document, Facts, Heading, Table, Text

GRADES: dict[Grade, str] = {
    "H": "compared with silicon",
    "V": "vendor document or tool",
    "D": "derived or assumed",
    "unknown": "unknown",
}
# A formula without it is misread.
_NEEDED = (LANE_NOTE, EXPONENT_NOTE)


@singledispatch
def document_of(answer: Answer) -> Document:
    """Write an answer as blocks, without its footer.

    The file that registers the answer's class is loaded on first use.

    Args:
        answer: Any answer of `explain`.

    Raises:
        DataMistake: No file of this room registers the class.

    """
    kind = type(answer)
    import_module(f"wavemma.render.{kind.__module__.rpartition('.')[2]}")
    write = document_of.dispatch(kind)
    if write is document_of.dispatch(object):
        raise DataMistake(f"render must register a document for {kind.__name__}.", subject=kind)
    document: Document = write(answer)
    return document


def whole(answer: Answer) -> Document:
    """Write an answer as blocks, with notes, sources and conflicts below."""
    return (*document_of(answer), *footer_of(answer))


@singledispatch
def footer_of(answer: Answer) -> Document:
    """Write the end of an answer; that of a long one is short unless all of it is asked for."""
    return footer(answer)


def short_footer(answer: Answer) -> Document:
    """Write the end of an answer in a few lines, and whole where all is asked for."""
    needed = tuple(("Note", note) for note in answer.notes if note in _NEEDED)
    short: list[Block] = [Facts(needed)] if needed else []
    if answer.conflicts:
        about = ", ".join(dict.fromkeys(_bare(each.what) for each in answer.conflicts))
        short.append(Text(f"Sources disagree about {about}: --full shows what each says."))
    whats: dict[Grade, dict[str, None]] = {}
    for each in answer.evidence:
        whats.setdefault(each.grade, {})[_bare(each.what)] = None
    rows = tuple(
        (grade, ", ".join(names) + (f" ({GRADES[grade]})" if GRADES[grade] != grade else ""))
        for grade, names in whats.items()
    )
    short += [Heading("Sources", 3), Facts((*rows, ("--full", "names the documents")))]
    return (Detail(footer(answer), tuple(short)),)


def _bare(what: str) -> str:
    """Leave out of whom something is said."""
    return what.partition(" (")[0]


def footer(answer: Answer) -> Document:
    """Write notes, what the answer rests on with its grades, and where sources disagree."""
    blocks: list[Block] = []
    if answer.notes:
        blocks.append(Facts(tuple(("Note", note) for note in answer.notes)))
    if answer.conflicts:
        blocks += [Heading("Sources disagree", 3), _conflicts(answer.conflicts)]
    blocks += [Heading("Sources", 3), _evidence(answer.evidence), Text(_legend(answer.evidence))]
    return tuple(blocks)


def _evidence(evidence: tuple[Evidence, ...]) -> Table:
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for each in evidence:
        key = (each.grade, each.source, each.document, each.note)
        rows.setdefault(key, []).append(each.what)
    return Table(
        ("grade", "what", "source"),
        tuple(
            (grade, ", ".join(dict.fromkeys(whats)), _source(source, document, note))
            for (grade, source, document, note), whats in rows.items()
        ),
    )


def _source(key: str, document: str, note: str) -> str:
    text = document or key
    return f"{text} ({note})" if note else text


def _conflicts(conflicts: tuple[Conflict, ...]) -> Table:
    return Table(
        ("about", "taken here", "also said", "by"),
        tuple((each.what, each.taken, each.other, each.source) for each in conflicts),
    )


def _legend(evidence: tuple[Evidence, ...]) -> str:
    used = [grade for grade in GRADES if any(each.grade == grade for each in evidence)]
    return "Grades: " + "; ".join(
        grade if grade == "unknown" else f"{grade} {GRADES[grade]}" for grade in used
    )
