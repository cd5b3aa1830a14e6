"""How a product is cut into instructions, and what that costs: a record that can be read."""

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import msgspec

from wavemma.errors import OutOfRange, Unsupported
from wavemma.gemm.factors import Factors
from wavemma.gemm.operands import Array
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Role
from wavemma.layouts.algebra import contiguous_k
from wavemma.numerics.model import Model
from wavemma.tables.keys import Grade
from wavemma.tables.products import ProductRow
from wavemma.tables.targets import Wave, target
from wavemma.throughput.cost import cost

KOrder = Literal["calculator", "contiguous"]


class Blocking(msgspec.Struct, frozen=True, kw_only=True):
    """How a tiled kernel shares out a product.

    Attributes:
        block_tile_m: Rows of D of a block.
        block_tile_n: Columns of D of a block.
        k_tile_size: k of one staged tile.
        num_buffers: Staged tiles that are kept at once.
        blocks: Blocks of the grid, all products of the batch together.
        waves_per_block: Waves of a block, each with one thread tile.
        threads_per_block: Their lanes.
        lds_bytes: LDS of a block, elements packed.

    """

    block_tile_m: int
    block_tile_n: int
    k_tile_size: int
    num_buffers: int
    blocks: int
    waves_per_block: int
    threads_per_block: int
    lds_bytes: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A matrix product as instructions.

    Attributes:
        target: Name of the target.
        instruction: Name of the instruction; of a policy of the user's own its class.
        a: Format of A.
        b: Format of B.
        d: Format of C and D, which is also the accumulator's.
        wave: Lanes of a wave.
        m: Rows of A and D.
        n: Columns of B and D.
        k: Columns of A, rows of B.
        batch: Products of that size.
        shape: M, N, K of one instruction.
        blocks: Products that one instruction computes side by side.
        tiles: Tiles of D, edges filled up with zeros.
        steps: Instructions along k for each tile.
        instructions: All instructions together.
        waves: Waves, each with one tile (one a block of the instruction).
        registers: Registers of each lane for A, B, index and scales, and the accumulator; None
            if unknown.
        cycles: Cycles of one SIMD for all instructions of one wave; None if unknown.
        ops: Multiplications and additions that the product itself needs.
        k_order: How k is numbered inside an instruction.
        k_permutation: For each place along the instruction's k, the k that stands there; empty
            if ascending.
        model: Name of the arithmetic model.
        model_grade: Evidence for that model on that target.
        cycles_source: Citation of the cycles.
        cycles_grade: Evidence for the cycles.
        scales: Formats of A's and B's scales; empty without scales.
        is_sparse: Whether A keeps two of each four elements along k.
        blocking: How a tiled kernel shares it out; None if no tile policy was given.

    """

    target: str
    instruction: str
    a: str
    b: str
    d: str
    wave: Wave
    m: int
    n: int
    k: int
    batch: int
    shape: tuple[int, int, int]
    blocks: int
    tiles: int
    steps: int
    instructions: int
    waves: int
    registers: int | None
    cycles: int | None
    ops: int
    k_order: KOrder
    k_permutation: tuple[int, ...]
    model: str
    model_grade: Grade
    cycles_source: str
    cycles_grade: Grade
    scales: tuple[str, ...] = ()
    is_sparse: bool = False
    blocking: Blocking | None = None


class Product(NamedTuple):
    """A result and how it was made.

    Attributes:
        d: The accumulator's type, [..., M, N].
        plan: Instructions, order of k, model.
        factors: Gives A and B as they were multiplied; made when asked for.

    """

    d: Array
    plan: Plan
    factors: Callable[[], Factors]


class Timing(msgspec.Struct, frozen=True):
    """What a plan takes on a product if its matrix cores never wait.

    Attributes:
        product: Name of the product.
        units: Its compute units.
        clock_mhz: Its boost clock.
        seconds: Time of the slowest SIMD.
        tera: Useful tera-operations a second.
        share: Of the instruction's peak on that product, 0..1.

    """

    product: str
    units: int
    clock_mhz: float
    seconds: float
    tera: float
    share: float


def plan(
    instruction: Instruction,
    target_name: str,
    pair: tuple[str, str],
    size: tuple[int, int, int],
    *,
    batch: int,
    wave: Wave,
    k_order: KOrder,
    summing: Model,
    scales: tuple[str, ...] = (),
) -> Plan:
    """Cut a product into instructions.

    Args:
        instruction: The instruction.
        target_name: The target.
        pair: Formats of A and B.
        size: M, N, K of the product.
        batch: Products of that size.
        wave: Lanes of a wave.
        k_order: "calculator": k as AMD's calculator numbers it; "contiguous": as kernels load it.
        summing: The arithmetic model.
        scales: Formats of A's and B's scales.

    """
    m, n, k = instruction.shape
    formats = {"a": pair[0], "b": pair[1], "d": instruction.formats["d"][0]}
    tiles = -(-size[0] // m) * -(-size[1] // n) * batch
    steps = -(-size[2] // k)
    waves = -(-tiles // instruction.blocks)
    price = cost(target_name, instruction.name, *pair)
    return Plan(
        target=target_name,
        instruction=instruction.name,
        a=formats["a"],
        b=formats["b"],
        d=formats["d"],
        wave=wave,
        m=size[0],
        n=size[1],
        k=size[2],
        batch=batch,
        shape=instruction.shape,
        blocks=instruction.blocks,
        tiles=tiles,
        steps=steps,
        instructions=waves * steps,
        waves=waves,
        registers=_registers(instruction, wave, formats),
        cycles=price.cycles * steps if price.cycles else None,
        ops=2 * size[0] * size[1] * size[2] * batch,
        k_order=k_order,
        k_permutation=permutation(instruction, pair, wave, k_order),
        model=summing.name,
        model_grade=summing.grade_on(target_name),
        cycles_source=price.source,
        cycles_grade=price.grade,
        scales=scales,
        is_sparse=instruction.is_sparse,
    )


def _registers(instruction: Instruction, wave: Wave, formats: dict[str, str]) -> int:
    """Count the registers of a lane; the accumulator is C and D at once."""
    roles: tuple[Role, ...] = ("a", "b", "d", "index", "scale_a", "scale_b")
    return sum(
        instruction.registers(role, wave, formats.get(role))
        for role in roles
        if role in instruction.roles
    )


def permutation(
    instruction: Instruction, pair: tuple[str, str], wave: Wave, k_order: KOrder
) -> tuple[int, ...]:
    """Give for each place along an instruction's k the k that stands there; empty if ascending.

    Raises:
        OutOfRange: No such order.
        Unsupported: A and B cannot both be loaded along k.

    """
    if k_order not in get_args(KOrder):
        raise OutOfRange(
            f"k_order must be {' or '.join(get_args(KOrder))}; {k_order!r} was given.",
            subject=k_order,
            allowed=get_args(KOrder),
        )
    if k_order == "calculator":
        return ()
    a, b = instruction.layout("a", wave, pair[0]), instruction.layout("b", wave, pair[1])
    order = contiguous_k(a, b)
    if order is None:
        raise Unsupported(
            f"{instruction.name} has no contiguous order of k: A and B number it differently.",
            subject=k_order,
            hint="Use the calculator's order.",
        )
    if tuple(order) == tuple(range(len(order))):
        return ()
    places = {int(place): k for k, place in enumerate(order)}
    return tuple(places[place] for place in range(len(places)))


def timing(made: Plan, product: ProductRow) -> Timing | None:
    """Model the time on a product; None if cycles or clock are unknown.

    Args:
        made: The plan.
        product: A product of the plan's target.

    """
    if made.cycles is None or product.clock_mhz is None:
        return None
    simds = product.units * target(made.target).simds_per_unit
    rounds = -(-made.waves // simds)
    seconds = rounds * made.cycles / (product.clock_mhz * 1e6)
    per_cycle = 2 * made.shape[0] * made.shape[1] * made.shape[2] * made.blocks * made.steps
    peak = simds * per_cycle / made.cycles * product.clock_mhz * 1e6
    tera = made.ops / seconds / 1e12 if seconds else 0.0
    return Timing(
        product.name, product.units, float(product.clock_mhz), seconds, tera, tera * 1e12 / peak
    )
