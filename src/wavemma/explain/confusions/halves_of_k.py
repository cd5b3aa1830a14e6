"""Faults inside of an instruction's own k: a half of it is not loaded, and counts as zero."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.claim import in_register
from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.explain.whole_lines import listed
from wavemma.layouts import Layout

_SHOWN = 8


def halves_of_k(sample: Sample) -> Iterator[Suspect]:
    """Suspect that of each instruction's k only those with one bit of k clear, or set, count."""
    found = sample.factors
    if found is None:
        return
    depth = min(sample.depth, found.a.shape[-1])
    steps = -(-found.a.shape[-1] // sample.depth)
    layout = sample.asked.sibling("a").layout
    for bit in reversed(range((depth - 1).bit_length())):
        for value in (0, 1):
            used = np.arange(depth) >> bit & 1 == value
            what = _words(sample, layout, bit, used, value)
            what += ", in each step" if steps > 1 else ""
            fault = Fault("k step", what, "Load all registers of A and B, in every lane.")
            yield Suspect(fault, "product", _kept(used), alone=2 << bit < depth)


def _words(sample: Sample, layout: Layout, bit: int, used: Floats, value: int) -> str:
    """Say which half is used, by k and by where A has it."""
    if 2 << bit == sample.depth:
        half = "second" if value else "first"
        return f"only the {half} half of the instruction's own K = {sample.depth} is used"
    numbers = np.flatnonzero(used).tolist()
    shown = listed(numbers[:_SHOWN]) + (", ..." if len(numbers) > _SHOWN else "")
    place = _place(layout, bit, value)
    return f"only half of the instruction's own k is used: {shown}{f' ({place})' if place else ''}"


def _place(layout: Layout, bit: int, value: int) -> str:
    """Say where A has the k whose bit has a value; nothing where that is no whole half."""
    for name, bits, count in (
        ("lanes", layout.lane_bits, layout.wave),
        ("slots", layout.slot_bits, layout.slots),
    ):
        for place, each in enumerate(bits):
            if (each.letter, each.position) == ("k", bit):
                numbers = [number for number in range(count) if number >> place & 1 == value]
                if name == "slots" and 1 << place >= in_register(layout):
                    registers = {number // in_register(layout) for number in numbers}
                    return f"registers {listed(registers, 'v')} of A"
                return f"{name} {listed(numbers)} of A"
    return ""


def _kept(used: Floats) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found = needed(sample)
        a = found.scaled_a
        mask = np.resize(used, sample.depth)[np.arange(a.shape[-1]) % sample.depth]
        return multiplied(a * mask, found.scaled_b)

    return product
