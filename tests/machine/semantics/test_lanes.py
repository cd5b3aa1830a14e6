"""Numbers of other lanes, and registers counted from M0, on both engines."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.machine.one_group import MODE, REGISTERS, Ended, Lanes, on_arrays, run
from wavemma.machine.compiled.state import Fault

RUNS: list[Callable[..., Ended]] = [run, on_arrays]
MASKS = {
    32: (0xFFFFFFFF, 0, 1 << 31, 0x0F0F3A51),
    64: ((1 << 64) - 1, 0, 1 << 45, 0x8001F00F3A510F30),
}
TARGETS = ("gfx1100", "gfx1201")


def vectors(wave: int, seed: int = 1) -> np.ndarray:
    shape = (REGISTERS, wave)
    return np.random.default_rng(seed).integers(0, 1 << 32, shape, dtype=np.uint32)


def is_active(mask: int, lane: int) -> bool:
    return bool(mask >> lane & 1)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("place", range(4))
def test_one_lane(engine: Callable[..., Ended], wave: Lanes, place: int) -> None:
    mask, v = MASKS[wave][place], vectors(wave)
    lines = [
        "v_readfirstlane_b32 s1, v3",
        "v_readlane_b32 s2, v4, s10",
        "v_readlane_b32 s3, v4, 7",
        "v_writelane_b32 v5, s11, s10",
        "v_writelane_b32 v6, -3, 5",
        "v_readlane_b32 vcc_lo, v4, 9",
    ]
    # A lane number has no more bits than it needs.
    got = engine(lines, wave=wave, active=mask, vectors=v, scalars={10: 0xABCDE5 + 32, 11: 77})
    lane = (0xABCDE5 + 32) % wave
    first = next((n for n in range(wave) if is_active(mask, n)), 0)
    assert [got.scalars[0][at] for at in (1, 2, 3, 106)] == [
        v[3, first],
        v[4, lane],
        v[4, 7],
        v[4, 9],
    ]
    v[5, lane], v[6, 5] = 77, 0xFFFFFFFD
    assert np.array_equal(got.vectors[0], v)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("place", range(4))
def test_counts_of_lanes_below(engine: Callable[..., Ended], wave: Lanes, place: int) -> None:
    mask, v = MASKS[wave][place], vectors(wave)
    lines = ["v_mbcnt_lo_u32_b32 v1, s10, v4", "v_mbcnt_hi_u32_b32 v2, v5, 3"]
    got = engine(lines, wave=wave, active=mask, vectors=v, scalars={10: 0x80F0_1235})
    want = v.copy()
    for lane in range(wave):
        if is_active(mask, lane):
            low = sum(0x80F0_1235 >> n & 1 for n in range(min(lane, 32)))
            high = sum(int(v[5, lane]) >> n & 1 for n in range(max(lane - 32, 0)))
            want[1, lane] = (int(v[4, lane]) + low) & 0xFFFFFFFF
            want[2, lane] = 3 + high
    assert np.array_equal(got.vectors[0], want)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("choices", range(4))
@pytest.mark.parametrize("target", TARGETS)
def test_rows(
    engine: Callable[..., Ended], wave: Lanes, place: int, choices: int, target: str
) -> None:
    mask, v = MASKS[wave][place], vectors(wave)
    low, high = 0x3FA0_17C2, 0x9E5D_B468
    select = f" op_sel:[{choices & 1},{choices >> 1}]" if choices else ""
    lines = [
        f"v_permlane16_b32 v1, v10, s10, s11{select}",
        f"v_permlanex16_b32 v2, v11, s10, s11{select}",
        f"v_permlane16_b32 v3, v12, -2, 1{select}",
    ]
    if target == "gfx1201":
        lines += [f"v_permlane16_var_b32 v4, v13, v14{select}"]
        lines += [f"v_permlanex16_var_b32 v5, v13, v14{select}"]
    scalars = {10: low, 11: high}
    got = engine(lines, target_name=target, wave=wave, active=mask, vectors=v, scalars=scalars)
    want = v.copy()
    listed, constants = high << 32 | low, 1 << 32 | 0xFFFFFFFE
    for lane in range(wave):
        row, at = lane // 16 * 16, lane % 16
        sources = {
            1: (10, row + (listed >> 4 * at & 15)),
            2: (11, row + (listed >> 4 * at & 15) ^ 16),
            3: (12, row + (constants >> 4 * at & 15)),
        }
        if target == "gfx1201":
            sources |= {4: (13, row + v[14, lane] % 16), 5: (13, row + v[14, lane] % 16 ^ 16)}
        for result, (register, source) in sources.items():
            if not is_active(mask, lane):
                continue
            if is_active(mask, int(source)) or choices & 1:
                want[result, lane] = v[register, source]
            elif choices & 2:
                want[result, lane] = 0
    assert np.array_equal(got.vectors[0], want)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("place", range(4))
def test_exchanges(engine: Callable[..., Ended], wave: Lanes, place: int) -> None:
    mask, v = MASKS[wave][place], vectors(wave)
    lines = ["v_permlane64_b32 v1, v10", "v_swap_b32 v2, v3", "v_swap_b32 v4, v4"]
    got = engine(lines, wave=wave, active=mask, vectors=v)
    want = v.copy()
    for lane in range(wave):
        if is_active(mask, lane):
            if wave == 64:
                want[1, lane] = v[10, lane ^ 32]
            want[2, lane], want[3, lane] = v[3, lane], v[2, lane]
    assert np.array_equal(got.vectors[0], want)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("m0", [0, 5, 9 << 16 | 4, 0xFFFFFFFF, 300, 0x03FF_0001])
def test_registers_counted_from_m0(engine: Callable[..., Ended], wave: Lanes, m0: int) -> None:
    mask = MASKS[wave][3]
    lines = [
        "v_movrels_b32 v1, v20",
        "v_movreld_b32 v21, v10",
        "v_movrelsd_b32 v30, v40",
        "v_movrelsd_2_b32 v31, v41",
        "v_swaprel_b32 v32, v42",
    ]
    for line in lines:
        v = vectors(wave)
        got = engine([line], wave=wave, active=mask, vectors=v, scalars={125: m0})
        lanes = [lane for lane in range(wave) if is_active(mask, lane)]
        want = v.copy()
        name = line.split()[0]
        result, source = (int(word.strip("v,")) for word in line.split()[1:])
        apart = name in ("v_movrelsd_2_b32", "v_swaprel_b32")
        to = result + (m0 >> 16 & 1023 if apart else m0) & 0xFFFFFFFF
        at = source + (m0 & 1023 if apart else m0) & 0xFFFFFFFF
        to, at = (result if "rels_" in name else to), (source if "reld_" in name else at)
        read = v[at if at < REGISTERS else 0]
        old = v[to if to < REGISTERS else 0]
        if to < REGISTERS:
            want[to, lanes] = read[lanes]
        if "swap" in name and at < REGISTERS:
            want[at, lanes] = old[lanes]
        assert np.array_equal(got.vectors[0], want), (line, m0)


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("m0", [0, 4, 6 << 16 | 2, 0xFFFFFFFF, 200])
def test_scalar_registers_counted_from_m0(engine: Callable[..., Ended], m0: int) -> None:
    start = {at: 1000 + at for at in range(108)} | {125: m0}
    for line in (
        "s_movrels_b32 s1, s20",
        "s_movreld_b32 s21, s10",
        "s_movrels_b64 s[2:3], s[20:21]",
        "s_movreld_b64 s[22:23], s[10:11]",
        "s_movrelsd_2_b32 s30, s40",
    ):
        got = engine([line], scalars=start)
        want = {at: 1000 + at for at in range(108)}
        apart = "relsd" in line
        result, source = (int(word.strip("s,[]").split(":")[0]) for word in line.split()[1:])
        to = result + (0 if "rels_" in line else m0 >> 16 & 1023 if apart else m0)
        at = source + (0 if "reld_" in line else m0 & 1023 if apart else m0)
        for word in range(2 if "b64" in line else 1):
            place, other = to + word & 0xFFFFFFFF, at + word & 0xFFFFFFFF
            if place < 108:
                want[place] = 1000 + other if other < 108 else 1000
        assert list(got.scalars[0][:108]) == [want[at] for at in range(108)], (line, m0)


@pytest.mark.parametrize("engine", RUNS)
def test_halves_are_exchanged(engine: Callable[..., Ended]) -> None:
    mask, v = MASKS[32][3], vectors(32)
    lines = ["v_swap_b16 v1.l, v2.h", "v_swap_b16 v3.l, v3.h"]
    got = engine(lines, active=mask, vectors=v)
    want = v.copy()
    for lane in range(32):
        if is_active(mask, lane):
            first, second, both = (int(v[at, lane]) for at in (1, 2, 3))
            want[1, lane] = first & 0xFFFF0000 | second >> 16
            want[2, lane] = first << 16 & 0xFFFF0000 | second & 0xFFFF
            want[3, lane] = both << 16 & 0xFFFF0000 | both >> 16
    assert np.array_equal(got.vectors[0], want)


@pytest.mark.parametrize("engine", RUNS)
def test_registers_counted_from_m0_of_other_lanes(engine: Callable[..., Ended]) -> None:
    how = "row_shr:1 row_mask:0xf bank_mask:0xf"
    lines = [f"v_movrels_b32_dpp v1, v20 {how}", f"v_movreld_b32_dpp v30, v10 {how}"]
    for mask in MASKS[32]:
        v = vectors(32)
        got = engine(lines, active=mask, vectors=v, scalars={125: 3})
        want = v.copy()
        for lane in range(32):
            if is_active(mask, lane) and lane % 16 and is_active(mask, lane - 1):
                want[1, lane], want[33, lane] = v[23, lane - 1], v[10, lane - 1]
        assert np.array_equal(got.vectors[0], want), hex(mask)


INDEXED = [
    "s_set_gpr_idx_on s4, gpr_idx(SRC0)",
    "v_mov_b32 v1, v20",
    "v_mov_b32 v2, s6",
    "s_set_gpr_idx_mode gpr_idx(DST)",
    "v_mov_b32 v9, v20",
    "s_set_gpr_idx_mode gpr_idx(SRC0,DST)",
    "s_set_gpr_idx_idx s5",
    "v_mov_b32 v10, v21",
    "s_set_gpr_idx_off",
    "v_mov_b32 v3, v22",
]


@pytest.mark.parametrize("engine", RUNS)
def test_registers_counted_from_m0_between_instructions(engine: Callable[..., Ended]) -> None:
    # More moves than a block has in between: none ends where registers count.
    filler = ["v_mov_b32 v5, s6"] * 150
    lines = [INDEXED[0], *filler, *INDEXED[1:]]
    for mask in MASKS[64]:
        v = vectors(64)
        scalars = {4: 0xF03, 5: 1, 6: 77, 124: 0xABCDEF99}
        got = engine(lines, target_name="gfx942", wave=64, active=mask, vectors=v, scalars=scalars)
        want, active = v.copy(), [lane for lane in range(64) if is_active(mask, lane)]
        want[1, active] = v[23, active]
        want[2, active] = want[5, active] = 77
        want[12, active] = v[20, active]
        want[11, active] = v[22, active]
        want[3, active] = v[22, active]
        assert np.array_equal(got.vectors[0], want), hex(mask)
        # The choice stands in bits 12 to 15, the number below; the others stay.
        assert got.scalars[0][124] == 0xABCD9F01
        assert got.records[0]["mode"] == MODE


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("line", ["v_add_u32 v1, v2, v3", "v_mov_b64 v[2:3], v[4:5]"])
def test_only_moves_of_words_count_from_m0(engine: Callable[..., Ended], line: str) -> None:
    lines = ["s_set_gpr_idx_on s4, gpr_idx(SRC0)", line, "s_set_gpr_idx_off"]
    assert engine(lines, target_name="gfx942", wave=64).fault is Fault.UNSUPPORTED
