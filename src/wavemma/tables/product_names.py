"""How people call a product, and the target that it is compiled for; the rest is in products."""

from functools import cache

import msgspec

from wavemma.tables.files import rows

_FILE = "products.toml"
_LEAST = 4


class NamedProduct(msgspec.Struct, frozen=True):
    """What a product's row says about its name: `ProductRow` has all its fields."""

    name: str
    target: str


@cache
def targets_of_products() -> dict[str, str]:
    """Give the target of each product, as its row says it; unchecked."""
    return {row.name: row.target for row in rows(_FILE, "product", NamedProduct)}


@cache
def endings() -> dict[str, tuple[str, ...]]:
    """Give the products by every end of their names, in lower case, cut between words."""
    ends: dict[str, tuple[str, ...]] = {}
    for name in targets_of_products():
        words = name.lower().split()
        for start in range(len(words)):
            end = " ".join(words[start:])
            ends[end] = (*ends.get(end, ()), name)
    return ends


@cache
def run_together() -> dict[str, tuple[str, ...]]:
    """Give `endings` with the spaces left out, as in "7900xtx"."""
    return {end.replace(" ", ""): names for end, names in endings().items()}


def begun(name: str) -> tuple[str, ...]:
    """List the products whose name, or the end of one, begins with a name, in any case."""
    wanted = "".join(name.lower().split())
    found = [
        each for end, names in run_together().items() if end.startswith(wanted) for each in names
    ]
    return tuple(dict.fromkeys(found)) if len(wanted) >= _LEAST else ()


def called(name: str) -> tuple[str, ...]:
    """List the products that a name or the end of one means, in any case."""
    wanted = " ".join(name.lower().split())
    return endings().get(wanted, ()) or run_together().get(wanted.replace(" ", ""), ())
