"""What compiled host code registers before the program begins."""

from wavemma.hip.calls.places import bytes_at, pointer_at, put_pointer, text_at
from wavemma.hip.host import Function, Host, Image
from wavemma.hip.images import image_at
from wavemma.hip.interface import answers

# The wrapper of a fat binary: two words of 32 bits, the address of the binary, a null pointer.
_BINARY = 8


@answers("__hipRegisterFatBinary")
def register_fat_binary(host: Host, wrapper: int) -> int:
    """Keep a code object that the program carries."""
    handle = host.new_handle("fat binary")
    host.images[handle] = Image(image_at(pointer_at(wrapper + _BINARY)), host.device.load)
    return handle


@answers("__hipUnregisterFatBinary")
def unregister_fat_binary(host: Host, handle: int) -> None:
    """Do nothing: the process ends soon."""


@answers("__hipRegisterFunction")
def register_function(
    host: Host, handle: int, function: int, device_name: int, *_others: int
) -> None:
    """Note the kernel that a host function stands for."""
    host.functions[function] = Function(host.images[handle], text_at(device_name))


@answers("__hipRegisterVar")
def register_variable(
    host: Host, handle: int, variable: int, device_name: int, *_others: int
) -> None:
    """Note the device variable that a host variable stands for."""
    host.variables[variable] = (host.images[handle], text_at(device_name))


@answers("__hipRegisterManagedVar")
def register_managed_variable(
    host: Host, handle: int, pointer: int, initial: int, name: int, size: int, _align: int
) -> None:
    """Give a managed variable memory that both sides see."""
    image, called = host.images[handle], text_at(name)
    address = host.memory.allocate(size, called)
    host.managed_memory.add(address)
    if initial:
        host.memory.write(address, bytes_at(initial, size))
    image.managed[called] = address
    host.variables[pointer] = (image, called)
    put_pointer(pointer, address)
