"""What ordinary instructions compute, by the names that their rows give.

A meaning is a function of values: it takes an engine first and the values that it asks for after
it, and is used for vectors and scalars alike. An action is a function of the wave, for what is
more than values: memory, other lanes, the flow of control.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from wavemma.errors import DataMistake


class Part(msgspec.Struct, frozen=True):
    """One value that a meaning takes or gives.

    Attributes:
        role: An operand (a, b, c, k, d, d_mask) or a register that no operand names: scc, vcc,
            exec, m0; or "lane", the number of each lane.
        type: As in rows, such as "u32"; "mask" for a truth value a lane, "flag" for one of the
            wave, "bits" for an integer with a bit a lane; "" for the type that the row gives to
            its results or its sources.

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

    """

    name: str
    compute: Callable[..., Any]
    takes: tuple[Part, ...]
    gives: tuple[Part, ...]
    clamps: bool = False


class Action(msgspec.Struct, frozen=True):
    """A function of the wave and the decoded instruction.

    Attributes:
        name: As rows give it.
        act: Does everything.
        suspends: Whether other waves may run before the next instruction.

    """

    name: str
    act: Callable[..., None]
    suspends: bool = False


MEANINGS: dict[str, Meaning | Action] = {}
Function = TypeVar("Function", bound=Callable[..., Any])


def meaning(
    name: str, takes: str = "a b", gives: str = "d", *, clamps: bool = False
) -> Callable[[Function], Function]:
    """Enter a function of values under a name.

    Args:
        name: As rows give it.
        takes: What it reads: words such as "a", "b:u32", "exec:mask".
        gives: What it writes.
        clamps: Whether its last argument says if results are clamped.

    """

    def enter(function: Function) -> Function:
        _enter(Meaning(name, function, _parts(takes), _parts(gives), clamps))
        return function

    return enter


def action(name: str, *, suspends: bool = False) -> Callable[[Function], Function]:
    """Enter a function of the wave under a name.

    Args:
        name: As rows give it.
        suspends: Whether other waves may run before the next instruction.

    """

    def enter(function: Function) -> Function:
        _enter(Action(name, function, suspends))
        return function

    return enter


def _enter(found: Meaning | Action) -> None:
    if found.name in MEANINGS:
        raise DataMistake(f"A meaning must stand once; {found.name!r} does not.", subject=found)
    MEANINGS[found.name] = found


def _parts(words: str) -> tuple[Part, ...]:
    found = (word.partition(":") for word in words.split())
    return tuple(Part(role, kind) for role, _, kind in found)
