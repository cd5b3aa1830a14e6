"""Decoding and encoding give the same bits as LLVM code as on arrays."""

from typing import get_args

import numpy as np
import pytest

from tests.engines.lanes import WIDTH, on_llvm
from tests.formats.drawn import trials
from tests.formats.rules import RULES
from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Lane
from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine
from wavemma.formats.decode import decode_lanes
from wavemma.formats.encode import encode_lanes
from wavemma.formats.format import number_format
from wavemma.formats.rounding import Rounding

JITS = {level: Jit(host_machine(level)) for level in ("baseline", None)}


def whole(values):
    """Fill up to whole vectors."""
    return np.concatenate([values, values[: -len(values) % WIDTH]])


@pytest.mark.parametrize("level", JITS)
@pytest.mark.parametrize("name", RULES)
def test_every_code_decodes_alike(name, level):
    form = number_format(name)
    codes = whole(np.arange(form.codes, dtype=np.int64))
    got = on_llvm(
        JITS[level], f"decode {name}", lambda e, x: decode_lanes(e, form, x), [codes], Lane.F64
    )
    want = decode_lanes(ArrayEngine(), form, codes)
    assert ((got.view(np.int64) == want.view(np.int64)) | (np.isnan(got) & np.isnan(want))).all()


@pytest.mark.parametrize("rounding", get_args(Rounding))
@pytest.mark.parametrize("name", RULES)
def test_trials_encode_alike(name, rounding):
    check_encoding(name, rounding, "special")


@pytest.mark.slow
@pytest.mark.parametrize("overflow", ["saturate", "saturate_finite"])
@pytest.mark.parametrize("rounding", get_args(Rounding))
@pytest.mark.parametrize("name", RULES)
def test_trials_saturate_alike(name, rounding, overflow):
    check_encoding(name, rounding, overflow)


def check_encoding(name, rounding, overflow):
    form = number_format(name)
    values = whole(np.append(trials(name)[:: 1 if form.bits <= 8 else 23], [np.inf, -np.inf]))
    if not form.has_sign:
        values = np.abs(values)
    key = f"encode {name} {rounding} {overflow}"
    got = on_llvm(
        JITS[None],
        key,
        lambda e, x: encode_lanes(e, form, x, rounding, overflow),
        [values],
        Lane.I64,
    )
    want = encode_lanes(ArrayEngine(), form, values, rounding, overflow)
    assert (got == want).all(), values[got != want][:3]
