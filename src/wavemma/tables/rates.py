"""Records of the published types and peaks in data/products.toml."""

from functools import cache

import msgspec

from wavemma.errors import UnknownName
from wavemma.tables.files import rows
from wavemma.tables.format_names import formats_called, is_format_name
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.sources import sources

_FILE = "products.toml"


class RateTypeRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type name as vendors publish it, and the formats of A and B that it stands for.

    Attributes:
        name: Published name, such as "fp16".
        formats: Names of formats, all equally fast or the fastest taken.

    """

    name: str
    formats: tuple[str, ...]


class PublishedPeak(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published matrix rate of a whole card.

    Attributes:
        product: Name of the product.
        type: Name of a RateTypeRow.
        sparse: Whether 2:4 sparsity is counted as if dense.
        tera: Tera-operations a second.
        resolution: Worth of the last printed digit.
        reason: Why it is not what the cycles of the instructions give.

    """

    product: str
    type: str
    sparse: bool
    tera: int | float
    resolution: int | float
    source: str
    grade: Grade
    reason: str = ""


@cache
def rate_types() -> dict[str, RateTypeRow]:
    """Give the published type names.

    Raises:
        DataMistake: If two rows have one name.

    """
    return by_name(_FILE, "rate_type", rows(_FILE, "rate_type", RateTypeRow))


def rate_type(word: str) -> RateTypeRow:
    """Find a published type by its name or a name of one of its formats.

    Args:
        word: Such as "fp16", "f16", "half" or "fp8_ocp".

    Raises:
        UnknownName: Offers the nearest names.

    """
    table = rate_types()
    if word in table:
        return table[word]
    meant = formats_called(word) if is_format_name(word) else ()
    for row in table.values():
        if set(meant) & set(row.formats):
            return row
    raise UnknownName(
        f"{word!r} is not a type of matrix rates.",
        subject=word,
        allowed=[name for row in table.values() for name in (row.name, *row.formats)],
    )


@cache
def published_peaks() -> dict[str, tuple[PublishedPeak, ...]]:
    """Give the published peaks by product name; a product without any is left out.

    Raises:
        DataMistake: If a row names a type or source that is not there.

    """
    table: dict[str, list[PublishedPeak]] = {}
    for number, row in enumerate(rows(_FILE, "peak", PublishedPeak)):
        place = f"data/{_FILE}, peak {number}"
        check_known(place, "type", [row.type], rate_types())
        check_known(place, "source", [row.source], sources())
        table.setdefault(row.product, []).append(row)
    return {name: tuple(peaks) for name, peaks in table.items()}
