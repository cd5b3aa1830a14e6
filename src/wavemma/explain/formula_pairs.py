"""The formulas of a layout in Python's and in C's words, both ways."""

from collections.abc import Callable

import msgspec

from wavemma.errors import Unsupported
from wavemma.layouts import Layout
from wavemma.layouts.formula import Syntax, element_formulas, place_formulas, register_formulas

_NAMES = {"vgpr": "v"}


class Formula(msgspec.Struct, frozen=True):
    """One formula: what it gives, in Python's and in C's words (all numbers are >= 0)."""

    name: str
    python: str
    c: str


class Formulas(msgspec.Struct, frozen=True):
    """A layout in formulas; a list is empty where no short formulas describe it.

    Attributes:
        place: From the indices: lane (of the first copy), slot, register v and lowest bit.
        element: From lane and slot: each index.
        register_element: From lane, register v and number n of the element in it: each index.
        copies: Where else each element is, added to the lane.

    """

    place: tuple[Formula, ...]
    element: tuple[Formula, ...]
    register_element: tuple[Formula, ...]
    copies: tuple[int, ...]


def formulas_of(layout: Layout) -> Formulas:
    """Derive the formulas of a layout."""
    return Formulas(
        _both(place_formulas, layout),
        _both(element_formulas, layout),
        _both(register_formulas, layout),
        tuple(copy - layout.copies[0] for copy in layout.copies[1:]),
    )


def _both(write: Callable[[Layout, Syntax], dict[str, str]], layout: Layout) -> tuple[Formula, ...]:
    try:
        python, c = write(layout, "python"), write(layout, "c")
    except Unsupported:
        return ()
    return tuple(Formula(_NAMES.get(name, name), text, c[name]) for name, text in python.items())
