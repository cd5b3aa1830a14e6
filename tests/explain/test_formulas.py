"""The formulas that `show` prints, evaluated at every element against the fact layouts."""

import itertools

import numpy as np
import pytest

from tests.explain.layout_facts import ROLES
from tests.facts import facts_json
from wavemma.explain.formulas import along_rows, layout_facts, outer_rows
from wavemma.isa.catalog import instruction
from wavemma.layouts import Shape, layout

LETTERS = {"A": "bigsk", "index": "bigsk", "A scale": "iq", "B": "bkj", "B scale": "qj"}
LETTERS |= {"C": "bij", "D": "bij"}


def _grid(fact):
    """Every index of a matrix, as arrays by letter."""
    used = {bit[0]: 0 for bit in fact["lane_bits"] + fact["slot_bits"]}
    for bit in fact["lane_bits"] + fact["slot_bits"]:
        used[bit[0]] = max(used[bit[0]], int(bit[1:] or 0) + 1)
    sizes = {letter: 1 << used[letter] for letter in LETTERS[fact["operand"]] if letter in used}
    points = np.array(list(itertools.product(*map(range, sizes.values()))))
    grid = dict(zip(sizes, points.T, strict=True))
    return {letter: grid.get(letter, np.zeros(len(points), int)) for letter in "bijkgsq"}


def _value(text, names):
    return np.broadcast_to(eval(text, {}, names), len(names["i"]))


@pytest.mark.facts
def test_both_ways_for_every_layout_of_the_facts():
    targets = {
        (row["arch"], row["mnemonic"]): row["targets"][0]
        for row in facts_json("instructions")["instructions"]
    }
    facts = facts_json("layouts")["layouts"]
    checked = 0
    for fact in facts:
        name = fact["instructions"][0]
        found = instruction(name, targets[fact["arch"], name])
        role = ROLES.get(fact["operand"], fact["operand"].lower())
        (mine,) = [
            each
            for each in layout_facts(found, fact["wave"])
            if each.role == role
            and each.element_bits == fact["element_bits"]
            and (fact.get("format") is None or fact["format"] in " ".join(each.formats))
        ]
        grid = _grid(fact)
        place = dict(mine.place)
        lane, slot = _value(place["lane"], grid), _value(place["slot"], grid)
        want_lane, want_slot = _value(fact["lane"], grid), _value(fact["slot"], grid)
        assert (lane == want_lane).all()
        assert (slot == want_slot).all()
        at = {**grid, "slot": slot}
        vgpr, bit = _value(place["vgpr"], at), _value(place["bit"], at)
        assert (32 * vgpr + bit == want_slot * fact["stride_bits"]).all()
        within = bit // fact["stride_bits"]
        for copy in fact["copies"]:
            back = {"lane": lane + copy, "v": vgpr, "n": within, "slot": slot, "i": grid["i"]}
            for letter, text in mine.element:
                assert (_value(text, back) == grid[letter]).all(), (name, letter, text)
        assert list(mine.copies) == fact["copies"]
        checked += 1
    assert checked == len(facts) == 572


def test_row_tables_by_hand():
    """The result of a 32x32 product over 64 lanes: rows in fours, eight rows a register group."""
    rows = outer_rows(layout("mfma", "d", Shape(32, 32, 8), 32, 64), "d")
    assert len(rows) == 32
    for row in rows:
        first = 32 * (row.number // 4 % 2)
        assert row.lanes == tuple(range(first, first + 32))
        assert row.registers == (row.number % 4 + 4 * (row.number // 8),)


def test_along_rows_by_hand():
    """Sixteen-bit A of 16x16 over two half waves: each takes four k in turn."""
    rows = along_rows(layout("wmma_chunks_64", "a", Shape(16, 16, 16), 16, 32), "a")
    held = {(row.lanes, row.register): [k for ((_, k),) in row.elements] for row in rows}
    assert held == {
        ((0,), 0): [0, 1],
        ((0,), 1): [2, 3],
        ((0,), 2): [8, 9],
        ((0,), 3): [10, 11],
        ((16,), 0): [4, 5],
        ((16,), 1): [6, 7],
        ((16,), 2): [12, 13],
        ((16,), 3): [14, 15],
    }
