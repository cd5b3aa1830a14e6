"""A mapping in any of the ways that people write one."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wavemma.errors import ArrayMistake
from wavemma.explain.access_input import access, is_access
from wavemma.explain.basis_input import is_bases
from wavemma.explain.claim import Claim
from wavemma.explain.formula_input import formulas
from wavemma.explain.function_input import called
from wavemma.explain.operand import Operand
from wavemma.explain.table_input import bases, csv_file, cute, is_cute

# What stands before the formulas of a function: "lambda lane, v:", "return".
_LAMBDA = re.compile(r"\s*(?:\w+\s*=\s*)?lambda\b([\w\s,]*):")
_FUNCTION = re.compile(r"\s*(?:(?:\w+\s*=\s*)?lambda\b[\w\s,]*:|return\b)\s*")

_FILE = ".csv"

Mapped = str | Path | Callable[..., Any]


def claim_of(mapping: Mapped, asked: Operand) -> Claim:
    """Read a mapping, however it is written."""
    if isinstance(mapping, Path) or (isinstance(mapping, str) and _names_file(mapping)):
        return csv_file(Path(mapping), asked.layout)
    if callable(mapping):
        return called(mapping, asked.layout)
    if not isinstance(mapping, str):
        raise ArrayMistake(
            "A mapping must be a text, the path of a table, or a function; given"
            f" {type(mapping).__name__}.",
            subject=type(mapping).__name__,
        )
    parameters = _LAMBDA.match(mapping)
    mapping = _FUNCTION.sub("", mapping)
    if is_bases(mapping):
        return bases(mapping, asked.layout)
    if is_cute(mapping):
        return cute(mapping, asked.layout, asked.role)
    if is_access(mapping):
        return access(mapping, asked.layout)
    claim = formulas(_bare(mapping), asked.layout)
    return claim if parameters is None else _as_function(claim, parameters[1])


def _names_file(text: str) -> bool:
    return text.rstrip().lower().endswith(_FILE)


def _as_function(claim: Claim, parameters: str) -> Claim:
    """Take formulas as those of a function with these parameters."""
    order = [word.strip() for word in parameters.split(",")]
    inputs = sorted(claim.inputs.items(), key=lambda each: order.index(each[1]))
    return claim._replace(syntax="callable", inputs=dict(inputs))


def _bare(text: str) -> str:
    """Take the brackets off a pair of formulas that they hold as a whole."""
    inner = text.strip()
    depth, pairs = 0, 0
    for place, letter in enumerate(inner):
        depth += (letter == "(") - (letter == ")")
        pairs += letter == "," and depth == 1
        if depth == 0 and place < len(inner) - 1:
            return text
    return inner[1:-1] if pairs and depth == 0 else text
