"""Memory of the device and of the host: all of it device memory, at one address for both."""

from wavemma.errors import MemoryMistake
from wavemma.hip.calls.places import pointer_at, put_int, put_pointer
from wavemma.hip.declarations import enumerators
from wavemma.hip.host import Host
from wavemma.hip.interface import answers
from wavemma.hip.registered_memory import Range

# What rows of a pitched allocation begin at multiples of.
_PITCH_BYTES = 256


def allocate(host: Host, pointer: int, size: int, name: str) -> str | None:
    """Get memory; none for a size of 0."""
    if not pointer:
        return "hipErrorInvalidValue"
    put_pointer(pointer, 0)
    if size == 0:
        return None
    if size > host.memory_bytes - host.memory.used_bytes:
        return "hipErrorOutOfMemory"
    try:
        put_pointer(pointer, host.memory.allocate(size, name))
    except MemoryMistake as error:
        host.once(str(error))
        return "hipErrorOutOfMemory"
    return None


@answers("hipMalloc", "hipExtMallocWithFlags", "hipMallocAsync")
def malloc(host: Host, pointer: int, size: int, *_others: int) -> str | None:
    """Get device memory."""
    return allocate(host, pointer, size, "")


@answers("hipHostMalloc", "hipHostAlloc", "hipMallocHost", "hipMemAllocHost")
def host_malloc(host: Host, pointer: int, size: int, *_flags: int) -> str | None:
    """Get host memory that the device reaches too."""
    error = allocate(host, pointer, size, "host memory")
    if error is None and size:
        host.host_memory.add(pointer_at(pointer))
    return error


@answers("hipMallocManaged")
def malloc_managed(host: Host, pointer: int, size: int, _flags: int) -> str | None:
    """Get memory of both sides."""
    error = allocate(host, pointer, size, "managed memory")
    if error is None and size:
        host.managed_memory.add(pointer_at(pointer))
    return error


@answers("hipMallocPitch")
def malloc_pitch(host: Host, pointer: int, pitch: int, width: int, height: int) -> str | None:
    """Get memory for rows, each at a multiple of 256 bytes."""
    if not pitch:
        return "hipErrorInvalidValue"
    padded = -(-width // _PITCH_BYTES) * _PITCH_BYTES
    put_pointer(pitch, padded)
    return allocate(host, pointer, padded * height, "")


@answers("hipMalloc3D")
def malloc_3d(host: Host, pitched: int, extent: int) -> str | None:
    """Get memory for a box of rows."""
    width, height, depth = (pointer_at(extent + 8 * n) for n in range(3))
    padded = -(-width // _PITCH_BYTES) * _PITCH_BYTES
    # The pointer is the first field of the record that gets it.
    error = allocate(host, pitched, padded * height * depth, "")
    if error is None:
        values = {"ptr": pointer_at(pitched), "pitch": padded, "xsize": width, "ysize": height}
        host.fill("hipPitchedPtr", pitched, dict(values))
    return error


@answers("hipFree", "hipHostFree", "hipFreeHost")
def free(host: Host, pointer: int) -> str | None:
    """Give memory back when all work is done; a null pointer is no mistake."""
    return host.settle() or _freed(host, pointer)


@answers("hipFreeAsync")
def free_in_order(host: Host, pointer: int, stream: int) -> str | None:
    """Give memory back when the work of a stream is done; a graph keeps what it was made with."""
    if stream in host.captures:
        return None
    return host.put(stream, "MemFree", lambda: _freed(host, pointer))


def _freed(host: Host, pointer: int) -> str | None:
    if not pointer:
        return None
    try:
        host.memory.free(pointer)
    except MemoryMistake as error:
        host.complain(str(error))
        return "hipErrorInvalidValue"
    host.host_memory.discard(pointer)
    host.managed_memory.discard(pointer)
    return None


@answers("hipHostGetDevicePointer")
def host_get_device_pointer(host: Host, device: int, pointer: int, _flags: int) -> str | None:
    """Give the device's address of host memory: the same one."""
    if not device:
        return "hipErrorInvalidValue"
    double = host.registered.on_device(pointer)
    if double is None and host.memory.find(pointer) is None:
        return "hipErrorInvalidValue"
    put_pointer(device, pointer if double is None else double)
    return None


@answers("hipHostRegister")
def host_register(host: Host, pointer: int, size: int, _flags: int) -> str | None:
    """Let kernels reach memory of the program, at an address that the device has for it."""
    if not pointer or not size:
        return "hipErrorInvalidValue"
    if any(host.registered.holds(address, 1) for address in (pointer, pointer + size - 1)):
        return "hipErrorHostMemoryAlreadyRegistered"
    # What device memory holds is reached already.
    double = pointer
    if host.memory.find(pointer) is None:
        if size > host.memory_bytes - host.memory.used_bytes:
            return "hipErrorOutOfMemory"
        double = host.memory.allocate(size, "registered memory of the host")
    host.registered.ranges[pointer] = Range(pointer, size, double)
    return None


@answers("hipHostUnregister")
def host_unregister(host: Host, pointer: int) -> str | None:
    """Keep kernels from memory of the program."""
    found = host.registered.ranges.pop(pointer, None)
    if found is None:
        return "hipErrorHostMemoryNotRegistered"
    if found.double != pointer:
        host.memory.free(found.double)
    return None


@answers("hipHostGetFlags")
def host_get_flags(host: Host, flags: int, pointer: int) -> str | None:
    """Tell the flags of host memory."""
    if not flags or pointer not in host.host_memory:
        return "hipErrorInvalidValue"
    put_int(flags, 0)
    return None


@answers("hipMemGetInfo")
def mem_get_info(host: Host, free_bytes: int, total_bytes: int) -> None:
    """Tell how much memory is free, and how much there is."""
    if free_bytes:
        put_pointer(free_bytes, max(host.memory_bytes - host.memory.used_bytes, 0))
    if total_bytes:
        put_pointer(total_bytes, host.memory_bytes)


@answers("hipMemPtrGetInfo")
def mem_pointer_get_info(host: Host, pointer: int, size: int) -> str | None:
    """Tell the size of an allocation."""
    return address_range(host, 0, size, pointer)


@answers("hipMemGetAddressRange")
def address_range(host: Host, start: int, size: int, pointer: int) -> str | None:
    """Tell the start and the size of the allocation around an address."""
    found = host.memory.find(pointer)
    if found is None:
        return "hipErrorInvalidValue"
    if start:
        put_pointer(start, found.address)
    if size:
        put_pointer(size, found.size_bytes)
    return None


@answers("hipPointerGetAttributes")
def pointer_get_attributes(host: Host, attributes: int, pointer: int) -> str | None:
    """Tell what kind of memory an address is in."""
    own = host.registered.home(pointer)
    device = host.registered.on_device(own) or pointer
    found = host.memory.find(device)
    if not attributes or found is None:
        return "hipErrorInvalidValue"
    kind = "Device"
    if found.address in host.host_memory or host.registered.holds(own, 1):
        kind = "Host"
    elif found.address in host.managed_memory:
        kind = "Managed"
    values = {
        "type": enumerators()[f"hipMemoryType{kind}"],
        "devicePointer": device,
        "hostPointer": 0 if kind == "Device" else own,
        "isManaged": int(kind == "Managed"),
    }
    host.fill("hipPointerAttribute_t", attributes, dict(values))
    return None


@answers("hipMemPrefetchAsync", "hipMemAdvise")
def advise(host: Host, pointer: int, *_others: int) -> str | None:
    """Check the address; where managed memory lies changes no result."""
    return None if host.memory.find(pointer) else "hipErrorInvalidValue"
