import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tests.render.answers import every_layout, some_answers
from wavemma.explain.layout import RegisterLayout
from wavemma.render.svg import FILLS, as_svg

SVG = "{http://www.w3.org/2000/svg}"
ANSWERS = {
    name: answer for name, answer in some_answers().items() if isinstance(answer, RegisterLayout)
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_element_is_a_cell_that_says_its_place(name: str) -> None:
    answer = ANSWERS[name]
    root = ElementTree.fromstring(as_svg(answer))
    cells = root.findall(f"{SVG}g")
    titles = [cell.findtext(f"{SVG}title") for cell in cells]
    assert len(cells) == len(set(root.iter(f"{SVG}g")))
    if answer.unknown:
        assert titles == [answer.unknown] * 16 * 32
        assert {cell.findtext(f"{SVG}text") for cell in cells} == {"?"}
        return
    assert len(titles) == len(answer.elements)
    for cell, element in zip(cells, answer.elements, strict=True):
        words = [text.text for text in cell.findall(f"{SVG}text")]
        assert words[0] is not None
        assert words[0].startswith(f"v{element.places[0].bits[-1].register}")
        assert words[1] == "L" + ",".join(str(spot.lane) for spot in element.places)


def test_no_two_cells_share_a_place_on_the_paper() -> None:
    for answer in every_layout()[::9]:
        root = ElementTree.fromstring(as_svg(answer))
        spots = [
            (rect.get("x"), rect.get("y"))
            for cell in root.findall(f"{SVG}g")
            for rect in cell.findall(f"{SVG}rect")
        ]
        assert len(spots) == len(set(spots)) == len(answer.elements)


def test_everything_is_inside_of_the_picture() -> None:
    for answer in ANSWERS.values():
        root = ElementTree.fromstring(as_svg(answer))
        width, height = int(root.get("width", "0")), int(root.get("height", "0"))
        for rect in root.iter(f"{SVG}rect"):
            right = float(rect.get("x", "0")) + float(rect.get("width", "0"))
            bottom = float(rect.get("y", "0")) + float(rect.get("height", "0"))
            assert right <= width
            assert bottom <= height


def test_words_fit_their_cells() -> None:
    # A letter of a monospaced face is 0.6 of its size wide.
    for answer in every_layout()[::9]:
        for cell in ElementTree.fromstring(as_svg(answer)).findall(f"{SVG}g"):
            width = float(cell.find(f"{SVG}rect").get("width"))
            for text in cell.findall(f"{SVG}text"):
                assert 0.6 * float(text.get("font-size")) * len(text.text) <= width


def test_groups_of_lanes_differ_without_colour() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    levels = [lightness(fill) for fill in FILLS]
    assert levels == sorted(levels, reverse=True)
    assert min(a - b for a, b in pairwise(levels)) > 8
    assert min(levels) > 128


def test_bytes_are_the_same_each_time_and_need_no_network() -> None:
    for answer in ANSWERS.values():
        text = as_svg(answer)
        assert text == as_svg(answer)
        assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
        assert "<script" not in text
