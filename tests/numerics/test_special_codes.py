"""Every model takes every format that it accepts: NaN, infinities, bits that are ignored."""

import numpy as np
import pytest

from wavemma.errors import Unsupported
from wavemma.formats.decode import decode
from wavemma.formats.encode import encode
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.numerics.dot import accumulate
from wavemma.numerics.model import Model, models
from wavemma.numerics.path import Setting

K = 16
F32 = number_format("f32")
FORMATS = [form for form in number_formats() if form.is_float and form.has_sign and form.bits < 64]


def codes_of_all_kinds(form: Format) -> np.ndarray:
    """Give all codes of a short format; of a long one NaNs, infinities and ordinary numbers."""
    if form.bits <= 8:
        return np.arange(form.codes, dtype=np.uint64)
    top = form.sign_bit - 1
    special = [top, top - (top >> (form.exponent + 1)), top >> 1, (top >> 1) + 1]
    random = np.random.default_rng(form.bits).integers(0, form.codes, 200).tolist()
    negative = [code ^ form.sign_bit for code in special]
    return np.array([*special, *negative, *random], np.uint64)


def times_one(row: Model, form: Format, codes: np.ndarray) -> np.ndarray:
    """Multiply each code, at a place of k of its own, by one and add nothing."""
    a = np.zeros((codes.size, K), np.uint64)
    a[np.arange(codes.size), np.arange(codes.size) % K] = codes
    b = np.full_like(a, int(encode(form, np.array(1.0))))
    start = np.zeros(codes.size, np.uint32)
    got = accumulate(row, Setting(form, form, F32, F32, depth=K), a, b, start)
    return np.asarray(got).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_a_code_times_one(form: Format) -> None:
    codes, taken = codes_of_all_kinds(form), 0
    want = decode(form, codes)
    for row in models():
        try:
            got = times_one(row, form, codes)
        except Unsupported:
            continue
        taken += 1
        assert np.array_equal(np.isnan(got), np.isnan(want)), row.name
        # Some models flush subnormals of inputs or products.
        large = np.abs(want) >= max(2.0**-120, 2.0**form.min_exponent)
        assert np.array_equal(got[large], want[large].astype(np.float32)), row.name
        for bits in range(form.ignored):
            assert np.array_equal(
                times_one(row, form, codes ^ np.uint64(1 << bits))[large], got[large]
            ), row.name
    # Chains alone have room for 24 bits of each factor; integers take no float.
    assert taken == (2 if form.name == "f32" else 24)


def test_no_format_is_forgotten() -> None:
    assert len(FORMATS) == 12
