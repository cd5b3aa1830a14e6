"""Vector registers behind those that numbers in instructions reach: a mode holds their high bits.

Compilers set the mode for the instructions that follow, and let it be 0 wherever control may come
from elsewhere. So it is known where an instruction stands, and numbers are made whole once.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.operand import Operand
from wavemma.isa.ordinary import (
    AnyDecoded,
    DecodedOrdinary,
    OrdinaryInstruction,
    OrdinaryOperand,
)
from wavemma.machine.rounding_mode import MODE, selected
from wavemma.objects import Placed
from wavemma.tables.abi import bit_fields
from wavemma.tables.instruction_words import BankingRow
from wavemma.tables.ordinary import ordinary_rows

AnyOperand = TypeVar("AnyOperand", Operand, OrdinaryOperand)
BANK = 256
"""Registers that the number in an instruction reaches."""
_CONSTANT_WRITES = "write_hardware_register_constant"
_FALLS_THROUGH = ("", "branch", "call", "far_call")
_LITERAL = "setreg_immediate"
_ORDER = ("VGPR_MSB_SRC0", "VGPR_MSB_SRC1", "VGPR_MSB_SRC2", "VGPR_MSB_DST")
"""Fields of a literal that is written into the mode, in the order of the other instruction."""
_THIRD = 2
"""The place of the bits of third sources."""


def in_banks(listed: Sequence[Placed], architecture: str) -> tuple[Placed, ...]:
    """Give a listing whose registers are those that the mode means; the same if none sets it.

    Args:
        listed: As `objects.listing` gives it.
        architecture: Key of the target's architecture.

    """
    banking = ordinary_rows(architecture).banking
    if banking is None:
        return tuple(listed)
    found, mode = [], 0
    for each in listed:
        decoded = each.instruction
        mode = 0 if each.function and each.offset == 0 else mode
        if mode and not isinstance(decoded, Undecoded):
            each = msgspec.structs.replace(each, instruction=_whole(decoded, banking, mode))
        if isinstance(decoded, DecodedOrdinary):
            mode = _behind(decoded, banking, mode)
        found.append(each)
    return tuple(found)


def _behind(decoded: DecodedOrdinary, banking: BankingRow, mode: int) -> int:
    """Give the mode behind an instruction."""
    row = decoded.instruction.row
    if row.name == banking.name:
        return decoded.operands["number"].value & 0xFF
    if row.meaning.startswith(_CONSTANT_WRITES) and selected(decoded)[0] == MODE:
        # Whatever bits it writes, the literal's own set the mode.
        fields, literal = (
            bit_fields(_LITERAL, decoded.instruction.architecture),
            decoded.literal or 0,
        )
        return sum(
            (literal >> fields[name].lo & 3) << 2 * place for place, name in enumerate(_ORDER)
        )
    return mode if row.flow in _FALLS_THROUGH else 0


def _whole(decoded: AnyDecoded, banking: BankingRow, mode: int) -> AnyDecoded | Undecoded:
    """Make the numbers of an instruction whole; refuse what no compiler writes under a mode."""
    if isinstance(decoded, Decoded):
        if any(role.startswith("scale") for role in decoded.operands):
            return _refused("scales")
        own = {
            role: _moved(operand, _place(role, "", banking), mode)
            for role, operand in decoded.operands.items()
        }
        return msgspec.structs.replace(decoded, operands=own)
    row = decoded.instruction.row
    if row.flow not in ("", "end"):
        return _refused("branches")
    second = decoded.second
    return msgspec.structs.replace(
        _half(decoded, banking, mode), second=second and _half(second, banking, mode)
    )


def _refused(what: str) -> Undecoded:
    text = f"What {what} mean where high bits of registers are set is not known."
    return Undecoded("reserved value", text, 4)


def _half(decoded: DecodedOrdinary, banking: BankingRow, mode: int) -> DecodedOrdinary:
    space = _space(decoded.instruction)
    roles, operands = list(decoded.operands), {}
    for role, operand in decoded.operands.items():
        # A source behind a literal is the third one.
        behind = role == "b" and "k" in roles[: roles.index(role)]
        place = _THIRD if behind else _place(role, space, banking)
        operands[role] = _moved(operand, place, mode)
    return msgspec.structs.replace(decoded, operands=operands)


def _space(instruction: OrdinaryInstruction) -> str:
    words = ordinary_rows(instruction.architecture).words
    return next(word.space for word in words if word.name == instruction.row.encoding)


def _place(role: str, space: str, banking: BankingRow) -> int | None:
    """Find the bits that are for an operand: those of its space before those of all."""
    for name in (f"{space}.{role}", role):
        for place, names in enumerate(banking.roles):
            if name in names:
                return place
    return None


def _moved(operand: AnyOperand, place: int | None, mode: int) -> AnyOperand:
    if operand.kind != "vgpr" or place is None:
        return operand
    return msgspec.structs.replace(operand, first=operand.first + BANK * (mode >> 2 * place & 3))
