"""Cases 11 to 14 and 35, and their kinds: what is missing where, and what to call there."""

import itertools

import pytest

from tests.explain.equal_operations import equals, matrix_rows, nearest, targets
from tests.facts import facts_json
from wavemma.errors import OutOfRange, UnknownName, UnknownTarget
from wavemma.explain.why import explain_why
from wavemma.tables.processors import processors

pytestmark = pytest.mark.facts

F16 = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"


def builtins() -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {}
    for row in matrix_rows():
        for each in row["builtins"]:
            found.setdefault(each["name"], []).append(row)
    return found


@pytest.mark.facts
@pytest.mark.slow
@pytest.mark.parametrize("target", targets())
def test_every_builtin_where_it_is_missing(target: str) -> None:
    missing = 0
    for name, rows in builtins().items():
        answer = explain_why(name, target)
        assert answer.subject == name
        assert answer.advice is not None
        assert answer.advice.target == target
        if any(target in row["targets"] for row in rows):
            assert answer.solved
            assert answer.advice.builtin == name
            continue
        missing += 1
        same = [each for row in rows for each in equals(row, target)]
        assert answer.solved == bool(same), name
        wanted = {m for row in rows for m in nearest(row, equals(row, target) or [row])}
        if same:
            assert answer.advice.instruction in wanted
        else:
            assert len(answer.causes) > 2, "there must be a reason"
        there = {b["name"] for r in matrix_rows() if target in r["targets"] for b in r["builtins"]}
        assert answer.advice.builtin in there
        assert f"{target} lacks {name}" in answer.causes[0]
    assert missing == sum(
        not any(target in row["targets"] for row in rows) for rows in builtins().values()
    )


@pytest.mark.facts
def test_builtins_for_the_wave_that_is_no_default() -> None:
    """Case 35 as a kind: every builtin for waves of 64 where waves of 32 are the default."""
    checked = 0
    waves = facts_json("instructions")["architectures"]
    sizes = {t: each["wave_sizes"] for each in waves.values() for t in each["targets"]}
    facts = {each["name"]: each for row in matrix_rows() for each in row["builtins"]}
    for name, rows in builtins().items():
        for target in {t for row in rows for t in row["targets"]}:
            wave = facts[name].get("wave")
            answer = explain_why(name, target)
            other = bool(wave) and wave != sizes[target][0]
            assert any("-mwavefrontsize64" in step for step in answer.steps) == other
            assert ("-mwavefrontsize64" in answer.advice.compile) == other
            assert answer.advice.wave == (wave or sizes[target][0])
            checked += other
    assert checked == sum(
        len(rows[0]["targets"]) if len(rows) == 1 else sum(len(r["targets"]) for r in rows)
        for name, rows in builtins().items()
        if facts[name].get("wave") == 64
    )


def test_case_11() -> None:
    answer = explain_why(F16, "gfx1201")
    assert answer.solved
    assert answer.advice.builtin == f"{F16}_gfx12"
    assert "halfx8 a" in answer.advice.prototype
    assert any("gfx1170, gfx1171, gfx1172 are not in LLVM 22" in note for note in answer.notes)
    crash = explain_why(
        "error in backend: Cannot select: intrinsic %llvm.amdgcn.wmma.f32.16x16x16.f16",
        "gfx1201",
    )
    assert crash.advice.builtin == f"{F16}_gfx12"


def test_maps_that_move_are_named() -> None:
    """Types that fit make code that compiles; the store loop must change too."""
    changes = explain_why(F16, "gfx1201").advice.changes
    (rows,) = [each for each in changes if each.startswith("map of C, D: ")]
    before, after = rows.removeprefix("map of C, D: ").split(" -> ")
    for lane, v in itertools.product(range(32), range(8)):
        found = [
            eval(text.split(";")[0].partition("=")[2], {"lane": lane, "v": v})
            for text in (before, after)
        ]
        assert found == [2 * v + lane // 16, v + 8 * (lane // 16)]
    assert any(each.startswith("map of A: ") for each in changes)
    assert any(each.startswith("map of B: ") for each in changes)


def test_the_step_to_port_keeps_the_wave() -> None:
    wide = F16.replace("_w32", "_w64")
    (step,) = explain_why(wide, "gfx1201").steps
    assert step.endswith("--op v_wmma_f32_16x16x16_f16 --wave 64")
    (step,) = explain_why(F16, "gfx1201").steps
    assert "--wave" not in step
    (step,) = explain_why(F16, "gfx1201", wave=64).steps
    assert step.endswith("--new-wave 64")


def test_a_prototype_is_no_cause() -> None:
    answer = explain_why(F16)
    assert "halfx16 a" in answer.prototype
    assert len(answer.causes) == 1


def test_case_12() -> None:
    answer = explain_why("f16 16x16x16", "gfx1250")
    assert answer.advice.builtin == "__builtin_amdgcn_wmma_f32_16x16x32_f16"
    assert "k step: 16 -> 32" in answer.advice.changes
    assert any("LLVM 22 assembles" in each.other for each in answer.conflicts)


@pytest.mark.parametrize("target", ["gfx1170", "gfx1171", "gfx1172"])
def test_case_13(target: str) -> None:
    answer = explain_why(F16, target)
    assert answer.advice.builtin == f"{F16}_gfx12"
    assert answer.advice.oldest_llvm == "one after 22; 24 has it"


@pytest.mark.parametrize("target", [n for n, row in processors().items() if not row.covers])
def test_case_14(target: str) -> None:
    answer = explain_why("f16 wmma", target)
    assert not answer.solved
    assert answer.causes == (f"{target} has no matrix instructions: neither WMMA nor MFMA.",)


def test_generic_targets_are_explained() -> None:
    answer = explain_why(F16, "gfx11-generic")
    assert not answer.solved
    assert "stands for gfx1100" in answer.causes[0]


def test_the_target_is_found_in_the_text() -> None:
    said = f"k.hip:3:40: error: '{F16}' needs target feature gfx11-insts,wavefrontsize32\n"
    said += "1 error generated when compiling for gfx1030."
    assert explain_why(said).target == "gfx1030"
    without = explain_why(F16)
    assert without.target == ""
    assert any("gfx1100" in cause for cause in without.causes)
    assert any("--target" in step for step in without.steps)


INVALID = (
    "clang: error: invalid target ID '{}'; format is a processor name followed by an optional"
    " colon-delimited list of features (e.g., 'gfx908:sramecc+:xnack-')"
)


def test_the_example_in_a_message_is_not_the_target() -> None:
    no_target = explain_why(INVALID.format("gfx9999"))
    assert no_target.target == ""
    assert "Nothing here knows gfx9999 either." in no_target.causes
    assert any("wavemma list targets" in step for step in no_target.steps)
    assert not no_target.solved
    with_features = explain_why(INVALID.format("gfx1170:xnack-"))
    assert with_features.target == "gfx1170"
    assert any("LLVM 24 knows gfx1170" in step for step in with_features.steps)


def test_a_mnemonic_is_no_choice_between_its_names() -> None:
    # On CDNA3 and CDNA4 it is an alias of v_mfma_f32_16x16x16_f16.
    answer = explain_why("v_mfma_f32_16x16x16f16", "gfx90a")
    assert not any("fits" in note for note in answer.notes)
    words = explain_why("mfma f16", "gfx90a")
    assert any("fits" in note for note in words.notes)


MNEMONICS = [
    8,
    pytest.param(2, marks=pytest.mark.slow),
    pytest.param(1, marks=pytest.mark.nightly),
]


@pytest.mark.facts
@pytest.mark.parametrize("every", MNEMONICS)
def test_every_mnemonic_where_it_is_missing(every: int) -> None:
    checked = 0
    for row in list(matrix_rows())[::every]:
        owners = {
            t
            for r in matrix_rows()
            if row["mnemonic"] in (r["mnemonic"], *r["aliases"])
            for t in r["targets"]
        }
        for target in targets():
            answer = explain_why(row["mnemonic"], target)
            if target in owners:
                assert answer.solved
                assert answer.causes[0] == f"{target} has {row['mnemonic']}."
            else:
                assert f"{target} lacks {row['mnemonic']}" in answer.causes[0]
                checked += 1
    assert checked > 3000 / every


def test_a_line_of_assembly() -> None:
    right = explain_why("v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]", "gfx1201")
    assert "The line is right for gfx1201 in waves of 32 lanes." in right.causes
    wrong = explain_why("v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", "gfx1201")
    assert any("A must be 4 registers" in cause for cause in wrong.causes)
    assert any("right for gfx1100" in cause for cause in wrong.causes)


MISTAKES = [
    (("", None), UnknownName, "must be given"),
    (("gfx1100", "gfx1201"), UnknownName, "must be given"),
    (("hello world", None), UnknownName, "nothing known is in 'hello world'"),
    ((F16, "gfx9999"), UnknownTarget, "gfx9999"),
    ((F16, "gfx1250", 64), OutOfRange, "32 lanes"),
]


@pytest.mark.parametrize(("asked", "error", "text"), MISTAKES)
def test_mistakes(asked: tuple, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        explain_why(*asked)
