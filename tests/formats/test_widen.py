"""Codes widened to f32 bits: every code of every format, on both engines."""

import numpy as np
import pytest

from tests.engines.lanes import on_llvm
from tests.engines.levels import JITS
from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.formats.rounding import widen_bits

FORMS = [form for form in number_formats() if form.is_float and form.has_sign and form.bits <= 16]


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_code(form: Format, level: str) -> None:
    codes = np.resize(np.arange(form.codes, dtype=np.int32), max(form.codes, 16))
    with np.errstate(invalid="ignore"):
        values = decode(form, codes.astype(np.uint32)).astype(np.float32)
    for bits in (
        np.asarray(widen_bits(ArrayEngine(), form, codes)),
        on_llvm(
            JITS[level], f"widen {form}", lambda e, x: widen_bits(e, form, x), [codes], Lane.I32
        ),
    ):
        made = bits.view(np.float32)
        assert np.array_equal(np.isnan(made), np.isnan(values))
        numbers = ~np.isnan(values)
        assert np.array_equal(bits[numbers], values.view(np.int32)[numbers])


def test_payloads_stay() -> None:
    """A NaN's sign and fraction come along; one that is the only NaN becomes the quiet one."""
    given = [("f16", 0xFE3D, 0xFFC7A000), ("f16", 0x7C01, 0x7F802000), ("bf16", 0xFF81, 0xFF810000)]
    given += [("fp8_fnuz", 0x80, 0x7FC00000), ("fp8_ocp", 0xFF, 0xFFF00000)]
    for name, code, bits in given:
        made = widen_bits(ArrayEngine(), number_format(name), np.array([code], dtype=np.int32))
        assert made.view(np.uint32).tolist() == [bits]
