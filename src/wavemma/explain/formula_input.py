"""A mapping written as formulas: `row = v + 8*(lane//16); col = lane%16`, or the reverse."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.claim import AXES, LANES, SCALES, SLOTS, Claim, Numbers, axes_of, word_of
from wavemma.explain.expression import Dialect, Expression, dialect_of, parse
from wavemma.explain.formula_words import Token, late, mistake, tokens
from wavemma.explain.thread_use import parts_waves
from wavemma.layouts import Layout

_NAMED = re.compile(
    r"\s*(?:(?:const|constexpr|auto|int|unsigned|long|size_t|u?int(?:8|16|32|64)?_t)\s+)*"
    r"(?P<name>[A-Za-z_]\w*)\s*=(?!=)"
)
# A type before a name is a declaration, which Python has not.
_DECLARED = re.compile(
    r"(?:^|[;,\s])(?:auto|int|unsigned|long|size_t|u?int(?:8|16|32|64)?_t)\s+\w+\s*=(?!=)"
)
_EMPTY = re.compile(r"\s*$")
_LONGEST = 10_000
_WIDEST = 63
_LETTERS = ("i", "j", "k", "q")
_KEPT = (
    " Of a sparse A col counts the kept elements, two for every four k; which k they stand for"
    " is the index's to say."
)
_SCALES = f" The number of a scale along k is {SCALES}, or col: block {SCALES} of k has it."


class Statement(NamedTuple):
    """One formula: the name it gives, if it says one, and where its expression lies."""

    name: Token | None
    start: int
    end: int


class _Step(NamedTuple):
    """One formula ready to use: the user's word for what it gives, and our name if it has one."""

    word: str
    output: str | None
    expression: Expression


def formulas(text: str, layout: Layout) -> Claim:
    """Read a mapping from formulas.

    Args:
        text: Formulas between semicolons, commas or ends of lines. They give row and col (or the
            operand's letters, or b) from lane, v, n and slot, or the other way round; other names
            may be given first and then used. Without names they give row and col in this order.
        layout: The operand's own layout, for its letters.

    Raises:
        SyntaxMistake: Says where and why.

    """
    if len(text) > _LONGEST:
        raise SyntaxMistake(
            f"A formula must have at most {_LONGEST:,} signs; it has {len(text):,}."
        )
    axes = axes_of(layout)
    lines = statements(text)
    words = [tokens(text, each.start, each.end) for each in lines]
    every = [word for each in words for word in each]
    declares = _DECLARED.search(text) and all(word.text != "//" for word in every)
    dialect: Dialect = "c" if declares else dialect_of(every)
    steps = [
        (each.name, parse(text, line, dialect, each.end))
        for each, line in zip(lines, words, strict=True)
    ]
    claim = _Reader(text, axes, dialect).claim(_with_names(text, steps, layout))
    return claim._replace(parts_waves=parts_waves(every, layout.wave))


class _Reader:
    """Finds out what each name means."""

    def __init__(self, text: str, axes: Mapping[str, tuple[str, ...]], dialect: Dialect) -> None:
        self.text, self.axes, self.dialect = text, axes, dialect
        self.places = {**LANES, **SLOTS}

    def claim(self, steps: Sequence[tuple[Token, Expression]]) -> Claim:
        """Sort names into inputs, outputs and names of the user's own."""
        self._check_order(steps)
        forward = any(word_of(self.axes, name.text) for name, _ in steps)
        self._check_outputs([name for name, _ in steps])
        gives, takes = (self.axes, self.places) if forward else (self.places, self.axes)
        outputs: dict[str, str] = {}
        words: dict[str, str] = {}
        given: set[str] = set()
        made: list[_Step] = []
        for name, expression in steps:
            for word in expression.names:
                if word.text not in given:
                    words[word.text] = self._input(word, takes, gives)
            output = word_of(gives, name.text)
            given.add(name.text)
            if output:
                outputs[output] = name.text
            made.append(_Step(name.text, output, expression))
        self._check_idle([name for name, _ in steps], made, set(outputs), gives)
        inputs = {ours: word for word, ours in reversed(words.items())}
        value = _Evaluation(tuple(made), words)
        return Claim(self.dialect, self.text, dict(reversed(inputs.items())), outputs, value)

    def _input(
        self,
        word: Token,
        takes: Mapping[str, tuple[str, ...]],
        gives: Mapping[str, tuple[str, ...]],
    ) -> str:
        """Find what a name that nothing has given before means."""
        ours = word_of(takes, word.text)
        if ours is not None:
            return ours
        hint = f"Known here: {', '.join(name for words in takes.values() for name in words)}."
        if word_of(gives, word.text):
            reason = f"{word.text!r} is what the formulas give, so they cannot need it"
            if "v" in takes:
                hint = f"For the number of the register write v. {hint}"
        else:
            reason = f"{word.text!r} is not known"
        raise mistake(self.text, word.position, reason, hint)

    def _check_order(self, steps: Sequence[tuple[Token, Expression]]) -> None:
        """Refuse a name that is given behind its use."""
        places = {name.text: place for place, (name, _) in reversed([*enumerate(steps)])}
        for place, (_, expression) in enumerate(steps):
            for word in expression.names:
                if places.get(word.text, place) > place:
                    raise late(self.text, word)

    def _check_outputs(self, names: Sequence[Token]) -> None:
        """Refuse formulas that give no index or place, or an index that the matrix lacks."""
        known = {**self.axes, **self.places}
        strange = [name for name in names if word_of(known, name.text) is None]
        letters = [name for name in strange if name.text in _LETTERS]
        if not letters and len(strange) < len(names):
            return
        raise self._no_index((letters or strange)[0])

    def _no_index(self, name: Token) -> SyntaxMistake:
        """Say that this operand has no such index."""
        axes = ", ".join(words[-1] for words in self.axes.values())
        return mistake(
            self.text,
            name.position,
            f"{name.text!r} is neither an index of this matrix nor a place",
            f"Formulas give row and col (here also {axes}), or lane and v, n or slot."
            f"{_KEPT if 's' in self.axes else ''}"
            f"{_SCALES if SCALES in self.axes['col'] else ''}",
        )

    def _check_idle(
        self,
        names: Sequence[Token],
        made: Sequence[_Step],
        outputs: set[str],
        gives: Mapping[str, tuple[str, ...]],
    ) -> None:
        """Refuse a name that nothing needs where it is an index elsewhere, or nearly a missing one.

        Names of the user's own that only other code needs are left alone.
        """
        needed = {word.text for step in made for word in step.expression.names}
        missing = [word for key, words in gives.items() if key not in outputs for word in words]
        for name, step in zip(names, made, strict=True):
            if step.output is not None or name.text in needed:
                continue
            if word_of(AXES, name.text):
                raise self._no_index(name)
            near = get_close_matches(name.text.lower(), missing, n=1)
            if near:
                raise mistake(
                    self.text,
                    name.position,
                    f"{name.text!r} is given and nothing needs it",
                    f"Closest: {near[0]}.",
                )


def statements(text: str) -> list[Statement]:
    """Cut text at semicolons, ends of lines, and commas outside of brackets."""
    found: list[Statement] = []
    start = depth = 0
    for place, sign in enumerate([*text, ";"]):
        depth += (sign in "([") - (sign in ")]")
        if sign not in ";\n" and not (sign == "," and depth == 0):
            continue
        if not _EMPTY.match(text, start, place):
            found.append(_statement(text, start, place))
        start, depth = place + 1, 0
    if not found:
        raise SyntaxMistake(
            "A mapping must be given, such as 'row = 2*v + lane//16; col = lane%16'; the text is"
            " empty."
        )
    return found


def _statement(text: str, start: int, end: int) -> Statement:
    match = _NAMED.match(text, start, end)
    if match is None:
        return Statement(None, start, end)
    return Statement(Token("name", match["name"], match.start("name")), match.end(), end)


def _with_names(
    text: str, steps: list[tuple[Token | None, Expression]], layout: Layout
) -> list[tuple[Token, Expression]]:
    """Name formulas that have no names: block (if there are several), row and column."""
    missing = [number for number, (name, _) in enumerate(steps) if name is None]
    axes = (["b"] if "b" in layout.size else []) + ["row", "col"]
    if missing and (len(missing) != len(steps) or len(steps) != len(axes)):
        raise SyntaxMistake(
            "Formulas must say what they give, as in 'row = ...; col = ...', or be exactly"
            f" {len(axes)} ({', '.join(axes)}); formula {missing[0] + 1} of {len(steps)} has no"
            " name.",
            subject=text,
        )
    return [
        (name or Token("name", axes[number], 0), expression)
        for number, (name, expression) in enumerate(steps)
    ]


@dataclass(frozen=True)
class _Evaluation:
    """Computes all formulas in their order; `words` are the user's words for what is given."""

    steps: tuple[_Step, ...]
    words: dict[str, str]

    def __call__(self, numbers: Numbers) -> Numbers:
        names = {word: numbers[ours] for word, ours in self.words.items()}
        found: dict[str, int] = {}
        for step in self.steps:
            try:
                names[step.word] = _fitting(step.expression.value(names))
            except OutOfRange as error:
                where = ", ".join(f"{word} = {numbers[n]}" for word, n in self.words.items())
                raise OutOfRange(
                    f"The formula of {step.word} must give a number everywhere;"
                    f"{where and f' at {where}'} {error.message}.",
                    subject=where,
                ) from None
            if step.output:
                found[step.output] = names[step.word]
        return found


def _fitting(value: int) -> int:
    """Refuse numbers that no register holds."""
    if value.bit_length() > _WIDEST:
        raise OutOfRange(f"it is wider than {_WIDEST} bits")
    return value
