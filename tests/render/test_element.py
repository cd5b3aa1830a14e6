from wavemma.explain.element import where
from wavemma.render.document import Table, Text
from wavemma.render.pages import document_of

SPARSE = "v_smfmac_f32_16x16x32_f16"


def sentence(*asked, **more) -> str:
    return next(b.text for b in document_of(where(*asked, **more)) if isinstance(b, Text))


def test_copies_are_told() -> None:
    dense = "v_wmma_f32_16x16x16_f16"
    assert sentence("gfx1100", dense, "D", 2, 3) == "v1, lane 3"
    assert sentence("gfx1100", dense, "A", 2, 5) == (
        "v2[31:16], lanes 2 and 18: both copies must be loaded"
    )
    assert sentence("gfx1100", dense, "A", 2, 5, wave=64) == (
        "v2[31:16], lanes 2, 18, 34 and 50: all 4 copies must be loaded"
    )


def test_kept_elements_with_their_index_bits() -> None:
    table = next(b for b in document_of(where("gfx942", SPARSE, "A", 2, 4)) if isinstance(b, Table))
    assert table.head == ("kept element", "lies in", "index bits", "is it")
    assert table.rows == (
        ("first (s = 0)", "v1[15:0], lane 2", "v0[5:4], lane 2", "if they are 0"),
        ("second (s = 1)", "v1[31:16], lane 2", "v0[7:6], lane 2", "no: positions ascend"),
    )


def test_a_question_about_the_index_shows_only_its_bits() -> None:
    table = next(
        b for b in document_of(where("gfx942", SPARSE, "index", 2, 4)) if isinstance(b, Table)
    )
    assert table.head == ("kept element", "index bits", "is it")
