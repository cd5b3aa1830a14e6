"""Meanings of vector instructions; many serve scalar ones too."""

from wavemma.machine.semantics.vector import (
    bits,
    comparisons,
    conversions,
    cubes,
    differences,
    division,
    dots,
    float_orders,
    floats,
    functions,
    integer_orders,
    integers,
    mixed,
    products,
    scaling,
    small_floats,
)

__all__ = [
    "bits",
    "comparisons",
    "conversions",
    "cubes",
    "differences",
    "division",
    "dots",
    "float_orders",
    "floats",
    "functions",
    "integer_orders",
    "integers",
    "mixed",
    "products",
    "scaling",
    "small_floats",
]
