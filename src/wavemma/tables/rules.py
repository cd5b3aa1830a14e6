"""Records of data/rules.toml: how each rule of the arithmetic models sums, in words."""

from functools import cache

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import by_name

_FILE = "rules.toml"


class RuleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of summing in words.

    Attributes:
        name: What rows of data/models.toml name.
        steps: Sentences in the order of the work; {name} stands for a parameter of the model.
        parameters: What each parameter says.

    """

    name: str
    steps: tuple[str, ...]
    parameters: dict[str, str]


@cache
def rule_rows() -> dict[str, RuleRow]:
    """Give every rule by name, in file order."""
    return by_name(_FILE, "rule", rows(_FILE, "rule", RuleRow))
