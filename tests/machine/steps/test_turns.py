"""Steps that take a few lanes at a turn of a loop leave what all lanes at once leave."""

import llvmlite.ir as ir
import msgspec
import numpy as np
import pytest

from tests.machine.one_group import Lanes, placed
from tests.machine.one_wave import Instructions
from wavemma.engines.jit import shared_jit
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.runtime import runtime_of
from wavemma.machine.steps.emission import Pattern, emit_step
from wavemma.machine.steps.turns import LANES, takes_turns
from wavemma.tables.targets import target

LONG = [
    ("gfx1100", 32, "v_exp_f32 v1, v2"),
    ("gfx1100", 32, "v_add_f16 v1, s4, v2"),
    ("gfx1100", 64, "v_fma_f64 v[2:3], v[4:5], v[6:7], s[4:5]"),
    ("gfx1100", 32, "v_fma_mix_f32 v1, v2, v3, v4"),
    ("gfx1201", 32, "v_cmpx_lt_f64_e64 v[2:3], v[4:5]"),
    ("gfx942", 64, "v_pk_fma_f16 v1, v2, v3, v4"),
]
WHOLE = [
    ("gfx1100", 32, "v_add_nc_u32 v1, v2, v3"),
    ("gfx1100", 32, "v_add_f16_dpp v1, v2, v3 row_shr:1 row_mask:0xf bank_mask:0xf"),
    ("gfx1100", 32, "s_mul_i32 s1, s2, s3"),
    ("gfx1100", 32, "ds_load_b64 v[2:3], v1"),
    ("gfx1100", 32, "v_readfirstlane_b32 s4, v2"),
]
# What a turn writes must not be what a later turn reads.
ON_ITSELF: list[tuple[str, Lanes, list[str]]] = [
    (
        "gfx1100",
        32,
        [
            "v_cmp_lt_f64_e64 s4, v[2:3], s[4:5]",
            "v_cmp_class_f64_e64 s4, v[2:3], s4",
            "v_mad_u64_u32 v[2:3], s4, v4, s4, v[2:3]",
            "v_div_scale_f64 v[2:3], vcc_lo, v[2:3], v[4:5], v[2:3]",
            "v_div_fmas_f32 v2, v2, v2, v3",
            "v_cmpx_lt_f64_e64 v[2:3], v[4:5]",
        ],
    ),
    (
        "gfx942",
        64,
        [
            "v_cmp_lt_f64_e64 s[4:5], v[2:3], s[4:5]",
            "v_mad_u64_u32 v[2:3], s[4:5], s4, v4, v[2:3]",
            "v_cmpx_lt_f64_e64 s[4:5], v[2:3], v[4:5]",
            "v_div_fmas_f64 v[2:3], v[2:3], v[4:5], v[6:7]",
        ],
    ),
]


def decoded(name: str, wave: Lanes, line: str) -> DecodedOrdinary:
    found = placed((line,), name, wave)[0].instruction
    assert isinstance(found, DecodedOrdinary)
    return found


@pytest.mark.parametrize(("name", "wave", "line"), LONG)
def test_long_code_is_written_for_a_few_lanes(name: str, wave: Lanes, line: str) -> None:
    instruction = decoded(name, wave, line)
    assert takes_turns(instruction)
    module, jit = ir.Module(), shared_jit()
    pattern = Pattern(instruction, codes_of(target(name).architecture), is_open=True)
    emit_step(module, jit.machine, runtime_of(jit, wave, soon=True), "step", pattern)
    text = str(module)
    assert f"<{LANES} x " in text
    assert f"<{wave} x " not in text


@pytest.mark.parametrize(("name", "wave", "line"), WHOLE)
def test_what_is_short_or_knows_other_lanes_is_not(name: str, wave: Lanes, line: str) -> None:
    assert not takes_turns(decoded(name, wave, line))


@pytest.mark.parametrize(("name", "wave", "lines"), ON_ITSELF)
def test_no_turn_reads_what_another_wrote(name: str, wave: Lanes, lines: list[str]) -> None:
    assert all(takes_turns(decoded(name, wave, line)) for line in lines)
    ways = [Instructions(lines, name, wave, on_arrays=each) for each in (False, True)]
    draw = np.random.default_rng(5)
    for line in lines:
        numbers = draw.normal(size=(4, wave)).view(np.uint32).reshape(4, wave, 2)
        vectors = numbers.transpose(0, 2, 1).reshape(8, wave)
        scalars = draw.integers(0, 2**32, 128, dtype=np.uint32)
        # A number among those of the lanes, whose low half is a mask of some of them.
        scalars[4:6] = numbers[0, 0]
        active = int(draw.integers(0, 2**63)) | 1
        for way in ways:
            way.vectors[:8], way.scalars[:] = vectors, scalars
            way.run(line, active)
        assert np.array_equal(ways[0].scalars, ways[1].scalars), line
        assert np.array_equal(ways[0].vectors, ways[1].vectors), line


def test_what_no_form_can_write_is_told_and_leaves_nothing() -> None:
    # No assembler writes the high half of a scalar register, but words can have it.
    plain = decoded("gfx1201", 32, "v_sin_f16_e64 v1, s4")
    instruction = msgspec.structs.replace(plain, modifiers={**plain.modifiers, "op_sel": 1})
    assert takes_turns(instruction)
    module, jit = ir.Module(), shared_jit()
    pattern = Pattern(instruction, codes_of("rdna4"), is_open=False)
    with pytest.raises(Unsupported, match="high half of a scalar register"):
        emit_step(module, jit.machine, runtime_of(jit, 32, soon=True), "step", pattern)
    assert "step" not in module.globals
