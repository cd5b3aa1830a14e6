"""The check of one lane's access as a function of its own, for code that is to be short."""

from functools import partial

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.machine.calls.lane_access import POINTERS, WRITE, LaneAccess
from wavemma.machine.compiled.records import I32, I64, POINTER
from wavemma.machine.compiled.runtime import Runtime, emitter

_NOWHERE = ir.Constant(POINTER, None)


@emitter("checked_lane", soon=True)
def checked_lane(function: ir.Function, machine: Machine, runtime: Runtime, space: str) -> None:
    """Write pointer (frame, address, lane, bytes, what is wanted): null if that is a fault."""
    access = LaneAccess(function, runtime.size, failed=_NOWHERE)
    address, lane, size_bytes, wanted = access.arguments
    access.writes = access.build.zext(access.build.icmp_unsigned("==", wanted, I32(WRITE)), I32)
    access.build.ret(POINTERS[space](access, address, lane, size_bytes, wanted))


def lane_access(
    function: ir.Function, runtime: Runtime, space: str, *, writes: bool = False
) -> LaneAccess:
    """Begin a function that accesses memory.

    Where it should be ready soon, each lane is checked by a call: that is seldom, as most waves
    are checked as a whole.
    """
    access = LaneAccess(function, runtime.size, writes=writes, space=space)
    if runtime.soon:
        access.find = partial(_find, runtime, access)
    return access


def _find(
    runtime: Runtime,
    access: LaneAccess,
    space: str,
    address: ir.Value,
    lane: ir.Value,
    size_bytes: int,
    wanted: int,
) -> ir.Value:
    build = access.build
    every = (*access.frame, address, lane, I64(size_bytes), I32(wanted))
    kinds = [each.type for each in every]
    found = build.call(
        runtime.declare(build.module, ("checked_lane", space), kinds, POINTER), every
    )
    with build.if_then(build.icmp_unsigned("==", found, _NOWHERE), likely=False):
        build.ret(I32(1))
    return found
