"""Examples of the integer rule, with the captured digests."""

import re

import numpy as np
import pytest

from tests.numerics.examples import ROWS, covers, fnv, one, setting
from wavemma.numerics.dot import dot
from wavemma.numerics.model import model

pytestmark = pytest.mark.facts


@covers("wrapping_integers")
def test_wrapping_integers(number: int) -> None:
    row = ROWS[number]
    given = setting("i8", d="i32")
    got = one("integer", given, row.words("A"), row.words("B"), row.words("C")[0])
    assert f"{got:08x}" == row.results()[0]


@covers("signedness")
def test_signedness(number: int) -> None:
    row = ROWS[number]
    for (left, right), want in zip([(0, 0), (1, 0), (1, 1)], row.results(), strict=True):
        given = setting("iu8", d="i32", signed_a=bool(left), signed_b=bool(right))
        assert f"{one('integer', given, row.words('A'), row.words('B'), 0):08x}" == want


@covers("clamp_once")
def test_clamp_once(number: int) -> None:
    row = ROWS[number]
    for clamp, want in zip((True, False), row.results(), strict=True):
        given = setting("iu8", d="i32", clamp=clamp, depth=16)
        got = one("integer", given, row.words("A"), row.words("B"), row.words("C")[0])
        assert f"{got:08x}" == want


@covers("clamp_by_halves")
def test_clamp_by_halves(number: int) -> None:
    given = setting("iu8", d="i32", clamp=True, depth=16)
    a = [1] * 8 + [0xFF] * 8
    assert (
        f"{one('integer_halves', given, a, [1] * 16, 0x7FFFFFFF):08x}"
        == (ROWS[number].results()[0])
    )


def generator(sample):
    state = (0xA3987412 + sample) % 2**32
    while True:
        state ^= (state << 13) % 2**32
        state ^= state >> 17
        state ^= (state << 5) % 2**32
        yield state


def sample_registers(sample):
    """Fifteen registers of 32 lanes, as the note below the table describes them."""
    draw = generator(sample)
    registers = [[next(draw) for _ in range(32)] for _ in range(6)]
    values = [0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFF80, 0x80000080]
    registers += [[values[next(draw) % 6] for _ in range(32)] for _ in range(8)]
    groups = [4, 8, 12, 9, 13, 14]
    last = [sum(groups[next(draw) % 6] << (4 * g) for g in range(8)) for _ in range(32)]
    return np.array([*registers, last], dtype=np.uint32)


def split(words, bits):
    """Registers [r, lanes] to elements [lanes, r * 32 / bits], low bits first."""
    count = 32 // bits
    shifts = np.arange(count, dtype=np.uint32) * np.uint32(bits)
    fields = (words.T[..., None] >> shifts) & np.uint32((1 << bits) - 1)
    return fields.reshape(words.shape[1], -1)


def by_row(elements):
    """Lanes 0-15 hold the lower half of k of row or column lane % 16, lanes 16-31 the upper."""
    return np.concatenate([elements[:16], elements[16:]], axis=1)


def dense_digest(bits, depth, mode):
    registers = sample_registers(0)
    count = depth * bits // 64
    used = max(1, count)
    a, b = split(registers[0:used], bits), split(registers[2 : 2 + used], bits)
    if depth * bits < 128:
        a, b = a[:, : depth // 2], b[:, : depth // 2]
    c = np.empty((16, 16), dtype=np.uint32)
    for register in range(8):
        for lane in range(32):
            c[register + 8 * (lane // 16), lane % 16] = registers[6 + register, lane]
    given = setting(
        f"iu{bits}",
        d="i32",
        clamp=bool(mode & 4),
        signed_a=bool(mode & 1),
        signed_b=bool(mode & 2),
        depth=depth,
    )
    d = dot(model("integer_halves"), given, by_row(a), by_row(b).T, c)
    words = [d[r + 8 * (lane // 16), lane % 16] for r in range(8) for lane in range(32)]
    return fnv(words)


def test_sample_registers() -> None:
    assert fnv(sample_registers(0).ravel()) == "7689d9af055e43b6"


@covers("dense_bytes")
def test_dense_bytes(number: int) -> None:
    want = [re.sub(".* ", "", part) for part in ROWS[number].results()]
    assert [dense_digest(8, 16, mode) for mode in (0, 7)] == want


@covers("dense_nibbles")
def test_dense_nibbles(number: int) -> None:
    want = [re.sub(".* ", "", part) for part in ROWS[number].results()]
    assert [dense_digest(4, depth, 0) for depth in (16, 32)] == want
