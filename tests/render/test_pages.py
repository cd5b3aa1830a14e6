import pytest

from tests.render.answers import some_answers
from wavemma.explain.answer import Answer, Conflict, Evidence
from wavemma.render.document import Facts, Heading, Table, Text
from wavemma.render.pages import document_of, footer, whole


class Strange(Answer, frozen=True, kw_only=True, tag=True):
    pass


EVIDENCE = (
    Evidence("layout", "x", "Document X", "V"),
    Evidence("opcode", "x", "Document X", "V"),
    Evidence("speed", "y", "Document Y", "D", "half of it"),
)


def test_every_answer_has_a_title() -> None:
    for answer in some_answers().values():
        first = document_of(answer)[0]
        assert isinstance(first, Heading)
        assert first.level == 1


def test_an_answer_without_a_document_is_our_mistake() -> None:
    with pytest.raises(ModuleNotFoundError):
        document_of(Strange(evidence=EVIDENCE))


def test_footer_joins_what_rests_on_one_source() -> None:
    answer = Strange(
        evidence=EVIDENCE,
        conflicts=(Conflict("speed", "1", "2", "Document Z"),),
        notes=("mind the gap.",),
    )
    assert footer(answer) == (
        Facts((("Note", "mind the gap."),)),
        Heading("Sources disagree", 3),
        Table(("about", "taken here", "also said", "by"), (("speed", "1", "2", "Document Z"),)),
        Heading("Sources", 3),
        Table(
            ("grade", "what", "source"),
            (
                ("V", "layout, opcode", "Document X"),
                ("D", "speed", "Document Y (half of it)"),
            ),
        ),
        Text("Grades: V vendor document or tool; D derived or assumed"),
    )


def test_whole_is_document_and_footer() -> None:
    answer = some_answers()["element"]
    assert whole(answer) == (*document_of(answer), *footer(answer))
