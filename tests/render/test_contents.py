from wavemma.explain.contents import contents
from wavemma.render.document import Table, Text
from wavemma.render.pages import document_of


def test_elements_by_their_bits() -> None:
    answer = contents("gfx1100", "v_wmma_f32_16x16x16_f16", "A", 20, 3)
    table = next(block for block in document_of(answer) if isinstance(block, Table))
    assert table.rows == (("15:0", "A[4][6]"), ("31:16", "A[4][7]"))


def test_nothing_and_unknown_are_told_apart() -> None:
    scale = contents("gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4", "scale_a", 20, 0)
    assert Text("Nothing of scale_a lies there.") in document_of(scale)
    asked = ("gfx1250", "v_swmmac_f32_16x16x64_f16", "index", 0, 0)
    unknown = document_of(contents(*asked, modifiers={"index_key": 1}))
    assert Text("Unknown: no source gives a meaning to any value but 0.") in unknown
