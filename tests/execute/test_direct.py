"""Instructions on registers where they lie: C may lie in some of D's, and copies may differ."""

import numpy as np
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine
from wavemma.execute import execute
from wavemma.execute.compiled import wave_product
from wavemma.execute.direct import direct_steps
from wavemma.execute.in_place import steps_of
from wavemma.execute.wave_kernel import wave_function
from wavemma.execute.wave_product import WaveProduct
from wavemma.fragments import fragments_of, pack
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.numerics.model import model

JIT = Jit(host_machine(), None)
ROWS = [
    catalog.instruction(name, target)
    for target, name in (
        ("gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("gfx1100", "v_wmma_i32_16x16x16_iu8"),
        ("gfx1201", "v_wmma_f32_16x16x16_bf16"),
        ("gfx942", "v_mfma_f32_16x16x4_f32"),
        ("gfx942", "v_mfma_f32_32x32x16_fp8_fp8"),
        ("gfx942", "v_mfma_f32_4x4x4_16b_f16"),
    )
]


def product(row: Instruction) -> WaveProduct:
    wave = row.waves[0]
    return wave_product(row, wave, {}, model(row.model(wave)), JIT.machine)


def drawn(row: Instruction) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    registers = {}
    for role, fragment in fragments_of(row).items():
        bits = fragment.bits
        # Floats somewhat below 2, since fast ways take no others.
        codes = (1 << (bits - 2)) - rng.integers(1, 1 << (bits - 5), fragment.matrix_shape)
        registers[role] = pack(codes.astype(fragment.dtype), fragment)
    return registers


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.architecture}-{row.name}")
@pytest.mark.parametrize("ahead", [-3, -1, 0, 1, 2])
def test_c_may_lie_in_some_registers_of_d(row: Instruction, ahead: int) -> None:
    registers = drawn(row)
    want = execute(row, registers)
    c, lanes = registers["c"], registers["c"].shape[-1]
    memory = np.zeros((c.shape[0] + 6, lanes), np.uint32)
    memory[3 + ahead : 3 + ahead + c.shape[0]] = c
    places = [registers["a"].ctypes.data, registers["b"].ctypes.data]
    first = memory.ctypes.data + 3 * lanes * 4
    before = memory.copy()
    wave_function(product(row), JIT)(1, *places, first + ahead * lanes * 4, first)
    assert np.array_equal(memory[3 : 3 + want.shape[0]], want)
    assert np.array_equal(memory[:3], before[:3])
    assert np.array_equal(memory[3 + want.shape[0] :], before[3 + want.shape[0] :])


def test_common_instructions_copy_nothing() -> None:
    for target, name in (
        ("gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("gfx1201", "v_wmma_f32_16x16x16_f16"),
        ("gfx942", "v_mfma_f32_16x16x16_f16"),
        ("gfx942", "v_mfma_f32_32x32x8_bf16"),
        ("gfx942", "v_mfma_f32_16x16x4_f32"),
        ("gfx950", "v_mfma_f32_32x32x16_fp8_fp8"),
    ):
        assert direct_steps(product(catalog.instruction(name, target))), name


def test_steps_say_where_each_row_lies() -> None:
    fragments = fragments_of(catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1201"))
    steps = steps_of(fragments["d"], "j", [{"i": row} for row in range(16)])
    assert steps is not None
    # Rows 8..15 lie in the upper half of the lanes.
    assert [steps.place(row) // 32 for row in range(16)] == [
        row % 8 * 32 + row // 8 * 16 for row in range(16)
    ]
    pairs = steps_of(fragments["a"], "i", [{"k": k} for k in range(16)])
    assert pairs is not None
    assert pairs.slots == 2
