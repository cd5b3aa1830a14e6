"""What a HIP program is told of its device, from the rows of its target and product."""

from collections.abc import Mapping

from wavemma.errors import SyntaxMistake
from wavemma.tables.product_names import called
from wavemma.tables.products import ProductRow, boards, product, products
from wavemma.tables.targets import TargetRow, target, units

Fact = int | str | tuple[int, ...]
_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_MOST = (1 << 31) - 1
_MOST_ITEMS = 1024
_REGISTERS = 65536
# A card that shares the system's memory, and a target of which no product is known.
_SHARED_BYTES = 16 * _GIB
_UNKNOWN_MHZ = 1000
# hipDeviceArch_t: everything but funnel shifts, surfaces and launches by the device.
_ARCH_BITS = 0xB7FF


def chosen(target_name: str, device_name: str) -> tuple[TargetRow, ProductRow | None]:
    """Find the target and the product that a program runs on.

    Args:
        target_name: A target; that of the product if empty.
        device_name: A product; the largest of the target if empty.

    Raises:
        SyntaxMistake: The product is of another target, or both are empty.
        UnknownTarget, UnknownProduct: There is none of that name.

    """
    if not device_name:
        if not target_name:
            raise SyntaxMistake(
                "A HIP program needs a target or a device.",
                hint="All: wavemma list targets, wavemma list products",
            )
        row = target(target_name)
        named = [products()[each] for each in called(target_name)]
        own = named or [each for each in products().values() if each.target == row.name]
        return row, max(own, key=lambda each: each.units // each.devices, default=None)
    found = product(device_name)
    if target_name and target(target_name).name != found.target:
        raise SyntaxMistake(
            f"{found.name} is a {found.target}, not a {target_name}.",
            subject=device_name,
            hint=f"Leave --target out, or: --target {found.target}",
        )
    return target(found.target), found


def clock_hertz(of: ProductRow | None) -> int:
    """Give the clock that modelled time is counted in: that of the product's peak."""
    return ((of and of.clock_mhz) or _UNKNOWN_MHZ) * 1_000_000


def simds(row: TargetRow, of: ProductRow | None) -> int:
    """Count the SIMDs of one device; of an unknown one those of one block."""
    unit = units()[row.unit]
    return unit.simds * (of.units // of.devices if of else unit.units_per_block)


def facts(row: TargetRow, of: ProductRow | None) -> dict[str, Fact]:
    """Give the fields of hipDeviceProp_t that are known."""
    memory = memory_bytes(of)
    lds = row.lds_kib * _KIB
    return {
        "name": (of.driver_name or of.name) if of else f"AMD {row.name}",
        "gcnArchName": row.gcn_arch_name,
        "totalGlobalMem": memory,
        "totalConstMem": _MOST,
        "memPitch": _MOST,
        "maxSharedMemoryPerMultiProcessor": lds,
        "sharedMemPerMultiprocessor": lds,
        "l2CacheSize": (of.l2_mib or 0) * _MIB if of else 0,
        "integrated": int(of.apu) if of else 0,
        **_sizes(row, of),
        **_abilities(),
    }


def memory_bytes(of: ProductRow | None) -> int:
    """Give the memory of one device."""
    if of is None or not isinstance(of.memory_gb, int):
        return _SHARED_BYTES
    if of.reported_memory_mib:
        return of.reported_memory_mib * _MIB
    return of.memory_gb * _GIB // of.devices


def _sizes(row: TargetRow, of: ProductRow | None) -> Mapping[str, Fact]:
    board = next((each for each in boards() if each.target == row.name), None)
    unit = units()[row.unit]
    wave = board.warp_size if board else row.default_wave
    items = board.max_threads_per_block if board else _MOST_ITEMS
    block = row.lds_kib_per_workgroup * _KIB
    # A processor's name ends in two digits, its minor version and its stepping.
    major, minor = row.name.removeprefix("gfx")[:-2], row.name[-2]
    clock = _reported_khz(of)
    return {
        "sharedMemPerBlock": board.shared_memory_per_block if board else block,
        "sharedMemPerBlockOptin": block,
        "regsPerBlock": board.registers_per_block if board else _REGISTERS,
        "regsPerMultiprocessor": row.vgpr_file_kib * _KIB // 4,
        "warpSize": wave,
        "maxThreadsPerBlock": items,
        "maxThreadsDim": (items, items, items),
        "maxGridSize": (_MOST, 65536, 65536),
        "maxThreadsPerMultiProcessor": row.max_waves * unit.simds * unit.units_per_block * wave,
        "maxBlocksPerMultiProcessor": row.max_waves * unit.simds * unit.units_per_block // 2,
        "multiProcessorCount": _multiprocessors(of),
        "clockRate": clock,
        "clockInstructionRate": clock,
        "major": int(major),
        "minor": int(minor, 16),
    }


def _multiprocessors(of: ProductRow | None) -> int:
    if of is None:
        return 1
    return of.logged_multiprocessors or of.multiprocessors


def _reported_khz(of: ProductRow | None) -> int:
    """Give the clock that a driver reports, where a real board has shown it."""
    if of and of.driver_clocks_mhz:
        return of.driver_clocks_mhz[-1] * 1000
    return clock_hertz(of) // 1000


def _abilities() -> Mapping[str, Fact]:
    names = (
        "canMapHostMemory concurrentKernels unifiedAddressing managedMemory cooperativeLaunch"
        " hostNativeAtomicSupported concurrentManagedAccess isLargeBar asyncEngineCount"
    )
    return {name: 1 for name in names.split()} | {"arch": _ARCH_BITS}
