"""What modifiers do to layouts: each takes the layout of an operand and gives the moved one."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from wavemma.errors import OutOfRange
from wavemma.layouts.families import Role
from wavemma.layouts.layout import REGISTER_BITS, Layout, check_range

HALF_BITS = 16
HALF_WAVE = 16
SCALE_ROWS = 2

_LANE_SWIZZLES: dict[int, Callable[[int], int]] = {
    0: lambda lane: lane,
    1: lambda lane: lane % 32,
    2: lambda lane: lane % 32 + 32,
    3: lambda lane: (lane + 16) % 64,
    4: lambda lane: lane % 16,
    5: lambda lane: lane % 16 + 16,
    6: lambda lane: lane % 16 + 32,
    7: lambda lane: lane % 16 + 48,
}


def moved(layout: Layout, role: Role, effects: Mapping[str, int]) -> Layout:
    """Apply all modifiers of an instruction that move an operand.

    Args:
        layout: Layout of the operand without modifiers.
        role: a, b, c, d, index, scale_a or scale_b.
        effects: Values by the effect words of modifier rows, such as {"high_half": 1};
            those that do not concern this role are left alone.

    Raises:
        OutOfRange: A value that this operand cannot have.

    """
    return _MOVES[role](layout, effects)


def select_half(layout: Layout, half: int) -> Layout:
    """Put 16-bit results that take a register each into its low (0) or high (1) half (op_sel).

    Raises:
        OutOfRange: The half is neither, or the results leave no half free.

    """
    check_range("half", half, 2)
    if half and layout.stride_bits - layout.element_bits < HALF_BITS:
        raise OutOfRange(
            f"Only results that leave half of each register free have a high half; these fill"
            f" {layout.element_bits} of {layout.stride_bits} bits.",
            subject=half,
        )
    return replace(layout, offset_bits=half * HALF_BITS)


def index_sets(layout: Layout) -> int:
    """Count the sets of index bits that one index operand has room for."""
    return max(REGISTER_BITS // (layout.slots * layout.stride_bits), 1)


def select_index_set(layout: Layout, number: int) -> Layout:
    """Read the sparse index from a later part of its register (abid or index_key).

    Args:
        layout: Layout of the index operand.
        number: Which set of bits, 0..index_sets-1; each is as wide as the index of a lane.

    Raises:
        OutOfRange: The register has no such set.

    """
    check_range("index set", number, index_sets(layout))
    return replace(layout, offset_bits=number * layout.slots * layout.stride_bits)


def select_scale_byte(layout: Layout, byte: int) -> Layout:
    """Read scales, one a lane, from byte 0..3 of the register (op_sel + 2*op_sel_hi).

    Raises:
        OutOfRange: No such byte, or the lane's scales do not end in the register.

    """
    check_range("byte", byte, max(REGISTER_BITS // layout.element_bits - layout.slots, 0) + 1)
    return replace(layout, offset_bits=byte * layout.element_bits)


def select_scale_row(layout: Layout, row: int) -> Layout:
    """Read scales from lanes 0..15 (row 0) or 16..31 (row 1).

    Scales that fill every lane are read from where they are: there is no other half.

    Raises:
        OutOfRange: No such row.

    """
    check_range("scale row", row, SCALE_ROWS)
    if 1 << len(layout.lane_bits) == layout.wave:
        return layout
    return replace(layout, copies=(row * HALF_WAVE,))


def broadcast_blocks(layout: Layout, cbsz: int, abid: int) -> Layout:
    """Let groups of 2**cbsz blocks of A all use the block that abid names in their group.

    Args:
        layout: Layout of A, with blocks.
        cbsz: 0..log2(blocks).
        abid: 0..2**cbsz-1.

    Raises:
        OutOfRange: There are no such groups or blocks.

    """
    blocks = layout.size.get("b", 1)
    check_range("cbsz", cbsz, blocks.bit_length())
    check_range("abid", abid, 1 << cbsz)
    if cbsz == 0:
        return layout
    return replace(
        layout, block_sources=tuple((block >> cbsz << cbsz) + abid for block in range(blocks))
    )


def swizzle_lanes(layout: Layout, blgp: int) -> Layout:
    """Read B of each lane from the lane that blgp names (0 none, 1..7).

    Raises:
        OutOfRange: No such swizzle.

    """
    check_range("blgp", blgp, len(_LANE_SWIZZLES))
    if blgp == 0:
        return layout
    return replace(layout, lane_sources=tuple(map(_LANE_SWIZZLES[blgp], range(layout.wave))))


def _move_a(layout: Layout, effects: Mapping[str, int]) -> Layout:
    size, block = effects.get("broadcast_size", 0), effects.get("broadcast_block", 0)
    return broadcast_blocks(layout, size, block)


def _move_b(layout: Layout, effects: Mapping[str, int]) -> Layout:
    return swizzle_lanes(layout, effects.get("swizzle_b", 0))


def _move_result(layout: Layout, effects: Mapping[str, int]) -> Layout:
    return select_half(layout, effects.get("high_half", 0))


def _move_index(layout: Layout, effects: Mapping[str, int]) -> Layout:
    part = 0 if effects.get("index_set_off", 0) else effects.get("index_part", 0)
    return select_index_set(layout, part)


def _move_scale(role: str) -> Callable[[Layout, Mapping[str, int]], Layout]:
    """Make the move of one scale, whose effect words end in the operand's letter."""
    letter = role[-1]

    def move(layout: Layout, effects: Mapping[str, int]) -> Layout:
        layout = select_scale_byte(layout, effects.get(f"scale_byte_{letter}", 0))
        return select_scale_row(layout, effects.get(f"scale_row_{letter}", 0))

    return move


_MOVES: dict[Role, Callable[[Layout, Mapping[str, int]], Layout]] = {
    "a": _move_a,
    "b": _move_b,
    "c": _move_result,
    "d": _move_result,
    "index": _move_index,
    "scale_a": _move_scale("scale_a"),
    "scale_b": _move_scale("scale_b"),
}
