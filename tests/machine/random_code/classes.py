"""Classes of instructions: what may stand in one random program."""

from collections.abc import Callable
from functools import cache

from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.meaning import Meaning
from wavemma.machine.semantics import MEANINGS
from wavemma.machine.value_type import types_of_row
from wavemma.tables.ordinary import OrdinaryRow

ARCHITECTURES = ("rdna3", "rdna3.5", "rdna4", "cdna1", "cdna2", "cdna3", "cdna4", "cdna5")
_NOT_RANDOM = ("relative", "hardware_registers", "messages", "matrix", "index_mode")
"""Modules of meanings that reach registers by numbers that random code would make too large, or
whose results are no function of the state."""


def module(row: OrdinaryRow) -> str:
    """Give the module of what a row computes, "" if that is not known."""
    found = MEANINGS.get(row.meaning)
    if found is None:
        return ""
    function = found.compute if isinstance(found, Meaning) else found.act
    return function.__module__.removeprefix("wavemma.machine.semantics.")


def _is_plain(row: OrdinaryRow) -> bool:
    name = module(row)
    plain = name.startswith(("vector", "scalar", "lanes")) and not row.flow
    return (
        plain and not name.endswith(_NOT_RANDOM) and row.name not in ("s_getpc_b64", "s_get_pc_i64")
    )


def _is_integer(row: OrdinaryRow) -> bool:
    kinds = types_of_row(row.type)
    whole = all(name[:1] in ("b", "i", "u") and "f" not in name for name in kinds if name)
    return _is_plain(row) and whole and not module(row).endswith(("dots", "mixed", "small_floats"))


def _is_float(kind: str) -> Callable[[OrdinaryRow], bool]:
    """Give rows whose numbers are all of one type: a NaN's bits then matter to none of them."""

    def chosen(row: OrdinaryRow) -> bool:
        if not _is_plain(row) or set(types_of_row(row.type)) != {kind}:
            return False
        found = MEANINGS[row.meaning]
        parts = found.takes if isinstance(found, Meaning) else ()
        others = {p.type for p in parts} - {"", "result", kind, "mask", "flag", "code"}
        apart = module(row).endswith(
            ("dots", "mixed", "small_floats", "bits", "conversions", "saturated")
        )
        return bool(parts) and not others and not apart and "class" not in row.meaning

    return chosen


_PLACES = (
    "loads",
    "stores",
    "atomics",
    "pairs",
    "permutes",
    "scalar_loads",
    "turned",
    "scalar_stores",
)
_MEMORY = tuple(f"memory.{name}" for name in _PLACES)


def _is_reached(row: OrdinaryRow) -> bool:
    """Tell whether a row reaches memory at places that the program chooses.

    LDS by M0 is not among them.
    """
    by_m0 = row.meaning.endswith("by_lane") and row.name.startswith("ds_")
    return module(row) in _MEMORY and not by_m0


def _is_memory(row: OrdinaryRow) -> bool:
    return _is_reached(row) and "f" not in row.type


def _is_memory_of(kind: str) -> Callable[[OrdinaryRow], bool]:
    return lambda row: _is_reached(row) and types_of_row(row.type)[0] == kind


def _is_apart(row: OrdinaryRow) -> bool:
    return _is_plain(row) and not any(CLASSES[name](row) for name in ALONE)


def _is_by_m0(row: OrdinaryRow) -> bool:
    """Tell whether M0 says which registers or which place in LDS a row reaches."""
    by_lane = row.meaning.endswith("by_lane") and row.name.startswith("ds_")
    named = module(row).endswith(("relative", "memory.lists", "memory.blocks"))
    return by_lane or named


def _is_hint(row: OrdinaryRow) -> bool:
    return row.meaning in ("nothing", "give_way")


ALONE = ("integers", "f16", "f32", "f64")
"""Classes of arithmetic whose results may be sources of every other one of the same class."""
CLASSES: dict[str, Callable[[OrdinaryRow], bool]] = {
    "integers": _is_integer,
    "scalars": lambda row: _is_integer(row) and row.encoding.startswith("SOP"),
    "memory": _is_memory,
    "lanes": lambda row: _is_integer(row) and module(row).startswith("lanes"),
    "f16": _is_float("f16"),
    "f32": _is_float("f32"),
    "f64": _is_float("f64"),
    "apart": _is_apart,
    "memory_f32": _is_memory_of("f32"),
    "memory_f64": _is_memory_of("f64"),
    "memory_f16": _is_memory_of("f16"),
    "memory_bf16": _is_memory_of("bf16"),
    "by_m0": _is_by_m0,
    "hints": _is_hint,
}


def all_rows(architecture: str) -> list[OrdinaryRow]:
    """Give the rows that run; halves of dual instructions are not among them."""
    table = ordinary_table(architecture).rows.instructions
    return [row for row in table if module(row) and not row.encoding.startswith("VOPD")]


@cache
def rows(architecture: str, name: str) -> tuple[OrdinaryRow, ...]:
    """Give the rows of a class."""
    return tuple(row for row in all_rows(architecture) if CLASSES[name](row))


@cache
def duals(architecture: str, name: str) -> tuple[tuple[OrdinaryRow, ...], ...]:
    """Give the first and the second halves of dual instructions of a class."""
    table = ordinary_table(architecture).rows.instructions
    halves = [[row for row in table if row.encoding == f"VOPD_{half}"] for half in "XY"]
    return tuple(tuple(r for r in half if r.meaning and CLASSES[name](r)) for half in halves)


def spaces(architecture: str) -> dict[str, str]:
    """Tell what the addresses of each encoding count in."""
    return {word.name: word.space for word in ordinary_table(architecture).rows.words}
