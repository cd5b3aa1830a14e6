"""A mapping written as the code that uses it: `C[(2*v + lane/16)*ldc + lane%16] = acc[v];`.

One side of the statement is an element of a matrix in memory, the other an element of what a lane
holds. The place in memory is read as row*stride + column; every other name in it, such as the place
of the tile, counts as 0.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from wavemma.errors import SyntaxMistake
from wavemma.explain.access_value import Accessed, Step
from wavemma.explain.claim import LANES, SLOTS, Claim, Numbers, seen, word_of
from wavemma.explain.expression import Dialect, Expression, dialect_of, parse
from wavemma.explain.formula_input import Statement, statements
from wavemma.explain.formula_words import Token, late, mistake, tokens
from wavemma.explain.thread_use import parts_waves
from wavemma.layouts import Layout
from wavemma.layouts.layout import REGISTER_BITS

_ARRAY = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\s*(?=\[)")
_AROUND = re.compile(r"#[^\n]*|\bfor\s*\([^)]*\)|[{}]")
_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)")
_EXAMPLE = "C[(2*v + lane/16)*ldc + lane%16] = acc[v]"
_PAIR = 2
_MOST_NAMES = 16
_OTHER = {"row": "col", "col": "row"}


class Span(NamedTuple):
    """A part of the text."""

    start: int
    end: int


class _Use(NamedTuple):
    """One use of an array: where its name and its subscripts lie."""

    name: Token
    subscripts: tuple[Span, ...]


def is_access(text: str) -> bool:
    """Whether a text uses an array, as formulas do not."""
    return _ARRAY.search(text) is not None and _ASSIGNS.search(text) is not None


def access(text: str, layout: Layout) -> Claim:
    """Read a mapping from the statement that loads or stores an operand.

    Args:
        text: A statement that copies between an element of a matrix and one of what a lane holds;
            before it, statements that give names of their own, and a loop around it.
        layout: The operand's own layout.

    Raises:
        SyntaxMistake: Says where and why.

    """
    # Equally long, so that positions stay right.
    plain = _AROUND.sub(lambda found: " " * len(found[0]), text)
    return _Reader(plain, seen(layout)).claim()


def by_columns(claim: Claim) -> Claim:
    """Read the subscript of a statement the other way: as column*stride + row."""

    def value(numbers: Numbers) -> Numbers:
        found = claim.value(numbers)
        return {_OTHER[name]: number for name, number in found.items()}

    form = re.sub(r"{(row|col)}", lambda found: f"{{{_OTHER[found[1]]}}}", claim.form)
    return claim._replace(value=value, form=form)


class _Reader:
    """Finds the two sides of the statement, and what each name in them means."""

    def __init__(self, text: str, layout: Layout) -> None:
        self.text, self.layout = text, layout
        lines = statements(text)
        self.line, self.uses = self._copying(lines)
        self.names = [each for each in lines if each.name]
        self.given = [each for each in lines if each.name and each.end < self.line.end]

    def claim(self) -> Claim:
        """Say what the statement claims."""
        matrix, held = self._sides()
        spans = matrix.subscripts[-_PAIR:]
        needed = self._needed(self._words(spans))
        words = self._words([*spans, *(Span(each.start, each.end) for each in needed)])
        element = held.subscripts[-1]
        dialect = dialect_of([*words, *self._words([element])])
        steps = tuple(self._step(each, dialect) for each in needed)
        own = {step.name for step in steps}
        self._check_order(words, own)
        inputs, free = self._inputs(words, own)
        if len(free) > _MOST_NAMES:
            raise SyntaxMistake(
                f"A subscript must need at most {_MOST_NAMES} names; it needs {len(free)}.",
                subject=len(free),
            )
        counter = self._counter(element, free)
        made = Accessed(
            layout=self.layout,
            steps=steps,
            subscripts=tuple(self._parsed(span, dialect) for span in spans),
            words=inputs,
            counter=counter,
            element=self._parsed(element, dialect),
            free=tuple(sorted({*free, *self._names([element])} - {counter})),
            largest=max((int(word.text, 0) for word in words if word.kind == "number"), default=0),
        )
        return self._claim(made, self._form(made, matrix, element), words)

    def _claim(self, made: Accessed, form: str, words: list[Token]) -> Claim:
        # Elements as wide as a register are numbered as registers are.
        whole = made.counts_slots and self.layout.stride_bits == REGISTER_BITS
        inputs = {ours: word for word, ours in made.words.items()}
        return Claim(
            "access",
            self.text.strip(),
            {**inputs, "v" if whole else "slot": made.counter},
            {"row": "row", "col": "col"},
            made.value,
            form=form,
            stride=made.stride,
            parts_waves=parts_waves(words, self.layout.wave),
        )

    def _copying(self, lines: list[Statement]) -> tuple[Statement, list[_Use]]:
        """Find the statement that copies between two arrays."""
        for line in lines:
            start = line.name.position if line.name else line.start
            if _ASSIGNS.search(self.text, start, line.end):
                uses = self._uses(Span(line.start, line.end))
                if len({use.name.text for use in uses}) >= _PAIR:
                    return line, uses
        raise SyntaxMistake(
            "A statement must copy between an element of a matrix and one of what a lane holds,"
            f" such as {_EXAMPLE!r}.",
            subject=self.text,
        )

    def _uses(self, line: Span) -> list[_Use]:
        """List the arrays of a statement with their subscripts, outermost only."""
        found: list[_Use] = []
        place = line.start
        while match := _ARRAY.search(self.text, place, line.end):
            place, subscripts = match.end(), []
            while self.text[place : line.end].lstrip().startswith("["):
                start = self.text.index("[", place) + 1
                place = self._closing(start, line.end) + 1
                subscripts += self._parts(Span(start, place - 1))
            name = Token("name", match[0].strip(), match.start())
            found.append(_Use(name, tuple(subscripts)))
        return found

    def _closing(self, start: int, end: int) -> int:
        """Find the bracket that closes one."""
        depth = 1
        for place in range(start, end):
            depth += {"[": 1, "]": -1}.get(self.text[place], 0)
            if depth == 0:
                return place
        raise mistake(self.text, start - 1, "this '[' is not closed")

    def _parts(self, span: Span) -> list[Span]:
        """Cut a subscript at its commas outside of brackets, as in Python's [row, column]."""
        found, start, depth = [], span.start, 0
        for place in range(*span):
            depth += {"(": 1, ")": -1}.get(self.text[place], 0)
            if self.text[place] == "," and depth == 0:
                found.append(Span(start, place))
                start = place + 1
        return [*found, Span(start, span.end)]

    def _sides(self) -> tuple[_Use, _Use]:
        """Tell the matrix, whose subscript needs the lane, from what a lane holds."""
        by_lane = {use.name.text: use for use in reversed(self.uses) if self._needs_lane(use)}
        held = [use for use in self.uses if use.name.text not in by_lane]
        held = [use for use in held if self._names(use.subscripts[-1:])]
        if len(by_lane) == 1 and held:
            return next(iter(by_lane.values())), held[0]
        raise mistake(
            self.text,
            self.uses[0].name.position,
            "one side must be found by the lane and the other by a number of elements, as in"
            f" {_EXAMPLE!r}",
            f"Words for the lane: {', '.join(LANES['lane'])}; for the thread in its workgroup:"
            f" {', '.join(LANES['thread'])}.",
        )

    def _needs_lane(self, use: _Use) -> bool:
        words = self._words(use.subscripts)
        lines = [Span(each.start, each.end) for each in self._needed(words)]
        return any(word_of(LANES, word.text) for word in (*words, *self._words(lines)))

    def _needed(self, words: list[Token]) -> list[Statement]:
        """List the statements that give names which words need, in their order."""
        names = {word.text for word in words}
        found: list[Statement] = []
        for each in reversed(self.given):
            if each.name and each.name.text in names:
                found.append(each)
                names |= self._names([Span(each.start, each.end)])
        return found[::-1]

    def _check_order(self, words: list[Token], own: set[str]) -> None:
        """Refuse a name that a statement gives behind its use; one may count on, as i = i + 1."""
        later = {
            each.name.text
            for each in self.names
            if each.name
            and not re.search(rf"\b{each.name.text}\b", self.text[each.start : each.end])
        }
        for word in words:
            if word.text in later - own:
                raise late(self.text, word)

    def _inputs(self, words: list[Token], own: set[str]) -> tuple[dict[str, str], set[str]]:
        """Part the names that nothing gives into lane or thread and others."""
        found: dict[str, str] = {}
        free: set[str] = set()
        for word in words:
            ours = word_of(LANES, word.text)
            if word.kind != "name":
                continue
            if ours and word.text not in own:
                found[word.text] = ours
            elif word.text not in own:
                free.add(word.text)
        return found, free

    def _counter(self, element: Span, free: set[str]) -> str:
        """Find the name that counts elements: the one that both sides need, or a known word."""
        names = [word for word in self._words([element]) if word.kind == "name"]
        shared = [word for word in names if word.text in free]
        known = [word for word in names if word_of(SLOTS, word.text)]
        for found in (shared, known, names):
            if len({word.text for word in found}) == 1:
                return found[0].text
        raise mistake(
            self.text, element.start, "one name must count the elements that a lane holds"
        )

    def _form(self, made: Accessed, matrix: _Use, element: Span) -> str:
        """Write the statement with its subscripts left open, for `own_form` to fill in."""
        place = "[{row}][{col}]" if not made.stride else f"[({{row}})*{made.stride} + {{col}}]"
        changed = [(Span(matrix.subscripts[0].start - 1, matrix.subscripts[-1].end + 1), place)]
        if not made.counts_slots:
            changed.append((element, self._numbered(made)))
        text, start = "", self.line.start
        for span, new in sorted(changed):
            text += self.text[start : span.start] + new
            start = span.end
        return (text + self.text[start : self.line.end]).strip() + ";" * (";" in self.text)

    def _numbered(self, made: Accessed) -> str:
        """Write the number of an element by the number of the result."""
        first = made.number(0)
        step = made.number(1) - first
        times = f"{step}*" if step > 1 else ""
        return f"{times}{made.counter}" + (f" + {first}" if first else "")

    def _step(self, each: Statement, dialect: Dialect) -> Step:
        assert each.name is not None
        return Step(each.name.text, self._parsed(Span(each.start, each.end), dialect))

    def _parsed(self, span: Span, dialect: Dialect) -> Expression:
        return parse(self.text, tokens(self.text, *span), dialect, span.end)

    def _words(self, spans: Iterable[Span]) -> list[Token]:
        return [word for span in spans for word in tokens(self.text, *span)]

    def _names(self, spans: Iterable[Span]) -> set[str]:
        return {word.text for word in self._words(spans) if word.kind == "name"}
