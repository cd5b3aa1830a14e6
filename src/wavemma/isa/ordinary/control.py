"""Where instructions lead: the targets of branches."""

from wavemma.isa.ordinary.decoded import DecodedOrdinary

BRANCH = "branch"
"""The style of numbers that count words from the next instruction on."""
WORD_BYTES = 4
_BITS = 16


def branch_target(decoded: DecodedOrdinary, address: int) -> int | None:
    """Give the address that a branch or a call by number leads to; None for others.

    Args:
        decoded: The instruction.
        address: Where it lies.

    """
    role = target_role(decoded)
    if role is None:
        return None
    words = decoded.operands[role].value
    distance = words - (words >> _BITS - 1 << _BITS)
    return address + decoded.size_bytes + WORD_BYTES * distance


def target_role(decoded: DecodedOrdinary) -> str | None:
    """Give the operand that numbers where a branch or a call leads to; None for others."""
    for slot in decoded.instruction.slots:
        if slot.row.style == BRANCH:
            return slot.row.role
    return None
