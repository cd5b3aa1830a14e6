"""Reading a rule's parameters out of a model row."""

from collections.abc import Collection
from typing import Literal, TypeVar

import msgspec

from wavemma.errors import DataMistake, Unsupported
from wavemma.numerics.path import Setting
from wavemma.tables.models import ModelRow

P = TypeVar("P", bound=msgspec.Struct)
# Products of factors of this precision are exact in f32 and leave room in f64.
FACTOR_PRECISION = 12


def parameters(row: ModelRow, record: type[P]) -> P:
    """Turn the parameters of a row into a record that refuses unknown names.

    Args:
        row: The model's row.
        record: A frozen msgspec.Struct with forbid_unknown_fields.

    Raises:
        DataMistake: Names the model and the field.

    """
    try:
        return msgspec.convert(row.parameters, record)
    except msgspec.ValidationError as error:
        raise DataMistake(f"data/models.toml, {row.name}: {error}", subject=row.name) from None


def check_formats(
    row: ModelRow,
    setting: Setting,
    results: Collection[str],
    *,
    kind: Literal["float", "integer"] = "float",
    precision: int = 53,
) -> None:
    """Refuse a setting that a rule does not define.

    Args:
        row: The model's row.
        setting: Formats and options.
        results: Names of the formats that C and D may have.
        kind: What A and B must be.
        precision: Most bits that a significand of A or B may have.

    Raises:
        Unsupported: Names the model, what it takes and what was given.

    """
    if setting.d.name not in results or setting.c.name not in results:
        raise Unsupported(
            f"The model {row.name} has C and D in {', '.join(results)}; given "
            f"{setting.c.name} and {setting.d.name}.",
            subject=setting.d.name,
            allowed=results,
        )
    for form in (setting.a, setting.b):
        if form.kind != kind or (kind == "float" and form.precision > precision):
            raise Unsupported(
                f"The model {row.name} takes {kind} factors"
                + (f" of at most {precision} significant bits" if kind == "float" else "")
                + f"; given {form.name}.",
                subject=form.name,
                hint="Choose another model, or another instruction.",
            )
