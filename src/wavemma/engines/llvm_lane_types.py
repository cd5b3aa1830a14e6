"""Types and constants of lanes in LLVM IR, written as shortly as it allows."""

from functools import cache

import llvmlite.ir as ir

from wavemma.engines.engine import Lane

_TYPES: dict[Lane, ir.Type] = {
    Lane.BOOL: ir.IntType(1),
    Lane.I8: ir.IntType(8),
    Lane.I16: ir.IntType(16),
    Lane.I32: ir.IntType(32),
    Lane.I64: ir.IntType(64),
    Lane.F32: ir.FloatType(),
    Lane.F64: ir.DoubleType(),
}
LANE_OF_TYPE: dict[str, Lane] = {str(kind): lane for lane, kind in _TYPES.items()}

# The instruction between kinds of lanes; None where it depends on which is wider.
_CONVERSIONS: dict[tuple[str, str], str | None] = {
    ("bool", "integer"): "zext",
    ("bool", "float"): "uitofp",
    ("integer", "integer"): None,
    ("integer", "float"): "sitofp",
    ("float", "integer"): "fptosi",
    ("float", "float"): None,
    ("integer", "bool"): "trunc",
}


def element_type(lane: Lane) -> ir.Type:
    """Give the LLVM type of one lane."""
    return _TYPES[lane]


@cache
def vector_type(lane: Lane, width: int) -> ir.VectorType:
    """Give the LLVM type of so many lanes; one object each, as its text is made once."""
    return ir.VectorType(_TYPES[lane], width)


def constant(lane: Lane, number: float) -> ir.Constant:
    """Give a number as a constant of the LLVM type of one lane."""
    exact: float = number if lane.is_float else int(number) & ((1 << lane.bits) - 1)
    return ir.Constant(_TYPES[lane], float(exact) if lane is Lane.F32 else exact)


class Splat(ir.Constant):  # type: ignore[misc]
    """One constant in every lane, written once: the text of a kernel is mostly constants.

    Args:
        scalar: The constant.
        width: Lanes.

    """

    def __init__(self, scalar: ir.Constant, width: int) -> None:
        self.type = vector_type(LANE_OF_TYPE[str(scalar.type)], width)
        self.constant = (scalar,) * width

    def _get_reference(self) -> str:
        return f"splat ({self.constant[0]})"


class Unread(ir.Constant):  # type: ignore[misc]
    """A vector whose numbers nobody reads, written as one word.

    Args:
        kind: Type of the vector.

    """

    def __init__(self, kind: ir.VectorType) -> None:
        self.type = kind

    def _get_reference(self) -> str:
        return "poison"


def conversion(source: Lane, lane: Lane) -> str:
    """Name the instruction from one type of lanes to another one."""
    name = _CONVERSIONS[_kind(source), _kind(lane)]
    if name is not None:
        return name
    wider = lane.bits > source.bits
    if lane.is_float:
        return "fpext" if wider else "fptrunc"
    return "sext" if wider else "trunc"


def _kind(lane: Lane) -> str:
    return "float" if lane.is_float else "bool" if lane is Lane.BOOL else "integer"
