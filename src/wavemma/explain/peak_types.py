"""The published types of matrix rates, and which of them a target has."""

from collections.abc import Iterator

from wavemma.errors import UnknownName, Unsupported
from wavemma.tables.rates import rate_type, rate_types
from wavemma.throughput.roofline import peak_of_target


def type_called(word: str, where: str) -> str:
    """Find a type by its name or a name of one of its formats.

    Args:
        word: Such as "fp16", "f16" or "half", in any case.
        where: A target.

    Raises:
        UnknownName: No type has the name; offers those that the target has.

    """
    try:
        return rate_type(word.lower()).name
    except UnknownName:
        kinds = dict.fromkeys(
            (*types_of_target(where, sparse=False), *types_of_target(where, sparse=True))
        )
        rows = [rate_types()[kind] for kind in kinds]
        raise UnknownName(
            f"{word!r} is not a type of matrix rates of {where}.",
            subject=word.lower(),
            allowed=dict.fromkeys(word for row in rows for word in (row.name, *row.formats)),
            hint=f"All: {', '.join(kinds)}.",
        ) from None


def types_of_target(where: str, *, sparse: bool) -> Iterator[str]:
    """List the types that a target has instructions of."""
    for kind in rate_types():
        try:
            peak_of_target(where, kind, units=1, clock_mhz=1.0, sparse=sparse)
        except Unsupported:
            continue
        yield kind
