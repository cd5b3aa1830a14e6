"""What a probe runs, and what each candidate says that comes out."""

import hashlib
from itertools import combinations
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.execute.matrix import execute
from wavemma.explain.probe_inputs import Matrices, inputs_of
from wavemma.explain.probe_point import Candidate, Point
from wavemma.formats import decode, number_format
from wavemma.fragments import Registers, pack, unpack

Results = npt.NDArray[np.unsignedinteger[Any]]
"""Codes of D [run, row, column]."""
Flags = npt.NDArray[np.bool_]


class Separated(msgspec.Struct, frozen=True):
    """Two candidates, and how many elements of D tell them apart."""

    first: str
    second: str
    elements: int


class Experiment(NamedTuple):
    """The runs of a probe.

    Attributes:
        point: What is open.
        matrices: The inputs of each run.
        registers: The same by role, uint32 [run, register, lane].
        digest: Names the inputs: outputs of others cannot be read.

    """

    point: Point
    matrices: tuple[Matrices, ...]
    registers: dict[str, Registers]
    digest: str

    @property
    def runs(self) -> int:
        """How often the instruction runs."""
        return len(self.matrices)


def experiment(point: Point) -> Experiment:
    """Make the runs of an open point."""
    matrices = inputs_of(point)
    fragments = point.operands.fragments
    registers = {
        role: pack(np.stack([each[role] for each in matrices]), fragments[role])
        for role in matrices[0]
    }
    digest = hashlib.sha256(repr((point.instruction.name, point.target, point.wave)).encode())
    for role, words in registers.items():
        digest.update(role.encode() + words.astype("<u4").tobytes())
    return Experiment(point, matrices, registers, digest.hexdigest()[:16])


def results_of(found: Experiment, words: Registers) -> Results:
    """Read D from its registers [run, register, lane], where this project has its elements."""
    read: Results = unpack(words, found.point.operands.moved["d"])
    return read


def predicted(found: Experiment, candidate: Candidate) -> Registers:
    """Give the registers of D, [run, register, lane], as a candidate has them."""
    point = found.point
    return execute(
        candidate.instruction,
        found.registers,
        wave=point.wave,
        effects=point.effects,
        summing=candidate.model,
    )


def same(found: Experiment, left: Results, right: Results) -> Flags:
    """Tell which elements of D are the same; one NaN is as good as another."""
    form = number_format(found.point.operands.formats["d"])
    equal: Flags = left == right
    if form.is_float:
        equal |= np.isnan(decode(form, left)) & np.isnan(decode(form, right))
    return equal


def separated(found: Experiment) -> tuple[Separated, ...]:
    """Count the elements that tell each two candidates apart."""
    results = [results_of(found, predicted(found, each)) for each in found.point.candidates]
    return tuple(
        Separated(first.name, second.name, int((~same(found, left, right)).sum()))
        for (first, left), (second, right) in combinations(
            zip(found.point.candidates, results, strict=True), 2
        )
    )
