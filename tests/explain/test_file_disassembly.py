import re
import subprocess
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from elftools.elf.elffile import ELFFile

from tests.explain.code_objects import mfma_object
from tests.objects.compiled import (
    assembled,
    linked,
    of_both_waves,
    relocatable,
    wmma_options,
    wmma_source,
)
from tests.objects.test_bundle import HOST, compressed, plain
from wavemma.errors import FileMistake, OutOfRange, UnknownTarget, WavemmaError
from wavemma.explain.file_disassembly import FileDisassembly, file_disassembly

WMMA = {
    32: "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]",
    64: "v_wmma_f32_16x16x16_f16 v[16:19], v[0:7], v[8:15], v[16:19]",
}
BARE = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\ns_endpgm\n"


def matrix_lines(found: FileDisassembly) -> list[tuple[str, int, str]]:
    return [
        (stretch.name, stretch.wave, each.text)
        for stretch in found.stretches
        for each in stretch.instructions
        if each.is_matrix
    ]


@pytest.mark.parametrize("make", [linked, relocatable])
@pytest.mark.parametrize("wave", [32, 64])
def test_a_kernel_is_read_with_the_wave_of_its_descriptor(make, wave: int) -> None:
    data = make("gfx1100", *wmma_options(wave), source=wmma_source("product", wave))
    found = file_disassembly("", data)
    assert matrix_lines(found) == [("product", wave, WMMA[wave])]
    kernel = found.stretches[-1]
    assert (kernel.kind, kernel.target) == ("kernel", "gfx1100")
    assert kernel.wave_source == "its descriptor"
    assert not any("wave size" in note for note in found.notes)


def test_two_kernels_of_two_waves_in_one_object() -> None:
    found = file_disassembly("gfx1100", of_both_waves("gfx1100"))
    assert matrix_lines(found) == [("narrow", 32, WMMA[32]), ("wide", 64, WMMA[64])]


def test_a_bundle_with_two_targets() -> None:
    files = {HOST: b""}
    for target, wave in (("gfx1100", 64), ("gfx1102", 32)):
        made = linked(target, *wmma_options(wave), source=wmma_source("product", wave))
        files[f"hipv4-amdgcn-amd-amdhsa--{target}"] = made
    for data in (plain(files), compressed(plain(files), 3, 1)):
        found = file_disassembly("", data)
        assert [line[1:] for line in matrix_lines(found)] == [(64, WMMA[64]), (32, WMMA[32])]
        assert [each.target for each in found.stretches] == ["gfx1100", "gfx1102"]
        only = file_disassembly("gfx1102", data)
        assert [each.target for each in only.stretches] == ["gfx1102"]
        with pytest.raises(FileMistake, match="must hold code for gfx942; it is for gfx1100"):
            file_disassembly("gfx942", data)


def test_a_bundle_says_what_it_leaves_out() -> None:
    made = linked("gfx1100", *wmma_options(32), source=wmma_source("product", 32))
    other = bytearray(made)
    other[0x30] = 0x36
    files = {"hipv4-amdgcn-amd-amdhsa--gfx1030": bytes(other)}
    with pytest.raises(UnknownTarget, match=r"machine number is 0x36 \(gfx1030\)"):
        file_disassembly("", plain(files))
    files["hipv4-amdgcn-amd-amdhsa--gfx1100"] = made
    found = file_disassembly("", plain(files))
    assert matrix_lines(found) == [("product", 32, WMMA[32])]
    assert "Left out: code for gfx1030, which has no tables here." in found.notes


def test_code_for_several_targets_is_read_as_one_of_them() -> None:
    data = bytearray(linked("gfx1100", *wmma_options(32), source=wmma_source("product", 32)))
    data[0x30] = 0x54
    with pytest.raises(FileMistake, match=r"gfx11-generic.*must be read as one of them"):
        file_disassembly("", bytes(data))
    assert matrix_lines(file_disassembly("gfx1100", bytes(data))) == [("product", 32, WMMA[32])]


def test_a_wave_that_contradicts_a_descriptor_is_refused() -> None:
    data = linked("gfx1100", *wmma_options(64), source=wmma_source("product", 64))
    assert file_disassembly("", data, wave=64).stretches == file_disassembly("", data).stretches
    said = "32 was given, and product has waves of 64 lanes"
    with pytest.raises(FileMistake, match=said):
        file_disassembly("", data, wave=32)
    with pytest.raises(OutOfRange, match="must have 32 or 64 lanes; 48 was given"):
        file_disassembly("", data, wave=48)


def test_code_without_descriptors_takes_the_default_wave_and_says_so() -> None:
    data = assembled("gfx1100", BARE)
    found = file_disassembly("", data)
    assert [(each.wave, each.wave_source) for each in found.stretches] == [(32, "the default")]
    assert [each.text for each in found.instructions] == BARE.splitlines()
    assert any("No kernel descriptor tells the wave size" in note for note in found.notes)
    told = file_disassembly("", data, wave=64)
    assert [(each.wave, each.wave_source) for each in told.stretches] == [(64, "--wave")]
    assert told.instructions[0].text == BARE.splitlines()[0].replace("v[0:7]", "v[0:3]")
    assert not any("wave size" in note for note in told.notes)


def test_functions_that_are_no_kernels_take_the_wave_of_the_kernels() -> None:
    found = file_disassembly("", linked("gfx1100", "-O1", "-mwavefrontsize64"))
    told = {each.name: (each.kind, each.wave, each.wave_source) for each in found.stretches}
    by_itself = ("kernel", 64, "its descriptor")
    assert told == {
        "_Z6helperi": ("function", 64, "the kernels beside it"),
        "arguments": by_itself,
        "scratch": by_itself,
    }


def test_a_descriptor_with_waves_that_the_target_lacks_is_damage() -> None:
    data = bytearray(mfma_object())
    descriptor = ELFFile(BytesIO(data)).get_section_by_name(".rodata")["sh_offset"]
    # Bit 10 of the half word at byte 56 of the descriptor asks for 32 lanes.
    data[descriptor + 57] |= 4
    with pytest.raises(
        FileMistake, match="of gfx942 must have 64 lanes; the descriptor of product"
    ):
        file_disassembly("", bytes(data))


def test_what_a_linker_fills_in_is_said() -> None:
    # The address of the counter is put together from two halves.
    found = file_disassembly("", relocatable("gfx1100", "-O1"))
    said = [sentence for each in found.instructions for sentence in each.said]
    assert said.count("the linker puts counter here") == 2
    assert said.count("the linker puts .text here") == 2
    linked_ones = file_disassembly("", linked("gfx1100", "-O1")).instructions
    assert not any("linker" in sentence for each in linked_ones for sentence in each.said)


def test_branches_say_where_they_lead() -> None:
    data = assembled("gfx1100", "s_nop 0\nagain:\ns_nop 1\ns_branch again\ns_endpgm\n")
    branch = file_disassembly("", data).instructions[2]
    assert branch.said == ("leads to .text+0x4",)


def test_code_object_names_its_target_and_functions() -> None:
    found = file_disassembly("", mfma_object("gfx908"))
    assert [(each.target, each.wave) for each in found.stretches] == [("gfx908", 64)]
    names = [each.text.split()[0] for each in found.instructions]
    assert names.count("v_mfma_f32_16x16x16f16") == 2
    assert all(each.place.startswith("product+0x") for each in found.instructions)
    assert found.stretches[0].other_bytes == 0


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


def test_files_that_are_no_code_are_refused() -> None:
    with pytest.raises(FileMistake, match="whole 32-bit words; it has 3 bytes"):
        file_disassembly("gfx942", b"\xff\x00\x01")
    with pytest.raises(FileMistake, match="it has 0 bytes"):
        file_disassembly("gfx942", b"")
    with pytest.raises(FileMistake, match="holds text"):
        file_disassembly("gfx942", b"0a00cdd3 02091a0c\n")
    with pytest.raises(FileMistake, match="must hold code for gfx942; it is for no GPU"):
        file_disassembly("gfx942", b"__CLANG_OFFLOAD_BUNDLE__" + bytes(8))
    with pytest.raises(FileMistake, match="must hold device code; it holds none"):
        file_disassembly("", b"__CLANG_OFFLOAD_BUNDLE__" + bytes(8))
    with pytest.raises(FileMistake, match="doesn't say for which target"):
        file_disassembly("", bytes(8))


@pytest.mark.oracle
def test_the_same_instructions_as_another_disassembler(tmp_path: Path) -> None:
    found = file_disassembly("", mfma_object("gfx908")).instructions
    wanted = objdump(tmp_path, mfma_object("gfx908"), "gfx908")
    assert sum(text.startswith("v_mfma_") for _, text in wanted) == 2
    assert [(each.offset, each.text) for each in found][: len(wanted)] == list(wanted)


@pytest.mark.oracle
@pytest.mark.parametrize("wave", [32, 64])
def test_every_instruction_as_another_disassembler(wave: int, tmp_path: Path) -> None:
    options = wmma_options(wave)
    made = (
        linked("gfx1100", *options),
        relocatable("gfx1201", *options),
        linked("gfx1100", *options, source=wmma_source("product", wave)),
    )
    for data in made:
        found = file_disassembly("", data)
        wanted = objdump(tmp_path, data, found.stretches[0].target, f"+wavefrontsize{wave}")
        told = [(each.offset, each.text) for each in found.instructions]
        assert told == wanted
        assert any(text.startswith("s_endpgm") for _, text in told)


def objdump(folder: Path, data: bytes, target: str, features: str = "") -> list[tuple[int, str]]:
    """Give address and text of each instruction as LLVM's disassembler writes them."""
    path = folder / "k.o"
    path.write_bytes(data)
    command = ["llvm-objdump-22", "--triple=amdgcn-amd-amdhsa", "-d", f"--mcpu={target}"]
    done = subprocess.run(
        [*command, f"--mattr={features}", path], capture_output=True, text=True, check=True
    )
    found = re.finditer(r"^\s([a-z]\S.*?)\s*// ([0-9A-F]+):", done.stdout, re.M)
    return [(int(each[2], 16), " ".join(each[1].split())) for each in found]
