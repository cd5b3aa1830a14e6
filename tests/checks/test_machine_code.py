"""Assembled pairs give the findings that their text gives: what is read of bytes and of words."""

import pytest

import wavemma
from tests.hazards.seeded_pairs import EXPORT
from tests.hazards.test_every_rule import pairs_on, text
from tests.objects.compiled import assembled
from wavemma.explain.lint import Lint

pytestmark = pytest.mark.facts
# One target an architecture that ziglang's LLVM knows; the others have the same rows.
TARGETS = ("gfx908", "gfx942", "gfx1100", "gfx1250")
MORE = ("gfx90a", "gfx950", "gfx1150", "gfx1201")


def told(found: Lint) -> list[tuple[object, ...]]:
    return sorted(
        (each.at.function, each.rule, each.needs, each.has, each.severity, each.fix)
        for each in found.findings
        if each.what == "hazard"
    )


@pytest.mark.parametrize(
    "target", [*TARGETS, *(pytest.param(name, marks=pytest.mark.nightly) for name in MORE)]
)
def test_bytes_and_text_are_read_alike(target: str) -> None:
    wave = 64 if target.startswith("gfx9") else 32
    pairs = [each for each in pairs_on(target, wave) if EXPORT not in each.consumer]
    lines, _ = text([each for each in pairs if each.need], 1)
    marks = "".join(f".type f{number},@function\n" for number in range(len(pairs)))
    machine_code = wavemma.lint(assembled(target, marks + lines))
    assert len(machine_code.findings) > 2
    assert told(machine_code) == told(wavemma.lint(lines, target=target))
