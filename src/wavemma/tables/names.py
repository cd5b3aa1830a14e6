"""Names that rows have, found in the text of data files without reading the rows.

Completion in a shell must be faster than TOML is read; that the names are those of the rows is a
test. A row stands on a line, its array begins and ends on lines of their own.
"""

import re
from collections.abc import Iterator

from wavemma.tables.files import text

_NAME = re.compile(r'\{ name = "([^"]+)"')
_WORD = re.compile(r'"([^"]+)"')


def target_names() -> list[str]:
    """List the targets."""
    return [name for name, _ in _rows("targets.toml", "target")]


def product_names() -> list[str]:
    """List the products."""
    return [name for name, _ in _rows("products.toml", "product")]


def builtin_names() -> list[str]:
    """List the builtins."""
    return [name for name, _ in _rows("builtins.toml", "builtin")]


def model_names() -> list[str]:
    """List the arithmetic models."""
    return [name for name, _ in _rows("models.toml", "model")]


def point_names(target_name: str = "") -> list[str]:
    """List the open points, of a target if one is given."""
    return [
        name
        for name, row in _rows("probes.toml", "point")
        if target_name in ("", *_listed(row, "targets"))
    ]


def format_names() -> list[str]:
    """List the number formats, and the words that assemblers have for them."""
    found: dict[str, None] = {}
    for name, row in _rows("formats.toml", "format"):
        found |= {_value(row, "type"): None, name: None}
    return list(found)


def instruction_names(target_name: str = "") -> list[str]:
    """List the matrix instructions of a target, or of all; none if there is no such target."""
    found: dict[str, None] = {}
    for target, row in _rows("targets.toml", "target"):
        if target_name in ("", target):
            found |= dict.fromkeys(_of_architecture(_value(row, "architecture"), target))
    return list(found)


def operand_roles(instruction_name: str) -> list[str]:
    """List the operands of an instruction besides A, B, C and D."""
    for architecture, _ in _rows("targets.toml", "architecture"):
        for name, row in _rows(f"isa/{architecture}/matrix.toml", "instruction"):
            if name == instruction_name:
                sparse = ["index"] if _value(row, "kind").startswith("s") else []
                return sparse + (["scale_a", "scale_b"] if "scale_block" in row else [])
    return []


def _of_architecture(architecture: str, target_name: str) -> Iterator[str]:
    for name, row in _rows(f"isa/{architecture}/matrix.toml", "instruction"):
        only = _listed(row, "targets")
        if not only or target_name in only:
            yield name


def _rows(path: str, key: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each row of an array."""
    inside = False
    for line in text(path).splitlines():
        if inside and line.startswith("]"):
            return
        named = _NAME.search(line) if inside else None
        if named:
            yield named[1], line
        inside = inside or line == f"{key} = ["


def _value(row: str, key: str) -> str:
    """Give the text of a field."""
    found = re.search(rf'\b{key} = "([^"]*)"', row)
    return found[1] if found else ""


def _listed(row: str, key: str) -> list[str]:
    """Give the texts of a field that is a list."""
    found = re.search(rf"\b{key} = \[([^]]*)\]", row)
    return _WORD.findall(found[1]) if found else []
