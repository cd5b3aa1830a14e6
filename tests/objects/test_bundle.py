"""Bundles written here by the format's description, plain and compressed, and host files."""

import contextlib
import hashlib
import struct
import sys
import zlib
from collections.abc import Mapping

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.objects.compiled import linked
from wavemma.errors import FileMistake, Unsupported, WavemmaError
from wavemma.objects import bundle, code_objects, entries, is_bundle

HOST = "host-x86_64-unknown-linux-gnu-"
SIMPLE = {"hipv4-amdgcn-amd-amdhsa--gfx1100": b"one", "hip-amdgcn-amd-amdhsa--gfx90a:xnack-": b"2"}


def plain(files: Mapping[str, bytes], align: int = 4096) -> bytes:
    heads, bodies = b"", b""
    start = -(-(32 + sum(24 + len(name) for name in files)) // align) * align
    for name, data in files.items():
        bodies += bytes(-len(bodies) % align)
        heads += struct.pack("<QQQ", start + len(bodies), len(data), len(name)) + name.encode()
        bodies += data
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(files)) + heads
    return head + bytes(start - len(head)) + bodies


def compressed(data: bytes, version: int, method: int) -> bytes:
    packed = zlib.compress(data) if method == 0 else zstandard.compress(data)
    total = {1: 20, 2: 24, 3: 32}[version] + len(packed)
    sizes = {
        1: struct.pack("<I", len(data)),
        2: struct.pack("<II", total, len(data)),
        3: struct.pack("<QQ", total, len(data)),
    }[version]
    digest = hashlib.md5(data, usedforsecurity=False).digest()[:8]
    return b"CCOB" + struct.pack("<HH", version, method) + sizes + digest + packed


def test_ids() -> None:
    files = {HOST: b"", "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-": b"x" * 5000, **SIMPLE}
    found = entries(plain(files))
    assert {each.id: each.data for each in found} == files
    assert [each.kind for each in found] == ["host", "hipv4", "hipv4", "hip"]
    assert [each.processor for each in found] == ["", "gfx90a", "gfx1100", "gfx90a"]
    assert found[1].features == {"sramecc": "on", "xnack": "off"}
    assert found[1].triple == "amdgcn-amd-amdhsa-"


@pytest.mark.parametrize("method", [0, 1])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed(version: int, method: int) -> None:
    data = compressed(plain(SIMPLE), version, method)
    assert is_bundle(data)
    assert {each.id: each.data for each in entries(data)} == SIMPLE


def test_several_bundles() -> None:
    both = compressed(plain(SIMPLE), 3, 0) + bytes(100) + compressed(plain({HOST: b""}), 2, 1)
    assert [each.id for each in entries(both)] == [*SIMPLE, HOST]
    pair = plain(SIMPLE) + bytes(4093) + plain({HOST: b""})
    assert [each.id for each in entries(pair)] == [*SIMPLE, HOST]


def test_code_objects_of_a_bundle() -> None:
    files = {HOST: b""}
    for target in ("gfx1100", "gfx1201"):
        files[f"hipv4-amdgcn-amd-amdhsa--{target}"] = linked(target, "-O1")
    data = compressed(plain(files), 3, 1)
    assert [each.target for each in code_objects(data)] == ["gfx1100", "gfx1201"]
    assert [each.target for each in code_objects(data, "gfx1201")] == ["gfx1201"]
    with pytest.raises(FileMistake, match="must hold code for gfx942; it is for gfx1100, gfx1201"):
        code_objects(data, "gfx942")


def test_without_zstd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(Unsupported, match="pip install zstandard"):
        entries(compressed(plain(SIMPLE), 3, 1))


def test_unknown_versions_and_methods() -> None:
    with pytest.raises(Unsupported, match="version 1, 2, 3; it has 4"):
        entries(b"CCOB" + struct.pack("<HH", 4, 0) + bytes(40))
    with pytest.raises(Unsupported, match="the method is 7"):
        entries(b"CCOB" + struct.pack("<HHII", 2, 7, 24, 0) + bytes(8))


def test_wrong_sizes() -> None:
    packed = zlib.compress(b"x" * 20)
    with pytest.raises(FileMistake, match="must have 10 bytes when decompressed"):
        entries(b"CCOB" + struct.pack("<HHI", 1, 0, 10) + bytes(8) + packed)
    with pytest.raises(FileMistake, match="inside the file"):
        entries(plain(SIMPLE)[:-2])


@given(st.data())
def test_mutations_end_in_errors(data: st.DataObject) -> None:
    whole = data.draw(
        st.sampled_from([plain(SIMPLE, 64), compressed(plain(SIMPLE, 64), 3, 0)]), label="bundle"
    )
    changed = bytearray(whole)
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=6)):
        changed[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    with contextlib.suppress(WavemmaError):
        bundle.entries(bytes(changed[:cut]))
