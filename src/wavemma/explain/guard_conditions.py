"""Preprocessor conditions for sets of targets, each checked against every processor known."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.features import family_members, features
from wavemma.tables.processors import ProcessorRow, processors
from wavemma.tables.targets import TargetRow, targets

_NEWER_NOTE = (
    "{names} are not in LLVM 22: their macros are taken from the pattern of all others [D], and"
    " what __has_builtin says there could not be tried."
)


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """A condition that does not list all targets.

    Attributes:
        subject: The builtin that it asks for; empty if it asks for families.
        text: The line.
        wrong: Targets and processors where __has_builtin alone is true although LLVM 22 does not
            compile a call; the line leaves them out.

    """

    subject: str
    text: str
    wrong: tuple[str, ...] = ()


def newer_notes(names: Iterable[str]) -> Iterator[str]:
    """Say of which targets the macros are not known from a compiler."""
    newer = [name for name in names if targets()[name].macro_grade == "D"]
    if newer:
        yield _NEWER_NOTE.format(names=", ".join(newer))


def macro_condition(names: Iterable[str]) -> str:
    """Write the condition by the macro of each target."""
    return f"#if {_any(targets()[name].macro for name in names)}"


def family_condition(names: Collection[str]) -> Condition | None:
    """Write the condition with family macros where those are exactly the targets.

    Returns:
        None if no family consists of such targets only.

    """
    families = [macro for macro in _families(names) if _is_whole(macro, names)]
    if not families:
        return None
    single = [
        targets()[name].macro for name in names if targets()[name].family_macro not in families
    ]
    return Condition(subject="", text=f"#if {_any([*families, *single])}")


def has_builtin_targets(row: BuiltinRow) -> tuple[str, ...]:
    """List targets and processors where __has_builtin is true in LLVM 22, in the right wave.

    Newer targets, and builtins that LLVM 22 lacks, are not listed.
    """
    if row.since:
        return ()
    asked = [features()[name] for name in row.features if name in features()]
    every = (*targets(), *processors())
    return tuple(
        name for name in every if all(name in (*each.targets, *each.others) for each in asked)
    )


def builtin_condition(row: BuiltinRow) -> Condition:
    """Write the condition by __has_builtin, with what must be left out where it is too wide."""
    owners = available(row)
    wide = [name for name in has_builtin_targets(row) if not _is_owner(name, owners)]
    families = [
        macro
        for macro in _families(wide)
        if not any(_is_owner(name, owners) for name in family_members(macro))
    ]
    single = [_row(name).macro for name in wide if _row(name).family_macro not in families]
    text = "".join(f" && !defined({macro})" for macro in (*families, *single))
    return Condition(
        subject=row.name, text=f"#if __has_builtin({row.name}){text}", wrong=tuple(wide)
    )


def _is_owner(name: str, owners: Collection[str]) -> bool:
    """Whether a target has it, or a generic processor stands only for targets that have it."""
    if name in targets():
        return name in owners
    return _covers(name) and set(processors()[name].covers) <= set(owners)


def _is_whole(macro: str, names: Collection[str]) -> bool:
    """Whether all that define a family macro are among the targets, generic ones aside."""
    others = [name for name in family_members(macro) if name in targets() or not _covers(name)]
    return all(name in names for name in others)


def _covers(name: str) -> bool:
    return bool(processors()[name].covers)


def _families(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(_row(name).family_macro for name in names))


def _row(name: str) -> TargetRow | ProcessorRow:
    return targets()[name] if name in targets() else processors()[name]


def _any(macros: Iterable[str]) -> str:
    return " || ".join(f"defined({macro})" for macro in macros)
