"""Targets of branches against llvm-objdump's labels."""

import re
import subprocess

import pytest

from tests.isa.ordinary.kernels import SOURCE
from tests.isa.ordinary.test_kernels import OBJDUMP
from tests.objects.compiled import linked
from wavemma.isa.ordinary import DecodedOrdinary, branch_target, read_any
from wavemma.objects import code_object, listing


@pytest.mark.parametrize(
    ("words", "target"),
    [("0100a0bf", 0x108), ("ffffa0bf", 0x100), ("0080a5bf", 0x104 - 0x20000), ("000080bf", None)],
)
def test_by_hand(words, target) -> None:
    found = read_any(bytes.fromhex(words), "gfx1100")
    assert isinstance(found, DecodedOrdinary)
    assert branch_target(found, 0x100) == target


@pytest.mark.oracle
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_labels_of_objdump(target, tmp_path) -> None:
    data = linked(target, "-O2", source=SOURCE)
    place = tmp_path / "k.hsaco"
    place.write_bytes(data)
    command = [OBJDUMP, "-d", f"--mcpu={target}", str(place)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    starts = {m[2]: int(m[1], 16) for m in re.finditer(r"^([0-9a-f]{16}) <(\w+)>:", text, re.M)}
    line = re.compile(r"// ([0-9A-F]{12}): [0-9A-F ]+<(\w+)(?:\+0x([0-9a-f]+))?>")
    wanted = {int(m[1], 16): starts[m[2]] + int(m[3] or "0", 16) for m in line.finditer(text)}
    assert len(wanted) > 30
    found = {
        each.address: branch_target(each.instruction, each.address)
        for each in listing(code_object(data))
        if isinstance(each.instruction, DecodedOrdinary)
    }
    assert {at: to for at, to in found.items() if to is not None} == wanted
