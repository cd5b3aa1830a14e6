"""Whole kernels against llvm-objdump, and back to the bytes that the compiler wrote."""

import itertools
import re
import shutil
import subprocess

import pytest

from tests.isa.ordinary.kernels import SOURCE, WAVE32
from tests.objects.compiled import linked
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import encode_any, sweep_any, text_any
from wavemma.objects import code_object

OBJDUMP = "llvm-objdump-22"
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")


TARGETS = ("gfx1100", "gfx1151", "gfx1201")
CASES = [
    ("gfx908", 64),
    ("gfx90a", 64),
    ("gfx942", 64),
    ("gfx950", 64),
    *itertools.product(TARGETS, (32, 64)),
]


def kernels(target: str, level: str, wave: int) -> bytes:
    options = ("-mwavefrontsize64",) if wave == 64 and target in TARGETS else ()
    has_matrices = wave == 32 and target in TARGETS[:2]
    return linked(target, level, *options, source=SOURCE + (WAVE32 if has_matrices else ""))


MORE_BITS = ("buffer_wbl2",)
"""Lines for which clang sets bits of the cache policy that the assembler leaves 0."""


@pytest.mark.parametrize(("target", "wave"), CASES)
@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_every_instruction_is_known(level: str, wave: int, target: str) -> None:
    found = code_object(kernels(target, level, wave))
    code = next(each for each in found.file.sections if each.is_code)
    assert all(kernel.descriptor.wave == wave for kernel in found.kernels.values())
    swept = sweep_any(code.data, found.target, wave)
    assert len(swept) > 1500
    for place, each in swept:
        assert not isinstance(each, Undecoded), (hex(place), each)
        same = encode_any(each) == code.data[place : place + each.size_bytes]
        assert same or text_any(each) in MORE_BITS, text_any(each)


@pytest.mark.oracle
@pytest.mark.parametrize(("target", "wave"), CASES)
@pytest.mark.parametrize("level", LEVELS)
def test_text_is_that_of_objdump(level: str, wave: int, target: str, tmp_path) -> None:
    data = kernels(target, level, wave)
    found = code_object(data)
    code = next(each for each in found.file.sections if each.is_code)
    swept = {code.address + place: each for place, each in sweep_any(code.data, found.target, wave)}
    wanted = objdump(data, target, wave, tmp_path)
    assert len(wanted) > 1150
    for address, text in wanted.items():
        each = swept[address]
        assert not isinstance(each, Undecoded)
        assert text_any(each) == text


def objdump(data: bytes, target: str, wave: int, folder) -> dict[int, str]:
    assert shutil.which(OBJDUMP), f"apt-get install llvm-22: {OBJDUMP} is an oracle"
    place = folder / "k.hsaco"
    place.write_bytes(data)
    features = [f"--mattr=+real-true16,+wavefrontsize{wave}"] if target in TARGETS else []
    command = [OBJDUMP, "-d", *features, f"--mcpu={target}", str(place)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^\t(.*?)\s*// ([0-9A-F]{12}): ", text, re.M)
    return {int(address, 16): line for line, address in lines}
