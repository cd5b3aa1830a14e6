"""Which lane the further words of RDNA read and write, by the numbers of AMD's encodings."""

from tests.machine.semantics.wave_state import State
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.codes import codes_of


def _in_row(control: int, place: int) -> int | None:
    """Give the place of a row of 16 that a place reads; None outside of it."""
    by = control & 15
    if control < 0x100:
        return place & ~3 | control >> 2 * (place & 3) & 3
    found = {
        0x100: place + by,
        0x110: place - by,
        0x120: (place - by) % 16,
        0x140: 15 - place if by == 0 else place ^ 7,
        0x150: by,
        0x160: place ^ by,
    }[control & 0x1F0]
    return found if 0 <= found < 16 else None


def source_lane(decoded: DecodedOrdinary, lane: int) -> int | None:
    """Give the lane that a lane reads its first source from, whether active or not."""
    if "dpp8" in decoded.modifiers:
        return lane & ~7 | decoded.modifiers["dpp8"] >> 3 * (lane & 7) & 7
    if "dpp_ctrl" not in decoded.modifiers:
        return lane
    place = _in_row(decoded.modifiers["dpp_ctrl"], lane & 15)
    return None if place is None else lane & ~15 | place


def has_source(decoded: DecodedOrdinary, state: State, lane: int) -> bool:
    """Tell whether the lane that is read exists, and is active or read all the same."""
    if decoded.instruction.extension is None:
        return True
    source = source_lane(decoded, lane)
    active = state.mask(codes_of(decoded.instruction.architecture).exec)
    return source is not None and bool(decoded.modifiers.get("fi") or active >> source & 1)


def is_written(decoded: DecodedOrdinary, state: State, lane: int) -> bool:
    """Tell whether a further word lets a lane be written."""
    if "dpp_ctrl" not in decoded.modifiers:
        return True
    row = decoded.modifiers["row_mask"] >> lane // 16 & 1
    bank = decoded.modifiers["bank_mask"] >> lane % 16 // 4 & 1
    valid = decoded.modifiers["bound_ctrl"] or has_source(decoded, state, lane)
    return bool(row and bank and valid)
