"""From a model's row to the paths that evaluate it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from wavemma.engines.machine import Machine
from wavemma.errors import DataMistake
from wavemma.numerics.chained import chain_paths
from wavemma.numerics.complement import complement_paths
from wavemma.numerics.exact import exact_paths
from wavemma.numerics.floored import floored_paths
from wavemma.numerics.integer import integer_paths
from wavemma.numerics.pairwise import pairwise_paths
from wavemma.numerics.path import Extents, Path, Setting
from wavemma.numerics.scaled import scaled_paths
from wavemma.numerics.truncated import truncated_paths
from wavemma.tables.keys import Grade
from wavemma.tables.models import ModelRow, model_row, model_rows

Rule = Callable[[ModelRow, Setting], tuple[Path, ...]]

RULES: dict[str, Rule] = {
    "block_scaled": scaled_paths,
    "chain": chain_paths,
    "complement": complement_paths,
    "exact": exact_paths,
    "floored": floored_paths,
    "flushed_pairwise": pairwise_paths,
    "integer": integer_paths,
    "truncated": truncated_paths,
}
"""The function that builds a rule's paths, fastest first; the last one covers every input."""


@dataclass(frozen=True)
class Model:
    """A named way of summing.

    Example:
        >>> model("complement_2").grade_on("gfx1100")
        'H'

    """

    row: ModelRow

    def __hash__(self) -> int:
        return hash(self.row.name)

    @property
    def name(self) -> str:
        """Key of the row."""
        return self.row.name

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Models that hardware may follow instead, where that is open."""
        return self.row.alternatives

    def grade_on(self, target: str) -> Grade:
        """Give the evidence for this model on a target."""
        return self.row.grade_on(target)

    def paths(self, setting: Setting) -> tuple[Path, ...]:
        """Give the ways to evaluate the model, fastest first; the last covers every input."""
        return _paths(self, setting)

    def path_for(self, setting: Setting, extents: Extents, machine: Machine) -> Path:
        """Give the way that is fastest on a processor and right within the extents."""
        paths = (path for path in self.paths(setting) if path.suits(machine))
        return next(path for path in paths if path.covers(extents))

    def whole_path(self, setting: Setting) -> Path:
        """Give the way that covers every input."""
        return self.paths(setting)[-1]


@lru_cache(maxsize=256)
def _paths(found: Model, setting: Setting) -> tuple[Path, ...]:
    if found.row.rule not in RULES:
        raise DataMistake(
            f"data/models.toml, {found.name}: rule must be a known one, got '{found.row.rule}'.",
            subject=found.row.rule,
            allowed=RULES,
        )
    return RULES[found.row.rule](found.row, setting)


@cache
def model(name: str) -> Model:
    """Look up a model.

    Args:
        name: Key of data/models.toml.

    Raises:
        UnknownModel: If no row has the name.

    """
    return Model(model_row(name))


def models() -> tuple[Model, ...]:
    """Give every model, in file order."""
    return tuple(model(name) for name in model_rows())
