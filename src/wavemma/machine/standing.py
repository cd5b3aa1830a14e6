"""Where each wave of a workgroup stands: what a launch that does not end tells of them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

import msgspec
import numpy as np

from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.machine.compiled.translate import Code
from wavemma.objects import DebugInfo, Placed, SourceLine

Does = Literal["waits", "runs", "ended"]
_WORDS = {"waits": ("waits at", "wait at"), "runs": ("runs at", "run at")}
_ENDED = ("has ended", "have ended")


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One wave at one moment.

    Attributes:
        wave: Number in the workgroup.
        does: Whether it waits for other waves, runs, or has ended.
        instruction: That it waits at, or runs next; "" if it has ended.
        code_address: Of the instruction in the code object's image.
        function: Around it, "" if there is none.
        line: Of the source, if the compiler noted it (-g).

    """

    wave: int
    does: Does
    instruction: str = ""
    code_address: int = 0
    function: str = ""
    line: SourceLine | None = None


def standing_of(wave: int, does: Does, placed: Placed | None, debug: DebugInfo) -> Standing:
    """Tell where a wave stands.

    Args:
        wave: Number in the workgroup.
        does: What it does.
        placed: The instruction that it is at; None if there is none, or none is known.
        debug: Lines of the source.

    """
    if does == "ended" or placed is None:
        return Standing(wave=wave, does=does, instruction="" if does == "ended" else text_of(None))
    return Standing(
        wave=wave,
        does=does,
        instruction=text_of(placed),
        code_address=placed.address,
        function=placed.function,
        line=debug.line(placed.address),
    )


def standings_text(standings: Sequence[Standing]) -> str:
    """Say where waves stand in one sentence; those at the same place are named together."""

    def place(each: Standing) -> tuple[str, int]:
        return each.does, each.code_address

    # In the order of the first wave at each place.
    places = list(dict.fromkeys(map(place, standings)))
    ordered = sorted(standings, key=lambda each: places.index(place(each)))
    parts = [_part(list(found)) for _, found in groupby(ordered, place)]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def instruction_at(code: Code, offset: int) -> Placed | None:
    """Find the instruction at an offset of the code."""
    starts = [block.offset for block in code.blocks]
    number = int(np.searchsorted(starts, offset, side="right")) - 1
    for each in code.blocks[max(number, 0)].instructions:
        if each.address - code.start == offset:
            return each
    return None


def text_of(placed: Placed | None) -> str:
    """Write an instruction, or the word that is none."""
    if placed is None:
        return "an unknown instruction"
    if isinstance(placed.instruction, Undecoded):
        return f"the word 0x{int.from_bytes(placed.data[:4], 'little'):08x}"
    return text_any(placed.instruction)


def _part(standings: Sequence[Standing]) -> str:
    one, several = standings[0], len(standings) > 1
    who = f"wave{'s' if several else ''} {_ranges([each.wave for each in standings])}"
    if one.does == "ended":
        return f"{who} {_ENDED[several]}"
    function = f" in {one.function}" if one.function else ""
    line = f", {one.line}" if one.line else ""
    where = f"'{one.instruction}' at 0x{one.code_address:x}{function}{line}"
    return f"{who} {_WORDS[one.does][several]} {where}"


def _ranges(numbers: Sequence[int]) -> str:
    """Write "0, 1 and 3" or "0 to 7 and 9"."""
    parts = list(_runs(numbers))
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, found in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in found]
        if len(run) > 2:
            yield f"{run[0]} to {run[-1]}"
        else:
            yield from map(str, run)
