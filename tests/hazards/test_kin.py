"""Architectures read with a relative's rows: what llvm-objdump calls their instructions."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.checks.dependent_calls import builtins_of, compiled
from tests.isa.ordinary.kernels import SOURCE
from tests.objects.compiled import relocatable
from wavemma.hazards import Reader
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.isa.target import target as row_of
from wavemma.objects import functions, read_elf

OBJDUMP = "llvm-objdump-22"
OTHERS = ("gfx908", "gfx90a", "gfx950")


def objdump(data: bytes, target: str, folder: Path) -> dict[int, str]:
    assert shutil.which(OBJDUMP), f"apt-get install llvm-22: {OBJDUMP} is an oracle"
    path = folder / "k.o"
    path.write_bytes(data)
    done = subprocess.run(
        [OBJDUMP, "-d", f"--mcpu={target}", str(path)], capture_output=True, text=True, check=True
    )
    lines = re.findall(r"^\s+(\S.*?)\s*// ([0-9A-F]{12}): ", done.stdout, re.M)
    return {int(address, 16): text for text, address in lines}


def registers(text: str) -> list[str]:
    return re.findall(r"\b[va](?:\d+|\[\d+:\d+\])", text)


@pytest.mark.oracle
@pytest.mark.parametrize(
    "target", ["gfx1250", *(pytest.param(name, marks=pytest.mark.nightly) for name in OTHERS)]
)
def test_names_and_registers_are_those_of_objdump(target: str, tmp_path: Path) -> None:
    wave = 32 if target == "gfx1250" else 64
    seen = unknown = 0
    for data in (
        compiled(builtins_of(target, wave), target, wave, "-O1"),
        relocatable(target, "-O1", source=SOURCE),
    ):
        wanted = objdump(data, target, tmp_path)
        reader = Reader(target)
        for function in functions(read_elf(data), row_of(target)):
            at = 0
            while at < len(function.data):
                found = reader.read(function.data[at : at + 16])
                text = wanted[function.address + at]
                seen += 1
                if isinstance(found.decoded, Undecoded):
                    unknown += 1
                else:
                    ours = text_any(found.decoded)
                    names = text.split()[0], ours.split()[0]
                    assert names[0] == names[1], (text, ours)
                    assert registers(text) == registers(ours), (text, ours)
                at += found.size_bytes
    assert seen > 2000
    assert unknown * 50 < seen
