"""Kernels whose matrix instructions are told to follow another arithmetic model."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import SyntaxMistake, UnknownInstruction, UnknownModel, UnknownName, Unsupported
from wavemma.execute.matrix import execute
from wavemma.isa import catalog
from wavemma.isa.instruction import following
from wavemma.machine.device import Device
from wavemma.machine.other_models import checked_models
from wavemma.machine.tally import Executed, executed
from wavemma.numerics.model import model

FP8 = "v_wmma_f32_16x16x16_fp8_fp8"
SOURCE = """
typedef int v2 __attribute__((ext_vector_type(2)));
typedef float v8 __attribute__((ext_vector_type(8)));
extern "C" __attribute__((global)) void multiply(v2* a, v2* b, v8* c) {
  int i = __builtin_amdgcn_workitem_id_x();
  c[i] = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(a[i], b[i], c[i]);
}
"""
ROLES = {"a": 2, "b": 2, "c": 8}


def inputs() -> dict[str, np.ndarray]:
    """Give registers [lane, register] of finite numbers of all sizes."""
    codes = np.random.default_rng(7).integers(0, 0x7F, (2, 32, 8), dtype=np.uint8)
    codes ^= np.random.default_rng(8).integers(0, 2, codes.shape, dtype=np.uint8) << 7
    a, b = codes.view(np.uint32)
    c = np.random.default_rng(9).normal(scale=0.01, size=(32, 8)).astype(np.float32)
    return {"a": a, "b": b, "c": c.view(np.uint32)}


def ran(models: dict[str, str], *, interpreted: bool = False) -> tuple[np.ndarray, Executed]:
    device = Device("gfx1201", threads=1, models=models)
    module = device.load(linked("gfx1201", "-O3", source=SOURCE))
    given = inputs()
    places = [device.memory.allocate(4 * 32 * words, role) for role, words in ROLES.items()]
    for role, place in zip(ROLES, places, strict=True):
        device.memory.array(place, np.uint32, given[role].shape)[...] = given[role]
    report = device.launch(module, "multiply", 1, 32, places, interpreted=interpreted)
    result = device.memory.array(places[-1], np.uint32, (32, 8)).copy()
    counts = np.ones_like(report.block_counts) if interpreted else report.block_counts
    [found] = [x for x in executed(report.code, counts, "gfx1201") if x.is_matrix]
    return result, found


def summed(name: str) -> np.ndarray:
    registers = {role: np.ascontiguousarray(words.T) for role, words in inputs().items()}
    found = execute(catalog.instruction(FP8, "gfx1201"), registers, summing=model(name))
    return found.T


@pytest.mark.parametrize("interpreted", [False, True])
def test_the_places_are_those_of_the_layout(interpreted: bool) -> None:
    """A lane that holds other numbers of k multiplies them at other places of the sum."""
    other, _ = ran({FP8: "fma_chain@mfma"}, interpreted=interpreted)
    registers = {role: np.ascontiguousarray(words.T) for role, words in inputs().items()}
    laid = following(catalog.instruction(FP8, "gfx1201"), "fma_chain", "mfma")
    assert np.array_equal(other, execute(laid, registers).T)
    assert (other != summed("fma_chain")).any()
    assert checked_models([f"{FP8}=fma_chain@mfma"], "gfx1201") == {FP8: "fma_chain@mfma"}
    with pytest.raises(UnknownName, match="'chunks' is not a layout family"):
        checked_models([f"{FP8}=fma_chain@chunks"], "gfx1201")
    with pytest.raises(Unsupported, match="2 registers of A a lane; wmma_replicated would need 4"):
        checked_models([f"{FP8}=fma_chain@wmma_replicated"], "gfx1201")


def test_the_bits_are_those_of_the_model() -> None:
    own, about = ran({})
    other, about_other = ran({FP8: "fma_chain"})
    assert np.array_equal(own, summed("grouped_8"))
    assert np.array_equal(other, summed("fma_chain"))
    assert not np.array_equal(own, other)
    assert (about.model, about_other.model) == ("grouped_8", "fma_chain")


def test_the_other_model_rests_on_nothing() -> None:
    # Somewhere fma_chain has been compared with silicon, for other instructions.
    assert "H" in model("fma_chain").row.grades.values()
    assert ran({FP8: "fma_chain"})[1].grade == "D"


def test_the_interpreted_wave_follows_it_too() -> None:
    assert np.array_equal(ran({FP8: "grouped_4"}, interpreted=True)[0], summed("grouped_4"))


def test_words_are_read() -> None:
    assert checked_models([f"{FP8}=fma_chain"], "gfx1201") == {FP8: "fma_chain"}
    assert checked_models([], "gfx1201") == {}


@pytest.mark.parametrize(
    ("words", "error", "text"),
    [
        ([FP8], SyntaxMistake, "INSTRUCTION=MODEL"),
        ([f"{FP8}=fma_chain", f"{FP8}=grouped_4"], SyntaxMistake, "is given two"),
        (["v_nope=fma_chain"], UnknownInstruction, "v_nope"),
        ([f"{FP8}=fma_chai"], UnknownModel, "fma_chai"),
        ([f"{FP8}=integer"], Unsupported, "C and D in i32"),
    ],
)
def test_words_that_mean_nothing(words: list[str], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        checked_models(words, "gfx1201")
