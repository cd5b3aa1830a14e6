"""What ziglang's LLVM 22 compiles is clean but for the faults of compilers that the rules list."""

import pytest

import wavemma
from tests.checks.dependent_calls import TARGETS, builtins_of, compiled
from tests.isa.ordinary.kernels import SOURCE, WAVE32
from tests.objects.compiled import relocatable
from wavemma.checks.finding import Finding
from wavemma.explain.lint import Lint

# The other targets have the rows of one of these.
MARKS = {
    "gfx942": (),
    "gfx1100": (),
    "gfx1250": (),
    "gfx908": pytest.mark.slow,
    "gfx90a": pytest.mark.slow,
    "gfx1201": pytest.mark.slow,
    "gfx1251": pytest.mark.slow,
}
KERNELS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1201", "gfx1250")
# Nothing is inserted for these by any LLVM: notes of their rules.
NEVER_INSERTED = ("125x-valu-c-war", "125x-scale", "125x-scale-war")


def is_listed(each: Finding, target: str) -> bool:
    """Whether hazards.md section 8 lists a fault of this compiler."""
    if each.rule in NEVER_INSERTED:
        return each.severity == "suspect"
    if "19of20" in each.conflicts:
        return (each.needs, each.has) == (20, 19)
    if target == "gfx1251":
        # LLVM 22 knows the latencies 8 and 16 alone, and takes them from gfx1250.
        return "llvm22-1250" in each.conflicts and each.has < each.needs
    # LLVM 22 asks nothing for pairs and transcendental instructions.
    return "llvm22-1250" in each.conflicts and each.at.text.startswith(("v_dual", "v_exp"))


def faults(found: Lint) -> list[Finding]:
    return [each for each in found.findings if each.severity != "hint"]


def check_builtins(target: str, level: str) -> int:
    counted = 0
    for wave in (32, 64):
        calls = builtins_of(target, wave)
        if not calls:
            continue
        found = wavemma.lint(compiled(calls, target, wave, level), wave=wave)
        wrong = [each for each in faults(found) if not is_listed(each, target)]
        assert not wrong, wrong[0]
        unknown = sum(each.unknown for each in found.linted)
        assert unknown * 100 < sum(each.instructions for each in found.linted)
        assert sum(each.matrix_instructions for each in found.linted) > 3 * len(calls)
        counted += len(calls)
    return counted


@pytest.mark.parametrize(
    "target",
    [pytest.param(t, marks=MARKS.get(t, pytest.mark.nightly)) for t in TARGETS],
)
def test_dependent_calls_of_every_builtin_are_clean(target: str) -> None:
    assert check_builtins(target, "-O1") == sum(len(builtins_of(target, wave)) for wave in (32, 64))


@pytest.mark.nightly
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("target", TARGETS)
def test_dependent_calls_at_every_level(target: str, level: str) -> None:
    assert check_builtins(target, level) >= 6


def check_kernels(target: str, level: str) -> None:
    source = SOURCE + (WAVE32 if target.startswith("gfx11") else "")
    found = wavemma.lint(relocatable(target, level, source=source))
    assert not faults(found), faults(found)[0]
    assert sum(each.instructions for each in found.linted) > 1000


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_whole_kernels_are_clean(target: str) -> None:
    check_kernels(target, "-O1")


@pytest.mark.nightly
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3", "-Os"])
@pytest.mark.parametrize("target", KERNELS)
def test_whole_kernels_are_clean_at_every_level(target: str, level: str) -> None:
    check_kernels(target, level)


@pytest.mark.slow
def test_the_fault_of_19_where_20_are_needed_is_found() -> None:
    """Both compilers have it on gfx950: instructions of 16 passes, 19 wait states, then a store."""
    found = wavemma.lint(compiled(builtins_of("gfx950", 64), "gfx950", 64, "-O1"), wave=64)
    assert [(each.needs, each.has) for each in faults(found)] == [(20, 19)]
    assert sum(each.unknown for each in found.linted) == 0
