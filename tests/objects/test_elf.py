"""ELF files against llvm-readelf, and files that are damaged."""

import contextlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.objects.compiled import linked, relocatable
from wavemma.errors import FileMistake, WavemmaError
from wavemma.objects import code_object, code_objects, read_elf

READELF = "llvm-readelf-22"
MAKERS = (linked, relocatable)


def readelf(data: bytes, *options: str) -> str:
    assert shutil.which(READELF), f"apt-get install llvm-22: {READELF} is an oracle"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "k.o")
        place.write_bytes(data)
        return subprocess.run(
            [READELF, *options, str(place)], capture_output=True, text=True, check=True
        ).stdout


@pytest.mark.oracle
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_symbols_and_relocations(make, target) -> None:
    data = make(target, "-O1")
    file = read_elf(data)
    table = readelf(data, "-s", "-W")
    line = re.compile(
        r"\s*\d+: ([0-9a-f]{16})\s+(\d+) (\w+)\s+(\w+)\s+(\w+)\s+(?:\[.*\]\s+)?(\w+) (\S+)"
    )
    wanted = {
        (m[7], int(m[1], 16), int(m[2]), m[3], m[5])
        for m in map(line.match, table.splitlines())
        if m and m[3] != "SECTION"
    }
    found = {(s.name, s.value, s.size, s.kind, s.visibility) for s in file.symbols}
    assert len(found) > 8
    assert found - wanted == set()
    assert {name for name, *_ in wanted} == {name for name, *_ in found}
    listed = re.findall(r"^([0-9a-f]{16})  [0-9a-f]{16} R_AMDGPU", readelf(data, "-r", "-W"), re.M)
    assert sorted(r.offset for r in file.references) == sorted(int(at, 16) for at in listed)


def test_other_files() -> None:
    with pytest.raises(FileMistake, match="with 7f 45 4c 46; it starts with 4d 5a 00 00"):
        read_elf(b"MZ\0\0")
    with pytest.raises(FileMistake, match=r"must start as an ELF file does, .*; it is empty"):
        code_object(b"")
    data = bytearray(linked("gfx1100", "-O1"))
    data[18] = 62
    with pytest.raises(FileMistake, match="must be for an AMD GPU; it is for EM_X86_64"):
        read_elf(bytes(data))
    with pytest.raises(FileMistake, match="damaged or cut off"):
        read_elf(bytes(data[:40]))


def test_no_note() -> None:
    data = linked("gfx1100", "-O1").replace(b"AMDGPU\0", b"AMDGPV\0")
    with pytest.raises(FileMistake, match="must have a note with metadata"):
        code_object(data)


@settings(max_examples=300)
@given(st.data())
def test_mutations_end_in_errors(data: st.DataObject) -> None:
    check_mutation(data)


@pytest.mark.nightly
@settings(max_examples=5000)
@given(st.data())
def test_many_mutations_end_in_errors(data: st.DataObject) -> None:
    check_mutation(data)


def check_mutation(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from(MAKERS))("gfx1100", "-O1")
    changed = bytearray(whole)
    # Half of the changes in what matters: the header and the tables at the start and the end.
    places = st.one_of(st.integers(0, len(whole) - 1), st.integers(0, 700), st.integers(-1500, -1))
    values = st.one_of(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]), st.integers(0, 255))
    for place in data.draw(st.lists(places, max_size=8)):
        changed[place] = data.draw(values)
    cut = data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))
    with contextlib.suppress(WavemmaError):
        for found in code_objects(bytes(changed[:cut])):
            found.image.at(0x10000)
            assert found.functions is not None
            assert found.variables is not None
