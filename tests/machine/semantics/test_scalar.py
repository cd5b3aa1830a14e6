"""Every scalar instruction that computes, on both engines, against plain Python."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from tests.machine.one_group import Lanes, run
from tests.machine.semantics.scalar_reference import WORD, Case, Given, Reference, references
from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.isa.ordinary.instruction import OrdinaryInstruction
from wavemma.machine.meaning import Meaning, Part
from wavemma.machine.semantics import MEANINGS
from wavemma.machine.value_type import types_of_row, value_type

TARGETS = {"rdna3": "gfx1100", "rdna3.5": "gfx1150", "rdna4": "gfx1201", "cdna3": "gfx942"}
TARGETS["cdna5"] = "gfx1250"
WAVES: dict[str, Lanes] = {"gfx942": 64}
ENGINE = ArrayEngine()
SPECIAL = [
    *(0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, WORD, 0x3F800000, 0xBF800000, 0x7F800000),
    *(0x7FC00000, 0x00000001, 0x3C003C00, 0x7C00BC00, 0x80000001, 0xFFFF8000, 0x00200004),
    *(0x7F0000, 0x3F0020, 0x1F0001, 0x4EFFFFFF, 0x4F800000, 0xCF000000, 0x7E01FC00, 0x03FF8001),
]
COUNT = 40
# What is tested by its own state elsewhere: registers counted from M0, hardware registers, code.
ELSEWHERE = re.compile(
    r"s_(movrel.*|getpc.*|get_pc.*|get_shader.*|.etreg.*|sendmsg.*|barrier.*|sleep_var|waitcnt.*|set_gpr_idx.*|get_barrier.*)"
)
# Parts of mnemonics of gfx9, and how gfx11 spells them.
OLDER = {
    "n1_": "_not0_",
    "n2_": "_not1_",
    "s_ff1_i32_b": "s_ctz_i32_b",
    "s_flbit_i32_b": "s_clz_i32_u",
    "s_flbit_": "s_cls_",
}


def newer(name: str) -> str:
    """Spell a mnemonic of gfx9 as gfx11 does; others stay."""
    for old, new in OLDER.items():
        name = name.replace(old, new)
    return name


def rows(architecture: str) -> Iterator[tuple[OrdinaryInstruction, Reference]]:
    table, known = ordinary_table(architecture), references()
    for row in table.rows.instructions:
        is_scalar = row.encoding in ("SOP1", "SOP2", "SOPK", "SOPC")
        if not is_scalar or not row.meaning or ELSEWHERE.fullmatch(row.name):
            continue
        if row.meaning == "nothing":
            continue
        found = [reference for pattern, reference in known if pattern.fullmatch(newer(row.name))]
        assert len(found) == 1, row.name
        yield table.form(row, ""), found[0]


def widths(form: OrdinaryInstruction) -> dict[str, int]:
    return {slot.row.role: 32 * slot.row.registers for slot in form.slots}


def bits(form: OrdinaryInstruction) -> int:
    """The bits that the row computes with: of the wider of its types."""
    return max(value_type(name).bits for name in types_of_row(form.row.type))


def cases(form: OrdinaryInstruction, seed: int) -> list[Case]:
    generator = np.random.default_rng(seed)

    def number(width: int) -> int:
        words = [
            int(generator.choice(SPECIAL)) if generator.random() < 0.5 else
            int(generator.integers(0, 1 << 32))
            for _ in range(2)
        ]  # fmt: skip
        return words[0] | words[1] << 32 if width == 64 else words[0]

    found, wide = [], widths(form)
    computed = 64 if 64 in wide.values() or bits(form) > 32 else 32
    for _ in range(COUNT):
        a, b, d = (number(wide.get(role, 32)) for role in "abd")
        active = number(64)
        found.append(Case(a, b, d, 0x40490FDB, 0x8123, int(d & 1), active, computed))
    found.append(Case(0, 0, 0, 0x40490FDB, 0x8123, 1, 0, computed))
    return found


def text(form: OrdinaryInstruction) -> str:
    places = {"d": 20, "a": 2, "b": 4}
    words = []
    for slot in form.slots:
        if slot.row.role in places:
            at = places[slot.row.role]
            words.append(f"s[{at}:{at + 1}]" if slot.row.registers == 2 else f"s{at}")
        else:
            words.append("0x40490fdb" if slot.row.role == "k" else "0x8123")
    return f"{form.row.name} {', '.join(words)}"


def same(form: OrdinaryInstruction, got: int, want: int) -> bool:
    """Compare bits; any NaN for any other."""
    kind = types_of_row(form.row.type)[0]
    if kind == "f16":
        return all(
            got >> at & 0xFFFF == want >> at & 0xFFFF
            or all((each >> at & 0x7FFF) > 0x7C00 for each in (got, want))
            for at in (0, 16)
        )
    both_nan = all((each & 0x7FFFFFFF) > 0x7F800000 for each in (got, want))
    return got == want or (kind == "f32" and both_nan)


@pytest.mark.parametrize("architecture", TARGETS)
def test_compiled(architecture: str) -> None:
    every = list(rows(architecture))
    assert len(every) > 120
    for first in range(0, len(every), 16):
        part = every[first : first + 16]
        lines = []
        for place, (form, _) in enumerate(part):
            own = 3 * place
            lines += [
                *(f"s_mov_b64 s[{to}:{to + 1}], s[{source}:{source + 1}]"
                  for to, source in ((2, 22), (4, 24), (20, 26))),
                "s_mov_b64 exec, s[28:29]",
                "s_bitcmp1_b32 s30, 0",
            ]  # fmt: skip
            lines += [text(form), "s_mov_b32 s31, src_scc", "s_mov_b64 s[32:33], exec"]
            lines += ["s_mov_b64 exec, -1"]
            lines += [f"v_mov_b32 v{own}, s20", f"v_mov_b32 v{own + 1}, s21"]
            lines += [f"v_mov_b32 v{own + 2}, s31"]
            lines += [f"v_writelane_b32 v{own + 2}, s{32 + half}, {1 + half}" for half in (0, 1)]
        _check_program(lines, part, TARGETS[architecture])


def _check_program(
    lines: list[str], part: list[tuple[OrdinaryInstruction, Reference]], target: str
) -> None:
    every = [cases(form, place) for place, (form, _) in enumerate(part)]
    for turn in range(COUNT + 1):
        for place, (form, reference) in enumerate(part):
            case = every[place][turn]
            held = {30: case.scc}
            for at, value in ((22, case.a), (24, case.b), (26, case.d), (28, case.exec)):
                held |= {at: value & WORD, at + 1: value >> 32}
            wave = WAVES.get(target, 32)
            found = run(lines, target_name=target, wave=wave, scalars=held).vectors[0]
            low, high, rest = (found[3 * place + each] for each in range(3))
            result = int(low[0]) | int(high[0]) << 32
            active = int(rest[1]) | int(rest[2]) << 32
            got = Given(result, int(rest[0]), active)
            _check(form, case, reference(case), got)


def _check(form: OrdinaryInstruction, case: Case, want: Given, got: Given) -> None:
    width = widths(form).get("d", 32)
    low = (1 << width) - 1
    expected = case.d if want.d is None else want.d & low | case.d & ~low
    if width == 32:
        expected &= WORD
    shown = (form.row.name, case, want, got)
    assert same(form, (got.d or 0) & low, expected & low), shown
    assert got.scc == (case.scc if want.scc is None else want.scc), shown
    kept = case.exec if want.exec is None else want.exec | case.exec & ~((1 << case.bits) - 1)
    assert got.exec == kept, shown


@pytest.mark.parametrize("architecture", TARGETS)
def test_on_arrays(architecture: str) -> None:
    for form, reference in rows(architecture):
        given = cases(form, 99)
        found = MEANINGS[form.row.meaning]
        assert isinstance(found, Meaning)
        result_type, source_type = types_of_row(form.row.type)
        values = [_array(part, given, source_type) for part in found.takes]
        made = found.on(ENGINE, values, result_type, False)
        made = made if isinstance(made, tuple) else (made,)
        results: dict[str, np.ndarray] = {}
        for part, value in zip(found.gives, made, strict=True):
            kind = value_type(part.type or result_type)
            coded = value if kind.lane is Lane.BOOL else kind.code(ENGINE, value)
            results[part.role] = np.broadcast_to(coded, len(given))
        for place, case in enumerate(given):
            want = reference(case)
            for role, value in results.items():
                expected = getattr(want, role)
                got = int(value[place]) & (1 << 8 * value.itemsize) - 1
                assert same(form, got, expected), (form.row.name, case, role, got, expected)


def _array(part: Part, given: list[Case], source_type: str) -> np.ndarray:
    numbers = [getattr(case, "n" if part.role == "number" else part.role) for case in given]
    if part.type == "flag":
        return np.array(numbers, dtype=np.bool_)
    kind = value_type(part.type or source_type)
    low = (1 << kind.bits_lane.bits) - 1
    unsigned = np.uint64 if kind.bits_lane is Lane.I64 else np.uint32
    raw = np.array([number & low for number in numbers], dtype=unsigned)
    value: np.ndarray = kind.value(ENGINE, raw.view(f"i{raw.itemsize}"))
    return value
