"""What the pointers that a kernel starts with lead to: the dispatch packet and the queue."""

from collections.abc import Mapping

from wavemma.machine.geometry import Geometry
from wavemma.objects import Kernel
from wavemma.objects.structures import members
from wavemma.tables.abi import abi, numbers

KERNEL_DISPATCH = 2
DIMENSIONS = 3


def dispatch_packet(kernel: Kernel, geometry: Geometry, descriptor: int, kernarg: int) -> bytes:
    """Give the packet that asks for a launch.

    Args:
        kernel: The kernel.
        geometry: The shape of the launch.
        descriptor: Address of the kernel's descriptor in device memory.
        kernarg: Address of its arguments.

    """
    values = {
        "header": KERNEL_DISPATCH,
        "setup": DIMENSIONS,
        "private_segment_size": kernel.descriptor.private_bytes,
        "group_segment_size": kernel.descriptor.group_bytes + geometry.dynamic_lds_bytes,
        "kernel_object": descriptor,
        "kernarg_address": kernarg,
    }
    for axis, groups, items in zip("xyz", geometry.grid, geometry.block, strict=True):
        values[f"workgroup_size_{axis}"] = items
        values[f"grid_size_{axis}"] = groups * items
    return _filled("dispatch_packet", values)


def queue(architecture: str) -> bytes:
    """Give a queue that tells where the memories of workgroups and lanes begin, and nothing else.

    Args:
        architecture: Key of the target's architecture.

    """
    bases = numbers("aperture", architecture)
    values = {
        "group_segment_aperture_base_hi": bases["SHARED_BASE"] >> 32,
        "private_segment_aperture_base_hi": bases["PRIVATE_BASE"] >> 32,
    }
    return _filled("amd_queue", values)


def _filled(struct: str, values: Mapping[str, int]) -> bytes:
    """Give a structure with some members; the others and what lies between are 0."""
    row = next(row for row in abi().structs if row.name == struct)
    assert row.size is not None
    data = bytearray(row.size)
    for name, value in values.items():
        place = members(struct)[name]
        data[place.offset : place.offset + place.size] = value.to_bytes(place.size, "little")
    return bytes(data)
