"""The host interface as our own headers declare it: the one place that says what a call takes."""

import ctypes
import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from wavemma.errors import DataMistake
from wavemma.hip.compiler import includes

CType = type[Any]
"""A simple type of ctypes."""
_FILES = ("hip_runtime_api.h", "detail/api_without_device.h", "hiprtc.h")
_TYPES = ("driver_types.h", "detail/error_list.h", "detail/device_attributes.h", "hiprtc.h")
_FILLED = ("hipDeviceProp_t", "hipFuncAttributes", "hipPointerAttribute_t", "hipPitchedPtr")
_READ = ("hipMemcpy3DParms", "hipKernelNodeParams", "hipMemsetParams", "hipHostNodeParams")
_CALL = re.compile(r"^(?P<type>[\w ]+?[ *]+)(?P<name>\w+)\((?P<parameters>[^;{}]*)\);$", re.M)
_DEFAULT = re.compile(r"\s*HIP_DEFAULT\([^()]*\)")
_NUMBERS: dict[str, CType] = {
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "unsigned char": ctypes.c_ubyte,
    "unsigned short": ctypes.c_ushort,
    "unsigned long long": ctypes.c_ulonglong,
    "uint32_t": ctypes.c_uint,
    "uint64_t": ctypes.c_ulonglong,
    "size_t": ctypes.c_size_t,
    "hipDevice_t": ctypes.c_int,
}


class Parameter(msgspec.Struct, frozen=True):
    """A parameter: its C type and name."""

    type: str
    name: str

    @property
    def is_record(self) -> bool:
        """Whether C passes a record by value, as the size of a grid; Python gets its address."""
        return self.type in _records()


class Call(msgspec.Struct, frozen=True):
    """One function of the interface."""

    name: str
    type: str
    parameters: tuple[Parameter, ...]

    @property
    def is_checked(self) -> bool:
        """Whether it returns an error of the interface."""
        return self.type in ("hipError_t", "hiprtcResult")


@cache
def calls() -> dict[str, Call]:
    """Read every declaration of the headers, by name."""
    found = {}
    for file in _FILES:
        for match in _CALL.finditer(_text(file)):
            words = [part.strip() for part in match["parameters"].split(",")]
            parameters = tuple(_parameter(word) for word in words if word not in ("", "void"))
            found[match["name"]] = Call(match["name"], _plain(match["type"]), parameters)
    return found


@cache
def enumerators() -> dict[str, int]:
    """Give the number of every enumerator of the headers, by name."""
    found: dict[str, int] = {}
    for file in _TYPES:
        for name, number in re.findall(r"^  X\((\w+), (\d+)[,)]", _text(file), re.M):
            found[name] = int(number)
    for file in _TYPES:
        for body in re.findall(r"typedef enum \w+ \{(.*?)\}", _text(file), re.S):
            _number(body, found)
    return found


@cache
def attribute_fields() -> tuple[tuple[str, int], ...]:
    """Give for every device attribute, in order, the property and the place in it."""
    rows = re.findall(r"X\(hip\w+,[\s\\]*(\w+), (\d)\)", _text("detail/device_attributes.h"))
    return tuple((field, int(place)) for field, place in rows)


def ctype(type_text: str) -> CType:
    """Give the ctypes type that a C type is passed as.

    Raises:
        DataMistake: The header has a type that is not known here.

    """
    plain = _plain(type_text.replace("const ", ""))
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    if "*" in plain or plain in _records() or plain in _handles():
        return ctypes.c_void_p
    if plain in _enumerations():
        return ctypes.c_int
    raise DataMistake(f"The HIP headers use a type that no rule passes: {plain}.", subject=plain)


def structures() -> dict[str, tuple[str, ...]]:
    """Give the names of the fields of each record that the runtime fills or reads."""
    found = {}
    for name in _FILLED + _READ:
        body = re.search(rf"typedef struct {name} \{{(.*?)\}}", _text("driver_types.h"), re.S)
        assert body is not None, name
        declared = re.findall(r"^\s+([^;]*);", body[1], re.M)
        found[name] = tuple(
            re.sub(r"\[\d+\]", "", word).split()[-1].lstrip("*")
            for line in declared
            for word in line.split(",")
        )
    return found


@cache
def _handles() -> frozenset[str]:
    """Types that are addresses by another name."""
    text = _text("driver_types.h") + _text("hiprtc.h")
    names = re.findall(r"^typedef [\w ]*\*(\w+);", text, re.M)
    return frozenset(names + re.findall(r"^typedef void \(\*(\w+)\)", text, re.M))


@cache
def _records() -> frozenset[str]:
    return frozenset(re.findall(r"^(?:typedef )?struct (\w+) \{", _text("driver_types.h"), re.M))


@cache
def _enumerations() -> frozenset[str]:
    return frozenset(
        name for file in _TYPES for name in re.findall(r"typedef enum (\w+) \{", _text(file))
    )


def _number(body: str, found: dict[str, int]) -> None:
    """Number the enumerators of one enumeration."""
    following = 0
    for line in re.sub(r"//[^\n]*", "", body).split(","):
        name, _, value = (part.strip() for part in line.partition("="))
        if re.fullmatch(r"\w+", name):
            following = found[value] if value in found else int(value, 0) if value else following
            found[name] = following
            following += 1
        elif name.startswith("WAVEMMA_DEVICE_ATTRIBUTES"):
            rows = re.findall(r"X\((hip\w+),", _text("detail/device_attributes.h"))
            found.update({name: number for number, name in enumerate(rows)})


def _parameter(text: str) -> Parameter:
    match = re.fullmatch(r"(.*?[ *])(\w+)", _DEFAULT.sub("", text))
    assert match is not None, text
    return Parameter(_plain(match[1]), match[2])


def _plain(text: str) -> str:
    return " ".join(text.replace("*", " * ").split()).replace(" *", "*")


@cache
def _text(file: str) -> str:
    return (includes() / "hip" / Path(file)).read_text(encoding="utf-8")
