"""Sources from other lanes (DPP16, DPP8), on both engines, by AMD's description."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.machine.one_group import Ended, Lanes, on_arrays, run
from tests.machine.semantics.test_lanes import MASKS, RUNS, vectors

assert [run, on_arrays] == RUNS


def quad(*order: int) -> Callable[[int], int | None]:
    return lambda lane: lane // 4 * 4 + order[lane % 4]


def inside(lane: int, source: int) -> int | None:
    """Give a source of the same row, or None."""
    return source if lane // 16 == source // 16 and source >= 0 else None


CONTROLS: dict[str, Callable[[int], int | None]] = {
    "quad_perm:[1,0,3,2]": quad(1, 0, 3, 2),
    "quad_perm:[2,2,2,1]": quad(2, 2, 2, 1),
    "row_shl:1": lambda lane: inside(lane, lane + 1),
    "row_shl:15": lambda lane: inside(lane, lane + 15),
    "row_shr:1": lambda lane: inside(lane, lane - 1),
    "row_shr:8": lambda lane: inside(lane, lane - 8),
    "row_ror:1": lambda lane: lane // 16 * 16 + [15, *range(15)][lane % 16],
    "row_ror:12": lambda lane: lane // 16 * 16 + [*range(4, 16), *range(4)][lane % 16],
    "row_mirror": lambda lane: lane // 16 * 16 + 15 - lane % 16,
    "row_half_mirror": lambda lane: lane // 8 * 8 + 7 - lane % 8,
    "row_share:0": lambda lane: lane // 16 * 16,
    "row_share:11": lambda lane: lane // 16 * 16 + 11,
    "row_xmask:3": lambda lane: lane // 16 * 16 + (lane % 16 ^ 3),
    "row_xmask:8": lambda lane: lane // 16 * 16 + (lane % 16 ^ 8),
}
OPTIONS = [
    "row_mask:0xf bank_mask:0xf",
    "row_mask:0xf bank_mask:0xf bound_ctrl:1",
    "row_mask:0xf bank_mask:0xf fi:1",
    "row_mask:0xf bank_mask:0xf bound_ctrl:1 fi:1",
    "row_mask:0x5 bank_mask:0x9",
    "row_mask:0x2 bank_mask:0x6 bound_ctrl:1 fi:1",
]


def option(text: str, word: str) -> int:
    found = [int(part.split(":")[1], 0) for part in text.split() if part.startswith(f"{word}:")]
    return found[0] if found else 0


def moved(
    v: np.ndarray, mask: int, source: Callable[[int], int | None], options: str
) -> tuple[np.ndarray, np.ndarray]:
    """Give what each lane reads from v10, and which lanes are written."""
    wave = v.shape[1]
    values, written = np.zeros(wave, dtype=np.uint32), np.zeros(wave, dtype=bool)
    for lane in range(wave):
        at = source(lane)
        valid = at is not None and (option(options, "fi") or mask >> at & 1)
        if valid:
            values[lane] = v[10, at]
        row = option(options, "row_mask") >> lane // 16 & 1
        bank = option(options, "bank_mask") >> lane % 16 // 4 & 1
        kept = valid or option(options, "bound_ctrl")
        written[lane] = bool(mask >> lane & 1 and row and bank and kept)
    return values, written


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("control", CONTROLS)
def test_rows_of_16(engine: Callable[..., Ended], wave: Lanes, control: str) -> None:
    lines = []
    for number, options in enumerate(OPTIONS):
        how = f"{control} {options}"
        lines += [
            f"v_mov_b32_dpp v{20 + number}, v10 {how}",
            f"v_sub_nc_u32_dpp v{30 + number}, v10, v11 {how}",
            f"v_add3_u32_e64_dpp v{40 + number}, v10, v11, v12 {how}",
        ]
    for mask in MASKS[wave]:
        v = vectors(wave, 5)
        got = engine(lines, wave=wave, active=mask, vectors=v)
        want = v.copy()
        for number, options in enumerate(OPTIONS):
            values, written = moved(v, mask, CONTROLS[control], options)
            results = values, values - v[11], values + v[11] + v[12]
            for first, result in zip((20, 30, 40), results, strict=True):
                want[first + number] = np.where(written, result, v[first + number])
        assert np.array_equal(got.vectors[0], want), (control, hex(mask))


OLDER: dict[str, Callable[[int], int | None]] = {
    "row_newbcast:5": lambda lane: lane // 16 * 16 + 5,
    "row_bcast:15": lambda lane: lane // 16 * 16 - 1 if lane >= 16 else None,
    "row_bcast:31": lambda lane: 31 if lane >= 32 else None,
    "wave_shl:1": lambda lane: lane + 1 if lane < 63 else None,
    "wave_shr:1": lambda lane: lane - 1 if lane else None,
    "wave_rol:1": lambda lane: (lane + 1) % 64,
    "wave_ror:1": lambda lane: (lane - 1) % 64,
}
NEWER = ("row_share", "row_xmask")


@pytest.mark.parametrize("engine", RUNS)
def test_rows_and_waves_of_gfx9(engine: Callable[..., Ended]) -> None:
    known = {name: CONTROLS[name] for name in CONTROLS if not name.startswith(NEWER)} | OLDER
    plain = [options for options in OPTIONS if "fi" not in options]
    for control, source in known.items():
        lines = []
        for number, options in enumerate(plain):
            how = f"{control} {options}"
            lines.append(f"v_mov_b32_dpp v{20 + number}, v10 {how}")
            lines.append(f"v_sub_u32_dpp v{30 + number}, v10, v11 {how}")
        for mask in MASKS[64]:
            v = vectors(64, 5)
            got = engine(lines, target_name="gfx942", wave=64, active=mask, vectors=v)
            want = v.copy()
            for number, options in enumerate(plain):
                values, written = moved(v, mask, source, options)
                for first, result in ((20, values), (30, values - v[11])):
                    want[first + number] = np.where(written, result, v[first + number])
            assert np.array_equal(got.vectors[0], want), (control, hex(mask))


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("wave", [32, 64])
def test_eight_lanes(engine: Callable[..., Ended], wave: Lanes) -> None:
    order = [7, 0, 3, 3, 1, 6, 2, 5]
    text = f"dpp8:[{','.join(map(str, order))}]"
    lines = [f"v_mov_b32_dpp v20, v10 {text}", f"v_mov_b32_dpp v21, v10 {text} fi:1"]
    for mask in MASKS[wave]:
        v = vectors(wave, 6)
        got = engine(lines, wave=wave, active=mask, vectors=v)
        want = v.copy()
        for lane in range(wave):
            at = lane // 8 * 8 + order[lane % 8]
            if mask >> lane & 1:
                want[20, lane] = v[10, at] if mask >> at & 1 else 0
                want[21, lane] = v[10, at]
        assert np.array_equal(got.vectors[0], want), hex(mask)


@pytest.mark.parametrize("engine", RUNS)
def test_signs_halves_and_masks(engine: Callable[..., Ended]) -> None:
    control = "row_shr:1"
    source = CONTROLS[control]
    plain, zeros = OPTIONS[0], OPTIONS[1]
    lines = [
        f"v_add_f32_dpp v20, -|v10|, v11 {control} {zeros}",
        f"v_cmp_lt_u32_e64_dpp s20, v10, v11 {control} {plain}",
        f"v_cmp_lt_u32_e64_dpp s21, v10, v11 {control} {zeros}",
    ]
    for mask in MASKS[32]:
        v = vectors(32, 7)
        v[10], v[11] = np.float32(np.arange(32) * 3 - 40).view("u4"), np.float32(1.5).view("u4")
        v[11, 5:9] = 0x9000_0000
        got = engine(lines, active=mask, vectors=v)
        values, written = moved(v, mask, source, zeros)
        total: Any = -np.abs(values.view("f4")) + v[11].view("f4")
        assert np.array_equal(got.vectors[0][20], np.where(written, total.view("u4"), v[20]))
        for register, options in ((20, plain), (21, zeros)):
            values, written = moved(v, mask, source, options)
            truth = (values < v[11]) & written
            assert got.scalars[0][register] == sum(1 << n for n in range(32) if truth[n])
