"""Guards as text; that clang takes them is tests/oracles/test_guards.py."""

import re

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownName, UnknownTarget
from wavemma.explain.guard import explain_guard

F16 = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"


def macros(condition: str) -> set[str]:
    return set(re.findall(r"(?<!!)defined\(__(gfx\w+)__\)", condition))


@pytest.mark.facts
def test_conditions_name_exactly_the_targets() -> None:
    rows = facts_json("instructions")["instructions"]
    for row in rows:
        answer = explain_guard(row["mnemonic"])
        owners = {
            t
            for r in rows
            if row["mnemonic"] in (r["mnemonic"], *r["aliases"])
            for t in r["targets"]
        }
        assert macros(answer.condition) == owners == set(answer.targets)
        assert not owners & set(answer.lacking)
        assert len(answer.targets) + len(answer.lacking) == 19


def test_a_branch_names_what_to_call_there() -> None:
    answer = explain_guard("f32_16x16x16_f16")
    calls = {name: each.builtins for each in answer.branches for name in each.targets}
    assert f"{F16}_gfx12" in calls["gfx1201"]
    assert calls["gfx1100"][0] == F16
    assert calls["gfx942"] == ("__builtin_amdgcn_mfma_f32_16x16x16f16",)
    assert set(calls) == set(answer.targets)


def test_has_builtin_is_narrowed_where_it_is_too_wide() -> None:
    (narrow,) = explain_guard(F16).by_builtin
    assert narrow.text == f"#if __has_builtin({F16}) && !defined(__GFX12__)"
    assert set(narrow.wrong) == {"gfx1200", "gfx1201", "gfx1250", "gfx1251", "gfx12-generic"}
    (right,) = explain_guard("mfma_f32_16x16x32_fp8_fp8").by_builtin
    assert right.wrong == ()


def test_families_are_named_only_where_all_of_them_have_it() -> None:
    assert explain_guard("wmma").families.text == "#if defined(__GFX12__) || defined(__GFX11__)"
    assert explain_guard("mfma").families is None
    assert explain_guard("fp8").families.text == (
        "#if defined(__GFX12__) || defined(__gfx942__) || defined(__gfx950__)"
        " || defined(__gfx1170__) || defined(__gfx1171__) || defined(__gfx1172__)"
    )


def test_asked_targets() -> None:
    answer = explain_guard("xf32", ["gfx942", "gfx950", "gfx1030"])
    assert [(each.target, each.has) for each in answer.asked] == [
        ("gfx942", True),
        ("gfx950", False),
        ("gfx1030", False),
    ]
    with pytest.raises(UnknownTarget, match="Closest"):
        explain_guard("xf32", ["gfx9420"])
    with pytest.raises(UnknownTarget, match="stands for"):
        explain_guard("xf32", ["gfx9-4-generic"])


def test_the_host_is_warned_of() -> None:
    assert "__HIP_DEVICE_COMPILE__" in explain_guard("f16").notes[0]


def test_mistakes() -> None:
    with pytest.raises(UnknownName, match="no word of a feature"):
        explain_guard("f17")
