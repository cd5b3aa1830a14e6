"""Variables of the device, by the address of the host variable that stands for each."""

from wavemma.hip.calls.copies import copy
from wavemma.hip.calls.places import put_pointer
from wavemma.hip.declarations import enumerators
from wavemma.hip.host import Host, Image
from wavemma.hip.interface import answers, works
from wavemma.machine.load import Variable


@answers("hipGetSymbolAddress")
def symbol_address(host: Host, pointer: int, symbol: int) -> str | None:
    """Tell where a device variable lies."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    put_pointer(pointer, found.address)
    return None


@answers("hipGetSymbolSize")
def symbol_size(host: Host, size: int, symbol: int) -> str | None:
    """Tell how large a device variable is."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    put_pointer(size, found.size_bytes)
    return None


@works("Memcpy", "hipMemcpyToSymbol", "hipMemcpyToSymbolAsync")
def memcpy_to_symbol(
    host: Host, symbol: int, source: int, size: int, offset: int, _kind: int, *_stream: int
) -> str | None:
    """Copy bytes into a device variable."""
    place = _place(host, symbol, offset, size)
    if isinstance(place, str):
        return place
    return copy(host, place, source, size, enumerators()["hipMemcpyDefault"])


@works("Memcpy", "hipMemcpyFromSymbol", "hipMemcpyFromSymbolAsync")
def memcpy_from_symbol(
    host: Host, target: int, symbol: int, size: int, offset: int, _kind: int, *_stream: int
) -> str | None:
    """Copy bytes out of a device variable."""
    place = _place(host, symbol, offset, size)
    if isinstance(place, str):
        return place
    return copy(host, target, place, size, enumerators()["hipMemcpyDefault"])


def _place(host: Host, symbol: int, offset: int, size: int) -> int | str:
    """Give the address of bytes of a device variable; the name of an error if it lacks them."""
    found = _variable(host, symbol)
    if found is None:
        return "hipErrorInvalidSymbol"
    return found.address + offset if offset + size <= found.size_bytes else "hipErrorInvalidValue"


def _variable(host: Host, symbol: int) -> Variable | None:
    """Find the device variable of a host variable; of a managed one its memory."""
    found: tuple[Image, str] | None = host.variables.get(symbol)
    if found is None:
        return None
    image, name = found
    if name in image.managed:
        held = host.memory.find(image.managed[name])
        return Variable(held.address, held.size_bytes) if held else None
    return image.variable(name)
