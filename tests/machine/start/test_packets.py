"""Packet, queue and hidden arguments as running kernels read them, against the fact files."""

import struct

import numpy as np
import pytest

from tests.facts import facts_json
from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.machine.start.packets import queue
from wavemma.tables.targets import architectures

pytestmark = pytest.mark.facts
FACTS = facts_json("abi")
GRID, BLOCK, LDS = (3, 2, 5), (16, 4, 2), 1000
SOURCE = """
#define __global__ __attribute__((global))
typedef __attribute__((address_space(4))) const int *words;
#define COPY(name, count, from) \\
  extern "C" __global__ void name(int *out, short odd) { \\
    __attribute__((shared)) static int own[25]; \\
    own[out[0] & 3] = odd; \\
    words source = (words)from(); \\
    for (int i = 0; i < count; i++) out[i] = source[i]; \\
    out[count] = own[1]; \\
  }
COPY(packet, 16, __builtin_amdgcn_dispatch_ptr)
COPY(queue, 64, __builtin_amdgcn_queue_ptr)
COPY(hidden, 64, __builtin_amdgcn_implicitarg_ptr)
"""
ALL_HIDDEN = FACTS["metadata"]["implicit_v5_v6"]["args"]


def copied(name, words, *build):
    """Run a kernel that copies what a pointer leads to."""
    device = Device(build[0], threads=1)
    module = device.load(linked(*build, source=SOURCE))
    out = device.memory.allocate(4 * words + 4)
    arguments = [out, np.int16(9)]
    device.launch(module, name, GRID, BLOCK, arguments, dynamic_lds_bytes=LDS)
    return device.memory.read(out, 4 * words), module


def members(struct_name, data):
    found = {}
    for name, offset, size, _ in FACTS["structs"][struct_name]["fields"]:
        found[name] = int.from_bytes(data[offset : offset + size], "little")
    return found


@pytest.mark.parametrize("build", [("gfx1100", "-O1"), ("gfx1201", "-O3")])
def test_dispatch_packet(build):
    data, module = copied("packet", 16, *build)
    found = members("dispatch_packet", data)
    assert found["header"] & 0xFF == 2
    assert found["setup"] & 3 == 3
    assert [found[f"workgroup_size_{axis}"] for axis in "xyz"] == list(BLOCK)
    assert [found[f"grid_size_{axis}"] for axis in "xyz"] == [48, 8, 10]
    kernel = module.kernel("packet")
    assert found["kernel_object"] == module.base + kernel.descriptor_address
    assert found["group_segment_size"] == kernel.metadata.group_segment_fixed_size + LDS
    assert found["private_segment_size"] == kernel.metadata.private_segment_fixed_size
    assert found["completion_signal"] == 0
    assert found["kernarg_address"] % 16 == 0


def test_queue():
    found = members("amd_queue", copied("queue", 64, "gfx1100", "-O1")[0])
    parts = FACTS["scratch"]["apertures_gfx9_to_gfx120x"]
    assert found.pop("group_segment_aperture_base_hi") == int(parts["shared"], 16) >> 32
    assert found.pop("private_segment_aperture_base_hi") == int(parts["private"], 16) >> 32
    assert not any(found.values())
    for architecture in architectures():
        assert len(queue(architecture)) == FACTS["structs"]["amd_queue"]["size"]


@pytest.mark.parametrize(
    "build", [("gfx1100", "-O1", "-mcode-object-version=5"), ("gfx1201", "-O3")]
)
def test_hidden_arguments(build):
    data, module = copied("hidden", 64, *build)
    wanted = {
        **dict(zip((f"hidden_block_count_{axis}" for axis in "xyz"), GRID, strict=True)),
        **dict(zip((f"hidden_group_size_{axis}" for axis in "xyz"), BLOCK, strict=True)),
        "hidden_grid_dims": 3,
        "hidden_dynamic_lds_size": LDS,
    }
    image = bytearray(256)
    for row in ALL_HIDDEN:
        value = wanted.get(row["kind"], 0)
        struct.pack_into({2: "<H", 4: "<I", 8: "<Q"}[row["size"]], image, row["offset"], value)
    (place,) = (row["offset"] for row in ALL_HIDDEN if row["kind"] == "hidden_queue_ptr")
    found = bytearray(data)
    address = int.from_bytes(found[place : place + 8], "little")
    found[place : place + 8] = bytes(8)
    assert found == image
    assert module.memory.read(address, 256) == queue(module.target.architecture)
