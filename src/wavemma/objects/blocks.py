"""Control flow: the basic blocks of the code of a code object."""

from collections.abc import Sequence

import msgspec

from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary.control import branch_target
from wavemma.isa.ordinary.decoded import DecodedOrdinary
from wavemma.objects.listing import Placed
from wavemma.tables.ordinary import Flow

FALLS_THROUGH: tuple[Flow, ...] = ("", "branch", "call", "far_call")
"""Kinds of flow behind which the next instruction may run."""
TO_TARGET: tuple[Flow, ...] = ("jump", "branch")
"""Kinds of flow that lead to a block by number; calls come back and are told apart."""


class Block(msgspec.Struct, frozen=True):
    """Instructions that run one after the other: entered at the first only, left at the last.

    Attributes:
        start: Address of the first instruction.
        end: Address behind the last one.
        instructions: In order.
        flow: How the last one leaves the block; "" if it runs on into the next block.
        successors: Addresses of the blocks that may follow; after calls the one behind.
        callee: The address that a call by number leads to, or None.

    """

    start: int
    end: int
    instructions: tuple[Placed, ...]
    flow: Flow
    successors: tuple[int, ...]
    callee: int | None


def blocks(listed: Sequence[Placed]) -> tuple[Block, ...]:
    """Divide listed instructions into basic blocks, lowest first.

    Blocks start at functions, at the targets of branches, and behind every instruction that may
    lead elsewhere. A target outside of the list stays a successor without a block.

    Args:
        listed: As `listing` gives them.

    """
    leaders = _leaders(listed)
    found: list[Block] = []
    current: list[Placed] = []
    for place, each in enumerate(listed):
        current.append(each)
        following = listed[place + 1].address if place + 1 < len(listed) else None
        if following is None or following in leaders or following != _behind(each):
            found.append(_block(tuple(current)))
            current = []
    return tuple(found)


def flow_of(each: Placed) -> Flow:
    """Tell where control goes after an instruction; words that are none end everything."""
    if isinstance(each.instruction, DecodedOrdinary):
        return each.instruction.instruction.row.flow
    return "end" if isinstance(each.instruction, Undecoded) else ""


def _leaders(listed: Sequence[Placed]) -> set[int]:
    found = set()
    for each in listed:
        if each.function and each.offset == 0:
            found.add(each.address)
        if flow_of(each):
            found.add(_behind(each))
        target = _target(each)
        if target is not None:
            found.add(target)
    return found


def _behind(each: Placed) -> int:
    return each.address + len(each.data)


def _target(each: Placed) -> int | None:
    if isinstance(each.instruction, DecodedOrdinary):
        return branch_target(each.instruction, each.address)
    return None


def _block(instructions: tuple[Placed, ...]) -> Block:
    last = instructions[-1]
    flow, target, behind = flow_of(last), _target(last), _behind(last)
    successors = [behind] if flow in FALLS_THROUGH else []
    if flow in TO_TARGET and target is not None:
        successors.insert(0, target)
    callee = target if flow not in TO_TARGET else None
    return Block(
        instructions[0].address,
        behind,
        instructions,
        flow,
        tuple(dict.fromkeys(successors)),
        callee,
    )
