from wavemma.explain.layout import layout
from wavemma.render.document import Document, Grid, Table, Text, flat
from wavemma.render.pages import document_of

DENSE = "v_wmma_f32_16x16x16_f16"


def whole(answer) -> Document:
    return flat(document_of(answer), full=True)


def tables(*asked: str, **more) -> dict[str, Table]:
    document = whole(layout(*asked, **more))
    return {block.title: block for block in document if isinstance(block, Table)}


def test_row_to_lane_table() -> None:
    table = tables("gfx1100", DENSE, "D")["Lanes and registers of each row"]
    assert table.head == ("row", "lanes", "registers")
    assert table.rows[:3] == (("0", "0-15", "0"), ("1", "16-31", "0"), ("2", "0-15", "1"))
    assert len(table.rows) == 16


def test_columns_of_b_and_blocks() -> None:
    table = tables("gfx942", "v_mfma_f32_4x4x4_16b_f16", "B")["Lanes and registers of each column"]
    assert table.head == ("block", "column", "lanes", "registers")
    assert len(table.rows) == 64
    assert table.rows[5] == ("1", "1", "5", "0, 1")


def test_k_table_by_lane_group() -> None:
    found = tables("gfx1201", DENSE, "A")
    table = found["Along k, in the lanes of row or column 0 of block 0"]
    assert table.head == ("register", "lane 0", "lane 16")
    assert table.rows[0] == ("v0", "k 0, 1", "k 4, 5")
    assert table.rows[3] == ("v3", "k 10, 11", "k 14, 15")


def test_case_10_is_told_in_words() -> None:
    words = " ".join(
        block.text
        for block in document_of(layout("gfx1201", DENSE, "A"))
        if isinstance(block, Text)
    )
    assert "their k = 0, 1, 2 ... is here k = 0-3, 8-11, 4-7, 12-15" in words
    assert "rounded sums may differ" in words
    same = document_of(layout("gfx1100", DENSE, "A"))
    assert any("number k alike" in block.text for block in same if isinstance(block, Text))


def test_grid_has_every_lane_and_register() -> None:
    document = whole(layout("gfx1100", DENSE, "D"))
    grid = next(block for block in document if isinstance(block, Grid))
    assert grid.head == ("lane", *(f"v{n}" for n in range(8)))
    assert len(grid.rows) == 32
    assert grid.rows[19][1 + 3] == "7,3"


def test_lanes_that_hold_nothing_are_empty() -> None:
    answer = layout("gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4", "scale_a")
    grid = next(block for block in whole(answer) if isinstance(block, Grid))
    assert [row[1] for row in grid.rows[14:18]] == ["14,0-3", "15,0-3", "-", "-"]
