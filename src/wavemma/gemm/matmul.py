"""The matrix product of a target: what is asked for, and which way makes it."""

from collections.abc import Callable
from pathlib import Path

import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.choice import Kind, kind_of
from wavemma.gemm.dense import multiply_dense
from wavemma.gemm.index_words import IndexWords
from wavemma.gemm.instruction_policy import InstructionPolicy, is_plain
from wavemma.gemm.lane_product import check_target, multiply_lanes, plain_request
from wavemma.gemm.operands import Array, matrix
from wavemma.gemm.plan import KOrder, Product
from wavemma.gemm.policies import ComputePolicy, TilePolicy
from wavemma.gemm.request import Request
from wavemma.gemm.scaled_product import multiply_scaled
from wavemma.gemm.sparse_product import multiply_sparse
from wavemma.isa import catalog
from wavemma.tables import targets
from wavemma.tables.targets import Wave

_WAYS: dict[Kind, Callable[[Request], Product]] = {
    "dense": multiply_dense,
    "sparse": multiply_sparse,
    "scaled": multiply_scaled,
}


def matmul(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike | None = None,
    *,
    target: str,
    op: str | None = None,
    wave: Wave | None = None,
    k_order: KOrder = "calculator",
    model: str | None = None,
    tile: TilePolicy | None = None,
    compute: ComputePolicy | None = None,
    positions: npt.ArrayLike | IndexWords | None = None,
    prune: bool = False,
    scales: BlockScales | Quantise | None = None,
    threads: int | None = None,
    cache_folder: Path | None = None,
) -> Array:
    """Multiply matrices exactly as a loop over one matrix instruction does.

    C enters first, k ascends by instruction, the accumulator stays in D's format, and edges are
    filled up with zeros.

    Args:
        a: [..., M, K], a type that the instruction takes; with `positions` its kept elements
            [..., M, K/2]; with Quantise any real numbers.
        b: [..., K, N]; batch axes broadcast.
        c: [..., M, N] of the accumulator's type; zeros if None.
        target: Name of the target, such as "gfx1100", or of a product.
        op: Name of the instruction; the fastest for the types if None.
        wave: Lanes of a wave; the target's default if None.
        k_order: "calculator" numbers k inside an instruction as AMD's calculator does,
            "contiguous" as kernels load it; both are right, their bits differ.
        model: An arithmetic model other than the row's, by name.
        tile: How a block stages A and B; changes the plan, and k runs to the end of a tile.
        compute: What the lanes do, instead of `op`: `policy_of` an instruction, or a policy of
            your own, which runs lane by lane and slowly.
        positions: For a sparse instruction: where each kept element of A stood in its group of
            four along k, integers 0..3 [..., M, K/2], or the registers that say so (IndexWords,
            with `op`). Without it A is dense, and a group with more than two elements that are
            not zero is a mistake.
        prune: For a sparse instruction: such groups lose their smallest elements instead.
        scales: For a scaled instruction: the scales of A's and B's blocks (BlockScales), or how
            to choose them and the elements (Quantise); all ones if None.
        threads: Threads that work; one a processor if None.
        cache_folder: Where compiled kernels are kept; the user's cache if None.

    Returns:
        [..., M, N] of the accumulator's type.

    Raises:
        ArrayMistake: Types, shapes, positions or scales do not fit; says what the target takes.
        OutOfRange: Policies do not fit each other or the target.
        Unsupported: The instruction's C and D differ, or it has not what was asked of it.
        UnknownTarget: No such target.
        UnknownInstruction: The target has no such instruction.
        UnknownModel: No such model.

    """
    return multiply(
        a,
        b,
        c,
        target=target,
        op=op,
        wave=wave,
        k_order=k_order,
        model=model,
        tile=tile,
        compute=compute,
        positions=positions,
        prune=prune,
        scales=scales,
        threads=threads,
        cache_folder=cache_folder,
    ).d


def multiply(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike | None = None,
    *,
    target: str,
    op: str | None = None,
    wave: Wave | None = None,
    k_order: KOrder = "calculator",
    model: str | None = None,
    tile: TilePolicy | None = None,
    compute: ComputePolicy | None = None,
    positions: npt.ArrayLike | IndexWords | None = None,
    prune: bool = False,
    scales: BlockScales | Quantise | None = None,
    threads: int | None = None,
    cache_folder: Path | None = None,
) -> Product:
    """Multiply as `matmul` does and give the plan beside the result."""
    _check_records(scales, tile)
    rounded = isinstance(scales, Quantise)
    asked = Request(
        matrix(a, "A", any_real=rounded),
        matrix(b, "B", any_real=rounded),
        None if c is None else matrix(c, "C"),
        targets.target(target).name,
        op,
        wave,
        k_order,
        model,
        tile,
        positions,
        prune,
        scales,
        threads,
        cache_folder,
    )
    if compute is not None:
        return _by_policy(asked, compute)
    return _WAYS[_kind(asked)](asked)


def _check_records(scales: object, tile: object) -> None:
    """Refuse what is easily given in place of a record: a pair of arrays, a pair of sizes."""
    for name, given, wanted in (
        ("scales", scales, (BlockScales, Quantise)),
        ("tile", tile, (TilePolicy,)),
    ):
        if given is not None and not isinstance(given, wanted):
            kinds = " or ".join(f"{each.__module__}.{each.__name__}" for each in wanted)
            raise ArrayMistake(
                f"{name} must be a {kinds}; a {type(given).__name__} was given.", subject=name
            )


def _by_policy(asked: Request, compute: ComputePolicy) -> Product:
    if not isinstance(compute, ComputePolicy):
        raise ArrayMistake(
            f"compute must be a ComputePolicy, such as policy_of gives; {compute!r} was given.",
            subject="compute",
        )
    check_target(compute, asked)
    if isinstance(compute, InstructionPolicy) and is_plain(compute):
        return multiply_dense(plain_request(asked, compute))
    return multiply_lanes(asked, compute)


def _kind(asked: Request) -> Kind:
    """Tell what is asked for: by the instruction, or by what comes with A and B.

    Raises:
        ArrayMistake: What comes with A and B does not go with the instruction.

    """
    sparse = asked.positions is not None or asked.prune
    wanted: Kind = "scaled" if asked.scales is not None else "sparse" if sparse else "dense"
    if asked.scales is not None and sparse:
        raise ArrayMistake("No instruction takes a sparse A with scales.", subject="scales")
    if asked.op is None:
        return wanted
    found = kind_of(catalog.instruction(asked.op, asked.target))
    if wanted not in ("dense", found):
        raise ArrayMistake(
            f"{asked.op} is a {found} instruction; what comes with A and B is for a {wanted} one.",
            subject=asked.op,
        )
    return found
