"""Everything about one name, whatever it names."""

from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple

from wavemma.errors import UnknownName, Unsupported
from wavemma.explain.answer import Answer
from wavemma.explain.builtin_guards import PREFIX
from wavemma.explain.instruction_name import mnemonics_fitting
from wavemma.isa import catalog
from wavemma.tables.builtins import builtins
from wavemma.tables.format_names import is_format_name
from wavemma.tables.formats import format_rows
from wavemma.tables.models import model_rows
from wavemma.tables.processors import processors
from wavemma.tables.product_names import begun, endings
from wavemma.tables.targets import architectures, targets, without_settings

HINT = "All: wavemma list instructions, builtins, targets, products, formats or models."


def explain_name(name: str, target_name: str | None = None, wave: int | None = None) -> Answer:
    """Say everything about one name.

    Args:
        name: An instruction or an alias, a builtin with or without its prefix, a target, an
            architecture, a number format, a product or the end of its name, an arithmetic model;
            in any case.
        target_name: Only what it is on this target.
        wave: Only layouts of this wave size.

    Raises:
        Unsupported: A target or a wave size is given where it says nothing.
        UnknownName: Nothing has the name, or its target lacks it; the kind that has the nearest
            name offers what there is.

    """
    word = without_settings(" ".join(name.split()).lower())
    for names, explain in _KINDS:
        if word in names():
            _check_heeded(word, explain.arguments, target_name, wave)
            return explain(word, target_name, wave)
    if is_format_name(word):
        _check_heeded(word, 2, target_name, wave)
        return _Loaded("number_format:explain_format", arguments=2)(word, target_name)
    if begun(word):
        return _Loaded("product:explain_product", arguments=1)(word)
    if mnemonics_fitting(word, target_name):
        return _Loaded("instruction:explain_instruction", arguments=3)(word, target_name, wave)
    # The kind that has the nearest name says best what is wrong.
    near = get_close_matches(word, {each for names, _ in _KINDS for each in names()}, 1, 0.5)
    for names, explain in _KINDS if near else ():
        if near[0] in names():
            return explain(_spaced(word), target_name, wave)
    raise UnknownName(
        f"{name!r} is not a name of the matrix instructions.", subject=word, hint=HINT
    )


def _check_heeded(word: str, arguments: int, target_name: str | None, wave: int | None) -> None:
    """Refuse a target or a wave size where the answer does not depend on it."""
    for what, value in (("target", target_name), ("wave", wave))[arguments - 1 :]:
        if value is not None:
            raise Unsupported(
                f"{word} is the same for each {what}, so none can be chosen; {value} was given.",
                subject=value,
                hint="Leave it out.",
            )


def _spaced(word: str) -> str:
    """Find the product whose name, written without spaces, a word is."""
    spaced = {each.replace(" ", ""): each for each in endings()}
    return spaced.get(word.replace(" ", ""), word)


def _instructions() -> set[str]:
    return {name for key in architectures() for name in catalog.by_name(key)}


def _builtins() -> set[str]:
    long = {name.lower() for name in builtins()}
    return long | {name.removeprefix(PREFIX) for name in long}


def _architectures() -> set[str]:
    return set(architectures())


def _targets() -> set[str]:
    return {*targets(), *processors()}


def _formats() -> set[str]:
    return {word for row in format_rows().values() for word in (row.name, row.type)}


def _products() -> set[str]:
    return {*endings(), *(each.replace(" ", "") for each in endings())}


def _models() -> set[str]:
    return set(model_rows())


class _Loaded(NamedTuple):
    """A function of this room that is loaded when it is first called.

    Attributes:
        place: Module and function.
        arguments: How many of name, target and wave size it takes.

    """

    place: str
    arguments: int

    def __call__(self, *given: str | int | None) -> Answer:
        """Load the function and ask it."""
        module, _, function = self.place.partition(":")
        found = getattr(import_module(f"wavemma.explain.{module}"), function)
        answer: Answer = found(*given[: self.arguments])
        return answer


_KINDS: tuple[tuple[Callable[[], set[str]], _Loaded], ...] = (
    (_targets, _Loaded("target:explain_target", arguments=1)),
    (_architectures, _Loaded("target:explain_architecture", arguments=1)),
    (_instructions, _Loaded("instruction:explain_instruction", arguments=3)),
    (_builtins, _Loaded("builtin:explain_builtin", arguments=3)),
    (_formats, _Loaded("number_format:explain_format", arguments=2)),
    (_models, _Loaded("model:explain_model", arguments=1)),
    (_products, _Loaded("product:explain_product", arguments=1)),
)
