"""What waves start with, against what the compiler says that it finds and against the facts."""

import itertools
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.machine.markers import CALL, found_in, marked
from tests.objects.compiled import HIP, linked
from wavemma.errors import FileMistake
from wavemma.machine.compiled.state import PATCHES, VECTORS, WAVE
from wavemma.machine.geometry import Geometry
from wavemma.machine.start.registers import Pointers
from wavemma.machine.start.workgroup import Start, start
from wavemma.objects import Kernel, code_object
from wavemma.tables.targets import target as target_row

HELD = Pointers(0x7123456789ABC000, 0x7223456789ABC040, 0x7323456789ABC080)
SHAPE = Geometry((7, 5, 3), (10, 7, 2), 48)
GROUP = (6, 4, 2)
WAVE64 = "-mwavefrontsize64"
IN_SCALARS = [
    ("gfx1100",),
    ("gfx1100", WAVE64),
    ("gfx1101",),
    ("gfx1102",),
    ("gfx1151",),
    ("gfx942",),
    ("gfx950",),
    ("gfx90a",),
    ("gfx908",),
]
IN_TRAP_TEMPORARIES = [("gfx1200",), ("gfx1201", WAVE64), ("gfx1250",)]
EVERYTHING = ("kernarg", "dispatch", "queue", "group_x", "group_y", "group_z")
ASKED = [
    (EVERYTHING, ""),
    (EVERYTHING, CALL),
    (("kernarg", "group_x"), ""),
    (("dispatch", "group_z"), ""),
    (("kernarg", "queue", "group_y"), ""),
    (("group_x",), ""),
]
SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void one(unsigned* out) { out[__builtin_amdgcn_workitem_id_x()] = 1; }
extern "C" __global__ void two(unsigned* out) {
  out[__builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workitem_id_y()] = 1;
}
extern "C" __global__ void three(unsigned* out) {
  out[__builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workitem_id_y()
      + 4096 * __builtin_amdgcn_workitem_id_z()] = 1;
}
extern "C" __global__ void dynamic(unsigned* out, int n) {
  volatile unsigned* p = (volatile unsigned*)__builtin_alloca(4 * n);
  p[n - 1] = n;
  out[0] = p[0];
}
"""
ACCUMULATORS = """
#define __global__ __attribute__((global))
extern "C" __global__ void k(float* out) {
  asm volatile("v_accvgpr_write_b32 a37, %0" :: "v"(out[0]) : "a37");
}
"""


def kernel_of(source: str, target: str, *options: str, name: str = "k") -> Kernel:
    return code_object(linked(target, *options, source=source)).kernel(name)


def begun(kernel: Kernel, target: str, shape: Geometry = SHAPE, kernarg: bytes = b"") -> Start:
    return start(kernel, target_row(target).architecture, shape, HELD, kernarg)


def header(found: Start, wave: int = 0) -> Any:
    return found.templates[wave, : WAVE.itemsize].view(WAVE)[0]


SCRATCH = 0x1111_2222, 0x3333


def scalars(found: Start, wave: int = 0) -> NDArray[np.uint32]:
    """Give the scalar registers of a wave of the workgroup GROUP, patched as the runtime does."""
    x, y, z = GROUP
    values = dict(zip(PATCHES, (x, y, z, y | z << 16, *SCRATCH), strict=True))
    own: NDArray[np.uint32] = header(found, wave)["scalars"].copy()
    for patch in found.patches:
        own[patch["code"]] |= values[PATCHES[patch["what"]]]
    return own


def at(own: NDArray[np.uint32], codes: tuple[int, ...]) -> int:
    return sum(int(own[code]) << 32 * place for place, code in enumerate(codes))


def lanes(found: Start, register: int, wave: int) -> NDArray[np.uint32]:
    """Give one of the first vector registers."""
    words: NDArray[np.uint32] = found.templates[wave, VECTORS:].view(np.uint32)
    return words.reshape(-1, found.wave)[register]


# Every target at its fullest; the choices where positions follow different rules.
CHOSEN = [("gfx1100",), ("gfx1100", WAVE64), ("gfx90a",), ("gfx1250",)]
CASES = [
    (target, asked, rest)
    for target in IN_SCALARS + IN_TRAP_TEMPORARIES
    for asked, rest in (ASKED if target in CHOSEN else ASKED[:1])
]


@pytest.mark.parametrize(("target", "asked", "rest"), CASES)
def test_everything_is_where_the_compiler_reads_it(
    target: tuple[str, ...], asked: tuple[str, ...], rest: str
) -> None:
    source = marked(asked, rest)
    marks = found_in(source, target[0], "-O3", *target[1:])
    assert set(marks) == set(asked)
    own = scalars(begun(kernel_of(source, target[0], "-O3", *target[1:]), target[0]))
    for name in set(asked) & {"kernarg", "dispatch", "queue"}:
        assert at(own, marks[name]) == getattr(HELD, name), name
    if target in IN_SCALARS:
        for axis, number in zip("xyz", GROUP, strict=True):
            if f"group_{axis}" in asked:
                assert at(own, marks[f"group_{axis}"]) == number, axis


@pytest.mark.parametrize("target", IN_TRAP_TEMPORARIES)
def test_numbers_of_workgroups_are_in_trap_temporaries(target: tuple[str, ...]) -> None:
    found = begun(kernel_of(marked(EVERYTHING), target[0], "-O3", *target[1:]), target[0])
    for wave in range(len(found.templates)):
        own = scalars(found, wave)
        x, y, z = GROUP
        # abi.md, 5.2: TTMP9 is x; TTMP7 has y low and z high; TTMP8[29:25] is the wave.
        assert own[108 + 9] == x
        assert own[108 + 7] == y | z << 16
        assert own[108 + 8] == wave << 25
        assert own[108 + 6] == 0, "no clusters"


@pytest.mark.parametrize("target", ["gfx1100", "gfx1151", "gfx942", "gfx950"])
def test_the_number_of_the_wave(target: str) -> None:
    found = begun(kernel_of(SOURCE, target, "-O3", name="three"), target)
    for wave in range(len(found.templates)):
        assert header(found, wave)["number"] == wave
        assert scalars(found, wave)[108 + 11] == wave


@pytest.mark.parametrize(
    ("target", "size"),
    [(("gfx1100",), 32), (("gfx1100", WAVE64), 64), (("gfx1201",), 32), (("gfx942",), 64)],
)
@pytest.mark.parametrize(("name", "axes"), [("one", 1), ("two", 2), ("three", 3)])
@pytest.mark.parametrize("block", [(10, 7, 2), (64, 1, 1), (1, 1, 5), (31, 33, 1)])
def test_numbers_of_work_items_are_packed(
    target: tuple[str, ...], size: int, name: str, axes: int, block: tuple[int, int, int]
) -> None:
    kernel = kernel_of(SOURCE, target[0], "-O3", *target[1:], name=name)
    found = begun(kernel, target[0], Geometry((1, 1, 1), block))
    x, y, z = block
    items = [(i, j, k) for k, j, i in itertools.product(range(z), range(y), range(x))]
    waves = -(-len(items) // size)
    assert found.wave == size
    assert len(found.templates) == waves
    for wave in range(waves):
        own = items[size * wave : size * (wave + 1)]
        words = lanes(found, 0, wave)
        fields = [tuple(int(w) >> 10 * axis & 1023 for axis in range(3)) for w in words]
        there = [tuple(n * (axis < axes) for axis, n in enumerate(item)) for item in own]
        assert fields[: len(own)] == there
        assert not any(words[len(own) :])
        assert at(scalars(found, wave), (126, 127)) == (1 << len(own)) - 1, "exec"


def test_numbers_of_work_items_in_registers_of_their_own() -> None:
    found = begun(kernel_of(SOURCE, "gfx908", "-O3", name="three"), "gfx908")
    x, y, _ = SHAPE.block
    for wave in range(3):
        flat = np.arange(64 * wave, min(64 * wave + 64, SHAPE.items))
        for register, part in enumerate((flat % x, flat // x % y, flat // (x * y))):
            assert lanes(found, register, wave)[: len(flat)].tolist() == part.tolist()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("gfx1100", 0x3F0),
        ("gfx942", 0x3F0),
        ("gfx908", 0x3F0),
        ("gfx1201", 0xF0),
        ("gfx1250", 0xF0),
    ],
)
def test_mode(target: str, expected: int) -> None:
    # abi.md, 7: [3:0] rounding, [7:4] subnormals kept, 8 DX10_CLAMP, 9 IEEE where they exist.
    found = begun(kernel_of(SOURCE, target, "-O3", name="one"), target)
    assert header(found)["mode"] == expected
    assert not found.keep_finite


def test_a_kernel_may_ask_for_zeros_instead_of_subnormals() -> None:
    kernel = kernel_of(SOURCE, "gfx1100", "-O3", "-fgpu-flush-denormals-to-zero", name="one")
    found = begun(kernel, "gfx1100")
    # Bits 5:4 are those of f32.
    assert header(found)["mode"] == 0x3C0
    assert found.marks == "@flush"
    assert begun(kernel_of(SOURCE, "gfx1100", "-O3", name="one"), "gfx1100").marks == ""


PRELOAD = ("-O3", "-mllvm", "-amdgpu-kernarg-preload-count=3")


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx90a", "gfx1250"])
def test_preloaded_arguments_are_where_the_compiler_reads_them(target: str) -> None:
    source = marked(("out", "a", "b"))
    kernel = kernel_of(source, target, *PRELOAD)
    assert kernel.descriptor.fields["preload"]["LENGTH"] == 4
    kernarg = np.arange(0x1000, 0x1000 + 16, dtype="<u4").tobytes()
    own = scalars(begun(kernel, target, kernarg=kernarg))
    marks = found_in(source, target, *PRELOAD)
    assert at(own, marks["out"]) == 0x1001_0000_1000
    assert at(own, marks["a"]) == 0x1002
    assert at(own, marks["b"]) == 0x1003


def changed(kernel: Kernel, word: str, **values: int) -> Kernel:
    """Give a kernel whose descriptor says something else."""
    fields = kernel.descriptor.fields
    descriptor = msgspec.structs.replace(
        kernel.descriptor, fields={**fields, word: {**fields[word], **values}}
    )
    return msgspec.structs.replace(kernel, descriptor=descriptor)


def test_workgroup_info_comes_behind_the_numbers() -> None:
    kernel = kernel_of(marked(("group_x", "group_y")), "gfx942", "-O3")
    found = begun(changed(kernel, "rsrc2", ENABLE_SGPR_WORKGROUP_INFO=1), "gfx942")
    code = kernel.descriptor.fields["rsrc2"]["USER_SGPR_COUNT"] + 2
    # abi.md, 5.1: bit 31 first wave, [5:0] waves in the workgroup.
    assert [int(scalars(found, wave)[code]) for wave in range(3)] == [1 << 31 | 3, 3, 3]


def test_a_damaged_count_is_refused() -> None:
    kernel = kernel_of(marked(EVERYTHING), "gfx942", "-O3")
    for count in (5, 17):
        with pytest.raises(FileMistake, match=f"6 to 16 user registers; it counts {count}"):
            begun(changed(kernel, "rsrc2", USER_SGPR_COUNT=count), "gfx942")


def test_memory_of_a_workgroup_and_of_its_waves() -> None:
    kernel = kernel_of(HIP, "gfx1100", "-O3", name="arguments")
    assert begun(kernel, "gfx1100").lds_bytes == 321 * 4 + 48
    assert begun(kernel, "gfx1100").scratch_bytes == 0
    kernel = kernel_of(HIP, "gfx1100", "-O3", name="scratch")
    private = kernel.metadata.private_segment_fixed_size
    assert private >= 200
    assert begun(kernel, "gfx1100").scratch_bytes == 32 * private
    kernel = kernel_of(SOURCE, "gfx942", "-O3", name="dynamic")
    assert begun(kernel, "gfx942").scratch_bytes == 64 * 16384


@pytest.mark.parametrize("target", ["gfx908", "gfx90a"])
def test_scratch_is_reached_through_registers(target: str) -> None:
    """abi.md 6: swizzled, the lane's number added, index stride 64; no offset of the wave."""
    kernel = kernel_of(HIP, target, "-O3", name="scratch")
    own = scalars(begun(kernel, target))
    low, high = SCRATCH
    assert own[:4].tolist() == [low, high | 1 << 31, 0xFFFFFFFF, 3 << 21 | 1 << 23]
    flags = kernel.descriptor.fields["properties"]
    wide = ("DISPATCH_PTR", "QUEUE_PTR", "KERNARG_SEGMENT_PTR", "DISPATCH_ID")
    place = 4 + 2 * sum(flags[f"ENABLE_SGPR_{name}"] for name in wide)
    assert flags["ENABLE_SGPR_FLAT_SCRATCH_INIT"]
    assert own[place : place + 2].tolist() == [low, high]
    assert not own[kernel.descriptor.fields["rsrc2"]["USER_SGPR_COUNT"] + 3]


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx90a"])
def test_accumulators_follow_in_one_file(target: str) -> None:
    kernel = kernel_of(ACCUMULATORS, target, "-O3")
    noted = kernel.metadata
    found = begun(kernel, target)
    assert noted.agpr_count == 38
    assert found.accumulator_offset == noted.vgpr_count - noted.agpr_count
    assert found.vectors == -(-noted.vgpr_count // 8) * 8


def test_accumulators_in_a_file_of_their_own() -> None:
    kernel = kernel_of(ACCUMULATORS, "gfx908", "-O3")
    found = begun(kernel, "gfx908")
    assert found.accumulator_offset == 256
    assert found.vectors >= 256 + 38


@pytest.mark.parametrize(("options", "granule"), [((), 8), ((WAVE64,), 4)])
def test_vector_registers_without_accumulators(options: tuple[str, ...], granule: int) -> None:
    kernel = kernel_of(HIP, "gfx1100", "-O3", *options, name="arguments")
    count = kernel.metadata.vgpr_count
    assert begun(kernel, "gfx1100").vectors == -(-count // granule) * granule
