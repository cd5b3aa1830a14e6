from html.parser import HTMLParser

import pytest

from tests.render.answers import some_answers
from wavemma.render.document import Code, Facts, Grid, Heading, Picture, Table, Text
from wavemma.render.html import as_html, page

ANSWERS = some_answers()
EMPTY = {"meta", "!doctype"}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


@pytest.mark.parametrize("name", ANSWERS)
def test_a_page_stands_alone(name: str) -> None:
    reader = read(as_html(ANSWERS[name]))
    tags = {tag for tag, _ in reader.seen}
    assert not tags & {"script", "link", "img", "iframe"}
    assert not any("src" in attrs or "href" in attrs for _, attrs in reader.seen)
    words = " ".join(reader.words)
    for each in ANSWERS[name].evidence:
        assert each.document in words


def test_words_are_never_markup() -> None:
    strange = "<b>&amp;</b>"
    blocks = (
        Heading(strange, 1),
        Text(strange),
        Facts(((strange, strange),)),
        Table((strange,), ((strange,),), title=strange, right=(0,)),
        Grid((strange, strange), ((strange, strange),), title=strange),
        Code(strange),
        Picture("<svg></svg>", strange),
    )
    reader = read(page(blocks))
    assert reader.words.count(strange) == 14
    assert "b" not in {tag for tag, _ in reader.seen}
    assert "svg" in {tag for tag, _ in reader.seen}


def test_the_same_answer_gives_the_same_page() -> None:
    assert as_html(ANSWERS["layout"]) == as_html(some_answers()["layout"])
