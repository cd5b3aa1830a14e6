"""Records of data/features.toml: the processors that the compiler knows besides our targets."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name

_FILE = "features.toml"


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
def processors() -> dict[str, ProcessorRow]:
    """Give the processors that are no targets of ours, by name.

    Raises:
        DataMistake: If two rows have one name.

    """
    return by_name(_FILE, "processor", rows(_FILE, "processor", ProcessorRow))
