"""Integer formulas as people write them, in Python's words or C's: parsed, never run as code.

Known are whole numbers, names, + - * / // % & | ^ ~ << >>, comparisons, not/and/or, ! && ||, and
both forms of choice (`a if c else b`, `c ? a : b`). What tells C from Python (the words below) also
tells how negative numbers divide and how tightly & ^ | bind.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from wavemma.errors import OutOfRange
from wavemma.explain.formula_words import Token, mistake

Dialect = Literal["python", "c"]
Value = Callable[[Mapping[str, int]], int]

_C_SIGNS = ("?", "&&", "||", "!", "/")
_WORDS = ("if", "else", "and", "or", "not")
_DEEPEST = 60
_MOST_WORDS = 2000
_WIDEST_SHIFT = 63


class Expression(NamedTuple):
    """A parsed formula: the names that it needs, in order, and its value for given names."""

    names: tuple[Token, ...]
    value: Value


def dialect_of(words: Sequence[Token]) -> Dialect:
    """Tell C from Python by the signs that only C has; a single / divides whole numbers there."""
    return "c" if any(word.text in _C_SIGNS for word in words) else "python"


def parse(text: str, words: Sequence[Token], dialect: Dialect, end: int) -> Expression:
    """Parse one expression.

    Args:
        text: The whole text, for messages.
        words: The words of the expression.
        dialect: Whose rules hold.
        end: Where the expression ends in the text.

    Raises:
        SyntaxMistake: Says where and why.

    """
    parser = _Parser(text, words, dialect, end)
    value = parser.choice(0)
    if parser.word is not None:
        raise mistake(text, parser.word.position, f"{parser.word.text!r} was not expected here")
    names = tuple(word for word in words if word.kind == "name" and word.text not in _WORDS)
    return Expression(names, value)


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def apply(left: int, right: int) -> int:
        if not 0 <= right <= _WIDEST_SHIFT:
            raise OutOfRange(f"a shift must be by 0..{_WIDEST_SHIFT} bits, it is by {right}")
        return shift(left, right)

    return apply


def _divided(left: int, right: int) -> int:
    """Divide as C does, towards zero."""
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _checked(divide: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def apply(left: int, right: int) -> int:
        if right == 0:
            raise OutOfRange("it divides by 0")
        return divide(left, right)

    return apply


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": _checked(operator.floordiv),
    "/": _checked(operator.floordiv),
    "%": _checked(operator.mod),
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": _shifted(operator.lshift),
    ">>": _shifted(operator.rshift),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "and": lambda left, right: right if left else left,
    "or": lambda left, right: left if left else right,
    "&&": lambda left, right: bool(left and right),
    "||": lambda left, right: bool(left or right),
}
_C_OPERATIONS = _OPERATIONS | {
    "/": _checked(_divided),
    "//": _checked(_divided),
    "%": _checked(lambda left, right: left - right * _divided(left, right)),
}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

# What binds loosest comes first.
_LEVELS: dict[Dialect, tuple[tuple[str, ...], ...]] = {
    "python": (
        ("or", "||"), ("and", "&&"), _COMPARISONS, ("|",), ("^",), ("&",), ("<<", ">>"),
        ("+", "-"), ("*", "/", "//", "%"),
    ),
    "c": (
        ("or", "||"), ("and", "&&"), ("|",), ("^",), ("&",), ("==", "!="), _COMPARISONS[:4],
        ("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"),
    ),
}  # fmt: skip
_STRENGTH = {
    dialect: {sign: strength for strength, signs in enumerate(levels) for sign in signs}
    for dialect, levels in _LEVELS.items()
}
_UNARY: dict[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "!": lambda value: not value,
    "not": lambda value: not value,
}


class _Parser:
    """Reads words one after the other; each method reads one kind of part."""

    def __init__(self, text: str, words: Sequence[Token], dialect: Dialect, end: int) -> None:
        self.text, self.words, self.end = text, words, end
        self.strength = _STRENGTH[dialect]
        self.operations = _C_OPERATIONS if dialect == "c" else _OPERATIONS
        self.not_strength = 2 if dialect == "python" else len(_LEVELS["c"])
        self.place = 0

    @property
    def word(self) -> Token | None:
        """The next word; None at the end."""
        return self.words[self.place] if self.place < len(self.words) else None

    def choice(self, depth: int) -> Value:
        """Read an expression with a choice in it, of either form."""
        value = self.chain(0, depth + 1)
        if self.take("?"):
            return _chosen(value, *self.branches(":", depth))
        if self.take("if"):
            condition, other = self.branches("else", depth)
            return _chosen(condition, value, other)
        return value

    def branches(self, between: str, depth: int) -> tuple[Value, Value]:
        """Read two expressions with a word between them."""
        first = self.choice(depth + 1)
        self.need(between)
        return first, self.choice(depth + 1)

    def chain(self, loosest: int, depth: int) -> Value:
        """Read operands joined by signs that bind at least as tightly as given."""
        first, steps = self.operand(depth), []
        while self.word is not None and self.strength.get(self.word.text, -1) >= loosest:
            sign = self.word
            self.place += 1
            right = self.chain(self.strength[sign.text] + 1, depth + 1)
            steps.append((self.operations[sign.text], right))
            following = self.word
            if sign.text in _COMPARISONS and following and following.text in _COMPARISONS:
                raise mistake(
                    self.text, following.position, "comparisons in a row need brackets or 'and'"
                )
        return _joined(first, steps) if steps else first

    def operand(self, depth: int) -> Value:
        """Read a number, a name, something in brackets, or one of these behind a sign."""
        word = self.next()
        if depth > _DEEPEST:
            raise mistake(self.text, word.position, "it is nested too deeply")
        if word.kind == "number":
            return _constant(int(word.text, 0) if word.text.strip("0") else 0)
        if word.text in _UNARY:
            strength = self.not_strength if word.text == "not" else len(self.strength)
            return _applied(_UNARY[word.text], self.chain(strength, depth + 1))
        if word.text == "(":
            value = self.choice(depth + 1)
            self.need(")")
            return value
        if word.kind == "name" and word.text not in _WORDS:
            return _named(word.text)
        raise mistake(self.text, word.position, f"a value must stand here, not {word.text!r}")

    def next(self) -> Token:
        """Take the next word, which must be there."""
        if self.word is None:
            raise mistake(self.text, self.end, "a value must stand here; the formula ends")
        if self.place >= _MOST_WORDS:
            raise mistake(self.text, self.word.position, f"it has more than {_MOST_WORDS} words")
        self.place += 1
        return self.words[self.place - 1]

    def take(self, text: str) -> bool:
        """Take the next word if it is the given one."""
        found = self.word is not None and self.word.text == text
        self.place += found
        return found

    def need(self, text: str) -> None:
        """Take the next word, which must be the given one."""
        if not self.take(text):
            given = f"not {self.word.text!r}" if self.word else "the formula ends"
            position = self.word.position if self.word else self.end
            raise mistake(self.text, position, f"{text!r} must stand here; {given}")


def _constant(number: int) -> Value:
    return lambda names: number


def _named(name: str) -> Value:
    return lambda names: names[name]


def _applied(change: Callable[[int], int], value: Value) -> Value:
    return lambda names: int(change(value(names)))


def _joined(first: Value, steps: Sequence[tuple[Callable[[int, int], int], Value]]) -> Value:
    """Apply signs one after the other, in a loop, so that a long sum is no deep one."""

    def value(names: Mapping[str, int]) -> int:
        left = first(names)
        for join, right in steps:
            left = int(join(left, right(names)))
        return left

    return value


def _chosen(condition: Value, then: Value, other: Value) -> Value:
    return lambda names: then(names) if condition(names) else other(names)
