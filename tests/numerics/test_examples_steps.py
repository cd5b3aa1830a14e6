"""Examples 1 to 45 and 132: steps and matrices of the complement and the floor rules."""

import re

import numpy as np
import pytest

from tests.numerics.examples import ROWS, covers, floats_to_codes, fnv, one, setting
from wavemma.numerics.dot import dot
from wavemma.numerics.model import model

pytestmark = pytest.mark.facts


def two_product(number, name):
    row = ROWS[number]
    kind = "bf16" if "bf16" in row.instruction else "f16"
    got = one(name(kind), setting(kind), row.words("A"), row.words("B"), row.words("C")[0])
    assert f"{got:08x}" == row.results()[0]


@covers("complement_steps")
def test_complement_steps(number: int) -> None:
    assert ROWS[number].instruction.startswith("gfx11 ")
    two_product(number, lambda kind: "complement_2" + ("_flush" if kind == "bf16" else ""))


@covers("paired_steps")
def test_paired_steps(number: int) -> None:
    assert ROWS[number].instruction.startswith("gfx12 ")
    two_product(number, lambda kind: "paired_2")


def contiguous_order(k_per_group, registers_first):
    """Places of the calculator's k in the listing that gives each lane group contiguous k."""
    return [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15] if registers_first else None


@covers("paired_matrices")
def test_paired_matrices_wave_by_wave(number: int) -> None:
    row = ROWS[number]
    kind = "bf16" if "bf16" in row.instruction else "f16"
    a, b, c = row.words("A"), row.words("B"), row.words("C")[0]
    wave32, wave64 = re.findall(r"([0-9a-f]{8}) \(wave\d+\)", row.result)
    order = contiguous_order(8, registers_first=True)
    got = one("paired_4", setting(kind), [a[k] for k in order], [b[k] for k in order], c)
    assert f"{got:08x}" == wave32
    assert f"{one('paired_4', setting(kind), a, b, c):08x}" == wave64


@covers("small_integer_elements")
@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_small_integer_elements(number: int, kind: str) -> None:
    text = ROWS[number].inputs
    a, b = (eval(found) for found in re.findall(r"[ab]=(\[[^]]*\])", text))
    c = int(re.search(r"c=(-?\d+)", text).group(1))
    name = "complement_2" if kind == "f16" else "complement_2_flush"
    start = int(np.float32(c).view(np.uint32))
    got = one(name, setting(kind), floats_to_codes(kind, a), floats_to_codes(kind, b), start)
    assert f"{got:08x}" == ROWS[number].results()[0]


@covers("small_integer_matrix")
@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_small_integer_matrix(number: int, kind: str) -> None:
    i, k = np.indices((16, 16))
    a = (7 * (k - i)) % 17 - 8
    b = (6 * (i - k)) % 17 - 8
    c = (79 * i + 13 * k) % 129 - 64
    codes = [np.reshape(floats_to_codes(kind, m.ravel()), (16, 16)) for m in (a, b)]
    name = "complement_2" if kind == "f16" else "complement_2_flush"
    got = dot(model(name), setting(kind), *codes, c.astype(np.float32).view(np.uint32))
    assert fnv(got.ravel()) == ROWS[number].result.strip("`").removeprefix("digest ")
