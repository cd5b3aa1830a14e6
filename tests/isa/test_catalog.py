import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownInstruction, UnknownTarget
from wavemma.isa import catalog
from wavemma.tables.targets import targets


def test_names_and_aliases_lead_to_the_same_record() -> None:
    name = catalog.instruction("v_mfma_f32_16x16x16_f16", "gfx942")
    assert catalog.instruction("v_mfma_f32_16x16x16f16", "gfx942") is name
    assert catalog.instruction("V_MFMA_F32_16X16X16_F16", "gfx942") is name


def test_unknown_names_offer_the_nearest() -> None:
    with pytest.raises(UnknownInstruction) as caught:
        catalog.instruction("v_mfma_f32_16x16x17_f16", "gfx942")
    text = str(caught.value)
    assert "'v_mfma_f32_16x16x17_f16' is not a matrix instruction of gfx942." in text
    assert "Closest: v_mfma_f32_16x16x16_f16" in text
    assert "All: wavemma list --target gfx942" in text
    with pytest.raises(UnknownTarget, match="gfx1153"):
        catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1105")


@pytest.mark.parametrize(
    ("name", "target", "owner"),
    [
        ("v_wmma_f32_16x16x16_f16", "gfx1250", "gfx1100"),  # case 12: K is 32 there
        ("v_wmma_i32_16x16x32_iu4", "gfx1100", "gfx1170"),  # case 13
        ("v_mfma_f32_16x16x8_xf32", "gfx950", "gfx942"),  # case 20
        ("v_wmma_f64_16x16x4_f64", "gfx1250", "gfx1251"),
    ],
)
def test_a_name_of_another_target_says_whose_it_is(name: str, target: str, owner: str) -> None:
    with pytest.raises(UnknownInstruction, match=rf"It is one of .*{owner}"):
        catalog.instruction(name, target)


@pytest.mark.parametrize("target", ["gfx1030", "gfx1032", "gfx906"])
def test_targets_without_matrix_instructions_are_unknown(target: str) -> None:
    with pytest.raises(
        UnknownTarget, match=f"{target} is a real target, but it has no matrix instructions"
    ):
        catalog.instructions(target)  # case 14


def test_filters() -> None:
    assert len(catalog.instructions()) == 264
    assert len(catalog.instructions("gfx1250")) == 45
    assert len(catalog.instructions("gfx1251")) == 46
    assert len(catalog.instructions("gfx942", sparse=True)) == 14
    assert {each.kind for each in catalog.instructions("gfx950", kind="scale_load")} == {
        "scale_load"
    }
    assert all("f64" in each.formats["d"] for each in catalog.instructions(type="f64"))
    assert len(catalog.instructions(type="f64")) == 7


@pytest.mark.facts
def test_every_target_has_its_rows() -> None:
    for target in targets():
        facts = facts_json("instructions")["instructions"]
        want = [fact["mnemonic"] for fact in facts if target in fact["targets"]]
        assert sorted(each.name for each in catalog.instructions(target)) == sorted(want)


def test_others() -> None:
    one = catalog.instruction("v_wmma_i32_16x16x16_iu8", "gfx1100")
    found = {each.instruction.architecture: each for each in catalog.others(one)}
    assert list(found) == ["rdna3.5", "rdna4m", "rdna4"]
    assert all(each.same_opcode and each.same_name for each in found.values())
    old = catalog.instruction("v_mfma_f32_32x32x1f32", "gfx908")
    found = {each.instruction.architecture: each for each in catalog.others(old)}
    assert not found["cdna3"].same_name
    assert found["cdna3"].same_opcode


def test_related() -> None:
    one = catalog.instruction("v_mfma_f32_16x16x128_f8f6f4", "gfx950")
    related = {each.instruction.name: each.relation for each in catalog.related(one)}
    assert related["v_mfma_scale_f32_16x16x128_f8f6f4"] == "scaled form"
    assert related["v_mfma_f32_32x32x64_f8f6f4"] == "other shape"
    one = catalog.instruction("v_mfma_f32_16x16x32_f16", "gfx950")
    related = {each.instruction.name: each.relation for each in catalog.related(one)}
    assert related["v_mfma_f32_16x16x32_bf16"] == "other formats"
    assert related["v_smfmac_f32_16x16x64_f16"] == "sparse form"
    load = catalog.instruction("v_mfma_ld_scale_b32", "gfx950")
    assert catalog.related(load) == ()
