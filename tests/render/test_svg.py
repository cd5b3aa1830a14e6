import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tests.render.answers import every_layout, some_answers
from wavemma.explain.layout import RegisterLayout, layout
from wavemma.explain.layout_pair import LayoutPair, layout_pair
from wavemma.render.panel import FILLS, STRIPE
from wavemma.render.svg import WIDEST, as_svg, as_svg_pair

SVG = "{http://www.w3.org/2000/svg}"
ANSWERS = {
    name: answer for name, answer in some_answers().items() if isinstance(answer, RegisterLayout)
}
WMMA = "v_wmma_f32_16x16x16_f16"


def pair() -> LayoutPair:
    return layout_pair(layout("gfx1100", WMMA, "D"), "gfx1201")


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
    for text in (*map(as_svg, ANSWERS.values()), as_svg_pair(pair())):
        root = ElementTree.fromstring(text)
        width, height = int(root.get("width", "0")), int(root.get("height", "0"))
        for rect in root.iter(f"{SVG}rect"):
            right = float(rect.get("x", "0")) + float(rect.get("width", "0"))
            bottom = float(rect.get("y", "0")) + float(rect.get("height", "0"))
            assert right <= width
            assert bottom <= height
        for words in root.findall(f"{SVG}text"):
            if words.get("text-anchor") is None:
                length = 0.6 * float(words.get("font-size")) * len(words.text)
                assert float(words.get("x")) + length <= width
                assert float(words.get("y")) <= height


def test_words_fit_their_cells() -> None:
    # A letter of a monospaced face is 0.6 of its size wide.
    for answer in every_layout()[::9]:
        for cell in ElementTree.fromstring(as_svg(answer)).findall(f"{SVG}g"):
            width = float(cell.find(f"{SVG}rect").get("width")) - STRIPE
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


def cells_of(text: str) -> dict[str, list[tuple[float, float]]]:
    """Find the corners of all cells by what they say of an element: the words before the colon."""
    found: dict[str, list[tuple[float, float]]] = {}
    for cell in ElementTree.fromstring(text).findall(f"{SVG}g"):
        rect = cell.find(f"{SVG}rect")
        place = float(rect.get("x")), float(rect.get("y"))
        found.setdefault(cell.findtext(f"{SVG}title").split(":")[0], []).append(place)
    return found


def test_a_matrix_that_is_too_wide_goes_on_below() -> None:
    wide = layout("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", format="fp6")
    cells = cells_of(as_svg(wide))
    assert len(cells) == 16 * 128
    assert max(x for [(x, _)] in cells.values()) < WIDEST
    [(left, top)], [(next_left, below)] = cells["A[0][0]"], cells["A[0][8]"]
    assert left == next_left
    assert below > cells["A[15][7]"][0][1] > top


def test_small_blocks_stand_side_by_side() -> None:
    blocks = cells_of(as_svg(layout("gfx942", "v_mfma_f32_4x4x4_16b_f16", "D")))
    corners = [blocks[f"D[{block}][0][0]"][0] for block in range(16)]
    assert len(set(corners)) == 16
    assert len({y for _, y in corners}) == 4
    assert max(x for [(x, _)] in blocks.values()) < WIDEST


def test_a_pair_has_each_element_on_either_side_at_the_same_height() -> None:
    cells = cells_of(as_svg_pair(pair()))
    assert len(cells) == 256
    middle = max(x for places in cells.values() for x, _ in places[:1])
    for (left, top), (right, other_top) in cells.values():
        assert left <= middle < right
        assert top == other_top


def test_a_pair_marks_what_lies_elsewhere_on_both_sides() -> None:
    # Rows 0 and 15 of this operand lie alike on the two targets; the others do not.
    marked = {
        cell.findtext(f"{SVG}title").split(":")[0]
        for cell in ElementTree.fromstring(as_svg_pair(pair())).findall(f"{SVG}g")
        if any("h-7l7 7z" in path.get("d") for path in cell.findall(f"{SVG}path"))
    }
    assert marked == {f"D[{row}][{column}]" for row in range(1, 15) for column in range(16)}


def test_stripes_of_groups_differ_in_black_and_white() -> None:
    text = as_svg(layout("gfx942", "v_mfma_f32_32x32x8_f16", "D"))
    root = ElementTree.fromstring(text)
    stripes = {}
    for cell in root.findall(f"{SVG}g"):
        lane = int(cell.findall(f"{SVG}text")[1].text[1:])
        fills = [path.get("fill") for path in cell.findall(f"{SVG}path")]
        stripes.setdefault(lane // 16, set()).update(fills or ["none"])
    assert [len(each) for each in stripes.values()] == [1, 1, 1, 1]
    assert len(set.union(*stripes.values())) == 4
    drawn = [
        tuple((part.tag, part.get("d")) for part in list(pattern)[1:])
        for pattern in root.iter(f"{SVG}pattern")
    ]
    assert len(set(drawn)) == 4


def test_a_picture_says_by_which_modifiers_its_elements_lie() -> None:
    moved = layout("gfx942", "v_mfma_f32_16x16x4_4b_f16", "A", modifiers={"cbsz": 2, "abid": 1})
    title = ElementTree.fromstring(as_svg(moved)).findtext(f"{SVG}title")
    assert title is not None
    assert title.endswith("wave64, format f16, broadcast size 2, broadcast block 1")
    high = layout("gfx1100", "v_wmma_f16_16x16x16_f16", "D", modifiers={"opsel": 1})
    both = as_svg_pair(layout_pair(high, "gfx1201"))
    assert both.count("high half 1") == 2 * both.count("<title>D of") == 2
