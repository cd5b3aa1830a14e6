"""A product by a compute policy of the user's own, lane by lane."""

import numpy as np

from wavemma.errors import ArrayMistake, Unsupported
from wavemma.formats.dtypes import formats_of
from wavemma.gemm.blocking import blocked
from wavemma.gemm.instruction_policy import InstructionPolicy
from wavemma.gemm.lane_kernel import run_lanes
from wavemma.gemm.memory import check_memory
from wavemma.gemm.plan import Plan, Product, plan
from wavemma.gemm.policies import ComputePolicy, smallest_tile
from wavemma.gemm.request import Request
from wavemma.numerics.model import model as named_model
from wavemma.tables.targets import target

OWN = "own"


def multiply_lanes(asked: Request, compute: ComputePolicy) -> Product:
    """Multiply by the policy's own functions; slow, for small matrices.

    Raises:
        OutOfRange: Tile and policy do not fit.
        ArrayMistake: Shapes do not fit, or the policy gives arrays that do not.

    """
    size, batch = asked.size(), asked.batch()
    m, n, k = size
    a = np.broadcast_to(asked.a.array, (*batch, m, k))
    b = np.broadcast_to(asked.b.array, (*batch, k, n))
    c = None if asked.c is None else np.broadcast_to(asked.c.array, (*batch, m, n))
    kind = np.asarray(compute.zero(0)).dtype
    if c is not None and c.dtype != kind:
        raise ArrayMistake(
            f"C must have the accumulator's type {kind}; it has {c.dtype}.", subject=str(c.dtype)
        )
    tile = asked.tile or smallest_tile(compute)
    made = blocked(_plan(asked, compute, batch, kind), tile, compute)
    check_memory(made)
    d = np.empty((*batch, m, n), dtype=kind)
    for index in np.ndindex(*batch):
        start = None if c is None else c[index]
        d[index] = run_lanes(a[index], b[index], start, tile, compute)
    return Product(d, made, asked.dense_factors)


def _plan(
    asked: Request, compute: ComputePolicy, batch: tuple[int, ...], kind: "np.dtype[np.generic]"
) -> Plan:
    count = int(np.prod(batch, dtype=np.int64))
    if isinstance(compute, InstructionPolicy):
        instruction = compute.instruction
        return plan(
            instruction,
            asked.target,
            (compute.a, compute.b),
            asked.size(),
            batch=count,
            wave=compute.wave,
            k_order="contiguous" if compute.order else "calculator",
            summing=named_model(compute.model or instruction.model(compute.wave)),
        )
    return _own_plan(asked, compute, count, kind)


def _own_plan(
    asked: Request, compute: ComputePolicy, count: int, kind: "np.dtype[np.generic]"
) -> Plan:
    """Plan what runs no instruction that we know: neither cycles nor model are known."""
    m, n, k = asked.size()
    return Plan(
        target=asked.target,
        instruction=type(compute).__name__,
        a=asked.a.formats[0],
        b=asked.b.formats[0],
        d=_format(kind),
        wave=target(asked.target).default_wave,
        m=m,
        n=n,
        k=k,
        batch=count,
        shape=(compute.thread_tile_m, compute.thread_tile_n, compute.k_step),
        blocks=1,
        tiles=0,
        steps=0,
        instructions=0,
        waves=0,
        registers=None,
        cycles=None,
        ops=2 * m * n * k * count,
        k_order="calculator",
        k_permutation=(),
        model=OWN,
        model_grade="unknown",
        cycles_source="none",
        cycles_grade="unknown",
    )


def _format(kind: "np.dtype[np.generic]") -> str:
    """Name the format of an accumulator's type."""
    names = formats_of(kind).formats
    if not names:
        raise Unsupported(
            f"An accumulator must have a type of some format; this policy's has {kind}.",
            subject=str(kind),
        )
    return names[0]


def check_target(compute: ComputePolicy, asked: Request) -> None:
    """Refuse a policy of another target, or an instruction beside a policy.

    Raises:
        ArrayMistake: They do not go together.

    """
    if not isinstance(compute, InstructionPolicy):
        return
    if compute.target != asked.target or asked.op not in (None, compute.instruction.name):
        wanted = f"{asked.op or 'an instruction'} of {asked.target}"
        raise ArrayMistake(
            f"The policy is {compute.instruction.name} of {compute.target}; {wanted} was asked"
            " for.",
            subject=compute.target,
            hint="Leave op out where a policy is given.",
        )


def plain_request(asked: Request, compute: InstructionPolicy) -> Request:
    """Ask for what a plain policy does without the policy.

    Raises:
        ArrayMistake: The arrays have not the policy's formats and signs.

    """
    compute.check_factors(asked.a.array.dtype, asked.b.array.dtype)
    return asked._replace(
        a=asked.a._replace(formats=(compute.a,), signed=compute.signed[0]),
        b=asked.b._replace(formats=(compute.b,), signed=compute.signed[1]),
        op=compute.instruction.name,
        wave=compute.wave,
        k_order="contiguous" if compute.order else "calculator",
        model=compute.model,
    )
