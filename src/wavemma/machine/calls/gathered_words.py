"""A word of each lane from an address of its own, by the processor's own instruction for that."""

import llvmlite.ir as ir

from wavemma.engines.llvm_lane_types import Splat, Unread
from wavemma.machine.calls.lane_access import WORD_BYTES, LaneAccess
from wavemma.machine.compiled.records import I32, I64, POINTER

AT_ONCE = 16
"""Lanes of one vector of words: what reads it whole need not wait for its parts."""
_ROW, _PLACES = ir.VectorType(I32, AT_ONCE), ir.VectorType(I64, AT_ONCE)


def gather(
    access: LaneAccess, addresses: ir.Value, shift: ir.Value, words: ir.Value, size_bytes: int
) -> None:
    """Read a whole word of each lane, and keep the first bytes.

    Args:
        access: The function.
        addresses: Of all lanes; a word at each may be read.
        shift: From addresses to pointers.
        words: Where the words go.
        size_bytes: 1, 2 or 4.

    """
    build = access.build
    one = build.insert_element(Unread(_PLACES), shift, I32(0))
    moved = build.shuffle_vector(one, Unread(_PLACES), Splat(I32(0), AT_ONCE))
    for first in range(0, access.lanes, AT_ONCE):
        order = ir.Constant(_ROW, list(range(first, first + AT_ONCE)))
        own = build.shuffle_vector(addresses, addresses, order)
        wide = own if own.type == _PLACES else build.zext(own, _PLACES)
        value = _loaded(build, build.add(wide, moved))
        if size_bytes < WORD_BYTES:
            value = build.and_(value, Splat(I32((1 << 8 * size_bytes) - 1), AT_ONCE))
        build.store(value, access.at(words, first * WORD_BYTES), align=WORD_BYTES)


def _loaded(build: ir.IRBuilder, places: ir.Value) -> ir.Value:
    """Load words at addresses, I64."""
    module, kind = build.module, ir.VectorType(POINTER, AT_ONCE)
    name = f"llvm.masked.gather.v{AT_ONCE}i32.v{AT_ONCE}p0"
    truth = ir.VectorType(ir.IntType(1), AT_ONCE)
    if name not in module.globals:
        ir.Function(module, ir.FunctionType(_ROW, [kind, I32, truth, _ROW]), name)
    every = ir.Constant(truth, [1] * AT_ONCE)
    given = (build.inttoptr(places, kind), I32(1), every, ir.Constant(_ROW, None))
    return build.call(module.globals[name], given)
