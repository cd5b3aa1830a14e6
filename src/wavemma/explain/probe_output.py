"""The output of a probe's program as data: what ran where, and the registers of D."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wavemma.errors import FileMistake
from wavemma.explain.probe_experiment import Experiment
from wavemma.fragments import Registers

FIRST, LAST = "wavemma probe 1", "end"
FACTS = ("point", "target", "instruction", "wave", "inputs", "device")
_RESULT = "d"
_WORD = re.compile(r"[0-9a-f]{8}\Z")
_SHOWN = 60


class Output(NamedTuple):
    """What a program printed.

    Attributes:
        facts: By name, see FACTS.
        results: The lines of results: run, register, words.

    """

    facts: dict[str, str]
    results: tuple[tuple[int, int, tuple[str, ...]], ...]


def parse_output(text: str) -> Output:
    """Take the output of a program apart.

    Args:
        text: All that it printed; what stands before its first line is passed over.

    Raises:
        FileMistake: It is no output of a probe, not all of it, or damaged.

    """
    lines = [line.strip() for line in text.splitlines()]
    if FIRST not in lines:
        raise FileMistake(
            f"The output of a probe must have the line {FIRST!r}; there is none.",
            hint="It is what the program of `wavemma probe TARGET INSTRUCTION` prints.",
        )
    lines = [line for line in lines[lines.index(FIRST) + 1 :] if line]
    if LAST not in lines:
        raise FileMistake(
            f"The output of a probe must end with {LAST!r}: the program did not come to its end,"
            " or the file is cut off."
        )
    lines = lines[: lines.index(LAST)]
    facts = dict(_facts(lines))
    missing = [name for name in FACTS if name not in facts]
    if missing:
        raise FileMistake(f"The output of a probe must name its {missing[0]}; it does not.")
    results = tuple(_result(line) for line in lines if line.split(" ")[0] == _RESULT)
    return Output(facts, results)


def _facts(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, _, value = line.partition(" ")
        if name in FACTS and value:
            yield name, value.strip()
        elif name != _RESULT:
            raise FileMistake(
                f"A line of a probe's output must begin with {_RESULT} or one of"
                f" {', '.join(FACTS)}; there is {line[:_SHOWN]!r}.",
                subject=name,
            )


def _result(line: str) -> tuple[int, int, tuple[str, ...]]:
    _, *parts = line.split()
    run, register, words = parts[:1], parts[1:2], parts[2:]
    good = all(map(_WORD.match, words)) and words
    if not (good and run[0].isdecimal() and register[0].isdecimal()):
        raise FileMistake(
            "A line of results must hold a run, a register and words of 8 hexadecimal digits;"
            f" there is {line[:_SHOWN]!r}.",
            subject=line,
        )
    return int(run[0]), int(register[0]), tuple(words)


def registers_of(output: Output, made: Experiment) -> Registers:
    """Give the registers of D, [run, register, lane].

    Raises:
        FileMistake: The output is of other inputs, or a line is missing or too much.

    """
    if output.facts["inputs"] != made.digest:
        raise FileMistake(
            f"The output must be of the inputs {made.digest}; it is of {output.facts['inputs']}:"
            " another version of wavemma wrote the program.",
            subject=output.facts["inputs"],
            hint="Write the program again and run it.",
        )
    fragment = made.point.operands.moved["d"]
    shape = (made.runs, fragment.registers, fragment.lanes)
    found = np.zeros(shape, dtype=np.uint32)
    seen: set[tuple[int, int]] = set()
    for run, register, words in output.results:
        inside = run < shape[0] and register < shape[1] and (run, register) not in seen
        if not inside or len(words) != shape[2]:
            raise FileMistake(
                f"Results must be {shape[0]} runs of {shape[1]} registers of {shape[2]} lanes, each"
                f" once; there is register {register} of run {run} with {len(words)} lanes.",
                subject=(run, register),
            )
        seen.add((run, register))
        found[run, register] = [int(word, 16) for word in words]
    lacking = [place for place in np.ndindex(*shape[:2]) if place not in seen]
    if lacking:
        run, register = lacking[0]
        raise FileMistake(
            f"The output must have every register of every run; register {register} of run {run}"
            f" is missing, {len(lacking)} in all.",
            subject=lacking[0],
        )
    return found
