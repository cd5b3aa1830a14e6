"""Everything about one name, whatever it names."""

from collections.abc import Callable
from difflib import get_close_matches

from wavemma.errors import UnknownName
from wavemma.explain.answer import Answer
from wavemma.explain.builtin import PREFIX, explain_builtin
from wavemma.explain.instruction import explain_instruction
from wavemma.explain.model import explain_model
from wavemma.explain.number_format import explain_format
from wavemma.explain.product import explain_product
from wavemma.explain.target import explain_architecture, explain_target
from wavemma.isa import catalog
from wavemma.tables.builtins import builtins
from wavemma.tables.formats import format_rows
from wavemma.tables.models import model_rows
from wavemma.tables.products import endings
from wavemma.tables.targets import architectures, targets

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
        UnknownName: Nothing has the name, or its target lacks it; the kind that has the nearest
            name offers what there is.

    """
    word = " ".join(name.split()).lower()
    for names, explain in _KINDS:
        if word in names():
            return explain(word, target_name, wave)
    # The kind that has the nearest name says best what is wrong.
    near = get_close_matches(word, {each for names, _ in _KINDS for each in names()}, 1, 0.5)
    for names, explain in _KINDS if near else ():
        if near[0] in names():
            return explain(_spaced(word), target_name, wave)
    raise UnknownName(
        f"{name!r} is not a name of the matrix instructions.", subject=word, hint=HINT
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
    return set(targets())


def _formats() -> set[str]:
    return {word for row in format_rows().values() for word in (row.name, row.type)}


def _products() -> set[str]:
    return set(endings())


def _models() -> set[str]:
    return set(model_rows())


def _one(explain: Callable[[str], Answer]) -> Callable[[str, str | None, int | None], Answer]:
    """Explain what does not depend on a target."""

    def call(word: str, target_name: str | None, wave: int | None) -> Answer:
        return explain(word)

    return call


def _format(word: str, target_name: str | None, wave: int | None) -> Answer:
    return explain_format(word, target_name)


_KINDS: tuple[
    tuple[Callable[[], set[str]], Callable[[str, str | None, int | None], Answer]], ...
] = (
    (_targets, _one(explain_target)),
    (_architectures, _one(explain_architecture)),
    (_instructions, explain_instruction),
    (_builtins, explain_builtin),
    (_formats, _format),
    (_models, _one(explain_model)),
    (_products, _one(explain_product)),
)
