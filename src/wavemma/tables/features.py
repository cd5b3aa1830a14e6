"""Records of data/features.toml: compiler features, and processors without rows of their own."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.targets import targets

_FILE = "features.toml"


class FeatureRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of instructions by the name that clang gives it.

    Attributes:
        name: Such as "mai-insts".
        targets: The targets that have it in the compiler of the source.
        others: The other processors that have it.

    """

    name: str
    targets: tuple[str, ...]
    others: tuple[str, ...]
    source: str
    grade: Grade
    note: str = ""


class ProcessorRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A processor that the compiler knows and that is no target of ours.

    Attributes:
        name: As given to the compiler.
        macro: Preprocessor macro that only this one defines.
        family_macro: Preprocessor macro of its family.
        covers: Targets that a generic processor stands for; without any, it has no matrix
            instructions.

    """

    name: str
    macro: str
    family_macro: str
    source: str
    grade: Grade
    covers: tuple[str, ...] = ()


@cache
def features() -> dict[str, FeatureRow]:
    """Give the compiler features of matrix builtins by name, wave sizes left out.

    Raises:
        DataMistake: If two rows have one name, or a row names no target or processor.

    """
    table = by_name(_FILE, "feature", rows(_FILE, "feature", FeatureRow))
    for row in table.values():
        place = f"data/{_FILE}, feature {row.name}"
        check_known(place, "targets", row.targets, targets())
        check_known(place, "others", row.others, processors())
    return table


@cache
def processors() -> dict[str, ProcessorRow]:
    """Give the processors that are no targets of ours, by name.

    Raises:
        DataMistake: If two rows have one name, or a row covers no target.

    """
    table = by_name(_FILE, "processor", rows(_FILE, "processor", ProcessorRow))
    for row in table.values():
        check_known(f"data/{_FILE}, processor {row.name}", "covers", row.covers, targets())
    return table


def family_members(macro: str) -> tuple[str, ...]:
    """List every target and processor that defines a family macro."""
    ours = [row.name for row in targets().values() if row.family_macro == macro]
    return (*ours, *(row.name for row in processors().values() if row.family_macro == macro))
