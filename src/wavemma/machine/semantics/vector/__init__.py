"""Meanings of vector instructions; many serve scalar ones too."""

from wavemma.machine.semantics.vector import (
    bits,
    comparisons,
    conversions,
    division,
    floats,
    functions,
    integers,
    mixed,
    scaling,
)

__all__ = [
    "bits",
    "comparisons",
    "conversions",
    "division",
    "floats",
    "functions",
    "integers",
    "mixed",
    "scaling",
]
