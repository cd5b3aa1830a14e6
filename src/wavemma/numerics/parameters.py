"""Reading a rule's parameters out of a model row."""

from typing import TypeVar

import msgspec

from wavemma.errors import DataMistake
from wavemma.tables.models import ModelRow

P = TypeVar("P", bound=msgspec.Struct)


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
