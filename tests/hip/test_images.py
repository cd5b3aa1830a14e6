"""Images in memory, cut out at their own length."""

import ctypes

import pytest

from tests.objects.compiled import linked
from wavemma.errors import FileMistake
from wavemma.hip.images import image_at


def at(data: bytes) -> bytes:
    room = ctypes.create_string_buffer(data + b"\xff" * 100)
    return image_at(ctypes.addressof(room))


def test_an_elf_file_has_its_length() -> None:
    data = linked("gfx1100")
    assert at(data) == data


def test_a_bundle_has_its_length() -> None:
    image = b"\x7fELF" + bytes(60)
    name = b"hipv4-amdgcn-amd-amdhsa--gfx1100"
    head = b"__CLANG_OFFLOAD_BUNDLE__" + (1).to_bytes(8, "little")
    entry = b"".join(n.to_bytes(8, "little") for n in (4096, len(image), len(name))) + name
    data = (head + entry).ljust(4096, b"\0") + image
    assert at(data) == data


def test_a_compressed_bundle_has_its_length() -> None:
    for version, width in ((2, 4), (3, 8)):
        head = b"CCOB" + version.to_bytes(2, "little") + b"\1\0"
        data = (head + (64).to_bytes(width, "little")).ljust(64, b"x")
        assert at(data) == data


def test_anything_else_is_refused() -> None:
    with pytest.raises(FileMistake, match="ELF file or an offload bundle"):
        at(b"hello, world")
    with pytest.raises(FileMistake, match="version 2 or 3"):
        at(b"CCOB\1\0\1\0".ljust(64, b"x"))
