"""Where each element of a matrix lies in the registers of a wave."""

from wavemma.layouts.algebra import (
    BitMap,
    bit_map,
    compose,
    conversion,
    invert,
    k_equivalent,
)
from wavemma.layouts.families import (
    FAMILIES,
    MATRIX_ROLES,
    SCALE_ROLES,
    Family,
    Role,
    Shape,
    layout,
    pattern,
)
from wavemma.layouts.formula import element_formulas, place_formulas, register_formulas
from wavemma.layouts.layout import GROUP, KEPT, Bit, Layout, Piece, Place

__all__ = [
    "FAMILIES",
    "GROUP",
    "KEPT",
    "MATRIX_ROLES",
    "SCALE_ROLES",
    "Bit",
    "BitMap",
    "Family",
    "Layout",
    "Piece",
    "Place",
    "Role",
    "Shape",
    "bit_map",
    "compose",
    "conversion",
    "element_formulas",
    "invert",
    "k_equivalent",
    "layout",
    "pattern",
    "place_formulas",
    "register_formulas",
]
