"""Further words of vector instructions: sources from other lanes, and lanes left as they were.

A source that does not exist, or whose lane is not active and isn't asked for all the same, counts
as 0 where the word says so, and else the lane is not written.
"""

from collections.abc import Callable
from typing import TypeVar

from wavemma.engines.engine import Lane
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.wave import WaveState

V = TypeVar("V")
ROW, BANK = 16, 4
"""Lanes of a row, and of the parts of a row that a mask names."""
_EIGHT, _PLACE_BITS = 8, 3
_CONTROL, _PLACES = "dpp_ctrl", "dpp8"

# Place in a row, and the number or the list behind the word, to the place it reads there.
_SOURCES: dict[str, Callable[[int, list[int]], int]] = {
    "quad_perm": lambda place, by: place & -4 | by[place & 3],
    "row_shl": lambda place, by: place + by[0],
    "row_shr": lambda place, by: place - by[0],
    "row_ror": lambda place, by: (place - by[0]) % ROW,
    "row_mirror": lambda place, by: place ^ 15,
    "row_half_mirror": lambda place, by: place ^ 7,
    "row_share": lambda place, by: by[0],
    "row_newbcast": lambda place, by: by[0],
    "row_xmask": lambda place, by: place ^ by[0],
}
# Lane, the number behind the word, and lanes of the wave, to the lane it reads, -1 for none.
_ACROSS: dict[str, Callable[[int, int, int], int]] = {
    "wave_shl": lambda lane, by, size: lane + by if lane + by < size else -1,
    "wave_rol": lambda lane, by, size: (lane + by) % size,
    "wave_shr": lambda lane, by, size: lane - by,
    "wave_ror": lambda lane, by, size: (lane - by) % size,
    "row_bcast": lambda lane, by, size: lane // (by + 1) * (by + 1) - 1,
}


def from_other_lanes(wave: WaveState[V], decoded: DecodedOrdinary, bits: V) -> V:
    """Take the bits of the first source from the lanes that the further word names."""
    e = wave.lanes
    sources = _sources(wave, decoded)
    taken = wave.shuffle(bits, [lane if source is None else source for lane, source in sources])
    valid = _valid(wave, decoded)
    return taken if valid is None else e.select(valid, taken, 0)


def lanes_written(wave: WaveState[V], decoded: DecodedOrdinary) -> V | None:
    """Tell which lanes the further word lets an instruction write, BOOL lanes; None for all."""
    if decoded.instruction.extension is None or _CONTROL not in decoded.modifiers:
        return None
    rows, banks = decoded.modifiers["row_mask"], decoded.modifiers["bank_mask"]
    allowed = [
        rows >> lane // ROW & banks >> lane % ROW // BANK & 1 == 1 for lane in range(wave.size)
    ]
    chosen = None if all(allowed) else _truth(wave, allowed)
    valid = None if decoded.modifiers["bound_ctrl"] else _valid(wave, decoded)
    if chosen is None or valid is None:
        return valid if chosen is None else chosen
    return wave.lanes.and_(chosen, valid)


def _valid(wave: WaveState[V], decoded: DecodedOrdinary) -> V | None:
    """Tell which lanes have a source, BOOL lanes; None for all."""
    sources = _sources(wave, decoded)
    exists = [source is not None for _, source in sources]
    valid = None if all(exists) else _truth(wave, exists)
    if decoded.modifiers.get("fi"):
        return valid
    order = [lane if source is None else source for lane, source in sources]
    active = wave.shuffle(wave.active(), order)
    return active if valid is None else wave.lanes.and_(active, valid)


def _truth(wave: WaveState[V], lanes: list[bool]) -> V:
    e = wave.scalars
    number = sum(1 << lane for lane, holds in enumerate(lanes) if holds)
    return wave.lanes_of(e.constant(Lane.I32 if wave.size == 32 else Lane.I64, number))


def _sources(wave: WaveState[V], decoded: DecodedOrdinary) -> list[tuple[int, int | None]]:
    """Give each lane, and the lane that it reads; None if there is none."""
    if _PLACES in decoded.modifiers:
        places = decoded.modifiers[_PLACES]
        return [
            (lane, lane & -_EIGHT | places >> _PLACE_BITS * (lane % _EIGHT) & _EIGHT - 1)
            for lane in range(wave.size)
        ]
    table = ordinary_table(decoded.instruction.architecture)
    text = table.choices[_CONTROL][decoded.modifiers[_CONTROL]]
    name, _, numbers = text.partition(":")
    by = [int(number) for number in numbers.strip("[]").split(",") if number]
    found: list[tuple[int, int | None]] = []
    if name in _ACROSS:
        across = [_ACROSS[name](lane, by[0], wave.size) for lane in range(wave.size)]
        return [(lane, None if source < 0 else source) for lane, source in enumerate(across)]
    for lane in range(wave.size):
        place = _SOURCES[name](lane % ROW, by)
        found.append((lane, lane & -ROW | place if 0 <= place < ROW else None))
    return found
