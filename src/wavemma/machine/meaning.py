"""What ordinary instructions compute, by the names that their rows give.

A meaning is a function of values: it takes an engine first and the values that it asks for after
it, and is used for vectors and scalars alike. An action is a function of the wave, for what is
more than values: memory, other lanes, the flow of control.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec

from wavemma.engines.engine import Engine
from wavemma.errors import DataMistake
from wavemma.machine.value_type import value_type
from wavemma.tables.instructions import Grade

V = TypeVar("V")
Given: TypeAlias = V | tuple[V, ...]


class Part(msgspec.Struct, frozen=True):
    """One value that a meaning takes or gives.

    Attributes:
        role: An operand (a, b, c, k, d, d_mask) or a register that no operand names: scc, vcc,
            exec, m0; or "lane", the number of each lane.
        type: As in rows, such as "u32"; "mask" for a truth value a lane, "flag" for one of the
            wave, "bits" for an integer with a bit a lane; "code" for the bits of a source as the
            row types it, "halves" for a word that holds two of them, "result" for the type that
            the row gives to its results; "" for that of its results or its sources.

    """

    role: str
    type: str = ""


class Meaning(msgspec.Struct, frozen=True):
    """A function of values.

    Attributes:
        name: As rows give it.
        compute: Engine and values, in the order of `takes`, to a value, or a tuple of them.
        takes: What it reads.
        gives: What it writes.
        clamps: Whether it is told about the clamp modifier, as its last argument; otherwise only
            floats are clamped, afterwards.
        typed: Whether it is told the type of the row's results, behind its values.
        grade: V if a vendor's document says every bit, D if the last ones are derived.

    """

    name: str
    compute: Callable[..., Any]
    takes: tuple[Part, ...]
    gives: tuple[Part, ...]
    clamps: bool = False
    typed: bool = False
    grade: Grade = "V"

    def on(self, engine: Engine[V], values: Sequence[V], result_type: str, clamp: bool) -> Given[V]:
        """Compute from values, and tell what is to be told besides.

        Args:
            engine: Of the values.
            values: In the order of `takes`.
            result_type: As the row names it.
            clamp: Whether the modifier is set.

        """
        types = [value_type(result_type)] if self.typed else []
        given: Given[V] = self.compute(engine, *values, *types, *([clamp] if self.clamps else []))
        return given


class Action(msgspec.Struct, frozen=True):
    """A function of the wave and the decoded instruction.

    Attributes:
        name: As rows give it.
        act: Does everything.
        suspends: Whether other waves may run before the next instruction.
        grade: As `Meaning` has it.
        holds: Whether a block of instructions must not end before another one lets it: True
            begins that, False ends it.

    """

    name: str
    act: Callable[..., None]
    suspends: bool = False
    grade: Grade = "V"
    holds: bool | None = None


MEANINGS: dict[str, Meaning | Action] = {}
Function = TypeVar("Function", bound=Callable[..., Any])


def meaning(
    name: str,
    takes: str = "a b",
    gives: str = "d",
    *,
    clamps: bool = False,
    typed: bool = False,
    grade: Grade = "V",
) -> Callable[[Function], Function]:
    """Enter a function of values under a name.

    Args:
        name: As rows give it.
        takes: What it reads: words such as "a", "b:u32", "exec:mask".
        gives: What it writes.
        clamps: Whether its last argument says if results are clamped.
        typed: Whether the argument behind its values is the type of the results.
        grade: As `Meaning` has it.

    """

    def enter(function: Function) -> Function:
        _enter(Meaning(name, function, _parts(takes), _parts(gives), clamps, typed, grade))
        return function

    return enter


def action(
    name: str, *, suspends: bool = False, grade: Grade = "V", holds: bool | None = None
) -> Callable[[Function], Function]:
    """Enter a function of the wave under a name.

    Args:
        name: As rows give it.
        suspends: Whether other waves may run before the next instruction.
        grade: As `Meaning` has it.
        holds: As `Action` has it.

    """

    def enter(function: Function) -> Function:
        _enter(Action(name, function, suspends, grade, holds))
        return function

    return enter


def _enter(found: Meaning | Action) -> None:
    if found.name in MEANINGS:
        raise DataMistake(f"A meaning must stand once; {found.name!r} does not.", subject=found)
    MEANINGS[found.name] = found


def _parts(words: str) -> tuple[Part, ...]:
    found = (word.partition(":") for word in words.split())
    return tuple(Part(role, kind) for role, _, kind in found)
