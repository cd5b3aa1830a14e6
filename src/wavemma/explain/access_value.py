"""Which element of a matrix a statement touches, for each place in the registers."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wavemma.errors import OutOfRange, SyntaxMistake
from wavemma.explain.claim import Numbers
from wavemma.explain.expression import Expression
from wavemma.layouts import Layout

_NOTHING: Mapping[str, int] = {}


class Step(NamedTuple):
    """A name of the user's own and its formula."""

    name: str
    expression: Expression


@dataclass(frozen=True)
class Accessed:
    """The statement, ready to be evaluated.

    Attributes:
        layout: The operand's own layout.
        steps: Names that the subscripts need, in their order.
        subscripts: One place in memory, or row and column.
        words: The user's words for lane and thread, with ours.
        counter: The word that counts the elements a lane holds.
        element: The number of the element a lane holds, as the compiler counts them.
        free: All other names; they count as 0.
        largest: The largest number in the subscripts: the stride if no name is one.

    """

    layout: Layout
    steps: tuple[Step, ...]
    subscripts: tuple[Expression, ...]
    words: dict[str, str]
    counter: str
    element: Expression
    free: tuple[str, ...]
    largest: int

    def value(self, numbers: Numbers) -> Numbers:
        """Give row and column for a place; nothing where the statement does not reach it."""
        count = self.counts.get(self.number(numbers["slot"]))
        if count is None:
            return {}
        row, column = self._indices(numbers, count)
        return {"row": row, "col": column}

    def number(self, slot: int) -> int:
        """Number an element of a lane as a vector of the compiler does, gaps counted too."""
        layout = self.layout
        return (layout.offset_bits + slot * layout.stride_bits) // layout.element_bits

    @cached_property
    def counts(self) -> dict[int, int]:
        """The counter's value for each number of an element."""
        rest = dict.fromkeys(self.free, 0)
        last = self.number(self.layout.slots)
        return {
            self.element.value({**rest, self.counter: count}): count
            for count in reversed(range(last))
        }

    @property
    def counts_slots(self) -> bool:
        """Whether the counter numbers the elements that are there, without gaps."""
        slots = range(self.layout.slots)
        return all(self.counts.get(self.number(slot)) == slot for slot in slots)

    @cached_property
    def stride(self) -> str:
        """By what the row is multiplied; empty where row and column are apart.

        Raises:
            SyntaxMistake: No one name is.

        """
        if len(self.subscripts) > 1:
            return ""
        found = [name for name in self.free if self._is_stride(name)]
        if len(found) > 1:
            raise SyntaxMistake(
                f"One name must be the stride of the matrix; {' and '.join(found)} both are.",
                subject=found[0],
                hint="Write the subscript as row*stride + column.",
            )
        return found[0] if found else str(max(self.largest, self._columns))

    def _is_stride(self, name: str) -> bool:
        """Whether a name multiplies something that differs between places.

        Raises:
            SyntaxMistake: It does more than that.

        """
        steps = []
        for lane in range(self.layout.wave):
            for count in self.counts.values():
                at = {"lane": lane, "thread": lane}
                low, middle, high = (self._flat(at, count, {name: n}) for n in (0, 1, 2))
                if high - middle != middle - low:
                    raise SyntaxMistake(
                        f"A subscript must be row*stride + column; {name} does more than multiply.",
                        subject=name,
                    )
                steps.append(middle - low)
        return len(set(steps)) > 1

    def _indices(self, at: Numbers, count: int) -> tuple[int, int]:
        if not self.stride:
            row, column = self._evaluated(at, count, _NOTHING)
            return row, column
        column = self._flat(at, count, _NOTHING)
        if self.stride.isdecimal():
            return divmod(column, int(self.stride))
        return self._flat(at, count, {self.stride: 1}) - column, column

    def _flat(self, at: Numbers, count: int, given: Mapping[str, int]) -> int:
        return self._evaluated(at, count, given)[0]

    def _evaluated(self, at: Numbers, count: int, given: Mapping[str, int]) -> list[int]:
        names = {word: at[ours] for word, ours in self.words.items()}
        names |= {**dict.fromkeys(self.free, 0), **given, self.counter: count}
        try:
            for step in self.steps:
                names[step.name] = step.expression.value(names)
            return [each.value(names) for each in self.subscripts]
        except OutOfRange as error:
            where = ", ".join(f"{word} = {at[ours]}" for word, ours in self.words.items())
            raise OutOfRange(
                f"The subscript must give a number everywhere; at {where} {error.message}.",
                subject=where,
                hint="Names other than lane and the counter of elements count as 0.",
            ) from None

    @property
    def _columns(self) -> int:
        return self.layout.size["col"]
