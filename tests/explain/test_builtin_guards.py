"""Guards and compile lines of builtins, and clang's own word on both."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from wavemma.explain.builtin import explain_builtin
from wavemma.explain.builtin_guards import compile_lines, guard, wave_flag
from wavemma.tables.builtins import builtins
from wavemma.tables.targets import targets

CLANG = [sys.executable, "-m", "ziglang", "clang", "-x", "hip", "--offload-device-only"]
CLANG += ["-nogpulib", "-nogpuinc"]
KNOWN_TO_22 = [row.name for row in targets().values() if row.oldest_llvm == 22]
RUNS = [(name, wave) for name in KNOWN_TO_22 for wave in targets()[name].waves]


def test_wave_flag_only_where_the_default_is_another():
    wide = builtins()["__builtin_amdgcn_wmma_f32_16x16x16_f16_w64"]
    assert wave_flag(wide, "gfx1100") == " -mwavefrontsize64"
    assert wave_flag(builtins()["__builtin_amdgcn_mfma_f32_16x16x16f16"], "gfx942") == ""
    (line,) = compile_lines(wide, ("gfx1100",))
    assert line == "amdclang++ --offload-arch=gfx1100 -mwavefrontsize64 -O3 prog.hip -o prog"


def test_guard_names_targets_and_tells_wave_sizes_apart():
    narrow = builtins()["__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"]
    text = guard(narrow, ("gfx1100", "gfx1151"))
    assert text == (
        "#if (defined(__gfx1100__) || defined(__gfx1151__))"
        " && __has_builtin(__builtin_amdgcn_wmma_f32_16x16x16_f16_w32)"
    )


# Each builtin is asked for in every run: an answer is made once.
_explained = cache(explain_builtin)


def _clang(source: Path, target: str, wave: int, *flags: str) -> str:
    wide = ["-mwavefrontsize64"] if wave != targets()[target].default_wave else []
    words = [*CLANG, f"--offload-arch={target}", *wide, *flags, str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.oracle
def test_guards_hold_exactly_where_the_builtin_can_be_called(tmp_path):
    source = tmp_path / "guards.hip"
    names = list(builtins())
    lines = []
    for number, name in enumerate(names):
        lines += [_explained(name).guard, f"holds_{number}", "#endif"]
    source.write_text("\n".join(lines))
    for target, wave in RUNS:
        text = _clang(source, target, wave, "-E", "-P")
        held = {names[int(number)] for number in re.findall(r"holds_(\d+)", text)}
        want = {
            name
            for name in names
            if target in _explained(name).targets
            and _explained(name).wave in (0, wave)
            # This compiler lacks what is newer.
            and not _explained(name).since
        }
        assert held == want, (target, wave)
    assert len(RUNS) == 26


@pytest.mark.slow
@pytest.mark.oracle
def test_declared_types_and_prototypes_compile(tmp_path):
    """A file that calls every builtin of a target with the types that we say."""
    for target, wave in RUNS:
        source = tmp_path / f"{target}_{wave}.hip"
        source.write_text("\n".join(_calls(target, wave)))
        _clang(source, target, wave, "-fsyntax-only")


def _calls(target, wave):
    yield "#define __device__ __attribute__((device))"
    declared = set()
    for name, row in builtins().items():
        answer = _explained(name)
        if target not in answer.targets or answer.wave not in (0, wave) or row.since:
            continue
        yield f"namespace n{len(declared)} {{"
        declared.add(name)
        yield from (each.declaration for each in answer.types)
        free = [
            f"{each.type} a{n}" for n, each in enumerate(answer.parameters) if not each.constant
        ]
        given = ["0" if e.constant else f"a{n}" for n, e in enumerate(answer.parameters)]
        yield f"__device__ void call({', '.join(free)}, {answer.returns} *out) {{"
        yield f"  *out = {name}({', '.join(given)});"
        yield "} }"
