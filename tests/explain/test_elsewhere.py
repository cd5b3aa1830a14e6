"""The nearest builtin of every other architecture, against a search in the facts."""

import pytest

from tests.explain.equal_operations import equals, matrix_rows, nearest
from tests.facts import facts_json
from wavemma.explain.builtin import explain_builtin


@pytest.mark.facts
def test_plain_builtins_on_every_architecture_that_lacks_them() -> None:
    """Equivalence and instruction as an independent search in the facts has them."""
    count = same = 0
    every = facts_json("instructions")["instructions"]
    targets = {name: row["arch"] for row in every for name in row["targets"]}
    for row in matrix_rows():
        for builtin in row["builtins"]:
            if builtin.get("wave", row["wave_sizes"][0]) != row["wave_sizes"][0]:
                continue
            owners = {
                row["arch"]
                for row in every
                for each in row["builtins"]
                if each["name"] == builtin["name"]
            }
            found = {each.architecture: each for each in explain_builtin(builtin["name"]).elsewhere}
            assert set(found) == set(targets.values()) - owners
            # Those with scales become two instructions, and stand for the one with scales.
            if "scale" in builtin["name"]:
                continue
            for key, each in found.items():
                here = [name for name, owner in targets.items() if owner == key]
                wanted = {name: equals(row, name) for name in here}
                assert each.is_equivalent == any(wanted.values()), (builtin["name"], key)
                count += 1
                if each.is_equivalent:
                    assert each.instruction in nearest(row, wanted[each.target])
                    same += 1
    assert count > 300
    assert same > 100


WMMA = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"


@pytest.mark.parametrize(
    ("name", "architecture", "builtin", "differs"),
    [
        (WMMA, "cdna3", "__builtin_amdgcn_mfma_f32_16x16x16f16", ("waves of 64 lanes",)),
        (WMMA, "rdna4", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12", ()),
        (
            "__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8",
            "rdna3",
            WMMA,
            ("A, B: f16 for fp8_fnuz", "16x16x16", "waves of 32 lanes"),
        ),
        (
            "__builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4",
            "cdna3",
            "__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8",
            ("A, B: fp8_fnuz for fp8_ocp, other codes", "no scales", "16x16x32"),
        ),
        (
            "__builtin_amdgcn_mfma_f64_4x4x4f64",
            "cdna5",
            "__builtin_amdgcn_wmma_f64_16x16x4_f64",
            ("gfx1251 only", "16x16x4, one block", "waves of 32 lanes"),
        ),
        (
            "__builtin_amdgcn_swmmac_i32_16x16x32_iu4_w64",
            "rdna3",
            "__builtin_amdgcn_wmma_i32_16x16x16_iu4_w64",
            ("dense A", "16x16x16"),
        ),
    ],
)
def test_how_they_differ(
    name: str, architecture: str, builtin: str, differs: tuple[str, ...]
) -> None:
    found = {each.architecture: each for each in explain_builtin(name).elsewhere}
    assert (found[architecture].builtin, found[architecture].differs) == (builtin, differs)
