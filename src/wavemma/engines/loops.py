"""Counted loops in LLVM IR."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

INDEX = ir.IntType(64)
Body = Callable[[ir.Value, Sequence[ir.Value]], Sequence[ir.Value]]
"""One turn of a loop: its number and the values carried in, to the values carried out."""


def counted_loop(
    build: ir.IRBuilder, count: ir.Value, carried: Sequence[ir.Value], body: Body
) -> list[ir.Value]:
    """Emit a loop that runs a body `count` times, at least once.

    Args:
        build: Where the loop goes; it stands behind the loop afterwards.
        count: I64.
        carried: Values of the first turn.
        body: Emits one turn and gives the values of the next.

    Returns:
        What the last turn gave.

    """
    before = build.block
    top = build.append_basic_block()
    build.branch(top)
    build.position_at_end(top)
    index = build.phi(INDEX)
    index.add_incoming(INDEX(0), before)
    values = []
    for value in carried:
        phi = build.phi(value.type)
        phi.add_incoming(value, before)
        values.append(phi)
    results = body(index, values)
    following = build.add(index, INDEX(1))
    index.add_incoming(following, build.block)
    for phi, result in zip(values, results, strict=True):
        phi.add_incoming(result, build.block)
    after = build.append_basic_block()
    build.cbranch(build.icmp_unsigned("<", following, count), top, after)
    build.position_at_end(after)
    return list(results)
