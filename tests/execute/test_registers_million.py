"""Whole results in registers under all modifiers against the twin; a million a model nightly."""

import dataclasses
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.execute import registers_million
from tests.execute.places import places, read, write
from tests.execute.register_draws import by_rows, drawn_words, facts_of
from tests.execute.register_problem import Problem, drawn_registers
from tests.execute.registers_million import (
    ELSEWHERE,
    OUTPUTS,
    SLICES,
    Outcome,
    compare,
    run,
    users_of,
)
from tests.execute.test_matrix import ROWS
from wavemma.isa import catalog
from wavemma.numerics.model import models

SLICE = OUTPUTS // SLICES
NAMES = [each.name for each in models() if each.name not in ELSEWHERE]


def test_each_model_gets_a_million_from_every_row() -> None:
    assert SLICE * SLICES >= 1_000_000
    assert len(NAMES) + len(ELSEWHERE) == len(models())
    used = {(i.architecture, i.name, wave) for name in NAMES for i, wave in users_of(name)}
    assert used == {(i.architecture, i.name, wave) for i, wave in ROWS}
    # Slices begin so many rows apart that they have every row between them.
    for name in NAMES:
        rows = len(users_of(name))
        largest = max(i.shape[0] * i.shape[1] * i.blocks for i, _ in users_of(name))
        turns = SLICE // max(registers_million.BATCH, largest)
        assert turns >= -(-rows // SLICES), name


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("name", NAMES)
def test_slice(name: str, part: int) -> None:
    found = run(name, part, SLICE)
    assert found.outputs >= SLICE
    assert found.compiled
    assert not found.mismatches, "\n".join(found.told)


@pytest.mark.facts
@pytest.mark.parametrize("name", NAMES)
def test_a_few_by_the_fact_files(name: str) -> None:
    found = run(name, SLICES, 256, batch=256, compiled=0)
    assert found.outputs >= 256
    assert not found.mismatches, "\n".join(found.told)


@pytest.mark.parametrize(
    "name", ["complement_2", "truncated_8_sparse", "integer_quarters", "grouped_8"]
)
def test_a_few_by_the_rows(name: str) -> None:
    found = run(name, SLICES + 1, 512, by_rows, batch=256, compiled=2)
    assert found.outputs >= 512
    assert 0 < found.compiled < found.outputs
    assert not found.mismatches, "\n".join(found.told)


@pytest.mark.facts
def test_every_legal_value_is_drawn() -> None:
    """Counted from the fact files: masks one bit at a time, numbers value by value."""
    source = random.Random(1)
    seen: dict[str, set[int]] = {}
    for instruction, wave in ROWS:
        fact, _ = facts_of(instruction.architecture, instruction.name)
        for _ in range(30):
            _, effects = drawn_words(fact, wave, source)
            for effect, value in effects.items():
                seen.setdefault(effect, set()).add(value)
    flags = {f"{sign}_{role}" for sign in ("negate", "signed") for role in "ab"}
    flags |= {f"negate_{role}_{half}" for role in "ab" for half in ("even", "odd")}
    flags |= {"negate_c", "absolute_c", "high_half", "saturate", "scale_row_a", "scale_row_b"}
    assert {name: seen[name] for name in flags} == {name: {0, 1} for name in flags}
    others = {
        "broadcast_size": 5, "broadcast_block": 16, "swizzle_b": 8, "index_part": 4,
        "index_set_off": 4, "format_a": 5, "format_b": 5, "scale_byte_a": 4, "scale_byte_b": 4,
        "scale_format_a": 3, "scale_format_b": 3,
    }  # fmt: skip
    assert {name: seen[name] for name in set(seen) - flags} == {
        name: set(range(count)) for name, count in others.items()
    }


# A modifier, a row that has it, and another value: the twin must then find something else.
NOTICED = [
    ("negate_a_even", "gfx1100", "v_wmma_f32_16x16x16_f16", 32),
    ("negate_b_odd", "gfx1100", "v_wmma_bf16_16x16x16_bf16", 64),
    ("absolute_c", "gfx1201", "v_wmma_f16_16x16x16_f16", 32),
    ("negate_c", "gfx1250", "v_wmma_f32_16x16x4_f32", 32),
    ("negate_b", "gfx942", "v_mfma_f64_4x4x4_4b_f64", 64),
    ("negate_b_even", "gfx1201", "v_swmmac_f32_16x16x32_f16", 32),
    ("high_half", "gfx1151", "v_wmma_f16_16x16x16_f16", 64),
    ("broadcast_block", "gfx908", "v_mfma_f32_4x4x4f16", 64),
    ("swizzle_b", "gfx90a", "v_mfma_f32_32x32x4f16", 64),
    ("index_part", "gfx942", "v_smfmac_f32_16x16x32_f16", 64),
    ("index_part", "gfx1200", "v_swmmac_f32_16x16x32_fp8_fp8", 64),
    ("saturate", "gfx1100", "v_wmma_i32_16x16x16_iu8", 32),
    ("signed_a", "gfx1170", "v_wmma_i32_16x16x32_iu4", 64),
    ("scale_byte_b", "gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4", 64),
    ("scale_row_a", "gfx1250", "v_wmma_scale_f32_16x16x128_f8f6f4", 32),
]


@pytest.mark.parametrize(("effect", "target", "name", "wave"), NOTICED)
def test_a_modifier_that_is_misread_is_noticed(
    effect: str, target: str, name: str, wave: int
) -> None:
    instruction = catalog.instruction(name, target)
    source = random.Random(effect)
    plain = {"broadcast_size": 2} if effect == "broadcast_block" else {}
    right = _with(by_rows(instruction, wave, source), {**_neutral(instruction, wave), **plain})
    registers = drawn_registers(right, np.random.default_rng(3), 1)
    own = instruction.model(wave)
    same, other = Outcome(), Outcome()
    compare(right, registers, own, same)
    assert not same.mismatches
    wrong = _with(right, {**right.effects, effect: 1})
    with pytest.MonkeyPatch.context() as patch:
        for function in ("results", "rule_for"):
            patch.setattr(registers_million, function, _on(wrong, function))
        compare(right, registers, own, other)
    assert other.mismatches


def _on(problem: Problem, name: str) -> Callable[..., Any]:
    """A function of the comparison, always asked about this problem."""
    function = getattr(registers_million, name)
    return lambda *given: function(*(problem if isinstance(x, Problem) else x for x in given))


def _neutral(instruction: catalog.Instruction, wave: int) -> dict[str, int]:
    effects = by_rows(instruction, wave, random.Random(0)).effects
    return dict.fromkeys(effects, 0)


def _with(problem: Problem, effects: dict[str, int]) -> Problem:
    formats = {role: problem.instruction.formats[role][0] for role in problem.formats}
    drawn = by_rows(problem.instruction, problem.wave, random.Random(0))
    while dict(drawn.formats) != formats:
        drawn = by_rows(problem.instruction, problem.wave, random.Random(random.random()))
    return dataclasses.replace(drawn, effects=effects, keep_finite=False)


def test_bits_beside_the_result_are_noticed() -> None:
    instruction = catalog.instruction("v_wmma_f16_16x16x16_f16", "gfx1100")
    problem = by_rows(instruction, 32, random.Random(5))
    registers = drawn_registers(problem, np.random.default_rng(3), 1)
    outcome = Outcome()
    with pytest.MonkeyPatch.context() as patch:
        execute = registers_million.execute
        other = np.uint32(0x8000 if problem.effects["high_half"] else 0x80000000)
        patch.setattr(registers_million, "execute", lambda *a, **k: execute(*a, **k) ^ other)
        compare(problem, registers, instruction.model(32), outcome)
    assert len(outcome.told) == outcome.mismatches == 1
    assert "bits that are no result changed" in outcome.told[0]


def test_places_write_what_they_read() -> None:
    """Six bits an element run over the borders of registers: 6.6 of them in 32 bits."""
    where = places("bik", [("i", 0)], [("k", n) for n in range(4)], width=6, stride=6)
    codes = np.arange(32, dtype=np.uint64).reshape(1, 1, 2, 16)
    ones = np.full((1, 3, 2), 0xFFFFFFFF, np.uint32)
    written = write(ones, where, codes)
    assert np.array_equal(read(written, where), codes)
    # Row 119 of numerics.md: e_i = i in three registers.
    assert [f"{word:08x}" for word in written[0, :, 0]] == ["440c2040", "a2481c61", "3ce34c2c"]
