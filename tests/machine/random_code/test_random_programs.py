"""Random programs: compiled code leaves what NumPy arrays leave, bit for bit; NaN as a class."""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from tests.machine.random_code.classes import ARCHITECTURES, CLASSES, all_rows, rows
from tests.machine.random_code.drawer import Program
from tests.machine.random_code.template import (
    KEPT_SCALARS,
    LDS_BYTES,
    REGISTER_BYTES,
    RESULTS,
    SCALARS,
    STATE_BYTES,
    VECTORS,
    filled,
)
from tests.machine.semantics.drawing import DOUBLES, WORDS
from wavemma.isa.ordinary import sweep_any, text_any
from wavemma.machine.device import Device
from wavemma.tables.targets import Wave, target

PLACES: list[tuple[str, Wave]] = [
    ("gfx1100", 32), ("gfx1100", 64), ("gfx1150", 32), ("gfx1201", 32), ("gfx1201", 64),
    ("gfx908", 64), ("gfx90a", 64), ("gfx942", 64), ("gfx950", 64), ("gfx1250", 32),
]  # fmt: skip
LONG = 110


@cache
def device(name: str) -> Device:
    return Device(name, threads=1)


def state_of(seed: int) -> np.ndarray:
    """Registers and masks to begin with: numbers that matter, or any."""
    generator = np.random.default_rng(seed)
    found = generator.integers(0, 2**32, STATE_BYTES // 4, dtype=np.uint32)
    some = generator.random(found.size) < 0.4
    found[some] = generator.choice(np.array(WORDS, dtype=np.uint32), some.sum())
    if seed % 2:
        # Pairs of registers that hold doubles that matter.
        doubles = np.array(DOUBLES, dtype=np.uint64)
        lanes = REGISTER_BYTES // 4
        for number in range(2, VECTORS, 4):
            drawn = generator.choice(doubles, lanes)
            found[(number - 1) * lanes : number * lanes] = drawn & np.uint64(0xFFFFFFFF)
            found[number * lanes : (number + 1) * lanes] = drawn >> np.uint64(32)
    return found


def results(
    name: str, wave: Wave, code: bytes, state: np.ndarray, *, interpreted: bool
) -> np.ndarray:
    """Run a program and give the memory it leaves: as it began, registers, scalars, LDS."""
    one = device(name)
    module = one.load(filled(name, wave, code))
    place = one.memory.allocate(STATE_BYTES, "state")
    assert place % 1024 == 0
    try:
        view = one.memory.array(place, np.uint32, (STATE_BYTES // 4,))
        view[:] = state
        one.launch(module, "k", 1, wave, [place], seconds=120, interpreted=interpreted)
        return view.copy()
    finally:
        module.unload()
        one.memory.free(place)


def registers(found: np.ndarray, wave: Wave) -> np.ndarray:
    lanes = REGISTER_BYTES // 4
    return found[: VECTORS * lanes].reshape(VECTORS, lanes)[:, :wave]


def stored(found: np.ndarray) -> np.ndarray:
    return found[RESULTS // 4 :]


LAYOUTS = {"f16": ("<u2", 0x7C00), "bf16": ("<u2", 0x7F80), "f32": ("<u4", 0x7F800000)}
LAYOUTS["f64"] = ("<u8", 0x7FF << 52)
"""How numbers of a type lie in memory, and which one is infinite."""


def quiet(words: np.ndarray, kind: str) -> np.ndarray:
    """Give every NaN of a type the same bits."""
    layout, infinity = LAYOUTS[kind]
    found = np.ascontiguousarray(words).view(layout)
    size = found & ((1 << 8 * found.itemsize - 1) - 1)
    return np.where(size > infinity, infinity + 1, found)


Results = Sequence[tuple[int, int, str]]


def quiet_results(vectors: np.ndarray, results: Results) -> np.ndarray:
    """Give NaN the same bits in registers that nothing but a result of some type lies in."""
    vectors = vectors.copy()
    for first, count, kind in results:
        kinds = [each for each in ("f64", "bf16", "f16") if each in kind]
        words = vectors[first - 1 : first - 1 + count]
        if kinds[:1] == ["f64"]:
            words[:] = quiet(words.T, "f64").view("<u4").reshape(-1, 2).T
        else:
            words[:] = quiet(words, kinds[0] if kinds else "f32").view("<u4").reshape(words.shape)
    return vectors


def comparable(found: np.ndarray, wave: Wave, kind: str, results: Results) -> list[np.ndarray]:
    lanes, begun = REGISTER_BYTES // 4, found[: RESULTS // 4]
    found = stored(found)
    vectors = registers(found, wave)
    first = VECTORS * lanes
    scalars = found[first : first + SCALARS]
    rest = found[first + SCALARS : first + SCALARS + KEPT_SCALARS]
    lds = found[first + lanes : first + lanes + LDS_BYTES // 4]
    number = kind.rpartition("_")[2]
    if kind == "apart":
        # Scalar results of this class are f32, masks, or integers.
        return [quiet_results(vectors, results), quiet(scalars, "f32"), rest]
    if number not in LAYOUTS:
        return [vectors, scalars, rest, lds, begun]
    places = [quiet(lds, number), quiet(begun, number)] if kind != number else []
    if number == "f64":
        # v2 and v3 hold one number, and so on; v1 and v24 hold none.
        pairs = np.stack([vectors[1:-1:2], vectors[2::2]], axis=-1)
        return [quiet(pairs, number), quiet(scalars, number), rest, *places]
    return [quiet(vectors, number), quiet(scalars, number), rest, *places]


def check(name: str, wave: Wave, kind: str, program: Program, code: bytes, seed: int) -> int:
    """Run both ways, compare, and count the registers that the program changed."""
    state = state_of(seed)
    ways = [results(name, wave, code, state, interpreted=each) for each in (False, True)]
    for place, (ours, theirs) in enumerate(
        zip(*(comparable(each, wave, kind, program.results) for each in ways), strict=True)
    ):
        if not np.array_equal(ours, theirs):
            text = "\n".join(text_any(each) for _, each in sweep_any(code, name, wave))
            raise AssertionError(f"{name} {wave} {kind} {seed}: part {place} differs\n{text}")
    before = registers(state, wave)
    return int((registers(stored(ways[0]), wave) != before).any(axis=1).sum())


def straight(name: str, wave: Wave, kind: str, seed: int, count: int) -> int:
    program = Program(target(name).architecture, wave, kind, seed)
    return check(name, wave, kind, program, program.straight(count), seed)


def structured(name: str, wave: Wave, kind: str, seed: int) -> int:
    program = Program(target(name).architecture, wave, kind, seed)
    return check(name, wave, kind, program, program.structured(), seed)


SAMPLE: list[tuple[str, str, Wave, int]] = [
    ("integers", "gfx1100", 32, 25),
    ("scalars", "gfx1201", 64, 20),
    ("memory", "gfx1201", 64, 15),
    ("lanes", "gfx1100", 32, 12),
    ("f16", "gfx1201", 64, 3),
    ("f32", "gfx1100", 32, 12),
    ("f64", "gfx1100", 32, 12),
    ("apart", "gfx942", 64, 15),
    ("apart", "gfx950", 64, 15),
    ("memory", "gfx90a", 64, 15),
    ("memory_f64", "gfx942", 64, 8),
    ("memory_bf16", "gfx1201", 32, 6),
    ("by_m0", "gfx1100", 32, 10),
    ("hints", "gfx942", 64, 10),
    ("integers", "gfx1250", 32, 20),
    ("memory", "gfx1250", 32, 12),
]


@pytest.mark.parametrize(("kind", "name", "wave", "count"), SAMPLE)
def test_straight_lines(kind: str, name: str, wave: Wave, count: int) -> None:
    changed = straight(name, wave, kind, 1, count)
    assert changed or kind in ("scalars", "f64", "hints")


def test_branches_and_loops() -> None:
    assert structured("gfx1100", 32, "memory", 7) > 3


LEAST = {
    "integers": 450, "scalars": 125, "memory": 270, "lanes": 6, "f16": 110, "f32": 120, "f64": 85,
    "apart": 85, "memory_f32": 10, "memory_f64": 4, "memory_f16": 0, "memory_bf16": 0, "by_m0": 5,
    "hints": 30,
}  # fmt: skip
ELSEWHERE = re.compile(
    # Branches are in structured programs; barriers, messages, clocks, modes and ends have tests of
    # their own.
    r"s_cbranch_.*|s_(get_)?barrier.*|s_(sendmsg.*|sethalt|trap)|s_mem(real)?time|s_get_?pc_[bi]64"
    r"|s_get_shader_cycles_u64"
    r"|s_(get|set)reg_.*|s_(round|denorm)_mode|s_set_gpr_idx_.*"
)


def test_every_row_is_in_a_class() -> None:
    """What runs is drawn, but for a few rows that are named above."""
    for architecture in ARCHITECTURES:
        counts = {kind: len(rows(architecture, kind)) for kind in CLASSES}
        assert set(counts) == set(LEAST)
        assert all(counts[kind] >= LEAST[kind] for kind in LEAST), (architecture, counts)
        drawn = {(row.name, row.encoding) for kind in CLASSES for row in rows(architecture, kind)}
        left = {row.name for row in all_rows(architecture) if (row.name, row.encoding) not in drawn}
        assert not [name for name in left if not ELSEWHERE.fullmatch(name)], architecture
    assert len(rows("rdna4", "memory_bf16")) == 5
    assert len(rows("cdna3", "memory_f16")) == 5


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "wave"), PLACES)
@pytest.mark.parametrize("kind", CLASSES)
def test_many_straight_lines(name: str, wave: Wave, kind: str) -> None:
    if not rows(target(name).architecture, kind):
        return
    for seed in range(100, 160):
        straight(name, wave, kind, seed, LONG)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "wave"), PLACES)
@pytest.mark.parametrize("kind", ["integers", "scalars", "memory", "f32"])
def test_many_branches_and_loops(name: str, wave: Wave, kind: str) -> None:
    for seed in range(100, 160):
        structured(name, wave, kind, seed)
