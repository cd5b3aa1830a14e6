"""The nearest instruction of a target, against a search in the facts."""

import pytest

from tests.explain.equal_operations import equals, matrix_rows, nearest, targets
from wavemma.explain.equivalents import builtins_for, equivalents, setup_of
from wavemma.isa import catalog


@pytest.mark.facts
def test_every_instruction_on_every_target() -> None:
    found = none = 0
    for row in matrix_rows():
        old = setup_of(catalog.instruction(row["mnemonic"], row["targets"][0]), row["targets"][0])
        for name in targets():
            best = equivalents(old, name)[0]
            same = equals(row, name)
            assert best.distance.is_equivalent == bool(same), (row["mnemonic"], row["arch"], name)
            if same:
                found += 1
                wanted = nearest(row, same)
                assert best.setup.instruction.name in wanted, (row["mnemonic"], name, wanted)
            else:
                none += 1
    assert found + none == 261 * 19
    assert min(found, none) > 1500


@pytest.mark.facts
def test_an_instruction_is_its_own_equivalent() -> None:
    for row in matrix_rows():
        for name in row["targets"]:
            old = setup_of(catalog.instruction(row["mnemonic"], name), name)
            assert equivalents(old, name)[0].setup == old


@pytest.mark.facts
def test_builtins_of_an_instruction_are_those_of_the_facts() -> None:
    for row in matrix_rows():
        for wave in row["wave_sizes"]:
            wanted = {b["name"] for b in row["builtins"] if b.get("wave", wave) == wave}
            each = catalog.instruction(row["mnemonic"], row["targets"][-1])
            found = builtins_for(each, row["targets"][-1], wave)
            assert {b.name for b in found} == wanted


def test_the_default_wave_is_taken_unless_the_old_code_chose() -> None:
    wide = catalog.instruction("v_mfma_f32_16x16x16_f16", "gfx942")
    assert equivalents(setup_of(wide, "gfx942"), "gfx1201")[0].setup.wave == 32
    chosen = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1100")
    assert equivalents(setup_of(chosen, "gfx1100", 64), "gfx1201")[0].setup.wave == 64
    assert equivalents(setup_of(chosen, "gfx1100", 64), "gfx1250")[0].setup.wave == 32
    assert equivalents(setup_of(chosen, "gfx1100"), "gfx1201", 64)[0].setup.wave == 64


@pytest.mark.parametrize(
    ("target", "name", "new", "nearest"),
    [
        ("gfx942", "v_mfma_f64_16x16x4_f64", "gfx1250", "v_wmma_f32_16x16x4_f32"),
        ("gfx942", "v_mfma_f32_16x16x8_xf32", "gfx950", "v_mfma_f32_16x16x4_f32"),
        ("gfx1250", "v_wmma_bf16f32_16x16x32_bf16", "gfx1201", "v_wmma_f32_16x16x16_bf16"),
        (
            "gfx1250",
            "v_wmma_scale16_f32_16x16x128_f8f6f4",
            "gfx950",
            "v_mfma_scale_f32_16x16x128_f8f6f4",
        ),
        ("gfx1201", "v_swmmac_f32_16x16x32_f16", "gfx1100", "v_wmma_f32_16x16x16_f16"),
        ("gfx1100", "v_wmma_f16_16x16x16_f16", "gfx942", "v_mfma_f32_16x16x16_f16"),
        ("gfx1100", "v_wmma_i32_16x16x16_iu4", "gfx942", "v_mfma_i32_16x16x32_i8"),
    ],
)
def test_what_comes_nearest_loses_least(target: str, name: str, new: str, nearest: str) -> None:
    best = equivalents(setup_of(catalog.instruction(name, target), target), new)[0]
    assert not best.distance.is_equivalent
    assert best.setup.instruction.name == nearest
