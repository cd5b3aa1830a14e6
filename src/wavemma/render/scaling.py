"""How scales read."""

from wavemma.explain.scaling import ScaleFormat, ScaleValues, ScaleWord
from wavemma.render.bits import code_text
from wavemma.render.document import Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.words import listed


@document_of.register
def _values(answer: ScaleValues) -> Document:
    return (
        Heading("Scale bytes", 1),
        _side_by_side(answer.formats),
        Facts(tuple((each.format, _words(each)) for each in answer.formats)),
    )


@document_of.register
def _word(answer: ScaleWord) -> Document:
    names = ["word"] if len(answer.words) == 1 else ["low word", "high word"]
    return (
        Heading(" ".join(answer.words), 1),
        Facts(
            (
                *zip(names, answer.words, strict=True),
                ("bytes", f"{' '.join(answer.bytes)}, the lowest first"),
            )
        ),
        _side_by_side(answer.formats),
        Facts(tuple((each.format, _words(each)) for each in answer.formats)),
    )


def _side_by_side(formats: tuple[ScaleFormat, ...]) -> Table:
    head = ("byte", *(each.format for each in formats))
    columns = [[code_text(code) for code in each.codes] for each in formats]
    codes = [code.code for code in formats[0].codes]
    return Table(head, tuple(zip(codes, *columns, strict=True)))


def _words(found: ScaleFormat) -> str:
    return f"{found.words}, 1 is {found.neutral}: {listed(found.targets)}"
