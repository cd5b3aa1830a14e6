import re
import subprocess
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.explain.code_objects import mfma_object, wmma_object
from wavemma.errors import (
    FileMistake,
    WavemmaError,
)
from wavemma.explain.code_object import code_object, is_elf
from wavemma.explain.disassembly import file_disassembly


def test_code_object_names_its_target_and_functions() -> None:
    found = file_disassembly("", mfma_object())
    assert found.target == "gfx942"
    assert [each.text.split()[0] for each in found.instructions] == ["v_mfma_f32_16x16x16_f16"] * 2
    assert all(each.place.startswith("product+0x") for each in found.instructions)
    assert found.other_bytes == found.size_bytes - 16 > 0
    assert any("Only matrix instructions are listed" in note for note in found.notes)


def test_code_object_of_another_target_is_refused() -> None:
    with pytest.raises(FileMistake, match="is for gfx942; gfx950 was asked"):
        file_disassembly("gfx950", mfma_object())


@pytest.mark.parametrize("part", range(1, 40))
def test_a_code_object_cut_off_anywhere_is_refused(part: int) -> None:
    data = mfma_object()
    with pytest.raises(FileMistake):
        file_disassembly("", data[: 4 + (len(data) - 5) * part // 40])


def test_a_damaged_code_object_gives_no_other_error() -> None:
    rng = Random(2)
    for _ in range(300):
        data = bytearray(mfma_object())
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(4, len(data))] = rng.randrange(256)
        with suppress(WavemmaError):
            file_disassembly("", bytes(data))


def test_machine_code_of_another_vendor_is_refused() -> None:
    data = bytearray(mfma_object())
    data[18] = 62
    with pytest.raises(FileMistake, match="must be for an AMD GPU; it is for EM_X86_64"):
        file_disassembly("", bytes(data))


def test_sections_and_machine() -> None:
    assert is_elf(mfma_object())
    found = code_object(mfma_object())
    assert (found.target, found.machine) == ("gfx942", 0x4C)
    assert [section.name for section in found.sections] == [".text"]
    assert found.sections[0].functions == (("product", 0),)


@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942", "gfx950"])
def test_the_machine_number_names_the_target(target: str) -> None:
    assert code_object(mfma_object(target)).target == target


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("target", "data"), [("gfx942", mfma_object()), ("gfx1100", wmma_object())]
)
def test_the_same_instructions_as_another_disassembler(target, data, tmp_path: Path) -> None:
    path = tmp_path / "k.o"
    path.write_bytes(data)
    command = ["llvm-objdump-22", "--triple=amdgcn-amd-amdhsa", "-d", f"--mcpu={target}", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wanted = [
        (int(found[2], 16), " ".join(found[1].split()))
        for found in re.finditer(r"^\s(v_(?:mfma|wmma)_\S.*?)\s*// ([0-9A-F]+):", done.stdout, re.M)
    ]
    assert len(wanted) == 2
    found = file_disassembly("", data).instructions
    assert [(each.offset, each.text) for each in found] == wanted
