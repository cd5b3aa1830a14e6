"""Mappings as CSV, CuTe layouts and bases, worked out by hand."""

from pathlib import Path

import pytest

from wavemma.errors import FileMistake, SyntaxMistake
from wavemma.explain.basis_input import is_bases
from wavemma.explain.check_layout import check_layout
from wavemma.explain.layout import layout as whole
from wavemma.explain.table_input import is_cute
from wavemma.render.csv import as_csv

OP = "v_wmma_f32_16x16x16_f16"
BASES = "register = [[2,0],[4,0],[8,0]], lane = [[0,1],[0,2],[0,4],[0,8],[1,0]]"
ODD = ("[2x,0]", "[2.5,0]", "[2e0,0]", "[-2,0]", "[true,0]", "2", "[٢,0]")
ARROWS = """
 - register=1 -> (2, 0)
   register=2 -> (4, 0)
   register=4 -> (8, 0)
 - lane=1 -> (0, 1)
   lane=2 -> (0, 2)
   lane=4 -> (0, 4)
   lane=8 -> (0, 8)
   lane=16 -> (1, 0)
 - warp is a size 1 dimension
"""
JSON = '{"register": [[2, 0], [4, 0], [8, 0]], "lane": [[0,1],[0,2],[0,4],[0,8],[1,0]], "warp": []}'


@pytest.mark.parametrize(
    "text",
    [
        "((16,2),8):((16,1),2)",
        "((_16,_2),_8):((_16,_1),_2)",
        "Layout<Shape<Shape<_16,_2>,_8>,Stride<Stride<_16,_1>,_2>>",
        "((4,4,2),(2,4)):((16,64,1),(2,4))",
        BASES,
        ARROWS,
        JSON,
        f"#ttg.linear<{{{BASES}, warp = [], block = []}}>",
    ],
)
def test_ways_to_write_the_right_map(text: str) -> None:
    found = check_layout("gfx1100", OP, "D", text)
    assert (found.verdict, found.wrong, found.total) == ("right", 0, 256)


def test_kinds_are_told_apart() -> None:
    assert is_bases(BASES)
    assert is_bases(ARROWS)
    assert is_cute("(32,8):(1,32)")
    for text in ("row = lane ? 1 : 2; col = 0", "row = 2*v; col = lane", "5, 6"):
        assert not is_cute(text)
        assert not is_bases(text)


def test_the_gfx12_map_as_cute_and_bases() -> None:
    cute = check_layout("gfx1100", OP, "D", "((16,2),8):((16,8),1)")
    lists = check_layout(
        "gfx1100", OP, "D", "register=[[1,0],[2,0],[4,0]], lane=[[0,1],[0,2],[0,4],[0,8],[8,0]]"
    )
    for found in (cute, lists):
        assert (found.verdict, found.wrong) == ("wrong", 224)
        assert found.owners[0].targets[-1] == "gfx1201"
    assert cute.right_form == "((16,2),8):((16,1),2)"
    spaceless = lists.right_form.replace(" ", "")
    assert spaceless == BASES.replace(" ", "")


@pytest.mark.parametrize("role", ["scale_a", "scale_b"])
def test_cute_counts_scales_as_the_numbers_that_they_scale(role: str) -> None:
    # layouts.json: the scale of row i (or column j) and block q of k is in lane i + 16*q.
    right = "((16,4),1):((1,16),0)"
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    assert check_layout("gfx950", op, role, right).verdict == "right"
    found = check_layout("gfx950", op, role, "((4,16),1):((16,1),0)")
    assert (found.verdict, found.right_form) == ("wrong", "(64,1):(1,0)")


def test_cute_counts_the_columns_of_b_fastest() -> None:
    # B[k][j] on gfx11: lane j, slot k, the upper lanes the same again; index j + 16*k.
    assert check_layout("gfx1100", OP, "B", "((16,2),16):((1,0),16)").verdict == "right"
    found = check_layout("gfx1100", OP, "B", "((16,2),16):((16,0),1)")
    assert found.verdict == "wrong"
    assert found.right_form == "((16,2),16):((1,0),16)"


def test_a_table_of_another_size_is_wrong() -> None:
    found = check_layout("gfx1100", OP, "D", "(16,8):(16,1)")
    assert found.verdict == "wrong"
    assert found.first is not None
    assert found.wrong >= 128


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(16,8):(16)", "must be shape:stride"),
        ("16:1", "must be shape:stride"),
        ("(16,8,2):(1,2,3)", "must be shape:stride"),
        ("(16,8)):(16,1)", "must be shape:stride"),
        ("(1000000,1000000):(1,1)", "at most 65,536 places"),
        ("register = [[1,0],[2]], lane = [[0,1]]", "the same for all"),
        ("register = [[1,0]], lane = [[0,1]], warp = [[8,0]]", "warp has bits too"),
        ("lane=1 -> (0, 1)\nlane=4 -> (0, 2)", "for 1, 2, 4 and so on"),
        ("lane = [1, 2]", "must be a list of lists"),
        ("lane = " + str([[0, 1]] * 30), "at most 65,536 places"),
        (f"{BASES} garbage", "at position 72 stands 'garbage'"),
        (f"{BASES}, warp = [[0,0]]", "warp has bits too"),
        (f"{BASES}, lane = [[0,1]]", "must not be given twice"),
        (f"{BASES}, lane=32 -> (0, 0)", "must not be given twice"),
        (BASES.replace("[8,0]]", "[8,0],[0,0]]"), "the 256 places that hold something"),
        (BASES.replace("[1,0]]", "[1,0],[0,0]]"), "this one lists 512"),
        ("((16,2),9):((16,1),2)", "this one lists 288"),
        *((BASES.replace("[2,0]", basis), "lists of whole numbers") for basis in ODD),
        ("register=1 -> (0,)", "at position 1 stands"),
        ("lane = [[", "at position 1 stands"),
        ("(" * 5000 + ":" + ")" * 5000, "must be shape:stride"),
    ],
)
def test_mistakes_in_texts(text: str, reason: str) -> None:
    with pytest.raises(SyntaxMistake) as caught:
        check_layout("gfx1100", OP, "D", text)
    assert reason in str(caught.value)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_that_goes_on_beyond_the_operand(tmp_path: Path) -> None:
    head, places = "lane,v,row,col", [(lane, v) for lane in range(33) for v in range(8)]
    lines = [f"{lane},{v},{2 * v + lane // 16},{lane % 16}" for lane, v in places]
    right = _write(tmp_path / "right.csv", "\n".join([head, *lines[:256]]))
    assert check_layout("gfx1100", OP, "D", right).verdict == "right"
    longer = _write(tmp_path / "longer.csv", "\n".join([head, *lines]))
    with pytest.raises(SyntaxMistake, match="this one lists 264"):
        check_layout("gfx1100", OP, "D", longer)
    # By threads it may list the next wave too.
    waves = [f"{t},{v},{2 * v + t % 32 // 16},{t % 16}" for t in range(64) for v in range(8)]
    by_thread = _write(tmp_path / "tid.csv", "\n".join(["tid,v,row,col", *waves]))
    assert check_layout("gfx1100", OP, "D", by_thread).verdict == "right"


@pytest.mark.parametrize("cell", ["1_0", "1.0", "٣", ""])
def test_cells_are_whole_numbers(tmp_path: Path, cell: str) -> None:
    path = _write(tmp_path / "odd.csv", f"lane,v,row,col\n0,0,{cell},0\n")
    with pytest.raises(FileMistake, match="line 2 must have a whole number"):
        check_layout("gfx1100", OP, "D", path)


def test_a_csv_by_register(tmp_path: Path) -> None:
    lines = [
        f"{lane},{v},{v + 8 * (lane // 16)},{lane % 16}" for lane in range(32) for v in range(8)
    ]
    path = _write(tmp_path / "map.csv", "\n".join(["lane, v, row, col", *lines]) + "\n")
    found = check_layout("gfx1100", OP, "D", path)
    assert (found.wrong, found.total, found.syntax) == (224, 256, "table")
    assert check_layout("gfx1201", OP, "D", path).verdict == "right"


@pytest.mark.parametrize(
    ("target", "op", "role", "format"),
    [
        ("gfx1100", OP, "D", None),
        ("gfx1100", OP, "A", None),
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "D", None),
        ("gfx942", "v_mfma_f32_32x32x4_2b_f16", "D", None),
        ("gfx942", "v_smfmac_f32_16x16x32_f16", "A", None),
        ("gfx942", "v_mfma_f64_16x16x4_f64", "D", None),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "fp6"),
        ("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", "scale_a", None),
    ],
)
def test_what_the_layout_command_writes_is_right(tmp_path, target, op, role, format) -> None:
    path = _write(tmp_path / "map.csv", as_csv(whole(target, op, role, format=format)))
    assert check_layout(target, op, role, path, format=format).verdict == "right"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty"),
        ("a,b,c\n1,2,3\n", "must have a column lane"),
        ("lane,v,row,col\n\n", "it lists none"),
        ("lane,v,row,row\n0,0,0,0\n", "row and row are the same"),
        ("lane,v,i,col,row\n0,0,0,0,0\n", "i and row are the same"),
        ("lane,v,row,col\n0,0,0,x\n", "line 2 must have a whole number"),
        ("lane,v,row,col\n0,0,0\n", "line 2 must have a whole number"),
        ("lane,v,row,col\n0,0,0,0\n0,0,1,0\n", "line 3: lane 0, v 0 has another element above"),
    ],
)
def test_mistakes_in_files(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(FileMistake) as caught:
        check_layout("gfx1100", OP, "D", _write(tmp_path / "map.csv", text))
    assert reason in str(caught.value)


def test_a_file_that_is_not_there_or_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(FileMistake, match="No such file"):
        check_layout("gfx1100", OP, "D", tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(FileMistake, match="it is not text"):
        check_layout("gfx1100", OP, "D", tmp_path / "bytes.csv")
