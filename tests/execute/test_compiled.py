"""Compiled instructions give the bits of the array engine: every row, wave size and modifiers."""

import random
from typing import Any

import numpy as np
import pytest

from tests.execute.test_matrix import ROWS, drawn, drawn_effects, legal_index
from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine
from wavemma.errors import ArrayMistake
from wavemma.execute import execute, operands_of
from wavemma.execute.compiled import compiled_instruction
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction

WAVES = 6
LEVELS = ("baseline", "avx2", "avx512")


def given(instruction: Instruction, wave: Any, seed: str) -> tuple[dict[str, Any], dict[str, int]]:
    source = random.Random(seed)
    generator = np.random.default_rng(source.getrandbits(64))
    effects = drawn_effects(instruction, wave, source)
    fragments = operands_of(instruction, wave, effects).fragments
    registers = {}
    for role, fragment in fragments.items():
        halves = [
            drawn(generator, (WAVES // 2, fragment.registers, fragment.lanes), fragment.format, c)
            for c in (False, True)
        ]
        registers[role] = np.concatenate(halves)
    if "index" in registers:
        registers["index"] = legal_index(generator, registers["index"].shape)
    return registers, effects


def check(instruction: Instruction, wave: Any, seed: str, jit: Jit | None = None) -> None:
    registers, effects = given(instruction, wave, seed)
    overflow = len(seed) % 2 == 0
    call = compiled_instruction(instruction, wave, effects, keep_finite=overflow, jit=jit)
    want = execute(instruction, registers, wave=wave, effects=effects, keep_finite=overflow)
    assert np.array_equal(call(registers), want), effects


def kinds() -> list[tuple[Instruction, int]]:
    """One row of each way to be compiled: model, pattern of registers, sparsity, scales."""
    found: dict[tuple[object, ...], tuple[Instruction, int]] = {}
    for instruction, wave in ROWS:
        row = instruction.matrix
        many = (instruction.blocks > 1, row.scale_block, len(instruction.formats["a"]))
        key = (instruction.model(wave), row.layout, instruction.kind, wave, row.d, *many)
        found.setdefault(key, (instruction, wave))
    return list(found.values())


KINDS = kinds()


def test_counts() -> None:
    assert len(KINDS) == 75


@pytest.mark.parametrize(
    ("instruction", "wave"), KINDS, ids=[f"{i.architecture}-{i.name}-{w}" for i, w in KINDS]
)
def test_each_kind_has_the_bits_of_the_array_engine(instruction: Instruction, wave: int) -> None:
    check(instruction, wave, f"{instruction.architecture}{instruction.name}{wave}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("instruction", "wave"), ROWS, ids=[f"{i.architecture}-{i.name}-{w}" for i, w in ROWS]
)
def test_each_row_has_the_bits_of_the_array_engine(instruction: Instruction, wave: int) -> None:
    check(instruction, wave, f"{instruction.name}{wave}{instruction.architecture}")


def check_level(level: str, every: int) -> None:
    machine = host_machine(level)
    jit = Jit(machine)
    for number, (instruction, wave) in enumerate(ROWS):
        if not machine.has_fma and "f64" in instruction.formats["a"]:
            continue  # Told by Unsupported: no fused multiply-add of f64 to build on.
        if number % every == 0:
            check(instruction, wave, f"{level}{number}", jit)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_processor_changes_no_bit(level: str) -> None:
    check_level(level, 17)


@pytest.mark.nightly
@pytest.mark.parametrize("level", LEVELS)
def test_the_processor_changes_no_bit_of_any_row(level: str) -> None:
    check_level(level, 1)


def test_waves_broadcast_and_mistakes_are_told() -> None:
    instruction = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1100")
    registers, _ = given(instruction, 32, "x")
    call = compiled_instruction(instruction)
    shared = {**registers, "b": registers["b"][0]}
    spread = {**registers, "b": np.broadcast_to(registers["b"][0], registers["b"].shape)}
    assert np.array_equal(call(shared), call(spread))
    with pytest.raises(ArrayMistake, match=r"b must be uint32 \[\.\.\., 8, 32\]; given float32"):
        call({**registers, "b": registers["b"].view(np.float32)})
    with pytest.raises(ArrayMistake, match="needs registers for a, b, c; c is missing"):
        call({role: registers[role] for role in ("a", "b")})
    empty = {role: array[:0] for role, array in registers.items()}
    assert call(empty).shape == (0, 8, 32)


@pytest.mark.parametrize("name", ["v_wmma_f32_16x16x16_f16", "v_wmma_f16_16x16x16_f16"])
def test_arrays_that_may_not_be_written(name: str) -> None:
    """They serve as well, and none of what is given changes, D's old registers included."""
    instruction = catalog.instruction(name, "gfx1100")
    registers, effects = given(instruction, 32, name)
    registers["d"] = registers["c"] ^ np.uint32(0x5A5A)
    kept = {role: array.copy() for role, array in registers.items()}
    call = compiled_instruction(instruction, 32, effects)
    want = execute(instruction, registers, wave=32, effects=effects)
    assert np.array_equal(call(registers), want)
    for array in registers.values():
        array.flags.writeable = False
    assert np.array_equal(call(registers), want)
    assert all(np.array_equal(registers[role], kept[role]) for role in kept)


@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("name", ["v_wmma_f32_16x16x16_f16", "v_wmma_f16_16x16x16_f16"])
def test_each_16_lanes_multiply_what_they_hold(name: str, wave: Any) -> None:
    """numerics.md 4.1: a kernel that loads lanes 0 to 15 only has rows of zeros.

    D row = register * (wave / 16) + lane / 16: lanes 0 to 15 compute every second or fourth row.
    """
    instruction = catalog.instruction(name, "gfx1100")
    fragments = operands_of(instruction, wave).fragments
    registers = {
        role: np.zeros((fragments[role].registers, wave), np.uint32) for role in ("a", "b", "c")
    }
    for role in "ab":
        registers[role][:, :16] = 0x3C003C00
    want = np.zeros_like(registers["c"])
    want[:, :16] = 0x41800000 if "f32" in name else 0x4C00
    for made in (
        execute(instruction, registers, wave=wave),
        compiled_instruction(instruction, wave)(registers),
    ):
        assert np.array_equal(made, want)
