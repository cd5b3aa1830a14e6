"""How the place of a scale reads."""

from wavemma.explain.scale_place import ScalePlace
from wavemma.render.document import Document, Facts, Heading, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import lanes_text, spot_text
from wavemma.render.words import listed


@document_of.register
def _place(answer: ScalePlace) -> Document:
    letter = answer.element[0]
    axis = "row" if letter == "A" else "column"
    line = answer.scale[0]
    if answer.unknown:
        where = f"Unknown: {answer.unknown}."
    else:
        place = answer.places[0]
        where = f"{spot_text(place)} (byte {answer.byte}), {lanes_text(answer.places)}"
    return (
        Heading(f"Scale of {answer.element} of {answer.asked}", 1),
        Text(where),
        Facts(
            (
                ("scales", f"{axis} {line} of {letter}, k {answer.first_k}..{answer.last_k}"),
                ("is number", f"{answer.scale[1]} of its {axis}, one for {answer.block} k"),
                ("formats", listed(answer.formats)),
                *((each.word, each.meaning) for each in answer.choices),
            )
        ),
    )
