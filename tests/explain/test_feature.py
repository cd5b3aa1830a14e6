"""What words mean, against the facts."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.explain.equal_operations import matrix_rows
from tests.facts import facts_json
from wavemma.errors import UnknownName
from wavemma.explain.feature import feature


def words(row: dict[str, Any], role: str) -> set[str]:
    found = row["types"][role]
    return set(found) if isinstance(found, list) else {found}


def both(word: str) -> Callable[[dict[str, Any]], bool]:
    return lambda row: word in words(row, "A") and word in words(row, "B")


CASES: dict[str, Callable[[dict[str, Any]], bool]] = {
    "f16": both("f16"),
    "bf16": both("bf16"),
    "fp8": both("fp8"),
    "fp4": both("fp4"),
    "xf32": both("xf32"),
    "f64": both("f64"),
    "iu8": both("iu8"),
    "f16 wmma": lambda r: both("f16")(r) and r["family"] == "wmma",
    "wmma, f16": lambda r: both("f16")(r) and r["family"] == "wmma",
    "sparse fp8": lambda r: both("fp8")(r) and r["sparse"],
    "dense f16": lambda r: both("f16")(r) and not r["sparse"],
    "scaled": lambda r: bool(r.get("scaled")),
    "unscaled fp4": lambda r: both("fp4")(r) and not r.get("scaled"),
    "smfmac": lambda r: r["family"] == "smfmac",
    "16x16x32": lambda r: (r["M"], r["N"], r["K"]) == (16, 16, 32),
    "32x32": lambda r: (r["M"], r["N"]) == (32, 32),
    "f16 16x16x16": lambda r: both("f16")(r) and (r["M"], r["N"], r["K"]) == (16, 16, 16),
    "i32_16x16x16_iu8": lambda r: both("iu8")(r) and (r["M"], r["N"], r["K"]) == (16, 16, 16),
    "f16_16x16x16_f16": lambda r: (
        both("f16")(r) and (r["M"], r["N"], r["K"]) == (16, 16, 16) and r["types"]["D"] == "f16"
    ),
    "f32_16x16x32_fp8_bf8": lambda r: (
        (r["M"], r["N"], r["K"]) == (16, 16, 32)
        and (r["types"]["A"], r["types"]["B"]) == ("fp8", "bf8")
    ),
}


@pytest.mark.facts
@pytest.mark.parametrize("text", CASES)
def test_types_and_shapes(text: str) -> None:
    wanted = {(row["arch"], row["mnemonic"]) for row in matrix_rows() if CASES[text](row)}
    found = feature(text)
    assert wanted
    assert {(each.architecture, each.name) for each in found.instructions} == wanted
    owners = {t for r in matrix_rows() if CASES[text](r) for t in r["targets"]}
    assert set(found.targets) == owners
    assert found.kind == "types and shape"


@pytest.mark.facts
def test_names_of_instructions_and_builtins() -> None:
    for row in facts_json("instructions")["instructions"]:
        for name in (row["mnemonic"], row["mnemonic"].upper(), *row["aliases"]):
            found = feature(name)
            assert found.kind == "instruction"
            assert set(row["targets"]) <= set(found.targets)
        for each in row["builtins"]:
            for name in (each["name"], each["name"].removeprefix("__builtin_amdgcn_")):
                found = feature(name)
                assert (found.kind, found.words) == ("builtin", each["name"])


@pytest.mark.facts
def test_targets_and_architectures() -> None:
    for name, row in facts_json("instructions")["architectures"].items():
        assert set(feature(name).targets) == set(row["targets"])
        assert feature(name).kind == "targets"
    assert feature("gfx1201, gfx1100").targets == ("gfx1100", "gfx1201")


@pytest.mark.facts
def test_every_product_means_its_target() -> None:
    products = facts_json("products")["products"]
    assert products
    for row in products:
        found = feature(row["name"])
        assert (found.kind, found.targets) == ("targets", (row["target"],))
    assert feature("gfx942, RX 7900 XTX,mi210").targets == ("gfx90a", "gfx942", "gfx1100")


def test_two_inputs_may_be_named_in_either_order() -> None:
    names = {each.name for each in feature("fp8 bf8 wmma").instructions}
    assert "v_wmma_f32_16x16x16_fp8_bf8" in names
    assert "v_wmma_f32_16x16x16_bf8_fp8" in names
    assert "v_wmma_f32_16x16x16_fp8_fp8" not in names


def test_formats_of_an_instruction_that_takes_several() -> None:
    found = feature("fp4 scaled")
    assert all(found.formats(each) == {"a": "fp4", "b": "fp4"} for each in found.instructions)


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("f17", "Closest: f16"),
        ("wmma_f32_16x16x16_f17_w32", "Closest: wmma_f32_16x16x16_f16_w32"),
        ("v_mfma_f32_16x16x17_f16", "Closest: v_mfma_f32_16x16x16_f16"),
        ("fp8 4x4x4", "none has all"),
        ("", "must be named"),
        ("16x16x16 f16 f16 f16", "none has all"),
    ],
)
def test_mistakes(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=near):
        feature(text)
