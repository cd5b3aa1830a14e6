"""Clang takes a guarded branch exactly on the targets that have the feature, and compiles it."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.facts import facts_json
from tests.oracles.compiled_builtins import Call, function, typedefs
from tests.oracles.compiled_kernels import clang, preprocessed
from wavemma.clang_builtins.signatures import signature
from wavemma.explain.guard import Guard, explain_guard
from wavemma.tables.processors import processors
from wavemma.tables.targets import targets

TYPES = (
    "f16 wmma",
    "bf16",
    "fp8",
    "bf8",
    "fp8 bf8",
    "fp4",
    "xf32",
    "f64",
    "int8",
    "iu8",
    "iu4",
    "sparse",
    "sparse fp8",
    "scaled",
    "wmma",
    "mfma",
    "swmmac",
    "smfmac",
    "f32_16x16x16_f16",
    "i32_16x16x16_iu8",
    "16x16x128",
)
OWNERS = ("rdna3", "rdna4", "cdna3,cdna4", "gfx1100,gfx1201", "gfx950")


def rows() -> list[dict]:
    return facts_json("instructions")["instructions"]


def owners_of_builtins() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in rows():
        for each in row["builtins"]:
            found.setdefault(each["name"], set()).update(row["targets"])
    return found


def modes() -> Iterator[tuple[str, int, str]]:
    """Yield every processor that LLVM 22 knows in each of its waves, with the option for it."""
    for name in (*targets(), *processors()):
        ours = targets().get(name)
        if ours and ours.oldest_llvm > 22:
            continue
        waves = ours.waves if ours else (32,)
        for wave in waves:
            yield name, wave, "-mwavefrontsize64" if wave == 64 and len(waves) > 1 else ""


MODES = list(modes())


def lines(guards: list[Guard]) -> tuple[str, list[tuple[int, str]]]:
    """Write a text in which each condition that is true leaves its number behind."""
    text, kept = [], []
    for number, guard in enumerate(guards):
        conditions = [("exact", guard.condition)]
        conditions += [("family", guard.families.text)] if guard.families else []
        conditions += [("builtin", each.text) for each in guard.by_builtin]
        for kind, condition in conditions:
            text += [condition, f"taken {len(kept)};", "#endif"]
            kept.append((number, kind))
    return "\n".join(text) + "\n", kept


def taken(text: str, name: str, flag: str) -> set[int]:
    return {int(number) for number in re.findall(r"taken (\d+);", preprocessed(text, name, flag))}


@pytest.mark.oracle
@pytest.mark.facts
def test_branches_of_builtins_are_taken_exactly_where_the_facts_have_them() -> None:
    owners = owners_of_builtins()
    assert len(owners) == 179
    waves = {each["name"]: each.get("wave", 0) for row in rows() for each in row["builtins"]}
    newer = {"__builtin_amdgcn_wmma_f64_16x16x4_f64"}
    text, kept = lines([explain_guard(name) for name in owners])
    names = list(owners)
    checked = 0
    for target, wave, flag in MODES:
        if target in processors() and processors()[target].covers:
            continue
        found = taken(text, target, flag)
        for number, (place, kind) in enumerate(kept):
            name = names[place]
            has = target in owners[name] and waves[name] in (0, wave)
            if name in newer:
                has = False
            assert (number in found) == has, (target, wave, name, kind)
            checked += 1
    assert checked > 10_000


@pytest.mark.oracle
@pytest.mark.facts
def test_branches_of_other_features_are_taken_exactly_on_their_targets() -> None:
    names = list(dict.fromkeys(row["mnemonic"] for row in rows()))
    guards = [explain_guard(text) for text in (*names, *TYPES, *OWNERS)]
    assert len(guards) > 180
    text, kept = lines(guards)
    families = {guards[place].feature for place, kind in kept if kind == "family"}
    assert {"wmma", "f16 wmma"} <= families
    for target, wave, flag in MODES:
        if target in processors() and processors()[target].covers:
            continue
        found = taken(text, target, flag)
        for number, (place, kind) in enumerate(kept):
            if kind != "builtin":
                assert (number in found) == (target in guards[place].targets), (target, wave)
        for place, name in enumerate(names):
            owners = {t for row in rows() if row["mnemonic"] == name for t in row["targets"]}
            aliases = {t for row in rows() if name in row["aliases"] for t in row["targets"]}
            assert set(guards[place].targets) == owners | aliases


# Both conditions are taken on the same targets, which is tested above: what they guard is the same.
KINDS = [
    pytest.param("exact", marks=pytest.mark.slow),
    pytest.param("builtin", marks=pytest.mark.nightly),
]


@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_guarded_calls_compile_for_every_target(kind: str) -> None:
    calls = [
        Call(
            signature(name),
            {n: 0 for n, a in enumerate(signature(name).arguments) if not a.operand},
        )
        for name in owners_of_builtins()
    ]
    parts = typedefs(calls)
    for number, call in enumerate(calls):
        guard = explain_guard(call.signature.name)
        condition = guard.condition if kind == "exact" else guard.by_builtin[0].text
        parts += [condition, function(number, call), "#endif"]
    source = "\n".join(parts)
    for target, wave, _ in MODES:
        assert compiles(source, target, wave) == "", (target, wave)


def compiles(source: str, target: str, wave: int) -> str:
    """Compile C text for a processor; give the complaints."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "k.c")
        text.write_text(source)
        several = target in targets() and len(targets()[target].waves) > 1
        mode = ["-mwavefrontsize64"] if several and wave == 64 else []
        options = [f"-mcpu={target}", *mode, "-O1", "-nogpulib", "-c", str(text)]
        done = clang("--target=amdgcn-amd-amdhsa", *options, "-o", str(Path(folder, "k.o")))
        return done.stderr
