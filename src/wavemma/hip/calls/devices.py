"""The one device that there is, its properties and its contexts."""

from wavemma.hip.calls.places import put_int, put_pointer, put_text, text_at
from wavemma.hip.declarations import attribute_fields, enumerators
from wavemma.hip.device_facts import Fact
from wavemma.hip.device_heap import HEADER_BYTES
from wavemma.hip.host import Host
from wavemma.hip.interface import answers

# Version 6.4 as the headers say it.
_VERSION = 60400000
_BUS_ID = "0000:03:00.0"
_CONTEXT = 0x1000
_HEAP = "hipLimitMallocHeapSize"
_LIMITS = {"hipLimitStackSize": 16 << 10, "hipLimitPrintfFifoSize": 4 << 20}


@answers("hipInit", "hipDeviceReset")
def done(_host: Host, *_others: int) -> None:
    """Do nothing."""


@answers("hipDeviceSynchronize", "hipCtxSynchronize")
def synchronize(host: Host) -> str | None:
    """Wait until all streams have done their work."""
    return host.settle()


@answers(
    "hipDeviceSetCacheConfig",
    "hipDeviceSetSharedMemConfig",
    "hipFuncSetCacheConfig",
    "hipFuncSetSharedMemConfig",
    "hipProfilerStart",
    "hipProfilerStop",
)
def without_effect(_host: Host, *_others: int) -> None:
    """Accept a wish that changes no result."""


@answers("hipDriverGetVersion", "hipRuntimeGetVersion")
def version(_host: Host, place: int) -> str | None:
    """Tell the version of the interface."""
    return _put(place, _VERSION)


@answers("hipGetDeviceCount")
def device_count(_host: Host, place: int) -> str | None:
    """Tell that there is one device."""
    return _put(place, 1)


@answers("hipGetDevice", "hipCtxGetDevice")
def get_device(_host: Host, place: int) -> str | None:
    """Tell which device is used."""
    return _put(place, 0)


@answers("hipSetDevice")
def set_device(_host: Host, device: int) -> str | None:
    """Choose the device."""
    return _checked(device)


@answers("hipDeviceGet")
def device_get(_host: Host, place: int, device: int) -> str | None:
    """Give the handle of a device: its number."""
    return _checked(device) or _put(place, 0)


@answers("hipChooseDevice")
def choose_device(_host: Host, place: int, _wanted: int) -> str | None:
    """Choose the only device."""
    return _put(place, 0)


@answers("hipGetDeviceProperties")
def get_properties(host: Host, properties: int, device: int) -> str | None:
    """Tell what is known of the device."""
    if not properties:
        return "hipErrorInvalidValue"
    if device:
        return "hipErrorInvalidDevice"
    host.fill("hipDeviceProp_t", properties, host.facts)
    return None


@answers("hipDeviceGetAttribute")
def get_attribute(host: Host, place: int, attribute: int, device: int) -> str | None:
    """Tell one property."""
    fields = attribute_fields()
    if device:
        return "hipErrorInvalidDevice"
    if not 0 <= attribute < len(fields):
        return "hipErrorInvalidValue"
    field, position = fields[attribute]
    value: Fact = host.facts.get(field, 0)
    number = value[position] if isinstance(value, tuple) else value
    # Larger numbers do not fit the interface: the largest that does.
    return _put(place, min(int(number), (1 << 31) - 1))


@answers("hipDeviceGetName")
def get_name(host: Host, text: int, room: int, device: int) -> str | None:
    """Tell the name of the device."""
    if device or not text or room < 1:
        return "hipErrorInvalidDevice" if device else "hipErrorInvalidValue"
    put_text(text, str(host.facts["name"]), room)
    return None


@answers("hipDeviceTotalMem")
def total_memory(host: Host, place: int, device: int) -> str | None:
    """Tell how much memory there is."""
    if device or not place:
        return "hipErrorInvalidDevice" if device else "hipErrorInvalidValue"
    put_pointer(place, host.memory_bytes)
    return None


@answers("hipDeviceComputeCapability")
def capability(host: Host, major: int, minor: int, device: int) -> str | None:
    """Tell the version of the processor."""
    number = {name: host.facts[name] for name in ("major", "minor")}
    return (
        _checked(device)
        or _put(major, int(str(number["major"])))
        or _put(minor, int(str(number["minor"])))
    )


@answers("hipDeviceGetPCIBusId")
def bus_id(_host: Host, text: int, room: int, device: int) -> str | None:
    """Tell where a device sits."""
    if not text or room < 1:
        return "hipErrorInvalidValue"
    put_text(text, _BUS_ID, room)
    return _checked(device)


@answers("hipDeviceGetByPCIBusId")
def by_bus_id(_host: Host, place: int, text: int) -> str | None:
    """Find the device that sits there."""
    if not text or text_at(text) != _BUS_ID:
        return "hipErrorInvalidDevice"
    return _put(place, 0)


@answers("hipDeviceGetUuid")
def uuid(_host: Host, place: int, device: int) -> str | None:
    """Give an id that no board has."""
    if not place:
        return "hipErrorInvalidValue"
    for word in range(2):
        put_pointer(place + 8 * word, 0)
    return _checked(device)


@answers("hipSetDeviceFlags")
def set_flags(host: Host, flags: int) -> None:
    """Keep the flags; how the host waits changes no result."""
    host.current_flags = flags


@answers("hipGetDeviceFlags")
def get_flags(host: Host, place: int) -> str | None:
    """Tell the flags that were set."""
    return _put(place, host.current_flags)


@answers("hipDeviceGetCacheConfig", "hipDeviceGetSharedMemConfig")
def get_default(_host: Host, place: int) -> str | None:
    """Tell that there is no preference."""
    return _put(place, 0)


@answers("hipDeviceGetLimit")
def get_limit(host: Host, place: int, limit: int) -> str | None:
    """Tell a limit."""
    limits = {**_LIMITS, _HEAP: host.heap_bytes}
    by_number = {enumerators()[name]: value for name, value in limits.items()}
    if not place:
        return "hipErrorInvalidValue"
    if limit not in by_number:
        return "hipErrorUnsupportedLimit"
    put_pointer(place, by_number[limit])
    return None


@answers("hipDeviceSetLimit")
def set_limit(host: Host, limit: int, value: int) -> str | None:
    """Set how much memory kernels can allocate from, before one does; accept the other limits."""
    numbers = enumerators()
    if limit == numbers[_HEAP]:
        if host.heap:
            return "hipErrorInvalidValue"
        host.heap_bytes = max(value, HEADER_BYTES)
        return None
    return None if limit in {numbers[name] for name in _LIMITS} else "hipErrorUnsupportedLimit"


@answers("hipDeviceCanAccessPeer")
def can_access_peer(_host: Host, place: int, device: int, peer: int) -> str | None:
    """Say no: there is no other device."""
    return _put(place, 0) or _checked(device) or _checked(peer)


@answers("hipDeviceGetP2PAttribute", "hipDeviceEnablePeerAccess", "hipDeviceDisablePeerAccess")
def no_peer(_host: Host, *_others: int) -> str:
    """Refuse: there is no other device."""
    return "hipErrorInvalidDevice"


@answers("hipCtxCreate", "hipDevicePrimaryCtxRetain")
def context(_host: Host, place: int, *others: int) -> str | None:
    """Give the only context."""
    if not place:
        return "hipErrorInvalidValue"
    put_pointer(place, _CONTEXT)
    return _checked(others[-1])


@answers("hipCtxGetCurrent", "hipCtxPopCurrent")
def current_context(_host: Host, place: int) -> str | None:
    """Give the only context."""
    if not place:
        return "hipErrorInvalidValue"
    put_pointer(place, _CONTEXT)
    return None


@answers("hipCtxSetCurrent", "hipCtxPushCurrent", "hipCtxDestroy")
def use_context(_host: Host, given: int) -> str | None:
    """Check the context."""
    return None if given in (0, _CONTEXT) else "hipErrorInvalidContext"


@answers("hipDevicePrimaryCtxRelease", "hipDevicePrimaryCtxReset")
def primary_context(_host: Host, device: int) -> str | None:
    """Check the device of the only context."""
    return _checked(device)


@answers("hipDevicePrimaryCtxGetState")
def primary_state(_host: Host, device: int, flags: int, active: int) -> str | None:
    """Tell that the context is active."""
    return _checked(device) or _put(flags, 0) or _put(active, 1)


def _checked(device: int) -> str | None:
    return None if device == 0 else "hipErrorInvalidDevice"


def _put(place: int, number: int) -> str | None:
    if not place:
        return "hipErrorInvalidValue"
    put_int(place, number)
    return None
