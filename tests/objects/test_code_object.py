"""Whole code objects against the sources that they were compiled from."""

import struct

import pytest

from tests.objects.compiled import linked, relocatable
from wavemma.errors import FileMistake, UnknownName, UnknownTarget
from wavemma.objects import CodeObject, code_object, code_objects

TARGETS = ("gfx1100", "gfx1201", "gfx942", "gfx90a", "gfx1250")
BASE = 0x7F00_0000_0000


@pytest.mark.parametrize("target", TARGETS)
def test_linked(target: str) -> None:
    check(code_object(linked(target, "-O1")), target)


@pytest.mark.parametrize("target", TARGETS)
def test_relocatable(target: str) -> None:
    found = code_object(relocatable(target, "-O1"))
    check(found, target)
    assert found.file.is_relocatable
    assert found.image.relocations


def check(found: CodeObject, target: str) -> None:
    assert found.target == target
    assert target in found.spelling
    assert set(found.kernels) == {"arguments", "scratch"}
    first, second = found.kernel("arguments"), found.kernel("scratch")
    explicit = [(a.offset, a.size) for a in first.metadata.explicit]
    # float *, const int *, char, double, Mixed (24 bytes, aligned to 8), short
    assert explicit == [(0, 8), (8, 8), (16, 1), (24, 8), (32, 24), (56, 2)]
    kinds = [a.value_kind for a in first.metadata.explicit]
    assert kinds == ["global_buffer"] * 2 + ["by_value"] * 4
    assert first.descriptor.group_bytes == first.metadata.group_segment_fixed_size == 321 * 4
    assert second.descriptor.group_bytes == 0
    assert second.descriptor.private_bytes == second.metadata.private_segment_fixed_size >= 200
    assert second.metadata.max_flat_workgroup_size == 256
    for kernel in (first, second):
        assert kernel.descriptor.wave == kernel.metadata.wavefront_size
        assert kernel.descriptor.kernarg_bytes == kernel.metadata.kernarg_segment_size
        assert kernel.descriptor.vgprs >= kernel.metadata.vgpr_count > 0
        assert kernel.entry % 256 == 0
        assert (kernel.entry, kernel.name) in found.functions
    check_variables(found)


def check_variables(found: CodeObject) -> None:
    assert {"table", "counter", "big", "pointer"} <= set(found.variables)
    placed = found.image.at(BASE)
    at = {name: found.address_of(symbol) for name, symbol in found.variables.items()}
    assert struct.unpack_from("<4i", placed, at["table"]) == (11, 22, 33, 44)
    assert struct.unpack_from("<i", placed, at["counter"]) == (7,)
    assert found.variables["big"].size == 400
    assert placed[at["big"] : at["big"] + 400] == bytes(400)
    # A pointer to the third of four ints, wherever the image is put.
    assert struct.unpack_from("<Q", placed, at["pointer"]) == (BASE + at["table"] + 8,)


def test_relocations_are_those_of_the_linker() -> None:
    # Both images must reach the same symbol from the same instruction, whatever the layout.
    one, two = code_object(linked("gfx1100", "-O1")), code_object(relocatable("gfx1100", "-O1"))
    distances = []
    for found in (one, two):
        placed = found.image.at(BASE)
        names = dict((name, address) for address, name in found.functions)
        kernel = found.kernel("scratch")
        code = placed[kernel.entry : kernel.entry + kernel.size]
        distances.append(reached(code, kernel.entry, names["_Z6helperi"]))
    assert distances == [True, True]


def reached(code: bytes, start: int, function: int) -> bool:
    """Whether some s_getpc_b64 with two additions behind it gives the address of a function."""
    words = struct.unpack(f"<{len(code) // 4}I", code)
    for place, word in enumerate(words):
        if word & 0xFF80FF00 == 0xBE804700:
            after = start + 4 * place + 4
            tail = words[place + 1 : place + 9]
            for n in range(len(tail)):
                literals = [tail[n], *tail[n + 1 : n + 4]]
                for high in literals[1:]:
                    value = literals[0] | high << 32
                    if (after + value) & 0xFFFFFFFFFFFFFFFF == function:
                        return True
                    # The linker counts from the literal's own place.
                    if (after + 4 * n + value) & 0xFFFFFFFFFFFFFFFF == function:
                        return True
    return False


def test_versions() -> None:
    assert code_object(linked("gfx1100", "-O1")).version == "V6"
    assert code_object(linked("gfx1100", "-O1", "-mcode-object-version=5")).version == "V5"
    with pytest.raises(FileMistake, match="have version V5 or V6; it is for HSA and has V4"):
        code_object(linked("gfx1100", "-O1", "-mcode-object-version=4"))


def test_waves_and_hidden_arguments() -> None:
    found = code_object(linked("gfx1100", "-O0", "-mwavefrontsize64"))
    kernel = found.kernel("scratch")
    assert kernel.descriptor.wave == 64
    hidden = {a.value_kind: a.offset for a in kernel.metadata.hidden}
    # int *, int, then padding up to 8.
    assert hidden["hidden_block_count_x"] == 16
    assert hidden["hidden_group_size_x"] == 16 + 12


def test_features() -> None:
    found = code_object(linked("gfx90a:xnack+:sramecc-", "-O1"))
    assert found.target == "gfx90a"
    assert found.features == {"xnack": "on", "sramecc": "off"}


def test_unknown_names() -> None:
    data = bytearray(linked("gfx1100", "-O1"))
    with pytest.raises(UnknownName, match="'argument' is not a kernel"):
        code_object(bytes(data)).kernel("argument")
    data[48] = 0x2F
    with pytest.raises(UnknownTarget, match=r"machine number is 0x2f \(gfx906\)"):
        code_object(bytes(data))


def test_missing_symbol() -> None:
    source = """
    extern "C" __attribute__((device)) int outside(int);
    extern "C" __attribute__((global)) void k(int *p) { *p = outside(*p); }
    """
    data = relocatable("gfx1100", "-O1", source=source)
    with pytest.raises(FileMistake, match="'outside' is not"):
        code_object(data)
    assert code_object(data, {"outside": 0x1234}).kernel("k")


def test_one_elf_file_is_one_code_object() -> None:
    (only,) = code_objects(linked("gfx1100", "-O1"))
    assert only.target == "gfx1100"
