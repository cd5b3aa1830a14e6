"""Random programs: compiled code leaves what NumPy arrays leave, bit for bit; NaN as a class."""

from functools import cache

import numpy as np
import pytest

from tests.machine.random_code.drawer import CLASSES, Program, rows
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
    ("gfx1100", 32), ("gfx1100", 64), ("gfx1150", 32), ("gfx1201", 32), ("gfx1201", 64)
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


def quiet(words: np.ndarray, kind: str) -> np.ndarray:
    """Give every NaN of a type the same bits."""
    layout = {"f16": "<u2", "f32": "<u4", "f64": "<u8"}[kind]
    found = np.ascontiguousarray(words).view(layout)
    infinity = {"f16": 0x7C00, "f32": 0x7F800000, "f64": 0x7FF << 52}[kind]
    size = found & ((1 << 8 * found.itemsize - 1) - 1)
    return np.where(size > infinity, infinity + 1, found)


def comparable(found: np.ndarray, wave: Wave, kind: str) -> list[np.ndarray]:
    lanes, begun = REGISTER_BYTES // 4, found[: RESULTS // 4]
    found = stored(found)
    vectors = registers(found, wave)
    first = VECTORS * lanes
    scalars = found[first : first + SCALARS]
    rest = found[first + SCALARS : first + SCALARS + KEPT_SCALARS]
    lds = found[first + lanes : first + lanes + LDS_BYTES // 4]
    if kind not in ("f16", "f32", "f64"):
        return [vectors, scalars, rest, lds, begun]
    if kind == "f64":
        # v2 and v3 hold one number, and so on; v1 and v24 hold none.
        pairs = np.stack([vectors[1:-1:2], vectors[2::2]], axis=-1)
        return [quiet(pairs, kind), quiet(scalars, kind), rest]
    return [quiet(vectors, kind), quiet(scalars, kind), rest]


def check(name: str, wave: Wave, kind: str, code: bytes, seed: int) -> int:
    """Run both ways, compare, and count the registers that the program changed."""
    state = state_of(seed)
    ways = [results(name, wave, code, state, interpreted=each) for each in (False, True)]
    for place, (ours, theirs) in enumerate(
        zip(*(comparable(each, wave, kind) for each in ways), strict=True)
    ):
        if not np.array_equal(ours, theirs):
            text = "\n".join(text_any(each) for _, each in sweep_any(code, name, wave))
            raise AssertionError(f"{name} {wave} {kind} {seed}: part {place} differs\n{text}")
    before = registers(state, wave)
    return int((registers(stored(ways[0]), wave) != before).any(axis=1).sum())


def straight(name: str, wave: Wave, kind: str, seed: int, count: int) -> int:
    program = Program(target(name).architecture, wave, kind, seed)
    return check(name, wave, kind, program.straight(count), seed)


def structured(name: str, wave: Wave, kind: str, seed: int) -> int:
    program = Program(target(name).architecture, wave, kind, seed)
    return check(name, wave, kind, program.structured(), seed)


SAMPLE: list[tuple[str, str, Wave, int]] = [
    ("integers", "gfx1100", 32, 25),
    ("scalars", "gfx1201", 64, 20),
    ("memory", "gfx1201", 64, 15),
    ("lanes", "gfx1100", 32, 12),
    ("f16", "gfx1201", 64, 3),
    ("f32", "gfx1100", 32, 12),
    ("f64", "gfx1100", 32, 12),
]


@pytest.mark.parametrize(("kind", "name", "wave", "count"), SAMPLE)
def test_straight_lines(kind: str, name: str, wave: Wave, count: int) -> None:
    changed = straight(name, wave, kind, 1, count)
    assert changed or kind in ("scalars", "f64")


def test_branches_and_loops() -> None:
    assert structured("gfx1100", 32, "memory", 7) > 3


def test_classes_hold_most_rows() -> None:
    """Of rows that compute without state, all but floats of mixed types are drawn."""
    least = {
        "integers": 450, "scalars": 130, "memory": 95, "lanes": 8, "f16": 110, "f32": 120, "f64": 85
    }  # fmt: skip
    for architecture in ("rdna3", "rdna3.5", "rdna4"):
        counts = {kind: len(rows(architecture, kind)) for kind in CLASSES}
        assert set(counts) == set(least)
        assert all(counts[kind] >= least[kind] for kind in least), counts


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "wave"), PLACES)
@pytest.mark.parametrize("kind", CLASSES)
def test_many_straight_lines(name: str, wave: Wave, kind: str) -> None:
    for seed in range(100, 160):
        straight(name, wave, kind, seed, LONG)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "wave"), PLACES)
@pytest.mark.parametrize("kind", ["integers", "scalars", "memory", "f32"])
def test_many_branches_and_loops(name: str, wave: Wave, kind: str) -> None:
    for seed in range(100, 160):
        structured(name, wave, kind, seed)
