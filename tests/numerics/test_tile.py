"""One instruction by compiled code gives what the array engine gives."""

import numpy as np
import pytest

from tests.engines.levels import HIGHEST, JITS
from tests.numerics.adversarial import codes, limited
from tests.numerics.twins import CASES, SCALED, Case
from wavemma.errors import ArrayMistake
from wavemma.formats.format import number_format
from wavemma.numerics.dot import Scales, dot
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting
from wavemma.numerics.tile import tile_product


def setting(case: Case) -> Setting:
    a, b, d = (number_format(name) for name in (case.a, case.b or case.a, case.d))
    return Setting(a, b, d, d, depth=case.k, **case.setting)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
@pytest.mark.parametrize("shape", [(16, 16), (4, 4), (32, 16)])
def test_tiles(case: Case, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(21)
    given = setting(case)
    rows, columns = shape
    a = codes(rng, given.a, (3, rows, case.k))
    b = codes(rng, given.b, (3, columns, case.k)).swapaxes(1, 2)
    c = codes(rng, given.d, (3, rows, columns))
    call = tile_product(model(case.model), given, JITS[HIGHEST])
    want = dot(model(case.model), given, a, b, c)
    got = call(a, b, c)
    assert got.dtype == want.dtype
    assert np.array_equal(got, want)
    assert np.array_equal(call(a[1], b[1], c[1]), want[1])


@pytest.mark.parametrize("case", SCALED, ids=lambda case: case.label)
def test_scaled_tiles(case: Case) -> None:
    rng = np.random.default_rng(22)
    formats = [number_format(name) for name in case.scales]
    a, b, f32 = (number_format(name) for name in (case.a, case.b or case.a, "f32"))
    given = Setting(a, b, f32, f32, scale_a=formats[0], scale_b=formats[1], **case.setting)
    blocks = case.k // given.scale_block
    drawn = [(form.bias << form.fraction) + rng.integers(-9, 9, (16, blocks)) for form in formats]
    scales = Scales(drawn[0], drawn[1].T)
    left, right = limited(rng, a, (16, case.k), 2), limited(rng, b, (case.k, 16), 2)
    c = np.zeros((16, 16), dtype=np.uint32)
    got = tile_product(model(case.model), given, JITS[HIGHEST])(left, right, c, scales)
    assert np.array_equal(got, dot(model(case.model), given, left, right, c, scales))


def test_shapes_that_do_not_fit_are_refused() -> None:
    call = tile_product(model("complement_2"), setting(CASES[19]), JITS[HIGHEST])
    zeros = np.zeros((16, 16), dtype=np.uint16)
    with pytest.raises(ArrayMistake, match="must fit each other"):
        call(zeros, zeros[:8], zeros.astype(np.uint32))
    with pytest.raises(ArrayMistake, match="must fit each other"):
        call(zeros, zeros, zeros[:8].astype(np.uint32))
