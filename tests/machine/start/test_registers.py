"""Registers of waves that start, against the directives that the compiler gives the assembler."""

import random

import pytest

from tests.machine.directives import directives
from tests.objects.compiled import linked
from wavemma.errors import WavemmaError
from wavemma.machine.compiled.state import PATCHES, WAVE
from wavemma.machine.geometry import Geometry
from wavemma.machine.start.registers import Pointers
from wavemma.machine.start.workgroup import start
from wavemma.objects import code_object
from wavemma.tables.targets import target

SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void plain(int *out) {
  out[__builtin_amdgcn_workgroup_id_x()] = __builtin_amdgcn_workitem_id_x();
}
extern "C" __global__ void all(int *out) {
  __attribute__((address_space(4))) int *packet =
      (__attribute__((address_space(4))) int *)__builtin_amdgcn_dispatch_ptr();
  __attribute__((address_space(4))) int *queue =
      (__attribute__((address_space(4))) int *)__builtin_amdgcn_queue_ptr();
  int n = __builtin_amdgcn_workgroup_id_x() + __builtin_amdgcn_workgroup_id_y() +
          __builtin_amdgcn_workgroup_id_z();
  out[n] = packet[1] + queue[2] + __builtin_amdgcn_workitem_id_x() +
           __builtin_amdgcn_workitem_id_y() + __builtin_amdgcn_workitem_id_z();
}
"""
BUILDS = [
    ("gfx1100", "-O3"),
    ("gfx1100", "-O3", "-mwavefrontsize64"),
    ("gfx1100", "-O0"),
    ("gfx1151", "-O3"),
    ("gfx1201", "-O3"),
    ("gfx1201", "-O0"),
    ("gfx942", "-O3"),
    ("gfx942", "-O0"),
    ("gfx1250", "-O3"),
    ("gfx90a", "-O3"),
    ("gfx908", "-O3"),
]
GEOMETRY = Geometry((2, 3, 4), (30, 3, 2), 0)
POINTERS = Pointers(0x1111_2222_3333_4444, 0x5555_6666_7777_8888, 0x9999_AAAA_BBBB_CCCC)
# abi.md 6, of gfx9 before gfx940: swizzled, the lane's number added, index stride 64.
RESOURCE = 1 << 63 | 0xFFFFFFFF << 64 | (3 << 21 | 1 << 23) << 96
# In the order of abi.md 5.1: directive, registers, what must be in them.
USERS = [
    ("private_segment_buffer", 4, RESOURCE),
    ("dispatch_ptr", 2, POINTERS.dispatch),
    ("queue_ptr", 2, POINTERS.queue),
    ("kernarg_segment_ptr", 2, POINTERS.kernarg),
    ("dispatch_id", 2, 0),
    ("flat_scratch_init", 2, 0),
]
IN_TEMPORARIES = ("gfx1201", "gfx1250")
# abi.md 6: hardware puts the address of scratch memory into two scalar registers.
IN_SCALARS = ("gfx942",)


def begin(build, name, geometry=GEOMETRY):
    code = code_object(linked(*build, source=SOURCE))
    architecture = target(code.target).architecture
    kernel = code.kernel(name)
    return start(kernel, architecture, geometry, POINTERS, bytes(1024)), kernel


def waves(begun):
    return [one[: WAVE.itemsize].view(WAVE)[0] for one in begun.templates]


@pytest.mark.parametrize("name", ["plain", "all"])
@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
def test_scalar_registers(build, name):
    told = directives(name, *build, source=SOURCE)
    begun, _ = begin(build, name)
    wanted = []
    for directive, count, value in USERS:
        if told.get(f"user_sgpr_{directive}"):
            wanted += [value >> 32 * place & 0xFFFFFFFF for place in range(count)]
    first = told["user_sgpr_count"]
    assert len(wanted) <= first
    wanted += [0] * (first - len(wanted))
    for one in waves(begun):
        assert one["scalars"][:first].tolist() == wanted
        assert not one["scalars"][first:108].any()
    patches = {int(code): PATCHES[what] for code, what in begun.patches.tolist()}
    assert patches == ids(build[0], told, first)


def ids(name, told, first):
    """Where the numbers of the workgroup are, by abi.md 5.1 and 5.2."""
    if name in IN_TEMPORARIES:
        return {108 + 9: "group_x", 108 + 7: "group_yz_packed"}
    enabled = [axis for axis in "xyz" if told[f"system_sgpr_workgroup_id_{axis}"]]
    scratch = {102: "scratch_low", 103: "scratch_high"} if name in IN_SCALARS else {}
    place = 0
    for directive, count, _ in USERS:
        if told.get(f"user_sgpr_{directive}"):
            if directive in ("private_segment_buffer", "flat_scratch_init"):
                scratch |= {place: "scratch_low", place + 1: "scratch_high"}
            place += count
    return scratch | {first + place: f"group_{axis}" for place, axis in enumerate(enabled)}


@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
def test_mode(build):
    told = directives("all", *build, source=SOURCE)
    wanted = (
        told["float_round_mode_32"]
        | told["float_round_mode_16_64"] << 2
        | told["float_denorm_mode_32"] << 4
        | told["float_denorm_mode_16_64"] << 6
        | told.get("dx10_clamp", 0) << 8
        | told.get("ieee_mode", 0) << 9
        | told.get("fp16_overflow", 0) << 23
    )
    assert wanted & 0xFF == 0xF0
    assert {int(one["mode"]) for one in waves(begin(build, "all")[0])} == {wanted}


@pytest.mark.parametrize("name", ["gfx908", "gfx90a", "gfx942", "gfx1100", "gfx1250"])
def test_vector_registers(name):
    told = directives("all", name, "-O3", source=SOURCE)
    begun, _ = begin((name, "-O3"), "all")
    assert begun.vectors >= told["next_free_vgpr"]
    if "accum_offset" in told:
        assert begun.accumulator_offset == told["accum_offset"]
    if name == "gfx908":
        # AGPRs are a file of their own, as large as that of the others.
        assert begun.vectors >= begun.accumulator_offset + told["next_free_vgpr"]


def test_damaged_descriptors_never_do_more_than_refuse():
    generator = random.Random(5)
    outcomes = {True: 0, False: 0}
    for name in ("gfx1100", "gfx1201", "gfx942", "gfx1250", "gfx90a"):
        data = linked(name, "-O3", source=SOURCE)
        for _ in range(60):
            outcomes[starts(name, data, generator.sample(range(44 * 8, 60 * 8), 3))] += 1
        # All preloaded registers that the field can ask for are more than there are.
        assert not starts(name, data, range(58 * 8, 60 * 8))
    assert min(outcomes.values()) > 40


def starts(name, data, bits):
    """Flip bits of the descriptor of `plain` and tell whether its waves can start."""
    changed = bytearray(data)
    address = code_object(data).kernel("plain").descriptor_address
    for bit in bits:
        changed[address + bit // 8] ^= 1 << bit % 8
    kernel = code_object(bytes(changed)).kernel("plain")
    try:
        begun = start(kernel, target(name).architecture, GEOMETRY, POINTERS, bytes(8))
    except WavemmaError:
        return False
    assert all(int(patch["code"]) < 108 + 16 for patch in begun.patches)
    return True


def test_launches_of_one_kernel_share_nothing():
    begun, kernel = begin(("gfx1100", "-O3"), "all")
    architecture = target("gfx1100").architecture
    others = Pointers(0x1000, 0x2000, 0x3000)

    def users(found):
        return {tuple(one["scalars"][:6].tolist()) for one in waves(found)}

    def words(pointers):
        parts = (pointers.dispatch, pointers.queue, pointers.kernarg)
        return tuple(number for each in parts for number in (each & 0xFFFFFFFF, each >> 32))

    again = start(kernel, architecture, GEOMETRY, others, bytes(1024))
    longer = start(kernel, architecture, Geometry((1, 1, 1), (99, 4, 1), 16), others, bytes(1024))
    assert (users(begun), users(again)) == ({words(POINTERS)}, {words(others)})
    assert users(longer) == {words(others)}
    assert (len(begun.templates), len(longer.templates)) == (6, 13)
    assert longer.lds_bytes - begun.lds_bytes == 16
    begun.templates[:] = 0xFF
    assert users(start(kernel, architecture, GEOMETRY, others, bytes(1024))) == {words(others)}
