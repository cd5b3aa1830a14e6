"""The interface that the headers declare: complete, typed, and answered or named."""

import re
from pathlib import Path

import pytest

import wavemma.hip.calls
from wavemma.hip.compiler import includes
from wavemma.hip.declarations import attribute_fields, calls, ctype, enumerators, structures
from wavemma.hip.device_facts import facts
from wavemma.hip.forwarders import forwarded, runtime_text
from wavemma.hip.interface import answered
from wavemma.tables.products import product
from wavemma.tables.targets import target

# What public programs call, of the fact file hip-api.md, most frequent first.
COUNTED_TEXT = """
hipMalloc hipFree hipMemcpy hipGetLastError hipGetDeviceProperties hipEventSynchronize
hipEventCreate hipEventDestroy hipEventElapsedTime hipEventRecord hipSetDevice
hipDeviceSynchronize hipGetDevice hipGetErrorString hipGetDeviceCount hipStreamCreate
hipStreamDestroy hipHostMalloc hipHostFree hipMemset hipStreamSynchronize hipModuleGetFunction
hipModuleLaunchKernel hipDeviceGetAttribute hipDeviceCanAccessPeer hipMemcpyAsync
hipPeekAtLastError hipMemcpyToSymbol hipModuleLoadData hipModuleUnload hipModuleLoad
hipOccupancyMaxPotentialBlockSize hipOccupancyMaxActiveBlocksPerMultiprocessor
hipDeviceEnablePeerAccess hipLaunchCooperativeKernel hipMemGetInfo hipGetSymbolAddress
hipGetSymbolSize hipMemcpyFromSymbol hiprtcCompileProgram hiprtcGetCode hiprtcGetProgramLog
"""
COUNTED = COUNTED_TEXT.split()
UNDECLARED = re.compile(r"^\s*(?:hipError_t|hiprtcResult)\s+\w+\(", re.M)


def test_what_programs_call_is_answered() -> None:
    assert wavemma.hip.calls
    own = set(calls()) - {call.name for call in forwarded()}
    assert set(COUNTED) <= answered() | own
    assert len(COUNTED) == 42


def test_every_declaration_is_read_and_has_types() -> None:
    folder = includes() / "hip"
    text = "".join(
        (folder / file).read_text()
        for file in ("hip_runtime_api.h", "detail/api_without_device.h", "hiprtc.h")
    )
    checked = [call for call in calls().values() if call.is_checked]
    assert len(UNDECLARED.findall(text)) == len(checked)
    assert len(checked) > 200
    for call in calls().values():
        assert all(ctype(each.type) for each in call.parameters), call.name


def test_answers_are_of_declared_calls() -> None:
    assert answered() <= set(calls())


def test_every_call_is_forwarded_once() -> None:
    text = runtime_text()
    for name in calls():
        assert len(re.findall(rf"^[\w *]*\b{name}\([^;]*?\) \{{", text, re.M)) == 1, name


def test_properties_are_fields_of_the_record() -> None:
    fields = set(structures()["hipDeviceProp_t"])
    found = facts(target("gfx1100"), product("RX 7900 XTX"))
    assert set(found) <= fields
    assert {field for field, _ in attribute_fields()} <= fields
    attributes = [name for name in enumerators() if name.startswith("hipDeviceAttribute")]
    assert len(attribute_fields()) == len(attributes) > 50


def test_numbers_of_the_interface() -> None:
    numbers = enumerators()
    # As AMD's headers have them.
    known = {
        "hipErrorInvalidValue": 1,
        "hipErrorInvalidConfiguration": 9,
        "hipErrorInvalidDevice": 101,
        "hipErrorNoBinaryForGpu": 209,
        "hipErrorNotSupported": 801,
        "hipErrorUnknown": 999,
        "hipMemcpyDeviceToHost": 2,
        "HIPRTC_ERROR_COMPILATION": 6,
    }
    assert {name: numbers[name] for name in known} == known


@pytest.mark.oracle
def test_errors_agree_with_the_headers_in_triton() -> None:
    import triton

    header = Path(triton.__file__).parent / "backends/amd/include/hip/hip_runtime_api.h"
    theirs = dict(re.findall(r"^\s*(hipError\w+|hipSuccess) = (\d+),", header.read_text(), re.M))
    ours = {name: number for name, number in enumerators().items() if name in theirs}
    assert len(ours) > 60
    assert {name: int(theirs[name]) for name in ours} == ours
