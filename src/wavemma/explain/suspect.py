"""A fault that an output may come from: what it is called, and what it does to the numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.explain.tile_sample import Factors, Floats, Sample
from wavemma.layouts import Layout

Stage = Literal["a", "b", "product", "shared", "start", "store", "unwritten", "result", "whole"]
Source = npt.NDArray[np.int64]
NOWHERE = -1


class Fault(msgspec.Struct, frozen=True):
    """A fault in words.

    Attributes:
        kind: store map, shared map, transpose, wave, halves, unwritten, replication, flat thread,
            tile order, load map, k order, k step, c, sign, number family, number format,
            subnormals, scale, index, zeros, nan, want, rounding, offset, shift, pitch, clip, batch,
            activation, epilogue, race, or ratio.
        what: What went wrong.
        fix: What to write instead.

    """

    kind: str
    what: str
    fix: str


@dataclass(frozen=True)
class Suspect:
    """A fault and what it does.

    Attributes:
        fault: It in words.
        stage: What it changes: the strip of A or of B that enters the products, the product
            itself, where products go before C is added, C, where results are stored, which are not
            stored, what becomes of each result, or the whole output at once.
        change: What that is then: strips [tiles, blocks, M, K] or [tiles, blocks, K, N], or
            results [tiles, E], for "result" made of `want`; for "whole" alternatives [n, tiles, E],
            NaN where one does not apply.
        source: For "store", "shared" and "unwritten": which element of the tile lands at each
            element; NOWHERE if none.
        always: What it does, where that can be written so that two faults which do the same do it
            with any inputs; empty for others.
        alone: Whether it is one of many of its kind, so that it is looked for by itself only.
        everywhere: Whether it speaks of the whole of a matrix, so that no tile is without it; what
            changes the whole output does so always.
        seen: Whether it is read off the output, so that it says nothing beside a known fault that
            does the same.

    """

    fault: Fault
    stage: Stage
    change: Callable[[Sample], Floats] | None = None
    source: Source | None = None
    always: tuple[str, bytes] | tuple[()] = ()
    alone: bool = False
    everywhere: bool = False
    seen: bool = False

    @property
    def is_everywhere(self) -> bool:
        """True if tiles that are right must be as it would make them."""
        return self.everywhere or self.stage == "whole"


def needed(sample: Sample) -> Factors:
    """Give the factors of a sample that has A and B."""
    if sample.factors is None:
        raise ArrayMistake("A and B must be given for this.")
    return sample.factors


def base_product(sample: Sample) -> Floats:
    """Give what the products should add: what was wanted without C."""
    if sample.c is None:
        return sample.want
    with np.errstate(invalid="ignore"):
        return sample.want - sample.c


def moving(source: Source) -> tuple[str, bytes]:
    """Write down that the products of a tile are moved, C not; as `Suspect.always`."""
    return "moved products", np.ascontiguousarray(source, np.int64).tobytes()


def times(ratio: float) -> Callable[[Sample], Floats]:
    """Make the change that multiplies the product."""
    return lambda sample: ratio * base_product(sample)


def multiplied(a: Floats, b: Floats) -> Floats:
    """Multiply strips; [tiles, E]."""
    with np.errstate(invalid="ignore", over="ignore"):
        found: Floats = np.matmul(a, b)
    return found.reshape(len(found), -1)


@lru_cache(maxsize=4096)
def element_table(layout: Layout, lanes: int) -> Source:
    """Number the elements that a kernel's loop over a layout means.

    Args:
        layout: The map of the loop.
        lanes: Lanes that run it; they may be more than the layout knows: loops then count on, as
            their formulas do.

    Returns:
        int64 [slots, lanes], numbers of elements; NOWHERE outside of the matrix. Not to be
        written.

    """
    lane, slot = np.arange(lanes)[None], np.arange(layout.slots)[:, None]
    values = {letter: np.zeros((layout.slots, lanes), np.int64) for letter, _ in layout.extents}
    for number, bits in ((lane, layout.lane_bits), (slot, layout.slot_bits)):
        for place, bit in enumerate(bits):
            values[bit.letter] |= (number >> place & 1) << bit.position
    count = len(layout.lane_bits)
    if 1 << count == layout.wave:
        top = layout.lane_bits[-1]
        values[top.letter] += (lane >> count) << (top.position + 1)
    total = np.zeros((layout.slots, lanes), np.int64)
    outside = np.zeros((layout.slots, lanes), np.bool_)
    for letter, size in layout.extents:
        outside |= values[letter] >= size
        total = total * size + values[letter]
    total[outside] = NOWHERE
    total.flags.writeable = False
    return total
