"""Two targets' products are compared element by element, and errors with their bounds."""

import ml_dtypes
import numpy as np
import pytest

from tests.gemm.test_matmul import DENSE, drawn
from wavemma.formats import number_format
from wavemma.gemm.accuracy import accuracy
from wavemma.gemm.bounds import product_bound
from wavemma.gemm.difference import difference, has_instruction
from wavemma.gemm.matmul import multiply
from wavemma.isa.instruction import Instruction


def test_differences_are_counted() -> None:
    generator = np.random.default_rng(3)
    a = generator.standard_normal((40, 64)).astype(np.float16)
    b = generator.standard_normal((64, 24)).astype(np.float16)
    one, other = (multiply(a, b, target=name) for name in ("gfx90a", "gfx942"))
    found = difference(one, other)
    apart = one.d.view(np.uint32) != other.d.view(np.uint32)
    assert found.differing == apart.sum() > 0
    assert found.elements == 40 * 24
    first = tuple(np.argwhere(apart)[0].tolist())
    assert found.first == first
    assert float(found.here) == one.d[first]
    assert float(found.there) == other.d[first]
    assert found.max_absolute == np.abs(one.d.astype(float) - other.d.astype(float)).max()
    assert (found.target, found.model, found.grade) == ("gfx942", "truncated_8", "H")


def test_case_21_between_targets() -> None:
    a = np.array([[4096, 4096]], np.float16)
    b = np.array([[8192], [-8192]], np.float16)
    c = np.array([[3]], np.float32)
    one, same, other = (multiply(a, b, c, target=t) for t in ("gfx908", "gfx90a", "gfx942"))
    assert difference(one, same).differing == 0
    assert difference(one, same).first == ()
    found = difference(one, other)
    assert (found.differing, found.first, found.here, found.there) == (1, (0, 0), "3", "2")
    assert (found.max_absolute, found.max_ulp) == (1, 2**22)


def test_signs_of_zero_and_nan() -> None:
    nan = np.full((4, 4), np.nan, np.float16)
    one, other = (multiply(nan, nan, target=name) for name in ("gfx908", "gfx1100"))
    assert difference(one, other).differing == 0
    tiny = np.array([[2.0**-24]], np.float16)
    here, there = (
        multiply(-tiny, tiny, target="gfx1201", op=op)
        for op in ("v_wmma_f32_16x16x16_f16", "v_wmma_f16_16x16x16_f16")
    )
    assert difference(here, there).differing == 1


def test_infinite_on_one_side() -> None:
    a = np.array([[2.0**127, -(2.0**127)]], ml_dtypes.bfloat16)
    b = np.array([[4], [4]], ml_dtypes.bfloat16)
    found = difference(multiply(a, b, target="gfx908"), multiply(a, b, target="gfx90a"))
    assert (found.differing, found.not_finite, found.max_absolute) == (1, 1, 0)


def test_names_of_instructions() -> None:
    assert has_instruction("gfx90a", "v_mfma_f32_16x16x16f16")
    assert has_instruction("gfx942", "v_mfma_f32_16x16x16f16")
    assert not has_instruction("gfx1100", "v_mfma_f32_16x16x16f16")


@pytest.mark.parametrize("instruction", DENSE[::7], ids=lambda i: f"{i.architecture}-{i.name}")
def test_every_product_keeps_its_bound(instruction: Instruction) -> None:
    generator = np.random.default_rng(sum(map(ord, instruction.name)))
    form_a, form_b = (instruction.formats[role][-1] for role in ("a", "b"))
    a, b = drawn(generator, (33, 70), form_a), drawn(generator, (70, 20), form_b)
    made = multiply(a, b, target=instruction.targets[0], op=instruction.name)
    form = number_format(made.plan.d)
    most = product_bound(made.plan, made.factors(), None)
    found = accuracy(made.d, a, b, None, form, most)
    if not form.is_float:
        assert found.max_absolute == 0
        return
    assert found.max_share is not None
    assert found.max_bound == most.max()
    assert 0 <= found.max_share <= 1


def test_a_bound_that_is_too_small_shows() -> None:
    a = np.random.default_rng(4).standard_normal((16, 64)).astype(np.float16)
    made = multiply(a, a.T, target="gfx1100")
    most = product_bound(made.plan, made.factors(), None)
    found = accuracy(made.d, a, a.T, None, number_format("f32"), most / 1e3)
    assert found.max_share is not None
    assert found.max_share > 1
