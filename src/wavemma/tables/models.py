"""Records of data/models.toml: named arithmetic models."""

from functools import cache

import msgspec

from wavemma.errors import UnknownModel
from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name

_FILE = "models.toml"


class ModelRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way of summing with its parameters.

    Attributes:
        name: Key, such as "complement_2".
        rule: Name of the function in the numerics room that builds it.
        parameters: What the rule is told; the rule checks the names.
        alternatives: Other models that may be what hardware does where it is not known.
        said_by: Key of data/sources.toml by alternative: who says that it may hold here, where
            that is not who the alternative's own rule is from.
        grades: Evidence by target.
        source: Key of data/sources.toml.
        sources: Another source than that, by target.
        grade: Evidence on targets that `grades` does not list.
        title: The rule in one sentence.

    """

    name: str
    rule: str
    parameters: dict[str, bool | int | str | tuple[int, ...] | dict[str, int]]
    alternatives: tuple[str, ...]
    grades: dict[str, Grade]
    source: str
    grade: Grade
    title: str
    sources: dict[str, str] = {}
    said_by: dict[str, str] = {}

    def source_on(self, target: str) -> str:
        """Give the source of the evidence on a target."""
        return self.sources.get(target, self.source)

    def alternatives_on(self, target: str) -> tuple[str, ...]:
        """Give the models that may hold instead on a target; none where silicon has answered."""
        return () if self.grade_on(target) == "H" else self.alternatives

    def source_of_alternative(self, name: str, target: str) -> str:
        """Give the source that says that an alternative may hold instead on a target."""
        return self.said_by.get(name) or model_row(name).source_on(target)

    def grade_on(self, target: str) -> Grade:
        """Give the evidence for this model on a target."""
        return self.grades.get(target, self.grade)


@cache
def model_rows() -> dict[str, ModelRow]:
    """Give every model row by name, in file order."""
    return by_name(_FILE, "model", rows(_FILE, "model", ModelRow))


def model_row(name: str) -> ModelRow:
    """Look up one model row.

    Raises:
        UnknownModel: If no row has the name.

    """
    table = model_rows()
    if name not in table:
        raise UnknownModel(
            f"An arithmetic model must be a known name, got '{name}'.", subject=name, allowed=table
        )
    return table[name]
