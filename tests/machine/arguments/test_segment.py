"""Kernel arguments against C's own layout (ctypes) and against the facts of hidden ones."""

import ctypes
from typing import Any

import ml_dtypes
import msgspec
import numpy as np
import pytest

from tests.facts import facts_json
from tests.objects.compiled import linked
from wavemma.errors import LaunchMistake
from wavemma.machine.arguments.segment import fill_hidden, packed
from wavemma.machine.device import Device
from wavemma.machine.geometry import Geometry
from wavemma.objects import KernelMetadata, code_object

SOURCE = """
#define __global__ __attribute__((global))
struct Mixed { char c; double d; short s[3]; };
__global__ void typed(float*, bool, signed char, unsigned short, int, float, double, _Float16,
    __bf16, unsigned long, Mixed, int*) {}
extern "C" __global__ void untyped(float*, int, double, Mixed, short, unsigned char) {}
extern "C" __global__ void none() {}
extern "C" __global__ void hidden(unsigned* out, char c) {
  *out = c + *(const unsigned*)__builtin_amdgcn_implicitarg_ptr();
}
"""


class Mixed(ctypes.Structure):
    _fields_ = (("c", ctypes.c_char), ("d", ctypes.c_double), ("s", ctypes.c_short * 3))


class Typed(ctypes.Structure):
    _fields_ = (
        ("p", ctypes.c_uint64),
        ("truth", ctypes.c_bool),
        ("a", ctypes.c_int8),
        ("t", ctypes.c_uint16),
        ("i", ctypes.c_int32),
        ("f", ctypes.c_float),
        ("d", ctypes.c_double),
        ("half", ctypes.c_uint16),
        ("bf16", ctypes.c_uint16),
        ("m", ctypes.c_uint64),
        ("mixed", Mixed),
        ("q", ctypes.c_uint64),
    )


class Untyped(ctypes.Structure):
    _fields_ = (
        ("p", ctypes.c_uint64),
        ("i", ctypes.c_int32),
        ("d", ctypes.c_double),
        ("mixed", Mixed),
        ("h", ctypes.c_int16),
        ("c", ctypes.c_uint8),
    )


class InMemory:
    address = 0x123456789ABC


MIXED = Mixed(b"x", -2.5, (1, -2, 3))
RAW = bytes(MIXED)
GIVEN: list[Any] = [InMemory(), True, -128, 65535, -7, 0.1, 1e300, 1.5, -2.0, 2**64 - 1, RAW, None]
UNTYPED: list[Any] = [InMemory(), np.int32(-7), np.float64(0.5), RAW, np.int16(-3), np.uint8(200)]


@pytest.fixture(scope="module")
def kernels() -> dict[str, KernelMetadata]:
    found = code_object(linked("gfx1100", "-O3", source=SOURCE)).kernels
    names = {"typed": "_Z5typed", "untyped": "untyped", "none": "none", "hidden": "hidden"}
    return {
        short: next(k.metadata for n, k in found.items() if n.startswith(start))
        for short, start in names.items()
    }


def test_numbers_whose_type_the_name_tells(kernels: dict[str, KernelMetadata]) -> None:
    expected = Typed(
        InMemory.address, True, -128, 65535, -7, 0.1, 1e300, 0x3E00, 0xC000, 2**64 - 1, MIXED, 0
    )
    data = packed(kernels["typed"], GIVEN)
    assert data[: ctypes.sizeof(Typed)] == bytes(expected)
    assert not any(data[ctypes.sizeof(Typed) :])


def test_numpy_numbers_of_other_types_are_taken_if_they_fit(
    kernels: dict[str, KernelMetadata],
) -> None:
    given = [
        np.uint64(InMemory.address), np.bool_(True), np.int64(-128), np.int32(65535), np.int16(-7),
        np.float64(0.1), np.float64(1e300), np.float16(1.5), ml_dtypes.bfloat16(-2),
        np.uint64(2**64 - 1), np.frombuffer(RAW, "V1"), 0,
    ]  # fmt: skip
    assert packed(kernels["typed"], given) == packed(kernels["typed"], GIVEN)


def test_numpy_scalars_where_no_type_is_known(kernels: dict[str, KernelMetadata]) -> None:
    expected = bytes(Untyped(InMemory.address, -7, 0.5, MIXED, -3, 200))
    data = packed(kernels["untyped"], UNTYPED)
    last = kernels["untyped"].explicit[-1]
    assert data[: last.offset + 1] == expected[: last.offset + 1]


MEMBERS = np.dtype([("c", "u1"), ("d", "f8"), ("s", "i2", 3)], align=True)


@pytest.mark.parametrize(
    "signature",
    [
        "float*, int, double, struct Mixed, short, unsigned char",
        "const float *__restrict__ a, int n, double x, struct Mixed m, short h, unsigned char c",
        "*, i32, f64, struct Mixed, int16_t, uint8_t",
        ["float*", np.int32, "float64", MEMBERS, np.dtype("i2"), "u8"],
    ],
)
def test_a_signature_tells_types(kernels: dict[str, KernelMetadata], signature: Any) -> None:
    given = [InMemory(), -7, 0.5, RAW, -3, 200]
    assert packed(kernels["untyped"], given, signature) == packed(kernels["untyped"], UNTYPED)
    members = np.array((120, -2.5, (1, -2, 3)), MEMBERS)
    given[3] = members
    structure = kernels["untyped"].explicit[3]
    place = slice(structure.offset, structure.offset + structure.size)
    data = packed(kernels["untyped"], given, signature)[place]
    assert np.frombuffer(bytes(data), MEMBERS)[0] == members


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, 1.5, r"Argument 0 of .*a pointer, must be an address .*; got 1.5 \(float\)"),
        (0, np.float64(1), "must be an address"),
        (0, True, "must be an address"),
        (0, -1, "must be an address"),
        (0, 2**64, "must be an address"),
        (0, np.zeros(3, "f4"), "got an array of the host, float32 of 12 bytes"),
        (1, 2, "whole number from 0 to 1; got 2"),
        (2, 128, "Argument 2 of .*int8, 1 bytes, must be a whole number from -128 to 127; got 128"),
        (4, 1.0, r"whole number from -2147483648 to 2147483647; got 1.0 \(float\)"),
        (4, np.float32(1), "got .*1.0.* of 4 bytes"),
        (4, True, "whole number"),
        (5, 1e39, "a number within the range of float32; got 1e[+]39"),
        (5, 10**400, "within the range of float32"),
        (5, "1", r"got '1' \(str\)"),
        (7, 65520.0, "within the range of float16"),
        (10, b"abc", "an array or bytes of 24 bytes; got 3 bytes"),
        (10, 5, "A bare number has no size"),
        (9, 2**64, "whole number from 0 to 18446744073709551615"),
    ],
)
def test_what_is_no_such_argument(
    kernels: dict[str, KernelMetadata], place: int, value: object, message: str
) -> None:
    given = [*GIVEN]
    given[place] = value
    with pytest.raises(LaunchMistake, match=message):
        packed(kernels["typed"], given)


@pytest.mark.parametrize(("place", "value"), [(1, 7), (2, 7), (2, 0.5), (4, np.int32(1))])
def test_bare_numbers_need_a_type(
    kernels: dict[str, KernelMetadata], place: int, value: object
) -> None:
    """Eight bytes may be a double as well as a long: a bare 7 must not be guessed at."""
    given = [*UNTYPED]
    given[place] = value
    size = kernels["untyped"].explicit[place].size
    with pytest.raises(LaunchMistake, match=rf"must be a NumPy scalar.* of {size} bytes") as told:
        packed(kernels["untyped"], given)
    assert "a signature, such as 'float*, int'" in str(told.value)


def test_infinity_and_nan_are_numbers(kernels: dict[str, KernelMetadata]) -> None:
    given = [*GIVEN]
    given[5], given[7] = float("inf"), float("nan")
    data = Typed.from_buffer_copy(bytes(packed(kernels["typed"], given)))
    assert data.f == float("inf")
    assert data.half & 0x7C00 == 0x7C00
    assert data.half & 0x03FF


def test_the_number_of_arguments(kernels: dict[str, KernelMetadata]) -> None:
    assert packed(kernels["none"], []) == bytes(kernels["none"].kernarg_segment_size)
    with pytest.raises(LaunchMistake, match=r"none takes 0 arguments, got 1.\n  They are: none"):
        packed(kernels["none"], [1])
    with pytest.raises(LaunchMistake, match="They are: a pointer; 4 bytes; 8 bytes; 24 bytes"):
        packed(kernels["untyped"], [])


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("float*, int", "must have 6 types, got 2"),
        ("", "must have 6 types, got 0"),
        ("int, int, double, struct M, short, char", "Argument 0 .* 'global_buffer'.* says int32"),
        ("int*, long, double, struct M, short, char", "Argument 1 .* 4 bytes .* int64 of 8 bytes"),
        ("int*, int*, double, struct M, short, char", "Argument 1 .* 4 bytes .* says a pointer"),
        ("int*, , double, struct M, short, char", "must be a NumPy type.*''"),
        (["*", "i32", "f64", object, "i16", "u8"], "must be a NumPy type.*object"),
        ("int*, flot, double, struct M, short, char", "must be a NumPy type.*'flot'"),
    ],
)
def test_a_wrong_signature(
    kernels: dict[str, KernelMetadata], signature: Any, message: str
) -> None:
    with pytest.raises(LaunchMistake, match=message):
        packed(kernels["untyped"], UNTYPED, signature)


SHAPE = Geometry((7, 5, 3), (16, 4, 2), 1000)
EXPECTED = {
    "hidden_block_count_x": 7, "hidden_block_count_y": 5, "hidden_block_count_z": 3,
    "hidden_group_size_x": 16, "hidden_group_size_y": 4, "hidden_group_size_z": 2,
    "hidden_grid_dims": 3, "hidden_dynamic_lds_size": 1000,
    "hidden_printf_buffer": 0x1122334455667788, "hidden_queue_ptr": 0x7766554433221100,
}  # fmt: skip


@pytest.mark.facts
def test_hidden_arguments(kernels: dict[str, KernelMetadata]) -> None:
    facts = facts_json("abi")["metadata"]["implicit_v5_v6"]
    found = kernels["hidden"]
    base = 16
    assert found.hidden[0].offset == base, "8 bytes of pointer, one char, rounded up to 8"
    data = bytearray(b"\xee" * found.kernarg_segment_size)
    further = {k: v for k, v in EXPECTED.items() if v > 0xFFFF}
    fill_hidden(data, found, SHAPE, further)
    assert data[:base] == b"\xee" * base
    assert len(data) == base + facts["size"]
    named = {row["kind"] for row in facts["args"]}
    assert set(EXPECTED) <= named
    for row in facts["args"]:
        place = base + row["offset"]
        value = int.from_bytes(data[place : place + row["size"]], "little")
        assert value == EXPECTED.get(row["kind"], 0), row["kind"]


def test_kernels_without_hidden_arguments_keep_theirs(kernels: dict[str, KernelMetadata]) -> None:
    few = msgspec.structs.replace(kernels["untyped"], args=kernels["untyped"].explicit)
    data = bytearray(b"\xee" * few.kernarg_segment_size)
    fill_hidden(data, few, SHAPE, {})
    assert data == b"\xee" * few.kernarg_segment_size


RUN = """
#define __global__ __attribute__((global))
__global__ void mangled(float* out, int n, double d, unsigned char c, _Float16 h) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n) out[i] = (float)d + c + (float)h;
}
extern "C" __global__ void plain(float* out, int n, float x) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < n) out[i] = x;
}
"""


def test_kernels_find_bare_numbers() -> None:
    device = Device("gfx1100")
    module = device.load(linked("gfx1100", "-O3", source=RUN))
    (name,) = (each for each in module.found.kernels if each.startswith("_Z"))
    address = device.memory.allocate(4 * 32)
    out = device.memory.array(address, np.float32, (32,))
    device.launch(module, name, 1, 32, [address, 20, 1024.5, 200, 0.25])
    assert out.tolist() == [1224.75] * 20 + [0] * 12
    device.launch(module, "plain", 1, 32, [address, 7, -3], signature="float*, int, float")
    assert out.tolist() == [-3] * 7 + [1224.75] * 13 + [0] * 12
    with pytest.raises(LaunchMistake, match="Argument 1 of plain, 4 bytes"):
        device.launch(module, "plain", 1, 32, [address, 7, -3])
