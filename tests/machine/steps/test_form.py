"""One function serves instructions that differ in registers, constants and offsets only."""

import pytest

from tests.machine.one_group import Lanes, placed, run
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.compiled.state import VECTORS, WAVE, place
from wavemma.machine.offsets import OpenNumber, signed_offset
from wavemma.machine.steps.form import Form, form_of


def decoded(line: str, target: str = "gfx1100", wave: Lanes = 32) -> DecodedOrdinary:
    found = placed((line,), target, wave)[0].instruction
    assert isinstance(found, DecodedOrdinary)
    return found


def form(line: str, wave: Lanes = 32) -> Form:
    return form_of(decoded(line, wave=wave), 0, is_open=True)


SAME = [
    ("v_add_nc_u32 v1, v2, v3", "v_add_nc_u32 v9, v9, v200"),
    ("v_add_nc_u32 v1, 5, v3", "v_add_nc_u32 v1, -16, v3"),
    ("v_add_nc_u32 v1, 0x12345, v3", "v_add_nc_u32 v1, -16, v3"),
    ("v_mul_f32 v1, s4, v3", "v_mul_f32 v7, s99, v0"),
    ("s_add_u32 s1, s2, s3", "s_add_u32 s99, s2, s3"),
    ("global_load_b32 v1, v[2:3], off", "global_load_b32 v7, v[8:9], off offset:-4"),
    ("global_load_b32 v1, v2, s[4:5]", "global_load_b32 v1, v2, s[8:9] offset:4095"),
    ("scratch_store_b32 off, v1, off offset:8", "scratch_store_b32 off, v4, off offset:-64"),
    ("ds_load_b32 v1, v2", "ds_load_b32 v1, v2 offset:65532"),
    ("s_load_b64 s[2:3], s[4:5], 0x10", "s_load_b64 s[6:7], s[2:3], -0x8"),
]
OTHER = [
    ("v_add_nc_u32 v1, v2, v3", "v_add_nc_u32 v1, s2, v3"),
    ("v_mul_f32 v1, v2, v3", "v_mul_f32 v1, -v2, v3"),
    ("v_mul_f32 v1, v2, v3", "v_mul_f32 v1, |v2|, v3"),
    ("v_mul_f32 v1, v2, v3", "v_mul_f32 v1, v2, v3 clamp"),
    ("v_mul_f32 v1, 1.0, v3", "v_mul_f32 v1, 2.0, v3"),
    ("v_lshlrev_b64 v[2:3], 1, v[4:5]", "v_lshlrev_b64 v[2:3], 2, v[4:5]"),
    ("s_and_b32 s1, vcc_lo, s3", "s_and_b32 s1, exec_lo, s3"),
    ("ds_load_b32 v1, v2", "ds_load_b64 v[0:1], v2"),
    ("global_load_b32 v1, v[2:3], off", "global_load_b32 v1, v2, s[2:3]"),
    ("v_mov_b32 v1, v2", "v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_function_serves_both(one: str, other: str) -> None:
    assert form(one).key == form(other).key
    assert form(one).arguments != form(other).arguments


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_each_needs_its_own(one: str, other: str) -> None:
    assert form(one).key != form(other).key


def test_waves_of_other_sizes_need_their_own() -> None:
    assert form("v_mov_b32 v1, v2").key != form("v_mov_b32 v1, v2", wave=64).key


def test_arguments_are_places_and_numbers() -> None:
    found = form("v_fma_f32 v1, s7, v3, 0x3dcccccd").arguments
    vectors = [VECTORS + 32 * 4 * number for number in (1, 3)]
    assert found == (vectors[0], place(WAVE, "scalars", 7), vectors[1], 0x3DCCCCCD)
    offset, *_ = form("global_load_b32 v1, v[2:3], off offset:-4").arguments
    assert offset == 2**64 - 4


@pytest.mark.parametrize(
    ("line", "offset"),
    [
        ("global_load_b32 v1, v[2:3], off offset:-4096", -4096),
        ("global_load_b32 v1, v[2:3], off offset:4095", 4095),
        ("ds_load_b32 v1, v2 offset:65535", 65535),
        ("s_load_b64 s[2:3], s[4:5], -0x100000", -0x100000),
        ("s_load_b64 s[2:3], s[4:5], 0xfffff", 0xFFFFF),
        ("v_mov_b32 v1, v2", 0),
    ],
)
def test_offsets_have_a_sign_where_the_field_has(line: str, offset: int) -> None:
    assert signed_offset(decoded(line)) == offset


def test_a_literal_that_an_instruction_reads_by_itself_is_its_own() -> None:
    # Bits of the mode that say which exceptions are reported: any number may be written there.
    values = (5, 9, 2)
    lines = [f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 4), {value}" for value in values]
    for count, value in enumerate(values, 1):
        mode = int(run(lines[:count]).records[0]["mode"])
        assert mode >> 12 & 15 == value


def test_an_open_number_is_no_number_to_compute_with() -> None:
    number = OpenNumber(3)
    for use in (
        lambda: number + 1,
        lambda: 1 + number,
        lambda: number >> 2,
        lambda: number & 3,
        lambda: number > 2,
        lambda: bool(number),
        lambda: number == 3,
    ):
        with pytest.raises(Unsupported):
            use()
