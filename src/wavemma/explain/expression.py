"""Integer formulas as people write them, in Python's words or C's: parsed, never run as code.

Known are whole numbers, names, + - * / // % & | ^ ~ << >>, comparisons, not/and/or, ! && ||, and
both forms of choice (`a if c else b`, `c ? a : b`). What tells C from Python (the words below) also
tells how negative numbers divide and how tightly & ^ | bind.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from wavemma.errors import OutOfRange, SyntaxMistake

Dialect = Literal["python", "c"]
Value = Callable[[Mapping[str, int]], int]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?P<suffix>[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*(?:\.[xyz])?)"
    r"|(?P<sign>//|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),]))"
)
_C_SIGNS = ("?", "&&", "||", "!", "/")
_WORDS = ("if", "else", "and", "or", "not")
_DEEPEST = 60
_LONGEST_NUMBER = 12
_WIDEST_SHIFT = 63


class Token(NamedTuple):
    """A word of a formula and where it starts in the whole text."""

    kind: str
    text: str
    position: int


class Expression(NamedTuple):
    """A parsed formula: the names that it needs, in order, and its value for given names."""

    names: tuple[Token, ...]
    value: Value


def mistake(text: str, position: int, reason: str, hint: str = "") -> SyntaxMistake:
    """Say where a formula goes wrong, with a mark below the place."""
    start = text.rfind("\n", 0, position) + 1
    line = text[start:].split("\n", 1)[0]
    return SyntaxMistake(
        f"The formula goes wrong at position {position + 1}: {reason}.\n"
        f"    {line}\n    {' ' * (position - start)}^",
        subject=text[position : position + 1],
        hint=hint,
    )


def tokens(text: str, start: int, end: int) -> tuple[Token, ...]:
    """Cut text[start:end] into words.

    Raises:
        SyntaxMistake: A sign that no formula has, or a number that is not whole.

    """
    found: list[Token] = []
    while text[start:end].strip():
        match = _TOKEN.match(text, start, end)
        at = start + len(text[start:end]) - len(text[start:end].lstrip())
        if match is None:
            what = "numbers must be whole" if text[at].isdigit() else f"{text[at]!r} has no meaning"
            raise mistake(text, at, what)
        kind = str(match.lastgroup if match.lastgroup != "suffix" else "number")
        if kind == "number" and len(match[kind]) > _LONGEST_NUMBER:
            raise mistake(text, at, "the number is too large")
        found.append(Token(kind, match[kind], match.start(kind)))
        start = match.end()
    return tuple(found)


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
        left = self.operand(depth)
        while self.word is not None and self.strength.get(self.word.text, -1) >= loosest:
            sign = self.word
            self.place += 1
            right = self.chain(self.strength[sign.text] + 1, depth + 1)
            left = _joined(self.operations[sign.text], left, right)
            following = self.word
            if sign.text in _COMPARISONS and following and following.text in _COMPARISONS:
                raise mistake(
                    self.text, following.position, "comparisons in a row need brackets or 'and'"
                )
        return left

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


def _joined(join: Callable[[int, int], int], left: Value, right: Value) -> Value:
    return lambda names: int(join(left(names), right(names)))


def _chosen(condition: Value, then: Value, other: Value) -> Value:
    return lambda names: then(names) if condition(names) else other(names)
