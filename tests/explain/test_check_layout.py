"""Mappings, right and wrong ones, and the cases of people who had them."""

import pytest

from wavemma.errors import ArrayMistake, OutOfRange, SyntaxMistake, Unsupported
from wavemma.explain.check_layout import check_layout
from wavemma.render.terminal import as_text

OP = "v_wmma_f32_16x16x16_f16"


def test_case_5() -> None:
    found = check_layout("gfx1100", OP, "D", "row = v + 8*(lane//16); col = lane%16")
    assert (found.verdict, found.wrong, found.total) == ("wrong", 224, 256)
    assert found.first is not None
    assert (found.first.at, found.first.claimed, found.first.right) == (
        {"lane": 0, "v": 1},
        {"row": 1, "col": 0},
        {"row": 2, "col": 0},
    )
    assert found.owners[0].targets == ("gfx1170", "gfx1171", "gfx1172", "gfx1200", "gfx1201")
    assert found.right_form == "row = (lane // 16) + 2*v; col = lane % 16"


def test_case_7_a_thread_is_no_lane() -> None:
    for word in ("threadIdx.x", "tid"):
        found = check_layout("gfx1100", OP, "D", f"row = 2*v + {word}/16; col = {word}%16;")
        assert found.verdict == "first wave only"
        assert found.first is not None
        assert found.first.at["thread"] == 32
        right = check_layout("gfx1100", OP, "D", found.right_form)
        assert right.verdict == "right"
    assert any("modulo the wave size" in note for note in found.notes)


@pytest.mark.parametrize("syntax", ["slot", "v"])
def test_case_10_a_kernels_order_of_k(syntax: str) -> None:
    text = {"slot": "k = 8*(lane//16) + slot", "v": "k = 8*(lane//16) + 2*v + n"}[syntax]
    found = check_layout("gfx1201", OP, "A", f"i = lane%16; {text}")
    assert (found.verdict, found.wrong) == ("equivalent", 128)
    permutation = found.permutation
    assert permutation is not None
    assert permutation.order == (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)
    assert permutation.bits == (0, 1, 3, 2)
    assert permutation.is_contiguous
    assert len(permutation.differs) == 3
    partner = check_layout("gfx1201", OP, permutation.partner, permutation.partner_form)
    assert partner.verdict == "equivalent"
    assert partner.permutation is not None
    assert partner.permutation.order == permutation.order


def test_whole_groups_of_a_sparse_a_may_move() -> None:
    op = "v_smfmac_f32_16x16x32_f16"
    right = "i = lane%16; g = slot//2 + 2*(lane//16); s = slot%2"
    assert check_layout("gfx942", op, "A", right).verdict == "right"
    moved = check_layout("gfx942", op, "A", right.replace("g = slot//2 +", "g = 7 - slot//2 -"))
    assert moved.verdict == "equivalent"
    assert moved.permutation is not None
    assert moved.permutation.order[:8] == (28, 29, 30, 31, 24, 25, 26, 27)
    parted = check_layout("gfx942", op, "A", right.replace("s = slot%2", "s = 1 - slot%2"))
    assert parted.verdict == "wrong"


@pytest.mark.parametrize(
    ("function", "verdict"),
    [
        (lambda lane, v: (2 * v + lane // 16, lane % 16), "right"),
        (lambda tid, slot: {"row": 2 * slot + tid // 16 % 2, "col": tid % 16}, "right"),
        (lambda row, col: (col + 16 * (row % 2), row // 2), "right"),
        (lambda i, j: {"lane": j + 16 * (i % 2), "v": i // 2}, "right"),
        (lambda row, col: (col + 16 * (row % 2), row // 2, 0), "right"),
        (lambda lane, v: (v + 8 * (lane // 16), lane % 16), "wrong"),
        (lambda tid, v: (2 * v + tid // 16, tid % 16), "first wave only"),
    ],
)
def test_functions(function, verdict) -> None:
    found = check_layout("gfx1100", OP, "D", function)
    assert found.verdict == verdict
    if verdict == "wrong":
        assert found.right_form == "lambda lane, v: ((lane // 16) + 2*v, lane % 16)"


def test_functions_that_fail() -> None:
    def raises(lane: int, v: int) -> tuple[int, int]:
        raise KeyError(f"{lane}")

    with pytest.raises(OutOfRange, match=r"for lane=0, v=0 it raised KeyError"):
        check_layout("gfx1100", OP, "D", raises)
    with pytest.raises(SyntaxMistake, match=r"'x' is none of them"):
        check_layout("gfx1100", OP, "D", lambda x, v: (x, v))
    with pytest.raises(ArrayMistake, match=r"whole numbers; it gave 0\.0"):
        check_layout("gfx1100", OP, "D", lambda lane, v: (lane / 16, v))
    with pytest.raises(ArrayMistake, match="it gave 3 numbers"):
        check_layout("gfx1100", OP, "D", lambda lane, v: (1, 2, 3))
    with pytest.raises(ArrayMistake, match="or a dict; it gave 7"):
        check_layout("gfx1100", OP, "D", lambda lane, v: 7)
    with pytest.raises(SyntaxMistake, match="takes lane and gives v"):
        check_layout("gfx1100", OP, "D", lambda lane: {"v": lane})


def test_a_map_of_another_wave_leaves_the_tile_and_is_named() -> None:
    found = check_layout("gfx1100", OP, "D", "row = 4*v + lane//16; col = lane%16")
    assert found.outside == 128
    assert (found.owners[0].wave, found.owners[0].targets[0]) == (64, "gfx1100")


def test_halves_by_bit() -> None:
    text = "lane = j + 16*(i%2); v = i//2; bit = 16"
    op = "v_wmma_f16_16x16x16_f16"
    low = check_layout("gfx1100", op, "D", text)
    assert (low.verdict, low.owners[0].half) == ("wrong", 1)
    assert check_layout("gfx1100", op, "D", text, modifiers={"opsel": 1}).verdict == "right"


def test_moved_operands() -> None:
    op = "v_mfma_f32_32x32x4_2b_f16"
    text = "lane = i; slot = k"
    assert check_layout("gfx942", op, "A", text).verdict == "wrong"
    found = check_layout("gfx942", op, "A", text, modifiers={"cbsz": 1})
    assert found.verdict == "right"


def test_what_is_not_given_is_said() -> None:
    found = check_layout("gfx1100", OP, "D", "row = 2*v + lane//16")
    assert (found.verdict, found.unchecked) == ("right so far", ("col",))
    assert check_layout("gfx1100", OP, "D", "v = i//2").unchecked == ("lane",)
    assert check_layout("gfx1100", OP, "A", "lane = i; v = k//2").unchecked == ("slot",)


@pytest.mark.parametrize(("word", "wave"), [("threadIdx.x", "% 64"), ("tid", "& 63")])
def test_formulas_and_stores_agree_on_later_waves(word: str, wave: str) -> None:
    """Whole tiles more are meant where the text parts waves, and nowhere else."""
    op = "v_mfma_f32_16x16x16_f16"
    row, col = f"{word}/16*4 + v", f"{word} & 15"
    parted = f"w = {word}/64; lane = {word} {wave}"
    for texts, verdict in (
        ((f"row = {row}; col = {col}", f"C[({row})*N + ({col})] = acc[v];"), "first wave only"),
        (
            (
                f"{parted}; row = 16*w + lane/16*4 + v; col = lane%16",
                f"{parted}; C[(16*w + lane/16*4 + v)*N + lane%16] = acc[v];",
            ),
            "right",
        ),
        (
            (
                f"{parted}; row = 4*w + lane/16*4 + v; col = lane%16",
                f"{parted}; C[(4*w + lane/16*4 + v)*N + lane%16] = acc[v];",
            ),
            "first wave only",
        ),
    ):
        assert [check_layout("gfx942", op, "D", text).verdict for text in texts] == [verdict] * 2


@pytest.mark.parametrize(
    "text",
    [
        "row = 2*v + half; col = lane%16; half = lane/16",
        "row = 2*v + h; col = lane%16; h = lane/16",
        "row = 2*v + sub; sub = lane/16; C[row*N + lane%16] = acc[v];",
        "C[(2*v + half)*N + lane%16] = acc[v]; half = lane/16;",
        "C[(2*v + tid)*N + lane%16] = acc[v]; tid = lane/16;",
    ],
)
def test_a_name_given_behind_its_use_is_refused(text: str) -> None:
    with pytest.raises(SyntaxMistake, match="is needed here and given only later"):
        check_layout("gfx1100", OP, "D", text)


def test_every_known_name_is_listed_and_no_other_is_known() -> None:
    with pytest.raises(SyntaxMistake, match="'half' is not known") as found:
        check_layout("gfx1100", OP, "D", "row = 2*v + half; col = lane%16")
    names = str(found.value).partition("Known here: ")[2].rstrip(".").split(", ")
    assert {"lane", "tid", "v", "vgpr", "slot", "bit", "threadIdx.x"} <= set(names)
    for word in ("half", "sub", "lo"):
        assert word not in names


@pytest.mark.parametrize("word", ["i", "r"])
def test_an_index_for_the_register_is_answered_with_v(word: str) -> None:
    with pytest.raises(SyntaxMistake, match="For the number of the register write v"):
        check_layout("gfx1100", OP, "D", f"row = 2*{word} + lane/16; col = lane%16")


def test_scales_are_numbered_by_col_and_not_by_block() -> None:
    op, where = "v_mfma_scale_f32_16x16x128_f8f6f4", ("gfx950", "scale_a")
    with pytest.raises(SyntaxMistake, match="number of a scale along k is q, or col"):
        check_layout(where[0], op, where[1], "row = lane%16; block = lane/16")
    assert check_layout(where[0], op, where[1], "row = lane%16; q = lane/16").verdict == "right"


def test_nobodys_map() -> None:
    found = check_layout("gfx1100", OP, "D", "row = v ^ lane%16; col = lane%16")
    assert (found.verdict, found.owners) == ("wrong", ())


def test_registers_that_name_no_element() -> None:
    with pytest.raises(SyntaxMistake, match="holds 2 elements"):
        check_layout("gfx1201", "v_wmma_f16_16x16x16_f16", "D", "row = v; col = lane%16")
    with pytest.raises(Unsupported, match="6 bits run over"):
        check_layout(
            "gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", "i = lane%16; k = v", format="fp6"
        )
    with pytest.raises(OutOfRange, match=r"The formula of row .* at lane = 0 it divides by 0"):
        check_layout("gfx1100", OP, "D", "row = 5 // lane; col = 0")


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(ArrayMistake, match="a text, the path of a table, or a function; given int"):
        check_layout("gfx1100", "v_wmma_f32_16x16x16_f16", "D", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "verdict", "scales"),
    [
        # The table has k = slot%16 + 16*(lane/16) + 64*(slot/16); each 32 k share a scale.
        ("row = lane%16; k = slot + 32*(lane/16)", "wrong", "mixed"),
        ("row = lane%16; k = (slot^1)%16 + 16*(lane/16) + 64*(slot/16)", "equivalent", "stay"),
        ("row = lane%16; k = slot%16 + 16*(lane/16) + 64*(1 - slot/16)", "equivalent", "move"),
    ],
)
def test_an_order_of_k_must_keep_the_blocks_of_scales(formula, verdict, scales) -> None:
    op = "v_mfma_scale_f32_16x16x128_f8f6f4"
    found = check_layout("gfx950", op, "A", formula, format="fp8_ocp")
    assert found.permutation is not None
    assert (found.verdict, found.permutation.scales) == (verdict, scales)
    text = " ".join(as_text(found, width=80, colour=False).split())
    assert ("different scales" in text) == (scales == "mixed")
    assert ("and the block scales move with it" in text) == (scales == "move")
    unscaled = check_layout("gfx950", op.replace("_scale", ""), "A", formula)
    assert unscaled.verdict == "equivalent"


@pytest.mark.parametrize(
    ("mapping", "right"),
    [
        (
            "int row = v + (lane >> 4) * 8; int col = lane & 15;",
            "row = (lane / 16) + 2*v; col = lane % 16;",
        ),
        ("row = v + 8*(lane >> 4); col = lane & 15", "row = (lane // 16) + 2*v; col = lane % 16"),
        (
            "lambda lane, v: (v + 8*(lane//16), lane%16)",
            "lambda lane, v: ((lane // 16) + 2*v, lane % 16)",
        ),
        (
            "f = lambda v, tid: (v + 8*(tid//16), tid%16)",
            "lambda v, tid: (((tid % 32) // 16) + 2*v, (tid % 32) % 16)",
        ),
    ],
)
def test_the_right_map_is_in_the_language_of_the_wrong_one(mapping: str, right: str) -> None:
    """// begins a comment in C, and a lambda is answered with one."""
    found = check_layout("gfx1100", "v_wmma_f32_16x16x16_f16", "D", mapping)
    assert found.right_form == right
