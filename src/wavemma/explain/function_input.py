"""A mapping that is a Python function."""

import inspect
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any

from wavemma.errors import ArrayMistake, OutOfRange, SyntaxMistake
from wavemma.explain.claim import LANES, PLACES, SLOTS, Claim, Numbers, axes_of, word_of
from wavemma.layouts import Layout

_GATHERING = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_Words = Mapping[str, tuple[str, ...]]


def called(function: Callable[..., Any], layout: Layout) -> Claim:
    """Take a Python function as a claim.

    Its parameters say what it takes: of lane (or tid), v, n and slot, and then it gives row and
    column (with blocks: block, row, column); or of row, column and block (or the operand's own
    letters), and then it gives lane and slot, or lane, v and n. It may give a dict by these names.
    Parameters with a default keep it: they are the function's own constants.

    Args:
        function: Called with whole numbers.
        layout: The operand's own layout.

    Raises:
        SyntaxMistake: A parameter, or a name in what it gives, is none of these.
        ArrayMistake: It gives something else than whole numbers by these names.
        OutOfRange: It raises.

    """
    axes = axes_of(layout)
    known = {**LANES, **SLOTS, **axes}
    taken = _taken(function)
    inputs = _inputs(taken, known, axes)
    forward = any(name in PLACES for name in inputs)
    blocks = ("b",) if "b" in layout.size else ()
    default = (*blocks, "row", "col") if forward else ("lane", "slot")

    def value(numbers: Numbers) -> dict[str, int]:
        return _named(_call(function, taken, inputs, numbers), default, known)

    outputs = {name: name for name in value(dict.fromkeys(inputs, 0))}
    if not outputs or forward == any(name in PLACES for name in outputs):
        raise SyntaxMistake(
            "A mapping must lead from places to elements or from elements to places; this one"
            f" takes {', '.join(inputs.values())} and gives {', '.join(outputs) or 'nothing'}."
        )

    def checked(numbers: Numbers) -> Numbers:
        found = value(numbers)
        if set(found) != set(outputs):
            raise ArrayMistake(
                f"A mapping must give the same everywhere; this one gives {', '.join(outputs)} in"
                f" one place and {', '.join(found) or 'nothing'} in another.",
                subject=found,
            )
        return found

    return Claim("callable", "", inputs, outputs, checked)


def _taken(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """List the parameters that must be given.

    Raises:
        SyntaxMistake: Python does not know them.

    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise SyntaxMistake(
            f"The parameters of a mapping must be known; Python does not know those of"
            f" {function!r}.",
            subject=function,
            hint="Call it from a function with names: lambda lane, v: (..., ...).",
        ) from None
    return tuple(
        each
        for each in parameters
        if each.default is Parameter.empty and each.kind not in _GATHERING
    )


def _inputs(taken: tuple[Parameter, ...], known: _Words, axes: _Words) -> dict[str, str]:
    """Name what the parameters take, and check that all are of places or all of elements."""
    inputs: dict[str, str] = {}
    for word in (each.name for each in taken):
        name = word_of(known, word)
        if name is None:
            raise SyntaxMistake(
                f"The parameters of a mapping must be lane, v, n or slot, or {', '.join(axes)};"
                f" {word!r} is none of them.",
                subject=word,
                allowed=[each for words in known.values() for each in words],
            )
        inputs[name] = word
    if len({name in PLACES for name in inputs}) != 1:
        raise SyntaxMistake(
            f"A mapping must take lane, v, n or slot, or {', '.join(axes)}; this one takes"
            f" {', '.join(inputs.values()) or 'nothing'}.",
            subject=", ".join(inputs.values()),
        )
    return inputs


def _call(
    function: Callable[..., Any],
    taken: tuple[Parameter, ...],
    inputs: Mapping[str, str],
    numbers: Numbers,
) -> object:
    given = {word: numbers[name] for name, word in inputs.items()}
    by_name = {each.name: given[each.name] for each in taken if each.kind is Parameter.KEYWORD_ONLY}
    try:
        return function(*(given[word] for word in given if word not in by_name), **by_name)
    except Exception as error:
        shown = ", ".join(f"{word}={number}" for word, number in given.items())
        raise OutOfRange(
            f"The mapping must give numbers for every place; for {shown} it raised"
            f" {type(error).__name__}: {error}.",
            subject=shown,
        ) from error


def _named(given: object, default: tuple[str, ...], known: _Words) -> dict[str, int]:
    """Name what a function gave, and check that it is whole numbers."""
    if isinstance(given, Mapping):
        return {_known(str(word), known): _whole(value) for word, value in given.items()}
    # Arrays of any library; none is loaded for it.
    if hasattr(given, "tolist"):
        given = given.tolist()
    if not isinstance(given, tuple | list):
        raise ArrayMistake(
            f"A mapping must give ({', '.join(default)}) or a dict; it gave {given!r}.",
            subject=given,
        )
    names = ("lane", "v", "n") if default[0] == "lane" and len(given) == 3 else default
    if len(given) != len(names):
        raise ArrayMistake(
            f"A mapping must give ({', '.join(names)}); it gave {len(given)} number"
            f"{'' if len(given) == 1 else 's'}.",
            subject=len(given),
        )
    return {name: _whole(value) for name, value in zip(names, given, strict=True)}


def _known(word: str, known: _Words) -> str:
    name = word_of(known, word)
    if name is None:
        raise SyntaxMistake(
            f"The names in what a mapping gives must be those of places or elements; {word!r} is"
            " none of them.",
            subject=word,
            allowed=[each for words in known.values() for each in words],
        )
    return name


def _whole(value: Any) -> int:  # noqa: ANN401 - whatever a user's function gives
    """Take a whole number of any type."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise ArrayMistake(
            f"A mapping must give whole numbers; it gave {value!r}.", subject=value
        ) from None
