"""Lists of what there is, by filters; where nothing matches, what would."""

from collections.abc import Callable, Iterator

import msgspec

from wavemma.errors import UnknownName
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.entries import CITED, LISTS, Found, Row
from wavemma.isa.catalog import instructions
from wavemma.isa.instruction import Instruction
from wavemma.tables.format_names import formats_called
from wavemma.tables.targets import target

FILTER_NOTE = "Filters speak of instructions: an entry stays if one of its instructions matches."


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What instructions must be; empty or None: anything.

    Attributes:
        target: Name of a target that must have them.
        type: Format of A, B, C or D, by name, by the word of instructions or as published.
        result: Format of D, the same way.
        sparse: Whether A is sparse.
        kind: mfma, smfmac, wmma, swmmac or scale_load.

    """

    target: str = ""
    type: str = ""
    result: str = ""
    sparse: bool | None = None
    kind: str = ""


class Listing(Answer, frozen=True, kw_only=True, tag=True):
    """A list.

    Attributes:
        what: What is listed.
        filters: What was asked for.
        rows: One an entry; all have the same keys.
        suggestions: If there are no rows: what would match, one sentence each.

    """

    what: str
    filters: Filters
    rows: tuple[Row, ...]
    suggestions: tuple[str, ...]


def explain_list(what: str, filters: Filters | None = None) -> Listing:
    """List instructions, builtins, targets, products, formats or models.

    Args:
        what: One of these words.
        filters: What instructions must be; of other lists, those entries stay that have one.

    Raises:
        UnknownName: No such list or kind, target or type; offers the nearest names.

    """
    if what not in LISTS:
        raise UnknownName(f"{what!r} is not a list.", subject=what, allowed=LISTS)
    chosen = _checked(filters or Filters())
    found = tuple(_matching(chosen))
    rows = tuple(
        row for row in LISTS[what](found, chosen.target) if what != "formats" or _meant(row, chosen)
    )
    return Listing(
        what=what,
        filters=chosen,
        rows=rows,
        suggestions=() if rows else tuple(_suggestions(chosen)),
        evidence=distinct(_evidence(found, what, rows)),
        notes=() if what == "instructions" or chosen == Filters() else (FILTER_NOTE,),
    )


def _checked(filters: Filters) -> Filters:
    """Refuse filters that name nothing; bring names into the case of the tables."""
    kinds = list(dict.fromkeys(each.kind for each in instructions()))
    if filters.kind and filters.kind.lower() not in kinds:
        raise UnknownName(
            f"{filters.kind!r} is not a kind of instruction.", subject=filters.kind, allowed=kinds
        )
    for word in (filters.type, filters.result):
        if word:
            formats_called(word)
    return msgspec.structs.replace(
        filters,
        target=target(filters.target.lower()).name if filters.target else "",
        kind=filters.kind.lower(),
    )


def _matching(filters: Filters) -> Iterator[Instruction]:
    """Yield the instructions that pass every filter."""
    types = set(formats_called(filters.type)) if filters.type else set()
    results = set(formats_called(filters.result)) if filters.result else set()
    for each in instructions(filters.target or None):
        formats = {name for names in each.formats.values() for name in names}
        if (
            (not types or types & formats)
            and (not results or results & set(each.formats.get("d", ())))
            and filters.sparse in (None, each.is_sparse)
            and filters.kind in ("", each.kind)
        ):
            yield each


def _meant(row: Row, filters: Filters) -> bool:
    """Whether a format is the one asked for; its instructions have others as well."""
    return not filters.type or row["name"] in formats_called(filters.type)


def _suggestions(filters: Filters) -> Iterator[str]:
    """Say what would match, one filter dropped at a time."""
    for name in ("target", "type", "result", "kind", "sparse"):
        if getattr(filters, name) in ("", None):
            continue
        wider = msgspec.structs.replace(filters, **{name: None if name == "sparse" else ""})
        found = tuple(_matching(wider))
        if found:
            yield f"With another {name}: {', '.join(_choices(name, found))}."
    if filters.target and not any(_matching(Filters(target=filters.target))):
        yield f"{filters.target} has no matrix instructions."


def _choices(name: str, found: Found) -> tuple[str, ...]:
    """List what a filter could be so that something matches."""
    choices: dict[str, Callable[[Instruction], tuple[str, ...]]] = {
        "target": lambda each: each.targets,
        "type": lambda each: tuple(n for names in each.formats.values() for n in names),
        "result": lambda each: each.formats.get("d", ()),
        "kind": lambda each: (each.kind,),
        "sparse": lambda each: ("sparse" if each.is_sparse else "dense",),
    }
    return tuple(dict.fromkeys(value for each in found for value in choices[name](each)))


def _evidence(found: Found, what: str, rows: tuple[Row, ...]) -> Iterator[Evidence]:
    """Say what a list rests on: its entries, or all that was searched if there are none."""
    if what == "instructions" or not rows:
        for each in found or instructions():
            yield cited("instructions", each.row.source, each.row.grade)
        return
    for row in rows:
        yield cited(what, *CITED[what](str(row["name"])))
