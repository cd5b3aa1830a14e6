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
        is_long: Whether it takes many operations, or such of 64 bits on numbers of fewer.
        grade: V if a vendor's document says every bit, D if the last ones are derived.

    """

    name: str
    compute: Callable[..., Any]
    takes: tuple[Part, ...]
    gives: tuple[Part, ...]
    clamps: bool = False
    typed: bool = False
    is_long: bool = False
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
        is_long: As `Meaning` has it; what is long here does to each lane what it does to one.

    """

    name: str
    act: Callable[..., None]
    suspends: bool = False
    grade: Grade = "V"
    holds: bool | None = None
    is_long: bool = False


MEANINGS: dict[str, Meaning | Action] = {}
BY_MODE: dict[str, Meaning | Action] = {}
"""What rounds as the mode says, by the name of the meaning that rounds to nearest."""
BY_MODE_MARK = "@mode"
"""Behind the name of a meaning: as the mode says (see `rounding_mode`)."""
FLUSH_MARK = "@flush"
"""The same: subnormals may be zeros, as the mode says (see `subnormals`)."""
_MARKS = "@"
Function = TypeVar("Function", bound=Callable[..., Any])


def find_meaning(name: str) -> Meaning | Action | None:
    """Find a meaning by the name that a row gives, or by that and marks; None if there is none.

    Args:
        name: As rows give it.

    """
    return (BY_MODE if BY_MODE_MARK in marks(name) else MEANINGS).get(plain_name(name))


def plain_name(name: str) -> str:
    """Give the name of a meaning without marks."""
    return name.partition(_MARKS)[0]


def marks(name: str) -> str:
    """Give the marks behind the name of a meaning; "" if it has none."""
    return name[len(plain_name(name)) :]


def meaning(
    name: str,
    takes: str = "a b",
    gives: str = "d",
    *,
    clamps: bool = False,
    typed: bool = False,
    is_long: bool = False,
    grade: Grade = "V",
) -> Callable[[Function], Function]:
    """Enter a function of values under a name.

    Args:
        name: As rows give it.
        takes: What it reads: words such as "a", "b:u32", "exec:mask".
        gives: What it writes.
        clamps: Whether its last argument says if results are clamped.
        typed: Whether the argument behind its values is the type of the results.
        is_long: As `Meaning` has it.
        grade: As `Meaning` has it.

    """

    def enter(function: Function) -> Function:
        parts = _parts(takes), _parts(gives)
        _enter(Meaning(name, function, *parts, clamps, typed, is_long, grade))
        return function

    return enter


def action(
    name: str,
    *,
    suspends: bool = False,
    grade: Grade = "V",
    holds: bool | None = None,
    is_long: bool = False,
) -> Callable[[Function], Function]:
    """Enter a function of the wave under a name.

    Args:
        name: As rows give it.
        suspends: Whether other waves may run before the next instruction.
        grade: As `Meaning` has it.
        holds: As `Action` has it.
        is_long: As `Action` has it.

    """

    def enter(function: Function) -> Function:
        _enter(Action(name, function, suspends, grade, holds, is_long))
        return function

    return enter


def by_mode(
    name: str, takes: str = "", gives: str = "d", *, grade: Grade = "V"
) -> Callable[[Function], Function]:
    """Enter what a meaning becomes where the mode says how floats are rounded.

    Args:
        name: Of the meaning.
        takes: As for `meaning`, with "rounding" for the direction, I32; "" for an action.
        gives: As for `meaning`.
        grade: As `Meaning` has it.

    """

    def enter(function: Function) -> Function:
        parts = _parts(takes), _parts(gives)
        BY_MODE[name] = (
            Meaning(name, function, *parts, typed=True, is_long=True, grade=grade)
            if takes
            else Action(name, function, grade=grade, is_long=True)
        )
        return function

    return enter


def _enter(found: Meaning | Action) -> None:
    if found.name in MEANINGS:
        raise DataMistake(f"A meaning must stand once; {found.name!r} does not.", subject=found)
    MEANINGS[found.name] = found


def _parts(words: str) -> tuple[Part, ...]:
    found = (word.partition(":") for word in words.split())
    return tuple(Part(role, kind) for role, _, kind in found)
