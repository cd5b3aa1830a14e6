"""Runs of lanes whose registers hold the same but for one index that grows with the lane."""

from collections.abc import Sequence
from typing import NamedTuple

from wavemma.explain.layout import RegisterLayout
from wavemma.render.register_map import EMPTY, Indices, cell_text, held_by_register
from wavemma.render.words import ranges

Registers = tuple[tuple[Indices, ...], ...]


class LaneRun(NamedTuple):
    """Lanes such as "0-15", and what each of their registers holds, such as "2,0..15"."""

    lanes: str
    cells: tuple[str, ...]


def lane_runs(answer: RegisterLayout) -> tuple[LaneRun, ...]:
    """List runs of lanes, as long as they go."""
    held = held_by_register(answer)
    lanes: list[Registers] = [
        tuple(tuple(held.get((lane, number), ())) for number in range(answer.registers))
        for lane in range(answer.asked.wave)
    ]
    found: list[LaneRun] = []
    start = 0
    while start < len(lanes):
        axis, end = _run(lanes, start)
        cells = tuple(_cell(each, axis, end - start) for each in lanes[start])
        found.append(LaneRun(ranges(range(start, end)), cells))
        start = end
    return tuple(found)


def _run(lanes: Sequence[Registers], start: int) -> tuple[int | None, int]:
    """Find the index that grows from a lane on, None if none does, and where that ends."""
    first = lanes[start]
    for axis in (None, *range(_axes(first))):
        end = start + 1
        while end < len(lanes) and lanes[end] == _moved(first, axis, end - start):
            end += 1
        if end > start + 1:
            return axis, end
    return None, start + 1


def _axes(registers: Registers) -> int:
    return max((len(indices) for held in registers for indices in held), default=0)


def _moved(registers: Registers, axis: int | None, by: int) -> Registers:
    """Add to one index of all elements."""
    if axis is None:
        return registers
    return tuple(
        tuple((*each[:axis], each[axis] + by, *each[axis + 1 :]) for each in held)
        for held in registers
    )


def _cell(held: Sequence[Indices], axis: int | None, count: int) -> str:
    """Write the elements of one register of a run."""
    if not held:
        return EMPTY
    if axis is None:
        return cell_text(held)
    firsts = {each[axis] for each in held}
    if len(firsts) > 1:
        return " ".join(_indices(each, axis, count) for each in held)
    rest = cell_text([(*each[:axis], *each[axis + 1 :]) for each in held]).split(" ")
    return " ".join(_put(text, axis, _range(min(firsts), count)) for text in rest)


def _indices(indices: Indices, axis: int, count: int) -> str:
    texts = [str(each) for each in indices]
    texts[axis] = _range(indices[axis], count)
    return ",".join(texts)


def _put(text: str, axis: int, new: str) -> str:
    parts = text.split(",") if text else []
    return ",".join((*parts[:axis], new, *parts[axis:]))


def _range(first: int, count: int) -> str:
    return f"{first}..{first + count - 1}"
