"""Lines that we refuse: outside assemblers refuse them too, but for the gaps that are listed."""

import re
from collections import Counter

import pytest

from tests.isa.illegal_lines import REASONS
from tests.oracles.assemblers import triton, zig
from tests.oracles.drawn import illegal_lines, modes, older_modes
from wavemma.errors import EncodingMistake, SyntaxMistake
from wavemma.isa.assemble import assemble
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import Wave

LINE = re.compile(r"k\.s:(\d+):\d+: error")
# No other reason may have gaps. The first is a quirk of LLVM (spec/instructions.json, conventions),
# the others are its assembler_gaps, or what a modifier's row says that the assembler accepts.
GAPS = {
    "source_condition",
    "value_not_legal",
    "bits_not_allowed",
    "partial_overlap",
    "scale_formats_not_paired",
}


def may_be_taken(reason: str, each: Instruction, wave: Wave, line: str, llvm: int) -> bool:
    """Say whether an assembler takes an illegal line."""
    if reason == "source_condition":
        return True
    if reason == "partial_overlap":
        return each.is_matrix and len(each.formats["a"]) > 1
    if reason == "scale_formats_not_paired":
        return llvm == 22
    words = {word.partition(":")[0] for word in line.split() if ":" in word}
    rows = [m.row for m in each.modifiers(wave) if m.word in words]
    if reason == "value_not_legal":
        return any(row.accepts and row.kind == "int" for row in rows)
    if reason == "bits_not_allowed":
        return any(row.accepts or row.note or row.always or row.fields[-1] == "" for row in rows)
    return False


def check(reason: str, each: Instruction, target: str, wave: Wave, line: str) -> None:
    with pytest.raises((SyntaxMistake, EncodingMistake)):
        assemble(line, target, wave)


@pytest.mark.parametrize(("target", "wave"), older_modes())
def test_zig_refuses_what_we_refuse(target: str, wave: Wave) -> None:
    drawn = list(illegal_lines(target, wave, 22, 1, seed=5))
    _, complaints = zig([line for *_, line in drawn], target, wave)
    refused = {int(number) for number in LINE.findall(complaints)}
    taken: Counter[str] = Counter()
    for number, (reason, each, line) in enumerate(drawn, start=1):
        check(reason, each, target, wave, line)
        if number not in refused:
            taken[reason] += 1
            assert may_be_taken(reason, each, wave, line, 22), (reason, target, wave, line)
    assert set(taken) <= GAPS
    assert len(refused) > 0.6 * len(drawn)


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(("target", "wave"), modes())
def test_triton_refuses_what_we_refuse(target: str, wave: Wave) -> None:
    drawn = list(illegal_lines(target, wave, 24, 1, seed=5))
    _, complaints = triton([line for *_, line in drawn], target, wave)
    # This one prints the line instead of its number.
    refused = set(complaints.splitlines())
    for reason, each, line in drawn:
        check(reason, each, target, wave, line)
        if line not in refused:
            assert may_be_taken(reason, each, wave, line, 24), (reason, target, wave, line)


def test_every_reason_is_drawn() -> None:
    drawn = Counter(
        reason
        for target, wave in older_modes()
        for reason, _, _ in illegal_lines(target, wave, 22, 1, seed=5)
    )
    assert set(drawn) == set(REASONS)
    assert len(REASONS) == 19
