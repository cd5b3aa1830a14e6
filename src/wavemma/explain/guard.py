"""By which preprocessor condition does device code know that a feature is there?"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.errors import UnknownTarget
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.builtin_guards import guard
from wavemma.explain.citation import cited, distinct
from wavemma.explain.feature import Feature, feature
from wavemma.explain.guard_conditions import (
    Condition,
    builtin_condition,
    family_condition,
    has_builtin_targets,
    macro_condition,
    newer_notes,
)
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.features import features
from wavemma.tables.processors import processors
from wavemma.tables.targets import architectures, target, targets

HOST_NOTE = (
    "These macros exist only while device code is compiled: in the host's turn every branch for a"
    " target is left out, so never put #error into the last #else without"
    " defined(__HIP_DEVICE_COMPILE__)."
)
GENERIC_NOTE = (
    "Code compiled for a generic target ({names}) defines none of the macros of single targets."
)
FAMILY_NOTE = (
    "A family macro also holds for processors that are newer than this table and may lack it."
)
WAVE_NOTE = (
    "clang has no macro for the wave size any more; __has_builtin of a builtin with a wave size in"
    " its name tells it."
)


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """Targets that use the same builtins, the condition for them, and those builtins."""

    condition: str
    targets: tuple[str, ...]
    title: str
    builtins: tuple[str, ...]


class TargetHas(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a target that was asked about has the feature."""

    target: str
    has: bool
    defines: tuple[str, ...]


class Guard(Answer, frozen=True, kw_only=True, tag=True):
    """The conditions under which a feature can be used.

    Attributes:
        feature: The feature in one spelling.
        kind: "builtin", "instruction", "targets" or "types and shape".
        targets: Targets that have it.
        lacking: Targets that do not.
        condition: By the macro of each target; right for every target and compiler.
        families: By family macros, shorter; None where no family is right.
        by_builtin: By __has_builtin; only of a builtin, or an instruction with one.
        branches: For types and instructions: what to call where.
        asked: The targets that were asked about.

    """

    feature: str
    kind: str
    targets: tuple[str, ...]
    lacking: tuple[str, ...]
    condition: str
    families: Condition | None
    by_builtin: tuple[Condition, ...]
    branches: tuple[Branch, ...]
    asked: tuple[TargetHas, ...]


def explain_guard(text: str, asked: Sequence[str] = ()) -> Guard:
    """Give the conditions under which device code can use a feature.

    Args:
        text: A builtin, an instruction, targets, or words for types, kind and shape.
        asked: Targets to say of whether they have it.

    Raises:
        UnknownName: The feature has no meaning; offers the nearest.
        UnknownTarget: Offers the nearest names.

    """
    found = feature(text)
    rows = found.builtins if found.kind in ("builtin", "instruction") else ()
    return Guard(
        feature=found.words,
        kind=found.kind,
        targets=found.targets,
        lacking=tuple(name for name in targets() if name not in found.targets),
        condition=_condition(found),
        families=None if found.kind == "builtin" else family_condition(found.targets),
        by_builtin=tuple(builtin_condition(row) for row in rows),
        branches=tuple(_branches(found)),
        asked=tuple(_asked(name, found) for name in asked),
        evidence=distinct(_evidence(found)),
        notes=tuple(_notes(found, rows)),
    )


def _condition(found: Feature) -> str:
    """Write the exact condition; a builtin's wave size is a part of it."""
    if found.kind == "builtin":
        return guard(found.builtins[0], found.targets)
    return macro_condition(found.targets)


def _branches(found: Feature) -> Iterator[Branch]:
    """Group the targets by what they call."""
    if found.kind == "builtin":
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in found.targets:
        calls = tuple(row.name for row in found.builtins if name in available(row))
        groups.setdefault(calls, []).append(name)
    for calls, names in groups.items():
        titles = dict.fromkeys(
            architectures()[targets()[name].architecture].title for name in names
        )
        yield Branch(
            condition=macro_condition(names),
            targets=tuple(names),
            title=", ".join(titles),
            builtins=calls,
        )


def _asked(name: str, found: Feature) -> TargetHas:
    """Say whether a target has the feature; processors without matrix instructions have none."""
    row = processors().get(name)
    if row is None:
        row_of = target(name)
        defines: tuple[str, ...] = (row_of.macro, row_of.family_macro)
        return TargetHas(target=row_of.name, has=row_of.name in found.targets, defines=defines)
    if row.covers:
        raise UnknownTarget(
            f"{name!r} is generic, it stands for {', '.join(row.covers)}: ask about one of them.",
            subject=name,
            allowed=row.covers,
        )
    return TargetHas(target=name, has=False, defines=(row.macro, row.family_macro))


def _notes(found: Feature, rows: Iterable[BuiltinRow]) -> Iterator[str]:
    yield HOST_NOTE
    if found.kind != "builtin" and family_condition(found.targets):
        yield FAMILY_NOTE
    if any(row.wave for row in found.builtins):
        yield WAVE_NOTE
    generic = [row.name for row in processors().values() if set(row.covers) & set(found.targets)]
    if generic:
        yield GENERIC_NOTE.format(names=", ".join(generic))
    yield from newer_notes(found.targets)


def _evidence(found: Feature) -> Iterator[Evidence]:
    for name in found.targets:
        row = targets()[name]
        source = "llvm22" if row.macro_grade == "V" else "none"
        note = "" if row.macro_grade == "V" else "as all other targets' macros are made"
        yield cited("macros", source, row.macro_grade, note)
    for builtin in found.builtins:
        yield cited("builtins", builtin.source, builtin.grade)
        if has_builtin_targets(builtin):
            for name in builtin.features:
                if name in features():
                    yield cited(f"feature {name}", features()[name].source, features()[name].grade)
    for each in found.instructions:
        yield cited("instructions", each.row.source, each.row.grade)
