"""Symbols of assembly text: what .set gives a name, and registers that are named by them."""

import ast
import operator
import re
from collections.abc import Callable, Mapping

SET = re.compile(r"\s*(?:\.(?:set|equ)\s+([\w.$]+)\s*,|([A-Za-z_]\w*)\s*=(?!=))\s*(.+)")
_RANGE = re.compile(r"\b([vas])\[([^\]:]+)(?::([^\]]+))?\]")
_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
}
_LONGEST = 200


def with_numbers(line: str, symbols: Mapping[str, int]) -> str:
    """Put numbers in the place of symbols in brackets: v[first+1:first+4] becomes v[9:12].

    What cannot be worked out stays as it is.
    """
    if "[" not in line or not symbols:
        return line

    def number(match: re.Match[str]) -> str:
        file, first, last = match.groups()
        low = value_of(first, symbols)
        high = value_of(last, symbols) if last else None
        if low is None or (last and high is None):
            return match[0]
        return f"{file}[{low}:{high}]" if last else f"{file}[{low}]"

    return _RANGE.sub(number, line)


def value_of(text: str, symbols: Mapping[str, int]) -> int | None:
    """Work out a sum of numbers and symbols; None if it is none."""
    if len(text) > _LONGEST:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _value(tree.body, symbols)
    except (SyntaxError, ValueError, LookupError, ArithmeticError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr, symbols: Mapping[str, int]) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return symbols[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, symbols)
    if isinstance(node, ast.BinOp):
        found = _OPERATIONS[type(node.op)]
        return found(_value(node.left, symbols), _value(node.right, symbols))
    raise ValueError(ast.dump(node))
