"""Programs of drawn instructions: run on arrays lane by lane as expected, then as compiled code."""

from typing import Any

import numpy as np

from tests.engines.levels import HIGHEST, JITS
from tests.machine.semantics import (
    bits_oracle,
    conversion_oracle,
    division_oracle,
    dot_oracle,
    float_oracle,
    function_oracle,
    mixed_oracle,
    scaled_oracle,
    wide_oracle,
)
from tests.machine.semantics.compiled_wave import run_compiled
from tests.machine.semantics.drawing import Drawer
from tests.machine.semantics.lanes_of_rows import results, wanted
from tests.machine.semantics.other_lanes_oracle import is_written
from tests.machine.semantics.step_wave import run_in_steps
from tests.machine.semantics.wave_state import State, run_on_arrays
from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary, ordinary_text
from wavemma.machine.codes import codes_of
from wavemma.machine.perform import perform
from wavemma.machine.steps.turns import takes_turns
from wavemma.machine.wave import WaveState
from wavemma.tables.ordinary import OrdinaryRow
from wavemma.tables.targets import Wave

ORACLES = (
    bits_oracle,
    conversion_oracle,
    dot_oracle,
    division_oracle,
    float_oracle,
    function_oracle,
    mixed_oracle,
    scaled_oracle,
    wide_oracle,
)
"""The modules that enter what is expected."""


def halves_of(decoded: DecodedOrdinary) -> list[DecodedOrdinary]:
    """Give the instruction, and the other half of a dual one."""
    return [decoded, decoded.second] if decoded.second else [decoded]


class Program:
    """Instructions with the active lanes of each, and where its masks are kept for the end."""

    def __init__(self, architecture: str, size: Wave, seed: int) -> None:
        self.state = State(size)
        self.codes = codes_of(architecture)
        self.drawer = Drawer(architecture, seed, self.state)
        self.steps: list[tuple[DecodedOrdinary, int, int]] = []
        random = self.drawer.random
        self.state.set_mask(self.codes.vcc, random.getrandbits(size))

    def add(self, *rows: OrdinaryRow, extension: str = "") -> None:
        """Draw one more instruction, of those that are not refused."""
        random, size = self.drawer.random, self.state.size
        active = random.choice([(1 << size) - 1, random.getrandbits(size)])
        kept = self.drawer.scalars(4)
        vector, scalar = self.drawer.vector, self.drawer.scalar
        for _ in range(200):
            self.drawer.vector, self.drawer.scalar = vector, scalar
            self.steps.append((self.drawer.draw(*rows, extension=extension), active, kept))
            try:
                run_on_arrays(self.state.copy(), self.codes, lambda wave: self.run(wave, -1))
            except Unsupported:
                self.steps.pop()
            else:
                return
        raise AssertionError(f"no form of {rows[0].name} is supported")

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
        for half in halves_of(decoded):
            compare(half, before, program.state, active)
    jit, wanted_state = JITS[HIGHEST], program.state
    ways = [run_compiled(jit, key, program, start)]
    if any(takes_turns(each) for each, _, _ in program.steps):
        # Steps of short instructions are written as regions are.
        ways.append(run_in_steps(jit, program.codes, program.steps, start))
    for compiled in ways:
        program.state = wanted_state.copy()
        equal(program, compiled)


def compare(decoded: DecodedOrdinary, before: State, after: State, active: int) -> None:
    text = ordinary_text(decoded)
    for lane in range(before.size):
        want = wanted(decoded, before, lane)
        got = results(decoded, after, lane, want)
        if active >> lane & 1 and is_written(decoded, before, lane):
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
        if writes_mask(decoded):
            assert got == 0, (text, lane)


def writes_mask(decoded: DecodedOrdinary) -> bool:
    """Tell whether the result is a bit of a mask: 0 for lanes that are not written."""
    slot = next((each for each in decoded.instruction.slots if each.row.role == "d"), None)
    return slot is None or slot.row.lanes


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
    for whole, active, _ in program.steps:
        for decoded in halves_of(whole):
            _equal_results(decoded, program.state, compiled, active)
    assert np.array_equal(program.state.vectors, compiled.vectors)
    assert np.array_equal(program.state.scalars, compiled.scalars)


def _equal_results(decoded: DecodedOrdinary, ours: State, theirs: State, active: int) -> None:
    """Compare the results of an instruction, then forget the registers that hold them."""
    operand = decoded.operands.get("d")
    if operand is None:
        return
    shape = [0, 0] if decoded.instruction.row.packed else 0
    for lane in range(ours.size):
        if active >> lane & 1:
            got, want = (results(decoded, state, lane, shape) for state in (theirs, ours))
            assert got == want, (ordinary_text(decoded), lane, hexes(got), hexes(want))
    for state in (ours, theirs):
        if operand.kind in ("vgpr", "agpr"):
            state.vectors[operand.first : operand.first + operand.count] = 0
