"""Many waves of registers under drawn modifiers, whole results against the exact twin.

As a program it prints a line a model: outputs, mismatches, seconds.
"""

import argparse
import functools
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any

import numpy as np

from tests.execute.places import Array, read, write
from tests.execute.register_draws import by_facts
from tests.execute.register_problem import HALF_BITS, Problem, drawn_registers, results
from tests.execute.rule_map import Rule, rule_of
from tests.execute.test_matrix import ROWS
from tests.twin import same
from wavemma.errors import Unsupported
from wavemma.execute import execute
from wavemma.execute.compiled import compiled_instruction
from wavemma.execute.matrix import operands_of, setting_of
from wavemma.isa.instruction import Instruction
from wavemma.numerics.model import model, models

OUTPUTS = 1_000_000
SLICES = 20
# Outputs of a batch: all waves of one are given the same modifiers.
BATCH = 4096
# One batch of so many is run compiled too, since compiling takes its time.
COMPILED = 4
SHOWN = 5
Draw = Callable[[Instruction, Any, random.Random], Problem]

# Models of dot-product instructions, which no matrix row has, and one that only probes know.
ELSEWHERE = ("paired_2", "grouped_4", "integer_quarters_in_order", "grouped_8_whole")
# The rules of models where they are alternatives, by model.
ALTERNATIVES: dict[str, Rule] = {
    "fma_chain": ("fma_chain_f32", {}),
    "paired_4": ("rdna4_step", {}),
    "truncated_16": ("cdna3_truncated", {"step": 16}),
    "even_odd_16_keep": ("cdna4_even_odd_16bit", {}),
    "scaled_even_odd_32": ("scaled_even_odd", {"step": 32}),
    "scaled_even_odd_64": ("scaled_even_odd", {"step": 64}),
    "integer": ("integer", {"stages": 1}),
    "integer_halves": ("integer", {"stages": 2}),
}


@dataclass
class Outcome:
    """What a run found."""

    outputs: int = 0
    compiled: int = 0
    mismatches: int = 0
    told: list[str] = field(default_factory=list)
    effects: dict[str, set[int]] = field(default_factory=dict)


@functools.cache
def users_of(name: str) -> list[tuple[Instruction, Any]]:
    """The rows and wave sizes whose model it is, and those whose alternative it is."""
    found = []
    for instruction, wave in ROWS:
        own = model(instruction.model(wave))
        if name == own.name or (name in own.row.alternatives and _takes(name, instruction, wave)):
            found.append((instruction, wave))
    return found


def _takes(name: str, instruction: Instruction, wave: Any) -> bool:
    """Tell whether the rule of an alternative speaks of a row's formats."""
    if len({instruction.formats[role] for role in "cd"}) > 1:
        return False
    setting = setting_of(instruction, operands_of(instruction, wave), {}, False)
    try:
        model(name).whole_path(setting)
    except Unsupported:
        return False
    return True


def rule_for(name: str, problem: Problem) -> Rule:
    """The twin's rule of a model on a row, with the options that modifiers give."""
    instruction, formats = problem.instruction, problem.formats
    if name == instruction.model(problem.wave):
        rule, options = rule_of(instruction, problem.wave, dict(formats))
    else:
        rule, options = ALTERNATIVES[name]
    options = dict(options)
    if formats["a"] in ("iu8", "iu4"):
        options |= {f"signed_{role}": bool(problem.effect(f"signed_{role}")) for role in "ab"}
        options |= {"clamp": bool(problem.effect("saturate"))}
    if formats["d"] in ("f16", "bf16"):
        options |= {"fp16_ovfl": problem.keep_finite}
    return rule, options


def compare(
    problem: Problem,
    registers: dict[str, Array],
    name: str,
    outcome: Outcome,
    *,
    compiled: bool = False,
) -> None:
    """Run a batch and compare every bit of the result's registers."""
    options = {
        "wave": problem.wave,
        "effects": problem.effects,
        "keep_finite": problem.keep_finite,
    }
    got = execute(problem.instruction, registers, summing=model(name), **options)
    rule, twin_options = rule_for(name, problem)
    want = results(problem, registers, rule, twin_options)
    offset = HALF_BITS * problem.effect("high_half")
    found = read(got, problem.where["d"], offset=offset)
    outcome.outputs += want.size
    kinds = {f"{role}_format": problem.formats[role] for role in "abd"}
    for place in np.argwhere(found != want).tolist():
        one, two = (int(array[tuple(place)]) for array in (found, want))
        if not same(rule, one, two, **kinds):
            _tell(outcome, problem, name, f"{place}: {one:#x}, not {two:#x}")
    # A tied accumulator may have more registers than the result has.
    before = registers.get("d", registers["c"])[:, : got.shape[1]]
    if not np.array_equal(write(got, problem.where["d"], 0 * want, offset=offset),
                          write(before, problem.where["d"], 0 * want, offset=offset)):  # fmt: skip
        _tell(outcome, problem, name, "bits that are no result changed")
    if compiled:
        call = compiled_instruction(
            problem.instruction, problem.wave, problem.effects, name,
            keep_finite=problem.keep_finite,
        )  # fmt: skip
        outcome.compiled += want.size
        if not np.array_equal(call(registers), got):
            _tell(outcome, problem, name, "compiled code gives other bits")


def _tell(outcome: Outcome, problem: Problem, name: str, text: str) -> None:
    outcome.mismatches += 1
    row = f"{problem.instruction.architecture} {problem.instruction.name} wave{problem.wave}"
    told = f"{row} {name} {dict(problem.effects)}, keep_finite {problem.keep_finite}, {text}"
    outcome.told = [*outcome.told, told][:SHOWN]


def run(
    name: str,
    first: int,
    count: int,
    draw: Draw = by_facts,
    batch: int = BATCH,
    compiled: int = COMPILED,
) -> Outcome:
    """Compare at least `count` outputs of a model; `first` makes the draws.

    Rows take turns, and slices begin at rows of their own, so that all of them have all rows.
    One batch in `compiled` is run compiled too, none if that is 0.
    """
    outcome, users = Outcome(), users_of(name)
    source = random.Random(f"{name}{first}")
    rng = np.random.default_rng([first, *name.encode()])
    first_turn = turn = first * len(users) // SLICES
    while outcome.outputs < count:
        instruction, wave = users[turn % len(users)]
        too = compiled > 0 and (turn - first_turn) % compiled == 0
        turn += 1
        m, n, _ = instruction.shape
        waves = max(1, min(batch, count) // (m * n * instruction.blocks))
        problem = draw(instruction, wave, source)
        registers = drawn_registers(problem, rng, waves)
        if instruction.is_sparse and problem.keep_finite:
            # The accumulator is the result's operand.
            del registers["d"]
        compare(problem, registers, name, outcome, compiled=too)
        for effect, value in problem.effects.items():
            outcome.effects.setdefault(effect, set()).add(value)
    return outcome


def main() -> None:
    """Run the models that are named, or all, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    every = [each.name for each in models() if each.name not in ELSEWHERE]
    parser.add_argument("names", nargs="*", default=every)
    parser.add_argument("--outputs", type=int, default=OUTPUTS)
    parser.add_argument("--log", type=File)
    given = parser.parse_args()
    failed = 0
    for name in given.names:
        started, total = time.perf_counter(), Outcome()
        for part in range(SLICES):
            found = run(name, part, given.outputs // SLICES)
            total.outputs += found.outputs
            total.compiled += found.compiled
            total.mismatches += found.mismatches
            total.told += found.told
            print(f"{name}: {total.outputs} outputs", file=sys.stderr, flush=True)
        line = f"{name}: {total.outputs} outputs ({total.compiled} compiled too),"
        line += f" {total.mismatches} mismatches, {time.perf_counter() - started:.0f} s"
        lines = [line, *total.told[:SHOWN]]
        print(*lines, sep="\n", flush=True)
        if given.log is not None:
            with given.log.open("a", encoding="utf-8") as log:
                log.write("\n".join(lines) + "\n")
        failed += total.mismatches
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
