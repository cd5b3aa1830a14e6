"""Mappings against the layouts of the facts: right ones, wrong ones, and whose they are."""

import itertools
import time
from typing import Any

import pytest

from tests.facts import facts_json
from wavemma.errors import ArrayMistake, OutOfRange, SyntaxMistake, Unsupported
from wavemma.explain.check_layout import check_layout
from wavemma.explain.layout_search import index
from wavemma.tables.targets import targets_of

OP = "v_wmma_f32_16x16x16_f16"
ROLES = {"A scale": "scale_a", "B scale": "scale_b"}


def _facts() -> list[dict[str, Any]]:
    return facts_json("layouts")["layouts"]


def _distinct() -> list[dict[str, Any]]:
    """One entry of the facts for each layout there is."""
    keys = ("wave", "operand", "lane_bits", "slot_bits", "copies", "element_bits", "stride_bits")
    found = {repr([fact[key] for key in keys]): fact for fact in _facts()}
    return list(found.values())


def _has_map(fact: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether an operand's rows and columns lie where those of a D do."""
    rows = {"A": "ik", "B": "kj", "C": "ij", "D": "ij"}.get(fact["operand"], "")
    names = dict(zip(rows, "ij", strict=False))
    bits = [
        [names.get(bit[0], bit[0]) + bit[1:] for bit in fact[key]]
        for key in ("lane_bits", "slot_bits")
    ]
    return bits == [theirs["lane_bits"], theirs["slot_bits"]]


def _format(fact: dict[str, Any]) -> str | None:
    return fact.get("format")


def _check(fact: dict[str, Any], mapping: Any, of: dict[str, Any] | None = None):
    """Hold a mapping against the operand of an entry of the facts."""
    of = of or fact
    target = next(
        name
        for name in targets_of(of["arch"])
        if name == "gfx1251" or "f64" not in of["instructions"][0] or of["arch"] != "cdna5"
    )
    return check_layout(
        target,
        of["instructions"][0],
        ROLES.get(of["operand"], of["operand"]),
        mapping,
        wave=of["wave"],
        format=_format(of),
    )


def _value(formula: str, **names: int) -> int:
    return int(eval(formula, {"__builtins__": {}}, names))


def _matrix(fact: dict[str, Any]) -> dict[str, int]:
    """Sizes of the indices that the entry's formulas speak of."""
    used = sorted({bit[0] for bit in fact["lane_bits"] + fact["slot_bits"]})
    bits = fact["lane_bits"] + fact["slot_bits"]
    return {letter: 1 << sum(bit[0] == letter for bit in bits) for letter in used}


@pytest.mark.slow
@pytest.mark.facts
def test_every_entry_of_the_facts_is_right_in_both_directions() -> None:
    checked = 0
    for fact in _facts():
        places = f"lane = {fact['lane']}; slot = {fact['slot']}"
        elements = "; ".join(f"{name} = {text}" for name, text in fact["inverse"].items())
        for text in (places, elements.replace("//", "/") + ";"):
            found = _check(fact, text)
            assert (found.verdict, found.wrong) == ("right", 0), (fact, text, found.first)
            checked += 1
    assert checked == 572 * 2


@pytest.mark.slow
@pytest.mark.facts
def test_the_right_form_is_right_for_every_entry() -> None:
    """A wrong mapping in each direction and syntax gets a right one in its own words."""
    checked = 0
    for fact in _distinct():
        names = list(_matrix(fact))
        if fact["element_bits"] != 6:
            wrong = [
                "; ".join(f"{name} = lane + v + n + 77" for name in names),
                f"lane = {' + '.join(names)} + 1000; v = 5; n = 0",
            ]
        else:
            wrong = []
        wrong += [
            "; ".join(f"{name} = lane + slot + 77" for name in names),
            f"lane = {' + '.join(names)} + 1000; slot = 1/1",
        ]
        for text in wrong:
            found = _check(fact, text)
            assert (found.verdict, found.wrong) == ("wrong", found.total), (fact, text)
            again = _check(fact, found.right_form)
            assert again.verdict == "right", (fact, text, found.right_form, again.first)
            checked += 1
    assert checked > 400


@pytest.mark.facts
@pytest.mark.parametrize("forward", [True, False])
def test_every_map_of_16x16_results_claimed_for_every_other(forward: bool) -> None:
    """Wrong counts by brute force, and the owner is an architecture that has the map."""
    chosen = {
        (fact["arch"], fact["wave"], fact["lane"], fact["slot"], fact["stride_bits"]): fact
        for fact in _facts()
        if fact["operand"] == "D" and _matrix(fact) == {"i": 16, "j": 16}
    }
    pairs = 0
    for mine, theirs in itertools.permutations(chosen.values(), 2):
        if mine["wave"] != theirs["wave"] or mine["stride_bits"] != theirs["stride_bits"]:
            continue
        if mine["arch"] == theirs["arch"] or (mine["lane"], mine["slot"]) == (
            theirs["lane"],
            theirs["slot"],
        ):
            continue
        text = (
            f"i = {theirs['inverse']['i']}; j = {theirs['inverse']['j']}"
            if forward
            else f"lane = {theirs['lane']}; slot = {theirs['slot']}"
        )
        wrong = sum(
            any(
                _value(mine[name], i=i, j=j) != _value(theirs[name], i=i, j=j)
                for name in ("lane", "slot")
            )
            for i in range(16)
            for j in range(16)
        )
        found = _check(mine, text)
        assert (found.verdict, found.wrong, found.total) == ("wrong", wrong, 256)
        owner = found.owners[0]
        assert not owner.transposed
        assert any(
            _has_map(fact, theirs)
            and owner.instruction in fact["instructions"]
            and owner.targets[0] in targets_of(fact["arch"])
            and (fact["operand"], fact["wave"]) == (owner.operand, owner.wave)
            for fact in _facts()
        )
        pairs += 1
    assert pairs >= 20


@pytest.mark.facts
@pytest.mark.parametrize("operand", ["A", "B", "D"])
def test_transposed_maps_are_named_as_such(operand: str) -> None:
    for fact in [each for each in _facts() if each["operand"] == operand][::7]:
        sizes = _matrix(fact)
        if len(sizes) != 2 or len(set(sizes.values())) != 1 or "g" in sizes:
            continue
        one, two = fact["inverse"]
        found = _check(fact, f"{one} = {fact['inverse'][two]}; {two} = {fact['inverse'][one]}")
        assert found.verdict == "wrong"
        assert found.owners, fact


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


@pytest.mark.slow
@pytest.mark.facts
def test_the_reversed_order_of_k_is_equivalent_everywhere() -> None:
    checked = 0
    for fact in _distinct():
        sizes = _matrix(fact)
        if fact["operand"] not in ("A", "B") or "k" not in sizes or sizes["k"] == 1:
            continue
        inverse = fact["inverse"]
        outer = next(name for name in inverse if name in "ij")
        block = f"b = {inverse['b']}; " if "b" in inverse else ""
        text = f"{block}{outer} = {inverse[outer]}; k = {sizes['k'] - 1} - ({inverse['k']})"
        found = _check(fact, text)
        sparse = "smfmac" in fact["instructions"][0] or "swmmac" in fact["instructions"][0]
        assert found.verdict == ("wrong" if sparse else "equivalent"), (fact, text)
        if found.permutation:
            assert found.permutation.order == tuple(range(sizes["k"]))[::-1]
        checked += 1
    assert checked > 60


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
    assert (found.verdict, found.unchecked) == ("right", ("col",))
    assert check_layout("gfx1100", OP, "D", "v = i//2").unchecked == ("lane",)
    assert check_layout("gfx1100", OP, "A", "lane = i; v = k//2").unchecked == ("slot",)


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


def test_the_index_is_built_in_half_a_second() -> None:
    index.cache_clear()
    start = time.perf_counter()
    assert len(index()) > 100
    assert time.perf_counter() - start < 0.5
