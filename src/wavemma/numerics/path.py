"""Path: one way to evaluate an arithmetic model, right for the inputs that it covers.

A dot product is a chain. `begin` turns C into a state, each `step` adds a few products to it in
the order of k, `finish` turns the state into D. A model has one path that covers every input,
special values included, and may have faster ones for inputs within known bounds; all give the
same bits. What is done to A and B alone is `prepare`, so that a matrix product does it once.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.engines.machine import Machine
from wavemma.formats.format import Format

V = TypeVar("V")
TOGETHER = 4
"""Rows whose bytes one i32 holds."""
Lanes = tuple[V, ...]
"""The components of one prepared element, or of a state."""


@dataclass(frozen=True)
class Extent:
    """What is known of all numbers of one operand.

    Args:
        low: Least exponent of the nonzero numbers; a subnormal has that of its leading bit.
        high: Greatest exponent.
        finite: No infinity and no NaN among them.

    """

    low: int
    high: int
    finite: bool


@dataclass(frozen=True)
class Extents:
    """What is known of the operands of one chain.

    Args:
        a: Of A.
        b: Of B.
        c: Of C.
        products: How many products one chain adds.

    """

    a: Extent
    b: Extent
    c: Extent
    products: int

    @property
    def finite(self) -> bool:
        """True if no operand has an infinity or a NaN."""
        return self.a.finite and self.b.finite and self.c.finite

    @property
    def high(self) -> int:
        """An exponent that no product and no partial sum reaches."""
        grown = self.a.high + self.b.high + 3 + self.products.bit_length()
        return max(grown, self.c.high + 2) + 1


@dataclass(frozen=True)
class Setting:
    """What an instruction tells its model.

    Args:
        a: Format of A.
        b: Format of B.
        c: Format of C.
        d: Format of D.
        depth: K of the instruction, stored elements only; 0 if it does not matter.
        clamp: Integer sums saturate to the range of D.
        signed_a: A is signed, if its format leaves that open.
        signed_b: B is signed, if its format leaves that open.
        keep_finite: The mode bit that turns an f16 overflow into the largest finite number.
        scale_a: Format of A's scales.
        scale_b: Format of B's scales.
        scale_block: Products that share a scale; 0 for no scales.

    """

    a: Format
    b: Format
    c: Format
    d: Format
    depth: int = 0
    clamp: bool = False
    signed_a: bool = True
    signed_b: bool = True
    keep_finite: bool = False
    scale_a: Format | None = None
    scale_b: Format | None = None
    scale_block: int = 0


class Path(ABC):
    """One way to evaluate a model.

    Attributes:
        length: Products that one step takes.
        operand: Lane types of a prepared element of A or B.
        state: Lane types of the state.
        rows: Rows that a compiled loop should keep at once.
        vectors: Machine vectors of the operand's type that a row of them should have.
        seamless: Finishing an instruction and beginning the next changes nothing, so that
            instructions may be run together; steps are then few operations each.

    """

    length: int
    operand: tuple[Lane, ...]
    state: tuple[Lane, ...]
    rows: int = 4
    vectors: int = 1
    seamless: bool = False

    @abstractmethod
    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Turn codes of A or B into the components that `step` takes.

        Components that lie in memory as f64 may be given as f32, to be widened later.

        Args:
            e: The engine.
            form: Format of the codes.
            code: Codes, I64 lanes.
            signed: How to read integers whose format leaves the sign open.
            scale: The scale of each element's block, F64 lanes, if there are scales.

        """

    @property
    def left(self) -> tuple[Lane, ...]:
        """Lane types of a prepared element of A; its components of i8 are given as i32."""
        return self.operand

    def prepare_left(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Do for A what `prepare` does for B, if that differs."""
        return self.prepare(e, form, code, signed=signed, scale=scale)

    def widen(self, e: Engine[V], value: V) -> V:
        """Turn a component of B from f32, as `prepare` gave it, into f64."""
        return e.convert(value, Lane.F64)

    def widen_left(self, e: Engine[V], value: V) -> V:
        """Do so for A."""
        return self.widen(e, value)

    @abstractmethod
    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Turn codes of C (I32 lanes, I64 for f64) into a state."""

    @abstractmethod
    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add `length` products, k ascending, to the state."""

    def steps(
        self,
        e: Engine[V],
        rows: Sequence[Sequence[Lanes[V]]],
        b: Sequence[Lanes[V]],
        states: Sequence[Lanes[V]],
    ) -> list[Lanes[V]]:
        """Do a step of up to `TOGETHER` rows with the same elements of B.

        Args:
            e: The engine.
            rows: The elements of A of each row. A component that lies in memory as i8 is the
                same for all rows: byte n of an i32 belongs to row n.
            b: The elements of B.
            states: A state for each row.

        """
        return [self.step(e, a, b, state) for a, state in zip(rows, states, strict=True)]

    @abstractmethod
    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Turn the state into codes of D (I32 lanes, I64 for f64)."""

    def covers(self, extents: Extents) -> bool:
        """Tell whether this path is right for all inputs within the extents."""
        return True

    def suits(self, machine: Machine) -> bool:
        """Tell whether this path is fast on a processor; it is right on every one."""
        return True
