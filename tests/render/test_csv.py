import csv
import io

from tests.render.answers import every_layout
from wavemma.explain.layout import layout
from wavemma.render.csv import as_csv


def test_every_place_of_every_element_has_a_line() -> None:
    for answer in every_layout()[::29]:
        rows = list(csv.DictReader(io.StringIO(as_csv(answer))))
        letters = [letter for letter, _ in answer.extents]
        found: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
        for row in rows:
            piece = tuple(int(row[name]) for name in ("lane", "register", "hi", "lo", "slot"))
            found.setdefault(tuple(int(row[x]) for x in letters), set()).add(piece)
        assert found == {
            each.indices: {
                (spot.lane, bits.register, bits.hi, bits.lo, spot.slot)
                for spot in each.places
                for bits in spot.bits
            }
            for each in answer.elements
        }
        assert len(rows) == sum(len(spots) for spots in found.values())


def test_an_unknown_layout_has_only_a_head() -> None:
    answer = layout("gfx1250", "v_swmmac_f32_16x16x64_f16", "index", modifiers={"index_key": 1})
    assert as_csv(answer) == "i,g,s,copy,lane,register,hi,lo,slot\n"
