"""Ports between all pairs of targets, against the facts."""

import functools
import itertools
from typing import Any

import pytest

from tests.explain.equal_operations import equals, matrix_rows, nearest, targets
from tests.facts import facts_json
from wavemma.errors import UnknownInstruction, UnknownName, UnknownTarget
from wavemma.explain.port import Port, explain_port
from wavemma.explain.port_side import PortSide
from wavemma.isa import catalog

pytestmark = pytest.mark.facts


@functools.cache
def rows_of(target: str) -> tuple[dict[str, Any], ...]:
    return tuple(row for row in matrix_rows() if target in row["targets"])


def row_of(side: PortSide) -> dict[str, Any]:
    return next(row for row in rows_of(side.target) if row["mnemonic"] == side.instruction)


def registers(row: dict[str, Any], side: PortSide, role: str) -> int:
    """Count registers as the facts do, by format where that matters."""
    use = side.operand(role.lower())
    assert use is not None
    by_format = row.get("vgprs_by_format")
    if by_format and role in "AB":
        bits = {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}[use.format.partition("_")[0]]
        return row["M" if role == "A" else "N"] * row["K"] * bits // 32 // side.wave
    return row["vgprs"][str(side.wave)][role]


def check_side(side: PortSide) -> None:
    row = row_of(side)
    assert side.shape == (row["M"], row["N"], row["K"])
    assert side.blocks == row["blocks"]
    assert side.sparse == row["sparse"]
    for role in "ABC":
        assert side.operand(role.lower()).registers == registers(row, side, role), side.instruction
    cycles = row["timing"].get("cycles")
    if isinstance(cycles, int):
        assert side.cycles == cycles
    if isinstance(cycles, dict) and side.target in cycles and isinstance(cycles[side.target], int):
        assert side.cycles == cycles[side.target]
    builtins = {each["name"]: each for each in row["builtins"]}
    assert side.builtin in builtins
    fact = builtins[side.builtin]
    assert fact.get("wave", side.wave) == side.wave
    assert len(side.call) == len(fact["args"])
    for word, argument in zip(side.call, fact["args"], strict=True):
        operand = {"A": "a", "B": "b", "C": "c", "index": "index"}.get(argument["role"])
        if operand:
            assert word == operand
        elif argument["role"] in ("A signed", "B signed"):
            assert word == "true"
        elif "scale" not in argument["role"] and "format" not in argument["role"]:
            assert word in ("0", "false")


@pytest.mark.facts
@pytest.mark.slow
@pytest.mark.parametrize("old", targets())
def test_every_instruction_to_every_target(old: str) -> None:
    checked = 0
    for row, new in itertools.product(rows_of(old), targets()):
        port = explain_port(old, new, row["mnemonic"])
        assert port.before.instruction == row["mnemonic"]
        same = equals(row, new)
        assert (port.verdict == "none") == (not same)
        assert bool(port.obstacles) == (not same)
        if same:
            assert port.after.instruction in nearest(row, same)
        if old == new:
            assert port.verdict == "same"
            assert [each.what for each in port.changes] == ["model"]
        check_side(port.before)
        check_side(port.after)
        checked += 1
    assert checked == len(rows_of(old)) * 19


def change(port: Port, what: str) -> tuple[str, str]:
    found = next(each for each in port.changes if each.what == what)
    return found.before, found.after


def test_case_17() -> None:
    """An iu8 product of 16x16x16 from RDNA3 to RDNA4."""
    port = explain_port("gfx1100", "gfx1201", "i32_16x16x16_iu8")
    assert port.verdict == "same"
    assert port.after.builtin == "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12"
    assert change(port, "registers of A, B") == ("4", "2")
    assert change(port, "cycles") == ("32", "8")
    before, after = change(port, "map of C, D")
    for lane, v in itertools.product(range(32), range(8)):
        rows = [
            eval(text.split(";")[0].partition("=")[2], {"lane": lane, "v": v})
            for text in (before, after)
        ]
        assert rows == [2 * v + lane // 16, v + 8 * (lane // 16)]


def test_an_operation_has_many_names() -> None:
    names = (
        "v_wmma_i32_16x16x16_iu8",
        "V_WMMA_I32_16X16X16_IU8",
        "i32_16x16x16_iu8",
        "iu8 16x16x16",
        "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32",
        "wmma_i32_16x16x16_iu8_w32",
        "iu8",
    )
    assert {explain_port("gfx1100", "gfx1201", name).before.instruction for name in names} == {
        "v_wmma_i32_16x16x16_iu8"
    }


def test_a_builtin_brings_its_wave_and_its_kind() -> None:
    port = explain_port("gfx1100", "gfx1201", "wmma_f32_16x16x16_f16_w64")
    assert (port.before.wave, port.after.wave) == (64, 64)
    assert port.after.builtin == "__builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12"
    tied = explain_port("gfx1100", "gfx1151", "wmma_f16_16x16x16_f16_tied_w32")
    assert tied.after.builtin == "__builtin_amdgcn_wmma_f16_16x16x16_f16_tied_w32"


@pytest.mark.facts
def test_codes_of_fp8_must_be_converted_between_their_two_families() -> None:
    family = facts_json("instructions")["architectures"]
    fp8 = {target: each.get("fp8") for each in family.values() for target in each["targets"]}
    checked = 0
    for old, new in itertools.product(targets(), repeat=2):
        if fp8[old] and fp8[new]:
            port = explain_port(old, new, "fp8")
            advice = [each.do for each in port.changes if each.what.startswith("format of A")]
            assert bool(advice) == (fp8[old] != fp8[new]), (old, new)
            assert all("convert the data" in text for text in advice)
            checked += 1
    assert checked == 9 * 9


PAIRS = [
    ("gfx1100", "gfx1201"),
    ("gfx1201", "gfx1250"),
    ("gfx942", "gfx1201"),
    ("gfx908", "gfx950"),
]


def test_what_to_do_is_complete_and_in_order() -> None:
    steps = explain_port("gfx1100", "gfx1201", "i32_16x16x16_iu8").steps
    assert [each.what for each in steps] == [
        "builtin",
        "types",
        "loads of A",
        "loads of B",
        "loads of C, stores of D",
    ]
    assert "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12" in steps[0].do
    assert steps[1].do == "i32x2 for A, B in place of i32x4"
    assert "8*(lane // 16)" in steps[2].do
    assert "each lane loads only its own part" in steps[2].do
    assert steps[4].do.startswith("i = v + 8*(lane // 16); j = lane % 16")


def test_nothing_is_to_do_where_nothing_differs() -> None:
    for name in targets():
        assert explain_port(name, name, "f16").steps == ()


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_operand_that_moves_has_a_step(old: str, new: str) -> None:
    """Elements by lane and slot, from the layouts themselves, say which operands move."""
    moved = 0
    for row in rows_of(old):
        port = explain_port(old, new, row["mnemonic"])
        done = ", ".join(each.what for each in port.steps)
        listed = [each.what for each in port.changes if each.what.startswith("map of")]
        for role in "abcd":
            before, after = (placed(side, role) for side in (port.before, port.after))
            both = before.keys() & after.keys()
            if any(before[place] != after[place] for place in both):
                assert f"{'stores' if role == 'd' else 'loads'} of {role.upper()}" in done
                assert any(role.upper() in text[6:] for text in listed)
                moved += 1
    assert moved >= 8


def placed(side: PortSide, role: str) -> dict[tuple[int, int], dict[str, int] | None]:
    use = side.operand(role)
    instruction = next(
        each for each in catalog.instructions(side.target) if each.name == side.instruction
    )
    layout = instruction.layout(role, side.wave, use.format)
    return {
        (lane, slot): layout.element(lane, slot)
        for lane in range(side.wave)
        for slot in range(layout.slots)
    }


MISTAKES = [
    (("gfx1030", "gfx1201", "f16"), UnknownTarget, "gfx1030"),
    (("gfx1100", "gfx1202", "f16"), UnknownTarget, "Closest: gfx12"),
    (("gfx1100", "gfx1201", "f17"), UnknownName, "no word of a feature"),
    (("gfx1100", "gfx1201", "fp8"), UnknownInstruction, "no matrix instruction 'fp8'"),
    (("gfx1100", "gfx1201", "gfx942"), UnknownInstruction, "no matrix instruction"),
    (("gfx1100", "gfx1201", "16x16x17"), UnknownName, "none has all"),
    (("gfx1100", "gfx1201", ""), UnknownName, "must be named"),
]


@pytest.mark.parametrize(("asked", "error", "text"), MISTAKES)
def test_mistakes(asked: tuple[str, str, str], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        explain_port(*asked)
