"""Compiler features and other processors, against the compiler itself."""

import re
import subprocess
import sys

import pytest

from wavemma.tables.builtins import builtins
from wavemma.tables.features import family_members, features
from wavemma.tables.processors import processors
from wavemma.tables.targets import targets

CLANG = [sys.executable, "-m", "ziglang", "clang", "--target=amdgcn-amd-amdhsa"]


def said(*options: str, text: str = "") -> str:
    done = subprocess.run(
        [*CLANG, *options], input=text, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_every_feature_of_a_builtin_has_a_row() -> None:
    named = {name for row in builtins().values() for name in row.features}
    assert named - {"wavefrontsize32", "wavefrontsize64"} == set(features())
    assert (len(features()), len(processors())) == (7, 37)


@pytest.mark.oracle
def test_no_processor_is_left_out() -> None:
    known = set(re.findall(r"^\s*(gfx[\w-]+)$", said("-print-supported-cpus"), re.M))
    ours = {name for name, row in targets().items() if row.oldest_llvm == 22}
    assert known == ours | set(processors())


@pytest.mark.oracle
@pytest.mark.slow
def test_features_and_macros_are_the_compilers() -> None:
    ours = [name for name, row in targets().items() if row.oldest_llvm == 22]
    for name in (*ours, *processors()):
        row = targets().get(name) or processors()[name]
        ir = said(
            f"-mcpu={name}", "-emit-llvm", "-S", "-o", "-", "-x", "c", "-", text="void f() {}"
        )
        found = re.search(r'"target-features"="([^"]*)"', ir)
        has = {word.lstrip("+") for word in found[1].split(",")} if found else set()
        mine = {each.name for each in features().values() if name in (*each.targets, *each.others)}
        # The one feature that this compiler does not know yet.
        assert has & set(features()) == mine - {"gfx1251-gemm-insts"}, name
        macros = said(f"-mcpu={name}", "-dM", "-E", "-x", "c", "-")
        assert f"#define {row.macro} 1" in macros
        families = set(re.findall(r"#define (__GFX\d+__) 1", macros))
        assert families == {row.family_macro}


def test_families() -> None:
    assert set(family_members("__GFX12__")) == {
        "gfx1200",
        "gfx1201",
        "gfx1250",
        "gfx1251",
        "gfx12-generic",
    }
