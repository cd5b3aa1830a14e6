"""Integer sums: exact, wrapping, or saturating after each stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import OutOfRange
from wavemma.formats.format import Format
from wavemma.numerics.parameters import check_formats, parameters
from wavemma.numerics.path import Lanes, Path, Setting
from wavemma.numerics.powers import total
from wavemma.tables.models import ModelRow

V = TypeVar("V")
_GREATEST = 0x7FFFFFFF
_WRAPPING_LENGTH = 4


@dataclass(frozen=True)
class Wrapping(Path):
    """Sums modulo 2^32."""

    setting: Setting
    length: int = _WRAPPING_LENGTH
    operand: tuple[Lane, ...] = (Lane.I32,)
    state: tuple[Lane, ...] = (Lane.I32,)
    seamless: bool = True

    def prepare(
        self, e: Engine[V], form: Format, code: V, *, signed: bool = True, scale: V | None = None
    ) -> Lanes[V]:
        """Give the number, with its sign if the format or the instruction has one."""
        narrow = e.convert(code, Lane.I32)
        if not (form.sign == "signed" or (form.sign == "chosen" and signed)):
            return (narrow,)
        shift = Lane.I32.bits - form.bits
        return (e.ashr(e.shl(narrow, shift), shift),)

    def begin(self, e: Engine[V], code: V) -> Lanes[V]:
        """Read C."""
        return (code,)

    def finish(self, e: Engine[V], state: Lanes[V]) -> V:
        """Give D."""
        return state[0]

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add products."""
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        return (e.add(state[0], total(e, products)),)


@dataclass(frozen=True)
class Saturating(Wrapping):
    """Sums that saturate to the range of i32 after each stage; a step is one instruction.

    Args:
        stages: The parts of k in the order in which they are added.

    """

    stages: tuple[int, ...] = (0,)
    seamless: bool = False

    def step(
        self, e: Engine[V], a: Sequence[Lanes[V]], b: Sequence[Lanes[V]], state: Lanes[V]
    ) -> Lanes[V]:
        """Add the products of one instruction, stage by stage."""
        products = [e.mul(x[0], y[0]) for x, y in zip(a, b, strict=True)]
        size = self.length // len(self.stages)
        result = state[0]
        for stage in self.stages:
            part = total(e, products[stage * size : (stage + 1) * size])
            result = _saturating_add(e, result, part)
        return (result,)


def _saturating_add(e: Engine[V], x: V, y: V) -> V:
    added = e.add(x, y)
    overflow = e.lt(e.and_(e.xor(added, x), e.xor(added, y)), 0)
    return e.select(overflow, e.xor(e.ashr(x, 31), _GREATEST), added)


class _Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stages: tuple[int, ...]


def integer_paths(row: ModelRow, setting: Setting) -> tuple[Path, ...]:
    """Build the rule "integer": the order of the stages after which a clamp saturates."""
    given = parameters(row, _Parameters)
    check_formats(row, setting, ["i32"], kind="integer")
    if not setting.clamp:
        return (Wrapping(setting),)
    if setting.depth < 1 or setting.depth % len(given.stages):
        raise OutOfRange(
            f"A saturating sum needs the instruction's K, a multiple of {len(given.stages)}, "
            f"got {setting.depth}.",
            subject=setting.depth,
        )
    return (Saturating(setting, length=setting.depth, stages=given.stages),)
