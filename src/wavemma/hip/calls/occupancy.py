"""How many blocks of a kernel share a multiprocessor."""

from wavemma.hip.calls.places import put_int
from wavemma.hip.host import Function, Host
from wavemma.hip.interface import answers
from wavemma.tables.targets import TargetRow, units

_DEFAULT_BLOCK = 1024


def blocks_per_multiprocessor(
    row: TargetRow, function: Function, threads: int, dynamic_bytes: int
) -> int:
    """Count the blocks that fit: by waves, by vector registers and by LDS.

    Args:
        row: The target.
        function: The kernel.
        threads: Of a block.
        dynamic_bytes: Dynamic shared memory of a block.

    """
    kernel = function.kernel
    wave = kernel.descriptor.wave
    unit = units()[row.unit]
    simds = unit.simds * unit.units_per_block
    # A register of a narrower wave takes less of the file, which the row gives at the default.
    file = row.vgprs * row.default_wave // wave
    granule = row.vgpr_granule * row.default_wave // wave
    used = max(kernel.metadata.vgpr_count + kernel.metadata.agpr_count, 1)
    waves_per_simd = min(row.max_waves, file // (-(-used // granule) * granule))
    waves_per_block = -(-threads // wave)
    by_waves = waves_per_simd * simds // waves_per_block
    lds = kernel.descriptor.group_bytes + dynamic_bytes
    return min(by_waves, row.lds_kib * 1024 // lds) if lds else by_waves


@answers(
    "hipOccupancyMaxActiveBlocksPerMultiprocessor",
    "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
)
def active_blocks(
    host: Host, place: int, function: int, threads: int, dynamic_bytes: int, *_flags: int
) -> str | None:
    """Tell how many blocks share a multiprocessor."""
    found = _found(host, function)
    if found is None:
        return "hipErrorInvalidDeviceFunction"
    if not place or threads < 1:
        return "hipErrorInvalidValue"
    row = host.device.target
    put_int(place, blocks_per_multiprocessor(row, found, threads, dynamic_bytes))
    return None


@answers("hipOccupancyMaxPotentialBlockSize", "hipModuleOccupancyMaxPotentialBlockSize")
def best_block(
    host: Host, grid: int, block: int, function: int, dynamic_bytes: int, limit: int
) -> str | None:
    """Tell the largest block that fills the device, and how many of them do."""
    found = _found(host, function)
    if found is None:
        return "hipErrorInvalidDeviceFunction"
    most = found.kernel.metadata.max_flat_workgroup_size or _DEFAULT_BLOCK
    wave = found.kernel.descriptor.wave
    sizes = range(wave, (min(limit, most) if limit > 0 else most) + 1, wave)
    row = host.device.target
    counts = {n: n * blocks_per_multiprocessor(row, found, n, dynamic_bytes) for n in sizes}
    if not counts:
        return "hipErrorInvalidValue"
    best = max(counts, key=lambda n: (counts[n], n))
    put_int(block, best)
    put_int(grid, counts[best] // best * int(str(host.facts["multiProcessorCount"])))
    return None


def _found(host: Host, function: int) -> Function | None:
    held = host.handles.get(function)
    return held if isinstance(held, Function) else host.functions.get(function)
