"""Where each element of a matrix lies in the registers of a wave."""

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
from wavemma.layouts.layout import Bit, Layout, Piece, Place

__all__ = [
    "FAMILIES",
    "MATRIX_ROLES",
    "SCALE_ROLES",
    "Bit",
    "Family",
    "Layout",
    "Piece",
    "Place",
    "Role",
    "Shape",
    "layout",
    "pattern",
]
