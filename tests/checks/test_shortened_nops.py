"""Nops that LLVM put behind a matrix instruction are needed: one less, and lint says so."""

import re

import pytest

import wavemma
from tests.checks.dependent_calls import builtins_of, written

NOP = re.compile(r"(\s+)(s_nop|v_nop)\b ?(\d*)")
VECTOR = re.compile(r"\s+(v_|global|flat|buffer|scratch|ds_)")
MATRIX = re.compile(r"\s+v_(s?mfma|s?wmma|smfmac|swmmac)")


def shortened(text: str, filler: str) -> tuple[str, list[int]]:
    """Take one wait state, or slot, away wherever some follow a matrix instruction directly.

    Returns:
        The text, and the numbers of the lines that come too early now.

    """
    lines: list[str] = []
    early: list[int] = []
    behind_matrix = is_short = False
    for line in text.splitlines():
        nop = NOP.match(line)
        if nop and nop[2] == filler:
            if behind_matrix and not is_short:
                is_short = True
                if nop[3] not in ("", "0"):
                    lines.append(f"{nop[1]}{filler} {int(nop[3]) - 1}")
                continue
        elif VECTOR.match(line):
            if is_short:
                early.append(len(lines) + 1)
            is_short, behind_matrix = False, bool(MATRIX.match(line))
        lines.append(line)
    return "\n".join(lines), early


# Nops for another reason: stores of more than 8 bytes whose data the next instruction overwrites.
OTHER_REASONS = {"gfx942": 2, "gfx950": 1}


@pytest.mark.parametrize(
    ("target", "wave", "filler", "least"),
    [
        ("gfx90a", 64, "s_nop", 70),
        ("gfx1100", 64, "v_nop", 6),
        ("gfx1201", 32, "v_nop", 2),
        pytest.param("gfx908", 64, "s_nop", 40, marks=pytest.mark.nightly),
        pytest.param("gfx942", 64, "s_nop", 60, marks=pytest.mark.slow),
        pytest.param("gfx950", 64, "s_nop", 90, marks=pytest.mark.nightly),
    ],
)
def test_one_less_is_too_little(target: str, wave: int, filler: str, least: int) -> None:
    text, early = shortened(written(builtins_of(target, wave), target, wave), filler)
    assert len(early) >= least
    found = wavemma.lint(text, wave=wave).findings
    told = {each.at.place for each in found if each.severity == "error"}
    missed = [line for line in early if line not in told]
    assert len(missed) <= OTHER_REASONS.get(target, 0), [text.splitlines()[n - 1] for n in missed]
