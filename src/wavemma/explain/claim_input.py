"""A mapping in any of the ways that people write one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavemma.errors import ArrayMistake
from wavemma.explain.access_input import access, is_access
from wavemma.explain.basis_input import is_bases
from wavemma.explain.claim import Claim, called
from wavemma.explain.formula_input import formulas
from wavemma.explain.operand import Operand
from wavemma.explain.table_input import bases, csv_file, cute, is_cute

Mapped = str | Path | Callable[..., Any]


def claim_of(mapping: Mapped, asked: Operand) -> Claim:
    """Read a mapping, however it is written."""
    if isinstance(mapping, Path):
        return csv_file(mapping, asked.layout)
    if callable(mapping):
        return called(mapping, asked.layout)
    if not isinstance(mapping, str):
        raise ArrayMistake(
            "A mapping must be a text, the path of a table, or a function; given"
            f" {type(mapping).__name__}.",
            subject=type(mapping).__name__,
        )
    if is_bases(mapping):
        return bases(mapping, asked.layout)
    if is_cute(mapping):
        return cute(mapping, asked.layout, asked.role)
    if is_access(mapping):
        return access(mapping, asked.layout)
    return formulas(mapping, asked.layout)
