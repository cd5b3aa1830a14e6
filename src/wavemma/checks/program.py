"""A program as lint sees it: instructions where they stand, and the runs that they form."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from wavemma.hazards import Reader, Reading, Run
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import AnyDecoded, text_any
from wavemma.objects import Function, Placed, blocks
from wavemma.tables.targets import Wave

Unit = Literal["address", "line"]
Kind = Literal["kernel", "function", "code"]
LONGEST = 16


class Item(msgspec.Struct, frozen=True):
    """One instruction where it stands.

    Attributes:
        place: Its address, or the number of its line.
        function: The function around it; "" if none is known.
        offset: Bytes from the start of the function; 0 in text.
        written: Its text as it was given; "" of machine code.
        reading: What the rules see of it.
        decoded: The instruction, the reason why there is none, or None where only text is known.

    """

    place: int
    function: str
    offset: int
    written: str
    reading: Reading
    decoded: AnyDecoded | Undecoded | None

    @property
    def text(self) -> str:
        """The instruction as assembly."""
        if self.written or self.decoded is None:
            return self.written
        if isinstance(self.decoded, Undecoded):
            return self.reading.name or self.decoded.reason
        return text_any(self.decoded)


class Problem(msgspec.Struct, frozen=True):
    """A line that is no instruction of the target.

    Attributes:
        place: The number of the line.
        function: The function around it.
        text: The line.
        message: Why.
        elsewhere: Whether another target has such an instruction.

    """

    place: int
    function: str
    text: str
    message: str
    elsewhere: bool


class Program(msgspec.Struct, frozen=True):
    """A function of a file, or a text.

    Attributes:
        name: Of the function; "" of a text.
        kind: "kernel" if it has a descriptor.
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        unit: What places count.
        items: In the order in which they lie.
        runs: Their numbers as runs, with what may follow each.
        problems: Lines that are no instructions.
        notes: What was left out of account.
        banked: Whether it reaches more registers than the numbers in instructions do, by a mode.

    """

    name: str
    kind: Kind
    target: str
    wave: Wave
    unit: Unit
    items: tuple[Item, ...]
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    banked: bool = False


def of_function(function: Function, reader: Reader) -> Program:
    """Read a function of a code object."""
    kind: Kind = "kernel" if function.descriptor else "function" if function.is_function else "code"
    listed, items = [], []
    place, data = 0, function.data
    while place < len(data):
        reading, decoded, size = reader.read(data[place : place + LONGEST])
        size = max(1, size)
        address = function.address + place
        raw = data[place : place + size]
        listed.append(Placed(address, function.name, place, raw, decoded))
        items.append(Item(address, function.name, place, "", reading, decoded))
        place += size
    return Program(
        name=function.name,
        kind=kind,
        target=reader.target,
        wave=reader.wave,
        unit="address",
        items=tuple(items),
        runs=_runs(listed, items),
    )


def _runs(listed: Sequence[Placed], items: Sequence[Item]) -> tuple[Run, ...]:
    divided = blocks(listed)
    numbers = {block.start: number for number, block in enumerate(divided)}
    runs, first = [], 0
    for block in divided:
        end = first + len(block.instructions)
        after = list(block.successors)
        if isinstance(block.instructions[-1].instruction, Undecoded):
            # What the tables lack is an instruction all the same.
            after.append(block.end)
        successors = tuple(numbers[each] for each in after if each in numbers)
        runs.append(Run(first, tuple(each.reading for each in items[first:end]), successors))
        first = end
    return tuple(runs)
