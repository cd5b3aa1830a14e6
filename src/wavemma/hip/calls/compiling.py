"""hiprtc: device code compiled while the program runs, with the program's own toolchain."""

import ctypes
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from wavemma.errors import CompileMistake
from wavemma.hip.calls.places import pointer_at, put_int, put_pointer, text_at
from wavemma.hip.host import Host
from wavemma.hip.interface import answers
from wavemma.objects import code_object

_VERSION = (6, 4)
_NAME = "wavemma_name_"


@dataclass
class Source:
    """A program of hiprtc."""

    text: str
    name: str
    headers: dict[str, str]
    expressions: list[str] = field(default_factory=list)
    code: bytes | None = None
    log: str = ""
    lowered: dict[str, bytes] = field(default_factory=dict)


@answers("hiprtcVersion")
def version(_host: Host, major: int, minor: int) -> None:
    """Tell the version."""
    put_int(major, _VERSION[0])
    put_int(minor, _VERSION[1])


@answers("hiprtcCreateProgram")
def create(
    host: Host, program: int, source: int, name: int, count: int, headers: int, names: int
) -> str | None:
    """Keep a source."""
    if not program or not source:
        return "HIPRTC_ERROR_INVALID_INPUT"
    given = {
        text_at(pointer_at(names + 8 * n)): text_at(pointer_at(headers + 8 * n))
        for n in range(count)
    }
    called = text_at(name) if name else "program.hip"
    put_pointer(program, host.new_handle(Source(text_at(source), called, given)))
    return None


@answers("hiprtcDestroyProgram")
def destroy(host: Host, program: int) -> str | None:
    """Forget a source."""
    if not program or not isinstance(host.handles.get(pointer_at(program)), Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    del host.handles[pointer_at(program)]
    put_pointer(program, 0)
    return None


@answers("hiprtcAddNameExpression")
def add_name(host: Host, program: int, expression: int) -> str | None:
    """Ask for the mangled name of a kernel, and so for the instance of a template."""
    found = host.handles.get(program)
    if not isinstance(found, Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    found.expressions.append(text_at(expression))
    return None


@answers("hiprtcCompileProgram")
def compile_program(host: Host, program: int, count: int, options: int) -> str | None:
    """Compile a source for the device."""
    found = host.handles.get(program)
    if not isinstance(found, Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    words = [text_at(pointer_at(options + 8 * n)) for n in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        if not all(_written(Path(folder), *each) for each in found.headers.items()):
            return "HIPRTC_ERROR_INVALID_INPUT"
        try:
            found.code, log = host.compile(_whole(found), found.name, [*words, f"-I{folder}"])
        except CompileMistake as error:
            found.log = str(error).replace(f"{folder}/", "")
            return "HIPRTC_ERROR_COMPILATION"
        found.log = log.replace(f"{folder}/", "")
    _find_names(found)
    return None


def _written(folder: Path, name: str, text: str) -> bool:
    """Write a header below a folder; whether its name leads there."""
    place = (folder / name).resolve()
    if not place.is_relative_to(folder.resolve()):
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return True


@answers("hiprtcGetProgramLogSize")
def log_size(host: Host, program: int, size: int) -> str | None:
    """Tell how long the compiler's words are, with the end of the text."""
    found = host.handles.get(program)
    if not isinstance(found, Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    put_pointer(size, len(found.log.encode()) + 1 if found.log else 0)
    return None


@answers("hiprtcGetProgramLog")
def log(host: Host, program: int, text: int) -> str | None:
    """Give the compiler's words."""
    found = host.handles.get(program)
    if not isinstance(found, Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    if found.log:
        data = found.log.encode() + b"\0"
        ctypes.memmove(text, data, len(data))
    return None


@answers("hiprtcGetCodeSize")
def code_size(host: Host, program: int, size: int) -> str | None:
    """Tell the size of the code object."""
    found = host.handles.get(program)
    if not isinstance(found, Source) or found.code is None:
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    put_pointer(size, len(found.code))
    return None


@answers("hiprtcGetCode")
def code(host: Host, program: int, place: int) -> str | None:
    """Give the code object."""
    found = host.handles.get(program)
    if not isinstance(found, Source) or found.code is None:
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    ctypes.memmove(place, found.code, len(found.code))
    return None


@answers("hiprtcGetLoweredName")
def lowered_name(host: Host, program: int, expression: int, name: int) -> str | None:
    """Give the mangled name of a kernel."""
    found = host.handles.get(program)
    if not isinstance(found, Source):
        return "HIPRTC_ERROR_INVALID_PROGRAM"
    if found.code is None:
        return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION"
    lowered = found.lowered.get(text_at(expression))
    if lowered is None:
        return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID"
    # The program may use the name for as long as it has the source.
    kept = ctypes.create_string_buffer(lowered)
    host.kept.append(kept)
    put_pointer(name, ctypes.addressof(kept))
    return None


def _whole(found: Source) -> str:
    """Put the names of kernels and variables behind the source.

    A variable whose value is a kernel's address makes the compiler instantiate it; what the linker
    notes for it tells the mangled name.
    """
    lines = [
        f'extern "C" __device__ __attribute__((used)) auto {_NAME}{n} = {_address_of(expression)};'
        for n, expression in enumerate(found.expressions)
    ]
    return "\n".join(["#include <hip/hip_runtime.h>", "#line 1", found.text, *lines, ""])


def _address_of(expression: str) -> str:
    """Write the address of what a name expression means, which may ask for it itself."""
    return f"&{expression.strip().removeprefix('&')}"


def _find_names(found: Source) -> None:
    """Read the address that each name has, and find the kernel or variable there."""
    if not found.expressions or found.code is None:
        return
    whole = code_object(found.code)
    image = whole.image.at(0)
    by_address = {whole.address_of(each): name for name, each in whole.variables.items()}
    by_address |= {kernel.entry: name for name, kernel in whole.kernels.items()}
    by_address |= {kernel.descriptor_address: name for name, kernel in whole.kernels.items()}
    for n, expression in enumerate(found.expressions):
        variable = whole.variables.get(f"{_NAME}{n}")
        if variable is None:
            continue
        place = whole.address_of(variable)
        address = int.from_bytes(image[place : place + 8], "little")
        if address in by_address:
            found.lowered[expression] = by_address[address].encode()
