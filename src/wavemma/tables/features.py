"""Records of data/features.toml: compiler features, and processors without rows of their own."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.processors import processors
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


@cache
def features() -> dict[str, FeatureRow]:
    """Give the compiler features of matrix builtins by name, wave sizes left out.

    Raises:
        DataMistake: If two rows have one name, or a row names or covers no target or processor.

    """
    table = by_name(_FILE, "feature", rows(_FILE, "feature", FeatureRow))
    for row in table.values():
        place = f"data/{_FILE}, feature {row.name}"
        check_known(place, "targets", row.targets, targets())
        check_known(place, "others", row.others, processors())
    for processor in processors().values():
        check_known(
            f"data/{_FILE}, processor {processor.name}", "covers", processor.covers, targets()
        )
    return table


def family_members(macro: str) -> tuple[str, ...]:
    """List every target and processor that defines a family macro."""
    ours = [row.name for row in targets().values() if row.family_macro == macro]
    return (*ours, *(row.name for row in processors().values() if row.family_macro == macro))
