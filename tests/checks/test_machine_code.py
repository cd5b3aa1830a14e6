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


def test_words_that_no_table_has_do_not_end_a_path() -> None:
    """A pair of three words on gfx1250, which has no row, between producer and consumer."""
    lines = (
        ".type f0,@function\nf0:\n"
        "v_wmma_f32_16x16x32_f16 v[0:7], v[64:71], v[96:103], v[128:135]\n"
        "v_dual_lshlrev_b32 v225, 1, v229 :: v_dual_lshlrev_b32 v224, 1, v228\n"
        "v_mov_b32_e32 v240, v0\ns_endpgm\n"
    )
    (found,) = wavemma.lint(assembled("gfx1250", lines)).findings
    assert (found.rule, found.needs, found.has) == ("125x-valu-d", 4, 1)
    assert told(wavemma.lint(lines, target="gfx1250")) == told(
        wavemma.lint(assembled("gfx1250", lines))
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
