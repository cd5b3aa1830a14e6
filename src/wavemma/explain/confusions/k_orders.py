"""Faults of the order of k in which A and B are loaded: they must share it."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from wavemma.explain.claim import seen
from wavemma.explain.confusions.loads import (
    SIDES,
    Side,
    load,
    load_fix,
    loaded,
    order_of_k,
    rearranged,
    sources,
)
from wavemma.explain.loop_map import Named, map_text
from wavemma.explain.operand import Operand
from wavemma.explain.suspect import Fault, Source, Suspect, multiplied, needed
from wavemma.explain.tile_sample import Floats, Sample
from wavemma.explain.whole_lines import listed_order
from wavemma.layouts import Layout
from wavemma.layouts.algebra import contiguous_k_positions, relabel


def k_orders(sample: Sample) -> Iterator[Suspect]:
    """Suspect that one of A and B is loaded in another order of k."""
    if sample.factors is None or sample.asked.instruction.is_sparse:
        return
    undone: list[Suspect] = []
    for side in SIDES:
        asked = sample.asked.sibling(side)
        layout = seen(asked.layout)
        other: Side = "b" if side == "a" else "a"
        for name, loop in _orders(side, asked.layout):
            source = loaded(layout, seen(loop))
            what = (
                f"{asked.letter} is loaded {name}, {other.upper()} in the table's order: they must"
                " share"
            )
            order = order_of_k(side, layout, source)
            yield load(side, "k order", what, sample, source, order)
            undone += _undone(sample, other, order)
        for text, order in _wrong_orders(asked.layout):
            moved = _along_k(side, layout, order)
            what = f"{asked.letter} is loaded {text}, and {other.upper()} is not"
            is_order = len(set(order.tolist())) == len(order)
            wrong = load(side, "k order", what, sample, moved, order if is_order else None)
            yield replace(wrong, alone=True)
            if not is_order and side == "a":
                yield _both_without(sample, text, order)
        for source, named in sources(asked):
            order = order_of_k(side, layout, source)
            if order is not None:
                what = _order_words(asked, named, order)
                yield load(side, "k order", what, sample, source, order)
                undone += _undone(sample, other, order)
    yield from undone


def scaled_orders(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A and B share an order of k, as is right only without block scales."""
    if sample.factors is None or not sample.asked.instruction.is_scaled:
        return
    layouts = {side: seen(sample.asked.sibling(side).layout) for side in SIDES}
    for name, loop in _orders("a", sample.asked.sibling("a").layout):
        order = order_of_k("a", layouts["a"], loaded(layouts["a"], seen(loop)))
        if order is None:
            continue
        fault = Fault(
            "k order",
            f"A and B are loaded {name}, and their block scales in the table's order",
            f"{load_fix('a', sample)}. {load_fix('b', sample)}.",
        )
        yield Suspect(fault, "product", _both_moved(layouts, order))


def _wrong_orders(layout: Layout) -> Iterator[tuple[str, Source]]:
    """Yield slips of the order of k in a step: neighbours exchanged, reversed, every second first.

    Neighbours are what shares a register, so that the wrong half comes first.
    """
    depth = layout.size["k"]
    own = np.arange(depth)
    width = 2
    while width <= depth:
        half, last = width // 2, width - 1
        if half > 1:
            text = f"with each {half} of k and the next {half} exchanged (k ^ {half} for k)"
            yield text, own ^ half
        reversed_text = (
            "with neighbours along k exchanged"
            if width == 2
            else (
                f"with each {width} of k in reverse order" if width < depth else "with k reversed"
            )
        )
        yield f"{reversed_text} (k ^ {last} for k)", own ^ last
        width *= 2
    for bits in _left_out(layout):
        order = own & ~sum(bits)
        if order.any():
            text = f"without the {' and '.join(map(str, bits))} in k: k {listed_order(order)}"
            yield text, order
    for ways in range(2, depth // 2 + 1):
        if depth % ways == 0 and ways & (ways - 1) == 0:
            order = own.reshape(-1, ways).T.ravel()
            yield f"in the order of k {listed_order(order)}", order


def _orders(side: Side, layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield loops that differ by an order of k: neighbours in a lane; halves exchanged."""
    if "k" not in layout.size:
        return
    positions = contiguous_k_positions(layout)
    if positions != tuple(sorted(positions)):
        yield "with neighbouring k in each lane", relabel(layout, "k", positions)
    bits = [bit.position for bit in layout.slot_bits if bit.letter == "k"]
    if len(bits) >= 2:
        count = layout.size["k"].bit_length() - 1
        order = list(range(count))
        order[bits[0]], order[bits[-1]] = bits[-1], bits[0]
        apart = 1 << bits[-1]
        yield f"with k and k + {apart} side by side", relabel(layout, "k", tuple(order))


def _left_out(layout: Layout) -> Iterator[tuple[int, ...]]:
    """Yield what a term that is left out of k counts: one bit, or all of the lane or the slot."""
    places = [
        sorted(1 << bit.position for bit in bits if bit.letter == "k")
        for bits in (layout.lane_bits, layout.slot_bits)
    ]
    for bits in places:
        yield from ((bit,) for bit in bits)
        if len(bits) > 1:
            yield tuple(bits)


def _both_without(sample: Sample, text: str, order: Source) -> Suspect:
    """Suspect that both factors are loaded without a bit of k."""

    def product(each: Sample) -> Floats:
        found = needed(each)
        k = np.arange(found.a.shape[-1])
        k = k - k % len(order) + order[k % len(order)]
        return multiplied(found.scaled_a[..., k], found.scaled_b[..., k, :])

    fix = f"{load_fix('a', sample)}. {load_fix('b', sample)}."
    fault = Fault("k order", f"A and B are loaded {text}", fix)
    return Suspect(fault, "product", product, alone=True)


def _order_words(asked: Operand, named: Named, order: Source) -> str:
    """Name an order of k; whose it is counts if it is that of the same operand."""
    owner, text = named.owner, listed_order(order)
    if owner is not None and owner.operand == asked.letter and not owner.transposed:
        text += f" ({map_text(asked, named)})"
    partner = "B" if asked.letter == "A" else "A"
    return f"{asked.letter} is loaded in the order of k {text}, and {partner} is not"


def _undone(sample: Sample, side: Side, order: Source | None) -> Iterator[Suspect]:
    """Suspect that one factor is loaded in the order that undoes the other's: the sums agree."""
    if order is None:
        return
    back = np.argsort(order)
    layout = seen(sample.asked.sibling(side).layout)
    moved = _along_k(side, layout, back)
    partner = "B" if side == "a" else "A"
    what = f"{side.upper()} is loaded in the order of k {listed_order(back)}, and {partner} is not"
    yield load(side, "k order", what, sample, moved, back)


def _both_moved(layouts: dict[Side, Layout], order: Source) -> Callable[[Sample], Floats]:
    def product(sample: Sample) -> Floats:
        found = needed(sample)
        strips: dict[Side, Floats] = {}
        for side in SIDES:
            source = _along_k(side, layouts[side], order)
            strips[side] = rearranged(side, getattr(found, side), sample.depth, source)
        return multiplied(strips["a"] * found.scale_a, strips["b"] * found.scale_b)

    return product


def _along_k(side: Side, layout: Layout, order: Source) -> Source:
    """Say which element lies at each of A or B in an order of k."""
    whole = np.arange(layout.elements_count).reshape(-1, layout.size["row"], layout.size["col"])
    return np.asarray((whole[:, :, order] if side == "a" else whole[:, order]).ravel(), np.int64)
