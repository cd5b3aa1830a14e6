"""Pools of memory: each gives and takes the device's memory at once, and keeps none of it."""

from dataclasses import dataclass, field

from wavemma.hip.calls.memory import allocate
from wavemma.hip.calls.places import int_at, pointer_at, put_int, put_pointer
from wavemma.hip.declarations import enumerators
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

_FIRST_WIDE = "hipMemPoolAttrReleaseThreshold"
_MEASURED = ("hipMemPoolAttrReservedMemCurrent", "hipMemPoolAttrUsedMemCurrent")


@dataclass
class Pool:
    """A pool, with the attributes that the program has set."""

    attributes: dict[int, int] = field(default_factory=dict)


@answers("hipDeviceGetDefaultMemPool", "hipDeviceGetMemPool")
def get_pool(host: Host, pool: int, device: int) -> str | None:
    """Give the pool of the device."""
    if device:
        return "hipErrorInvalidDevice"
    if not host.pool:
        host.pool = host.new_handle(Pool())
    put_pointer(pool, host.pool)
    return None


@answers("hipDeviceSetMemPool")
def set_pool(host: Host, device: int, pool: int) -> str | None:
    """Let another pool be that of the device."""
    if device or _found(host, pool) is None:
        return "hipErrorInvalidDevice" if device else "hipErrorInvalidValue"
    host.pool = pool
    return None


@answers("hipMemPoolCreate")
def create(host: Host, pool: int, properties: int) -> str | None:
    """Make a pool."""
    if not pool or not properties:
        return "hipErrorInvalidValue"
    put_pointer(pool, host.new_handle(Pool()))
    return None


@answers("hipMemPoolDestroy")
def destroy(host: Host, pool: int) -> str | None:
    """Forget a pool; what came from it stays."""
    if _found(host, pool) is None or pool == host.pool:
        return "hipErrorInvalidValue"
    del host.handles[pool]
    return None


@answers("hipMemPoolTrimTo", "hipMemPoolSetAccess")
def check(host: Host, pool: int, *_others: int) -> str | None:
    """Check a pool: it keeps no memory, and there is no other device."""
    return "hipErrorInvalidValue" if _found(host, pool) is None else None


@answers("hipMemPoolSetAttribute")
def set_attribute(host: Host, pool: int, attribute: int, value: int) -> str | None:
    """Keep a wish; it changes no result."""
    found = _found(host, pool)
    if found is None or not value:
        return "hipErrorInvalidValue"
    found.attributes[attribute] = pointer_at(value) if _is_wide(attribute) else int_at(value)
    return None


@answers("hipMemPoolGetAttribute")
def get_attribute(host: Host, pool: int, attribute: int, value: int) -> str | None:
    """Tell a wish, or how much memory is in use."""
    found = _found(host, pool)
    if found is None or not value:
        return "hipErrorInvalidValue"
    measured = attribute in {enumerators()[name] for name in _MEASURED}
    number = host.memory.used_bytes if measured else found.attributes.get(attribute, 0)
    (put_pointer if _is_wide(attribute) else put_int)(value, number)
    return None


@answers("hipMallocFromPoolAsync")
def malloc(host: Host, pointer: int, size: int, pool: int, _stream: int) -> str | None:
    """Get device memory."""
    if _found(host, pool) is None:
        return "hipErrorInvalidValue"
    return allocate(host, pointer, size, "")


def _is_wide(attribute: int) -> bool:
    return attribute >= enumerators()[_FIRST_WIDE]


def _found(host: Host, handle: int) -> Pool | None:
    found = host.handles.get(handle)
    return found if isinstance(found, Pool) else None
