"""LDS permutes and swizzles against the ISA's loops over lanes."""

from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from wavemma.tables.abi import numbers

MASKS = (-1, 0x9BE4_37A1_0F0F_6D21, 1 << 9)
PERMUTES = (
    "ds_permute_b32 v20, v2, v4",
    "ds_permute_b32 v20, v2, v4 offset:12",
    "ds_bpermute_b32 v20, v2, v4",
    "ds_bpermute_b32 v20, v2, v4 offset:12",
)
PATTERNS = (
    *(0x041F, 0x081F, 0x101F, 0x201F, 0x401F, 0x7C1F, 0x00C0, 0x0198, 0x4B35),
    *(0x8000, 0x80E4, 0x801B, 0x80B1, 0xC020, 0xC420, 0xC021, 0xC421, 0xC0A3),
    *(0xE000, 0xE010, 0xE01F, 0xE003),
)
SWIZZLES = tuple(f"ds_swizzle_b32 v20, v2 offset:{pattern}" for pattern in PATTERNS)
NEWER = ("ds_bpermute_fi_b32 v20, v2, v4",)
FFT_0 = "1 11 9 19 5 15 d 1d 3 13 b 1b 7 17 f 1f 2 12 a 1a 6 16 e 1e 4 14 c 1c 8 18 10 20"
FFT_16 = "1 9 5 d 3 b 7 f 2 a 6 e 4 c 8 10 11 19 15 1d 13 1b 17 1f 12 1a 16 1e 14 1c 18 20"
LEFT = "2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20 1"
RIGHT = "20 1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f"
LEFT_1 = "1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20 1f 2"
RIGHT_1 = "1f 2 1 4 3 6 5 8 7 a 9 c b e d 10 f 12 11 14 13 16 15 18 17 1a 19 1c 1b 1e 1d 20"
# AMD's examples of what lanes that hold 1..32 hold afterwards.
EXAMPLES = {0xE000: FFT_0, 0xE010: FFT_16}
EXAMPLES |= {0xC020: LEFT, 0xC420: RIGHT, 0xC021: LEFT_1, 0xC421: RIGHT_1}


@cache
def machine(target: str, wave: int, on_arrays: bool) -> Instructions:
    lines = (*PERMUTES, *SWIZZLES, *(NEWER if target == "gfx1201" else ()))
    return Instructions(lines, target, wave, on_arrays=on_arrays)


def permuted(line: str, address: np.ndarray, data: np.ndarray, mask: int, span: int) -> list[int]:
    """What lanes get, by the loops of the ISA; each span of lanes by itself."""
    offset = int(line.partition("offset:")[2] or 0)
    found = [0] * len(data)
    for lane in range(len(data)):
        other = (int(address[lane]) + offset) % 2**32 // 4 % span + lane // span * span
        if "_permute" in line:
            if mask >> lane & 1:
                found[other] = int(data[lane])
        elif mask >> other & 1 or "_fi_" in line:
            found[lane] = int(data[other])
    return found


PLACES = [("gfx1100", 32), ("gfx1100", 64), ("gfx1201", 32), ("gfx1201", 64), ("gfx942", 64)]


@pytest.mark.parametrize(("target", "wave"), PLACES)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_permutes(target: str, wave: int, on_arrays: bool) -> None:
    generator = np.random.default_rng(wave)
    one = machine(target, wave, on_arrays)
    span = 32 if wave == 32 or target == "gfx1100" else 64
    for line in (*PERMUTES, *(NEWER if target == "gfx1201" else ())):
        for mask in MASKS:
            mask &= (1 << wave) - 1
            one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
            wanted = one.vectors.copy()
            given = permuted(line, one.vectors[2], one.vectors[4], mask, span)
            active = [lane for lane in range(wave) if mask >> lane & 1]
            wanted[20, active] = np.array(given, dtype=np.uint32)[active]
            assert one.run(line, mask) == FINE
            assert np.array_equal(one.vectors, wanted), (line, hex(mask))


def source(lane: int, pattern: int) -> int:
    """The lane that a lane reads, by the ISA's text."""
    low, middle, high = pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31
    if pattern >= 0xE000:
        reverse = sum((lane >> n & 1) << 4 - n for n in range(5))
        found = reverse >> bin(low).count("1") | lane & low
    elif pattern >= 0xC000:
        turn = -middle if pattern >> 10 & 1 else middle
        found = (lane & low | (lane + turn) & ~low) & 31
    elif pattern >> 15:
        found = (lane & 28) + (pattern >> 2 * (lane % 4) & 3)
    else:
        found = ((lane & 31 & low) | middle) ^ high
    return found | lane & 32


@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("on_arrays", [False, True])
def test_swizzles(wave: int, on_arrays: bool) -> None:
    one = machine("gfx1100", wave, on_arrays)
    for pattern, line in zip(PATTERNS, SWIZZLES, strict=True):
        for mask in MASKS:
            mask &= (1 << wave) - 1
            one.vectors[:] = 7
            one.vectors[2] = np.arange(1, wave + 1)
            assert one.run(line, mask) == FINE
            for lane in range(wave):
                other = source(lane, pattern)
                value = other + 1 if mask >> other & 1 else 0
                assert one.vectors[20, lane] == (value if mask >> lane & 1 else 7), line


def test_examples_of_the_manual() -> None:
    one = machine("gfx1100", 32, False)
    for pattern, text in EXAMPLES.items():
        one.vectors[2] = np.arange(1, 33)
        one.run(f"ds_swizzle_b32 v20, v2 offset:{pattern}")
        assert one.vectors[20].tolist() == [int(word, 16) for word in text.split()]


def test_spans_are_facts() -> None:
    spans = {
        "rdna3": 32,
        "rdna3.5": 32,
        "rdna4": 64,
        "cdna1": 64,
        "cdna2": 64,
        "cdna3": 64,
        "cdna4": 64,
    }
    assert {name: numbers("lane_permute", name)["SPAN"] for name in spans} == spans
