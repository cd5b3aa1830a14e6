"""Code objects in device memory: relocated, with variables and entries where the source says."""

import struct
from collections.abc import Iterator

import pytest

from tests.objects.compiled import HIP, linked, relocatable
from tests.objects.test_bundle import plain
from wavemma.errors import FileMistake, MemoryMistake, UnknownName
from wavemma.machine.load import load
from wavemma.machine.memory.device_memory import DeviceMemory

OUTSIDE = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
extern __device__ int outside[4];
__device__ int *where = &outside[3];
extern "C" __global__ void k(int* out) { *out = outside[1]; }
"""


@pytest.fixture
def memory() -> Iterator[DeviceMemory]:
    with DeviceMemory(reserved_bytes=1 << 24) as made:
        yield made


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
@pytest.mark.parametrize("build", [linked, relocatable])
def test_variables_hold_what_the_source_says(
    memory: DeviceMemory, target: str, build: type[object]
) -> None:
    memory.allocate(12345, "so that the image does not lie first")
    module = load(build(target, "-O3", source=HIP), memory)
    assert module.target.name == target
    found = module.variables
    sizes = {name: found[name].size_bytes for name in ("table", "counter", "big", "pointer")}
    assert sizes == {"table": 16, "counter": 4, "big": 400, "pointer": 8}
    table = found["table"].address
    assert struct.unpack("<4i", memory.read(table, 16)) == (11, 22, 33, 44)
    assert memory.read(found["counter"].address, 4) == struct.pack("<i", 7)
    assert memory.read(found["big"].address, 400) == bytes(400)
    pointer = int.from_bytes(memory.read(found["pointer"].address, 8), "little")
    assert pointer == table + 8
    memory.write(table, struct.pack("<i", 99))
    assert memory.read(pointer - 8, 4) == struct.pack("<i", 99), "the host may write constants"


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_descriptors_and_entries(memory: DeviceMemory, target: str) -> None:
    data = linked(target, "-O3", source=HIP)
    module = load(data, memory)
    for name in ("arguments", "scratch"):
        kernel = module.kernel(name)
        place = module.base + kernel.descriptor_address
        assert place % 64 == 0
        # abi.md, 4: the entry's distance is signed, at byte 16; entries are aligned to 256.
        (distance,) = struct.unpack("<q", memory.read(place + 16, 8))
        assert place + distance == module.base + kernel.entry
        assert (place + distance) % 256 == 0
        assert memory.read(place + distance, kernel.size) in data
        assert memory.find(place + distance) == memory.find(module.base)
    with pytest.raises(UnknownName, match="'argument' is not a kernel"):
        module.kernel("argument")


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_symbols_that_others_define(memory: DeviceMemory, target: str) -> None:
    data = relocatable(target, "-O3", source=OUTSIDE)
    address = memory.allocate(16, "outside")
    module = load(data, memory, externals={"outside": address})
    where = module.variables["where"].address
    assert int.from_bytes(memory.read(where, 8), "little") == address + 12
    used = memory.used_bytes
    with pytest.raises(FileMistake, match="'outside' is not"):
        load(data, memory)
    assert memory.used_bytes == used


def test_one_target_of_a_bundle(memory: DeviceMemory) -> None:
    one, two = (linked(target, "-O3", source=HIP) for target in ("gfx1100", "gfx942"))
    prefix = "hipv4-amdgcn-amd-amdhsa--"
    bundle = plain({f"{prefix}gfx1100": one, f"{prefix}gfx942": two})
    assert load(bundle, memory, "gfx942").target.name == "gfx942"
    assert load(bundle, memory, "gfx1100").target.name == "gfx1100"
    with pytest.raises(FileMistake, match="for one target; it is for gfx1100, gfx942"):
        load(bundle, memory)
    with pytest.raises(FileMistake, match="must hold code for gfx1201"):
        load(bundle, memory, "gfx1201")
    with pytest.raises(FileMistake, match="code for one target; it is for none"):
        load(plain({f"{prefix}gfx942": b"no ELF file"}), memory, "gfx942")


def test_unloading_gives_memory_back(memory: DeviceMemory) -> None:
    module = load(linked("gfx1100", "-O3", source=HIP), memory)
    place = module.variables["counter"].address
    module.unload()
    assert memory.used_bytes == 0
    with pytest.raises(MemoryMistake, match=r"'code object for gfx1100'.*which was freed"):
        memory.read(place, 4)
    with pytest.raises(MemoryMistake, match="freed already"):
        module.unload()


def test_an_image_that_has_no_room() -> None:
    with (
        DeviceMemory(4096, reserved_bytes=1 << 20) as memory,
        pytest.raises(MemoryMistake, match="has 4,096 bytes"),
    ):
        load(linked("gfx1100", "-O3", source=HIP), memory)
