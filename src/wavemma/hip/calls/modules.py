"""Modules: code objects that the program loads itself, and attributes of functions."""

from pathlib import Path

from wavemma.errors import WavemmaError
from wavemma.hip.calls.places import put_int, put_pointer, text_at
from wavemma.hip.declarations import enumerators
from wavemma.hip.device_facts import Fact
from wavemma.hip.host import Function, Host, Image
from wavemma.hip.images import image_at, image_of_file
from wavemma.hip.interface import answers


@answers("hipModuleLoad")
def load_file(host: Host, module: int, path: int) -> str | None:
    """Load a file."""
    file = Path(text_at(path)) if path else Path()
    if not file.is_file():
        return "hipErrorFileNotFound"
    return _loaded(host, module, image_of_file(file))


@answers("hipModuleLoadData", "hipModuleLoadDataEx")
def load_data(host: Host, module: int, image: int, *_options: int) -> str | None:
    """Load what lies at an address."""
    if not image:
        return "hipErrorInvalidValue"
    try:
        data = image_at(image)
    except WavemmaError as error:
        host.complain(str(error))
        return "hipErrorInvalidImage"
    return _loaded(host, module, data)


@answers("hipModuleUnload")
def unload(host: Host, module: int) -> str | None:
    """Give a module's memory back; its functions are gone."""
    found = host.handles.pop(module, None)
    if not isinstance(found, Image):
        return "hipErrorInvalidHandle"
    for handle, each in list(host.handles.items()):
        if isinstance(each, Function) and each.image is found:
            del host.handles[handle]
    found.unload()
    return None


@answers("hipModuleGetFunction")
def get_function(host: Host, function: int, module: int, name: int) -> str | None:
    """Find a kernel of a module."""
    found = host.handles.get(module)
    if not function or not name:
        return "hipErrorInvalidValue"
    if not isinstance(found, Image):
        return "hipErrorInvalidHandle"
    wanted = text_at(name)
    if wanted not in found.module.found.kernels:
        return "hipErrorNotFound"
    put_pointer(function, host.new_handle(Function(found, wanted)))
    return None


@answers("hipModuleGetGlobal")
def get_global(host: Host, pointer: int, size: int, module: int, name: int) -> str | None:
    """Find a variable of a module."""
    found = host.handles.get(module)
    if not isinstance(found, Image):
        return "hipErrorInvalidHandle"
    variable = found.variable(text_at(name))
    if variable is None:
        return "hipErrorNotFound"
    for place, value in ((pointer, variable.address), (size, variable.size_bytes)):
        if place:
            put_pointer(place, value)
    return None


@answers("hipGetFuncBySymbol")
def by_symbol(host: Host, function: int, symbol: int) -> str | None:
    """Give the handle of the kernel that a host function stands for."""
    found = host.functions.get(symbol)
    if found is None:
        return "hipErrorInvalidDeviceFunction"
    put_pointer(function, host.new_handle(found))
    return None


@answers("hipFuncGetAttributes")
def attributes(host: Host, record: int, function: int) -> str | None:
    """Tell what a kernel needs."""
    found = host.functions.get(function)
    if found is None:
        return "hipErrorInvalidDeviceFunction"
    host.fill("hipFuncAttributes", record, _attributes(host, found))
    return None


@answers("hipFuncGetAttribute")
def attribute(host: Host, place: int, which: int, function: int) -> str | None:
    """Tell one thing that a kernel needs."""
    found = host.handles.get(function)
    if not isinstance(found, Function):
        return "hipErrorInvalidHandle"
    values = _attributes(host, found)
    fields = {
        "HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK": "maxThreadsPerBlock",
        "HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES": "sharedSizeBytes",
        "HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES": "constSizeBytes",
        "HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES": "localSizeBytes",
        "HIP_FUNC_ATTRIBUTE_NUM_REGS": "numRegs",
        "HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES": "maxDynamicSharedSizeBytes",
    }
    numbers = {enumerators()[name]: field for name, field in fields.items()}
    if which not in numbers:
        return "hipErrorInvalidValue"
    put_int(place, int(str(values.get(numbers[which], 0))))
    return None


@answers("hipFuncSetAttribute")
def set_attribute(host: Host, function: int, _which: int, _value: int) -> str | None:
    """Accept a wish: the launch itself checks how much shared memory there is."""
    return None if function in host.functions else "hipErrorInvalidDeviceFunction"


def _attributes(host: Host, function: Function) -> dict[str, Fact]:
    kernel = function.kernel
    lds = int(str(host.facts["sharedMemPerBlock"]))
    return {
        "maxThreadsPerBlock": kernel.metadata.max_flat_workgroup_size,
        "numRegs": kernel.metadata.vgpr_count,
        "sharedSizeBytes": kernel.descriptor.group_bytes,
        "localSizeBytes": kernel.descriptor.private_bytes,
        "maxDynamicSharedSizeBytes": lds - kernel.descriptor.group_bytes,
    }


def _loaded(host: Host, module: int, data: bytes) -> str | None:
    """Load a code object at once, so that a wrong one is told here."""
    found = Image(bytes(data), host.device.load)
    try:
        assert found.module is not None
    except WavemmaError as error:
        host.complain(str(error))
        return "hipErrorNoBinaryForGpu"
    put_pointer(module, host.new_handle(found))
    return None
