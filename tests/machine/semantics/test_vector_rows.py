"""Every row of vector arithmetic against the ISA documents' definitions, on both engines.

Instructions are drawn with all their modifiers (signs, halves, clamp) and operands of all kinds,
run on a wave of arrays, and compared lane by lane with plain Python numbers; compiled code must
then leave the same registers.
"""

import re
from typing import Any

import numpy as np
import pytest

from tests.engines.levels import HIGHEST, JITS
from tests.machine.semantics import (
    division_oracle,
    dot_oracle,
    float_oracle,
    function_oracle,
    mixed_oracle,
)
from tests.machine.semantics.compiled_wave import run_compiled
from tests.machine.semantics.drawing import Drawer, rows_with_meaning
from tests.machine.semantics.lanes_of_rows import results, wanted
from tests.machine.semantics.wave_state import State, run_on_arrays
from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary, ordinary_text
from wavemma.machine.codes import codes_of
from wavemma.machine.perform import perform
from wavemma.machine.wave import WaveState
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

ORACLES = (dot_oracle, division_oracle, float_oracle, function_oracle, mixed_oracle)
ELSEWHERE = re.compile(r"v_nop|v_pipeflush|v_rsq_f64")
"""What does nothing, and what is no correctly rounded function: see `test_functions`."""
DRAWS = 3


class Program:
    """Instructions with the active lanes of each, and where its masks are kept for the end."""

    def __init__(self, architecture: str, size: Wave, seed: int) -> None:
        self.state = State(size)
        self.codes = codes_of(architecture)
        self.drawer = Drawer(architecture, seed, self.state)
        self.steps: list[tuple[DecodedOrdinary, int, int]] = []
        random = self.drawer.random
        self.state.set_mask(self.codes.vcc, random.getrandbits(size))

    def add(self, row: OrdinaryRow) -> None:
        """Draw one more instruction, of those that are not refused."""
        random, size = self.drawer.random, self.state.size
        active = random.choice([(1 << size) - 1, random.getrandbits(size)])
        kept = self.drawer.scalars(4)
        vector, scalar = self.drawer.vector, self.drawer.scalar
        for _ in range(50):
            self.drawer.vector, self.drawer.scalar = vector, scalar
            self.steps.append((self.drawer.draw(row), active, kept))
            try:
                run_on_arrays(self.state.copy(), self.codes, lambda wave: self.run(wave, -1))
            except Unsupported:
                self.steps.pop()
            else:
                return
        raise AssertionError(f"no form of {row.name} is supported")

    def run(self, wave: WaveState[Any], number: int) -> None:
        """Do one instruction with its own active lanes, and keep the masks."""
        decoded, active, kept = self.steps[number]
        e, size = wave.scalars, self.state.size
        lane = Lane.I32 if size == 32 else Lane.I64
        wave.set_mask(self.codes.exec, e.constant(lane, active))
        perform(wave, decoded)
        wave.set_mask(kept, wave.mask(self.codes.exec))
        wave.set_mask(kept + 2, wave.mask(self.codes.vcc))


def check(program: Program, key: str) -> None:
    start = program.state.copy()
    for number, (decoded, active, _) in enumerate(program.steps):
        before = program.state.copy()
        before.set_mask(program.codes.exec, active)
        run_on_arrays(program.state, program.codes, lambda wave, n=number: program.run(wave, n))
        compare(decoded, before, program.state, active)
    compiled = run_compiled(JITS[HIGHEST], key, program, start)
    equal(program, compiled)


def compare(decoded: DecodedOrdinary, before: State, after: State, active: int) -> None:
    text = ordinary_text(decoded)
    for lane in range(before.size):
        want = wanted(decoded, before, lane)
        got = results(decoded, after, lane, want)
        if active >> lane & 1:
            assert got == want, (
                text,
                lane,
                hexes(got),
                hexes(want),
                sources(decoded, before, lane),
            )
            continue
        if "vgpr" in [each.kind for role, each in decoded.operands.items() if role == "d"]:
            first = decoded.operands["d"].first
            assert after.vectors[first, lane] == before.vectors[first, lane], text
        if isinstance(want, tuple):
            assert isinstance(got, tuple)
            assert got[1] == 0, text


def hexes(x: object) -> object:
    return (
        hex(x)
        if isinstance(x, int)
        else [hexes(y) for y in x]
        if isinstance(x, list | tuple)
        else x
    )


def sources(decoded: DecodedOrdinary, state: State, lane: int) -> dict[str, str]:
    return {
        role: " ".join(f"{state.vectors[each.first + n, lane]:08x}" for n in range(each.count))
        for role, each in decoded.operands.items()
        if each.kind == "vgpr"
    }


def equal(program: Program, compiled: State) -> None:
    """Compare all registers, results of floats as numbers."""
    for decoded, active, _ in program.steps:
        for lane in range(compiled.size):
            if not active >> lane & 1 or "d" not in decoded.operands:
                continue
            shape = [0, 0] if decoded.instruction.row.packed else 0
            ours, theirs = (results(decoded, s, lane, shape) for s in (program.state, compiled))
            assert ours == theirs, (ordinary_text(decoded), lane, hexes(ours), hexes(theirs))
        for state in (program.state, compiled):
            operand = decoded.operands.get("d")
            if operand is not None and operand.kind == "vgpr":
                state.vectors[operand.first : operand.first + operand.count] = 0
    assert np.array_equal(program.state.vectors, compiled.vectors)
    assert np.array_equal(program.state.scalars, compiled.scalars)


def groups(architecture: str) -> dict[str, list[OrdinaryRow]]:
    found: dict[str, list[OrdinaryRow]] = {}
    for row in rows_with_meaning(architecture):
        if not ELSEWHERE.fullmatch(row.name) and not row.encoding.startswith("VOPD"):
            found.setdefault(row.meaning, []).append(row)
    return found


def programs(architecture: str, size: Wave, rows: list[OrdinaryRow], seed: int) -> list[Program]:
    found = [Program(architecture, size, seed)]
    for row in rows:
        for draw in range(DRAWS):
            if found[-1].drawer.is_full:
                found.append(Program(architecture, size, seed + 1000 * len(found) + draw))
            found[-1].add(row)
    return found


RDNA3 = groups("rdna3")


@pytest.mark.parametrize("meaning", RDNA3)
def test_meaning(meaning: str) -> None:
    for number, program in enumerate(programs("rdna3", 32, RDNA3[meaning], len(meaning))):
        check(program, f"{meaning} {number}")
