"""How a tiled kernel shares a product out among blocks and waves, and whether a target can."""

import msgspec

from wavemma.errors import OutOfRange
from wavemma.formats import number_format
from wavemma.gemm.plan import Blocking, Plan
from wavemma.gemm.policies import ComputePolicy, TilePolicy, check_policies
from wavemma.tables.abi import limit
from wavemma.tables.targets import target


def blocked(made: Plan, tile: TilePolicy, compute: ComputePolicy) -> Plan:
    """Tell how a plan is carried out by a tiled kernel.

    Blocks at the edges work on zeros too, and k runs to the end of the last staged tile.

    Args:
        made: The plan without blocks.
        tile: How blocks stage.
        compute: What a wave does.

    Raises:
        OutOfRange: Sizes that do not divide, more LDS than a workgroup can have, or more threads.

    """
    check_policies(tile, compute)
    down = -(-made.m // tile.block_tile_m) * made.batch
    across = -(-made.n // tile.block_tile_n)
    waves = (tile.block_tile_m // compute.thread_tile_m) * (
        tile.block_tile_n // compute.thread_tile_n
    )
    found = Blocking(
        block_tile_m=tile.block_tile_m,
        block_tile_n=tile.block_tile_n,
        k_tile_size=tile.k_tile_size,
        num_buffers=tile.num_buffers,
        blocks=down * across,
        waves_per_block=waves,
        threads_per_block=waves * compute.effective_lanes,
        lds_bytes=tile.lds_bytes(number_format(made.a).bits, number_format(made.b).bits),
    )
    _check_limits(made, found)
    steps = -(-made.k // tile.k_tile_size) * (tile.k_tile_size // compute.k_step)
    total = found.blocks * waves
    return msgspec.structs.replace(
        made,
        blocking=found,
        tiles=total * made.blocks,
        waves=total,
        steps=steps,
        instructions=total * steps,
        cycles=None if made.cycles is None else made.cycles * steps // max(made.steps, 1),
    )


def _check_limits(made: Plan, found: Blocking) -> None:
    """Refuse blocks that the target cannot hold."""
    row = target(made.target)
    most = row.lds_kib_per_workgroup * 1024
    if found.lds_bytes > most:
        raise OutOfRange(
            f"A workgroup of {row.name} has at most {most:,} bytes of LDS; these tiles need"
            f" {found.lds_bytes:,}.",
            subject=found.lds_bytes,
        )
    threads = limit("workgroup_max", row.architecture, made.wave)
    if found.threads_per_block > threads:
        raise OutOfRange(
            f"A workgroup has at most {threads:,} threads; {found.waves_per_block} waves of"
            f" {found.threads_per_block // found.waves_per_block} lanes are"
            f" {found.threads_per_block:,}.",
            subject=found.threads_per_block,
        )
