"""One name, whatever it names."""

import pytest

from tests.facts import facts_json
from wavemma.errors import (
    UnknownBuiltin,
    UnknownFormat,
    UnknownInstruction,
    UnknownModel,
    UnknownName,
    UnknownProduct,
    UnknownTarget,
)
from wavemma.explain.name import explain_name
from wavemma.tables.models import model_rows


@pytest.mark.facts
def test_every_name_of_the_facts_is_found_as_its_kind():
    instructions, products = facts_json("instructions"), facts_json("products")
    names = {}
    for row in instructions["instructions"]:
        for name in (row["mnemonic"], *row["aliases"]):
            names[name] = "InstructionFacts"
        names.update({each["name"]: "BuiltinFacts" for each in row["builtins"]})
    names.update(dict.fromkeys(instructions["types"], "FormatFacts"))
    names.update(dict.fromkeys(products["targets"], "TargetFacts"))
    names.update({each["name"]: "TargetFacts" for each in instructions["architectures"].values()})
    names.update({each["name"]: "ProductFacts" for each in products["products"]})
    for name, kind in names.items():
        answer = explain_name(name.upper())
        assert type(answer).__name__ == kind, name
        assert answer.evidence
    assert len(names) > 400


def test_models_are_found():
    for name in model_rows():
        assert type(explain_name(name)).__name__ == "ModelFacts"


def test_builtins_without_their_prefix_and_products_without_spaces():
    assert explain_name("wmma_f32_16x16x16_f16_w32").name.startswith("__builtin_amdgcn_")
    assert explain_name("rx7900xtx").name == "AMD Radeon RX 7900 XTX"
    assert explain_name("mi300x").name == "AMD Instinct MI300X"


@pytest.mark.parametrize(
    ("name", "error", "near"),
    [
        ("gfx1030", UnknownTarget, "gfx1"),
        ("v_mfma_f32_16x16x17_f16", UnknownInstruction, "v_mfma_f32_16x16x16_f16"),
        ("__builtin_amdgcn_wmma_f32_16x16x16_f16_w33", UnknownBuiltin, "f16_w32"),
        ("fp9", UnknownFormat, "fp8"),
        ("complement_3", UnknownModel, "complement_2"),
        ("rx 7900 xty", UnknownProduct, "rx 7900 xtx"),
        ("rdna33", UnknownName, "rdna3"),
    ],
)
def test_the_nearest_kind_speaks(name, error, near):
    with pytest.raises(error) as caught:
        explain_name(name)
    assert f"Closest: {near}" in str(caught.value) or near in str(caught.value)


def test_nothing_near():
    with pytest.raises(UnknownName, match="wavemma list instructions"):
        explain_name("zzzzzzzzzz")
    with pytest.raises(UnknownName):
        explain_name("")
