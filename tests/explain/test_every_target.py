"""A message that tells no target still gets what to call on each."""

from wavemma.explain.why import explain_why

ASKED = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"


def test_a_refused_builtin_gets_the_call_of_every_other_target() -> None:
    said = f"error: '{ASKED}' needs target feature wmma-256b-insts,wavefrontsize32"
    found = explain_why(said)
    [rdna4] = [step for step in found.steps if "gfx1201" in step]
    assert rdna4.endswith(f": {ASKED}_gfx12.")
    assert not any("gfx1100" in step for step in found.steps)
    assert any("--target" in step for step in found.steps)


def test_a_call_so_named_is_what_its_target_is_told() -> None:
    [line] = [step for step in explain_why(ASKED).steps if "gfx1201" in step]
    alone = explain_why(ASKED, "gfx1201", 32)
    assert alone.advice
    assert alone.advice.builtin in line


def test_calls_of_targets_that_llvm_22_lacks_rest_on_the_newer_one() -> None:
    found = explain_why(ASKED)
    [newer] = [
        each for each in found.evidence if "gfx1170" in each.what and each.source == "llvm24"
    ]
    assert newer.what.startswith("instruction (")
    older = [each for each in found.evidence if "gfx1201" in each.what and "gfx942" in each.what]
    assert sorted(each.what.split()[0] for each in older) == ["builtin", "instruction"]
    assert {each.source for each in older} == {"llvm22"}
    assert not any("gfx1100" in each.what for each in found.evidence)
