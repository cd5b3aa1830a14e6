"""The compiled matrix product against the array engine, instruction by instruction."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.engines.levels import HIGHEST, JITS, LEVELS
from tests.numerics.adversarial import codes, limited
from tests.numerics.twins import CASES, SCALED, Case
from wavemma.engines.jit import Jit
from wavemma.errors import ArrayMistake, OutOfRange, Unsupported
from wavemma.formats.format import number_format
from wavemma.gemm import blocks
from wavemma.gemm.run import product
from wavemma.numerics.dot import Scales, dot
from wavemma.numerics.model import Model, model
from wavemma.numerics.path import Setting

F64_NEEDS_FMA = "f64"
FIRST = {case.model: case for case in reversed(CASES)}
SHARED_OUT = [
    pytest.param(case, id=case.label, marks=[] if case is FIRST[case.model] else [pytest.mark.slow])
    for case in CASES
]
"""Every case; the first of each model is quick."""


def setting(case: Case) -> Setting:
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    return Setting(a, b, d, d, depth=case.k, **case.setting)


def by_instruction(
    summing: Model, given: Setting, a: np.ndarray, b: np.ndarray, c: np.ndarray, k_step: int
) -> np.ndarray:
    """A loop over one instruction on the array engine."""
    short = -a.shape[1] % k_step
    a = np.pad(a, ((0, 0), (0, short)))
    b = np.pad(b, ((0, short), (0, 0)))
    ends = range(0, a.shape[1] + 1, k_step)
    for first, last in pairwise(ends):
        c = dot(summing, given, a[:, first:last], b[first:last], c)
    return c


def same(case: Case, jit: Jit, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    given, summing = setting(case), model(case.model)
    if case.a == F64_NEEDS_FMA and not jit.machine.has_fma:
        with pytest.raises(Unsupported, match="without fused multiply-add"):
            product(a, b, c, model=summing, setting=given, k_step=case.k, jit=jit)
        return
    want = by_instruction(summing, given, a, b, c, case.k)
    got = product(a, b, c, model=summing, setting=given, k_step=case.k, jit=jit, threads=2)
    assert got.dtype == want.dtype
    assert np.array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", SHARED_OUT)
def test_any_operands_at_every_level(case: Case, level: str) -> None:
    rng = np.random.default_rng(11)
    given = setting(case)
    k = 2 * case.k + 3
    a, b = codes(rng, given.a, (9, k)), codes(rng, given.b, (21, k)).T
    same(case, JITS[level], a, b, codes(rng, given.d, (9, 21)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("case", SHARED_OUT)
def test_ordinary_operands_at_every_level(case: Case, level: str) -> None:
    """The fast paths."""
    rng = np.random.default_rng(12)
    given = setting(case)
    draw = limited if given.a.is_float else lambda rng, form, shape, _: codes(rng, form, shape)
    a, b = draw(rng, given.a, (9, 2 * case.k), 2), draw(rng, given.b, (2 * case.k, 33), 2)
    same(case, JITS[level], a, b, draw(rng, given.d, (9, 33), 3))


def test_few_cases_need_fused_multiply_add() -> None:
    assert sum(case.a == F64_NEEDS_FMA for case in CASES) == 2


F16 = Case("complement_2", "", "f16", "f32", 16)


def matrices(m: int, n: int, k: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    draw = [rng.standard_normal(shape).astype(np.float16) for shape in ((m, k), (k, n))]
    return draw[0].view(np.uint16), draw[1].view(np.uint16)


def run(a: np.ndarray, b: np.ndarray, **options: object) -> np.ndarray:
    given = {"model": model(F16.model), "setting": setting(F16), "k_step": 16} | options
    return product(a, b, jit=JITS[HIGHEST], **given)


def test_one_special_number_does_not_change_the_rest() -> None:
    """A block that needs the slow path gives the bits of the fast one elsewhere."""
    a, b = matrices(300, 270, 32)
    plain = run(a, b)
    a[5, 7], b[3, 260] = 0x7C00, 0x7E00
    spoilt = run(a, b)
    kept = np.ones(plain.shape, dtype=bool)
    kept[5], kept[:, 260] = False, False
    assert np.array_equal(spoilt[kept], plain[kept])
    assert not np.isfinite(spoilt.view(np.float32)[~kept]).any()


def test_blocks_that_no_tile_fills_have_the_bits_of_whole_ones() -> None:
    a, b = matrices(384, 256, 32)
    c = np.random.default_rng(4).standard_normal((384, 256)).astype(np.float32).view(np.uint32)
    whole = run(a, b, c=c)
    for m, n in ((383, 256), (384, 241), (255, 15)):
        assert np.array_equal(run(a[:m], b[:, :n], c=c[:m, :n]), whole[:m, :n])


def test_threads_and_passes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = matrices(530, 300, 100)
    want = run(a, b, threads=1)
    assert np.array_equal(run(a, b, threads=5), want)
    monkeypatch.setattr(blocks, "PANEL_BYTES", 16 * blocks.BLOCK * 48)
    assert len(blocks.passes(530, 300, 112, 16)[2]) == 3
    assert np.array_equal(run(a, b), want)


def test_order_of_k() -> None:
    a, b = matrices(20, 20, 32)
    order = [*range(0, 16, 2), *range(1, 16, 2)]
    moved = [*order, *[16 + place for place in order]]
    want = run(a[:, moved], b[moved])
    assert np.array_equal(run(a, b, k_permutation=order), want)
    assert not np.array_equal(run(a, b), want)
    assert np.array_equal(run(a, b, k_permutation=range(16)), run(a, b))


def test_empty_products() -> None:
    a, b = matrices(4, 5, 16)
    assert run(a[:0], b).shape == (0, 5)
    assert run(a, b[:, :0]).shape == (4, 0)
    c = np.arange(20, dtype=np.uint32).reshape(4, 5)
    given = {"model": model(F16.model), "setting": setting(F16), "k_step": 16}
    assert np.array_equal(product(a[:, :0], b[:0], c, jit=JITS[HIGHEST], **given), c)


def test_mistakes_are_told() -> None:
    a, b = matrices(4, 5, 16)
    with pytest.raises(ArrayMistake, match="share K"):
        run(a, b[:8])
    with pytest.raises(ArrayMistake, match="0 to 15 once"):
        run(a, b, k_permutation=[0] * 16)
    with pytest.raises(OutOfRange, match="threads"):
        run(a, b, threads=0)
    with pytest.raises(ArrayMistake, match="codes of f16"):
        run(a.astype(np.float32), b)
    with pytest.raises(ArrayMistake, match="shape"):
        product(
            a,
            b,
            np.zeros((3, 3), np.uint32),
            model=model(F16.model),
            setting=setting(F16),
            k_step=16,
        )


def test_disk_cache_serves_a_second_compiler(tmp_path: Path) -> None:
    a, b = matrices(8, 16, 16)
    given = {"model": model(F16.model), "setting": setting(F16), "k_step": 16}
    first = product(a, b, jit=Jit(cache_folder=tmp_path), **given)
    stored = sorted(tmp_path.glob("*.o"))
    assert stored
    second = product(a, b, jit=Jit(cache_folder=tmp_path), **given)
    assert np.array_equal(first, second)
    assert sorted(tmp_path.glob("*.o")) == stored


@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_block_scales(case: Case) -> None:
    rng = np.random.default_rng(13)
    a, b, f32 = (number_format(name) for name in (case.a, case.b or case.a, "f32"))
    formats = [number_format(name) for name in case.scales]
    block, k, step = case.setting["scale_block"], 3 * 64 + 16, 64
    given = Setting(a, b, f32, f32, scale_a=formats[0], scale_b=formats[1], scale_block=block)
    count = -(-k // block)
    drawn = [(form.bias << form.fraction) + rng.integers(-9, 9, (20, count)) for form in formats]
    scales = Scales(drawn[0], drawn[1].T)
    left, right = limited(rng, a, (20, k), 2), limited(rng, b, (k, 20), 2)
    got = product(
        left,
        right,
        model=model(case.model),
        setting=given,
        k_step=step,
        scales=scales,
        jit=JITS[HIGHEST],
    )
    want = np.zeros((20, 20), dtype=np.uint32)
    for first in range(0, k, step):
        last, blocks_last = min(first + step, k), -(-min(first + step, k) // block)
        part = slice(first // block, blocks_last)
        own = Scales(drawn[0][:, part], drawn[1].T[part])
        sides = left[:, first:last], right[first:last]
        want = dot(model(case.model), given, *sides, want, own)
    assert np.array_equal(got, want)
