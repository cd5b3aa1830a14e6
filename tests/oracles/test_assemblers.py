"""Our bytes and texts against outside assemblers, for every row, target and wave size."""

from collections.abc import Callable, Sequence

import pytest

from tests.oracles.assemblers import llvm_mc, llvm_mc_disassemble, triton, zig
from tests.oracles.drawn import legal_lines, modes, older_modes, rows_of
from wavemma.isa.assemble import assemble
from wavemma.isa.disassemble import disassemble
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import Wave, targets

QUICK = 20
FULL = 200
# Lines of a row: one share for ./check all, all of them nightly.
COUNTS = [pytest.param(60, marks=pytest.mark.slow), pytest.param(FULL, marks=pytest.mark.nightly)]
Oracle = Callable[[Sequence[str], str, int], tuple[bytes, str]]


def compare(oracle: Oracle, target: str, wave: Wave, llvm: int, count: int) -> None:
    pairs = legal_lines(target, wave, llvm, count, seed=count)
    data, complaints = oracle([line for _, line in pairs], target, wave)
    assert data, complaints[:2000]
    assert len(data) == sum(each.size_bytes for each, _ in pairs)
    place = 0
    for each, line in pairs:
        theirs = data[place : place + each.size_bytes]
        place += each.size_bytes
        check(each, line, theirs, target, wave, llvm)


def check(each: Instruction, line: str, theirs: bytes, target: str, wave: Wave, llvm: int) -> None:
    ours = assemble(line, target, wave)
    # Newer LLVM fills a field that no instruction uses in another way; nothing else may differ.
    ignored = 0 if llvm == 22 else each.encoding.fill | each.encoding.fill >> 1
    differ = int.from_bytes(ours, "little") ^ int.from_bytes(theirs, "little")
    assert differ & ~ignored == 0, (target, wave, line, ours.hex(), theirs.hex())
    assert disassemble(theirs, target, wave) == line, (target, wave, theirs.hex())


def test_every_row_is_compared() -> None:
    assert len(modes()) == 32
    assert len(older_modes()) == 26
    compared = {id(each) for target, _ in older_modes() for each in rows_of(target, 22)}
    newer = {id(each) for target, _ in modes() for each in rows_of(target, 24)}
    # 22 rows of gfx1170-1172 and one of gfx1251 are LLVM 24's alone.
    assert (len(compared), len(compared | newer)) == (264 - 23, 264)
    assert sum(row.oldest_llvm == 22 for row in targets().values()) == 16


@pytest.mark.parametrize(("target", "wave"), older_modes())
def test_zig_agrees(target: str, wave: Wave) -> None:
    compare(zig, target, wave, 22, QUICK)


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(("target", "wave"), older_modes())
def test_zig_agrees_on_many(target: str, wave: Wave) -> None:
    compare(zig, target, wave, 22, FULL)


@pytest.mark.oracle
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("target", "wave"), older_modes())
def test_llvm_mc_agrees(target: str, wave: Wave, count: int) -> None:
    compare(llvm_mc, target, wave, 22, count)


@pytest.mark.oracle
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize(("target", "wave"), modes())
def test_triton_agrees(target: str, wave: Wave, count: int) -> None:
    compare(triton, target, wave, 24, count)


@pytest.mark.oracle
@pytest.mark.parametrize(("target", "wave"), older_modes())
def test_llvm_mc_reads_our_bytes(target: str, wave: Wave) -> None:
    """The outside disassembler gives the text back, but for the sources that it cannot read."""
    lines = [line for _, line in legal_lines(target, wave, 22, QUICK, seed=3)]
    data = b"".join(assemble(line, target, wave) for line in lines if not misread(line))
    want = [line for line in lines if not misread(line)]
    assert len(want) > 0.8 * len(lines)
    assert llvm_mc_disassemble(data, target, wave) == want


def misread(line: str) -> bool:
    """Tell the lines of assembler_gaps: sources of f8f6f4 above v248 are read as 8 registers."""
    wide = "mfma" in line and "f8f6f4" in line
    return wide and any(f"{file}[{first}:" in line for file in "va" for first in range(249, 256))
