"""Faults of block scales: the wrong row, byte or block, exchanged, or left out."""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Literal

import numpy as np

from wavemma.explain.confusions.beyond_tiles import by_columns, of_columns
from wavemma.explain.suspect import Fault, Suspect, base_product, multiplied, needed
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers

Side = Literal["a", "b"]
_SIDES: tuple[Side, ...] = ("a", "b")
_AGREE = 0.9
_BYTES = 4
# From scales [tiles, blocks, outer, blocks along k] to those that are used instead.
_Change = Callable[[Floats], Floats]


def scales(sample: Sample) -> Iterator[Suspect]:
    """Suspect scales of A or B that are taken from elsewhere."""
    strips, found = sample.strips, sample.factors
    if strips is None or found is None or strips.scale_a is None or strips.scale_b is None:
        return
    block = sample.asked.instruction.matrix.scale_block
    per_step = sample.depth // block
    for side in _SIDES:
        letter = side.upper()
        yield _scale(sample, side, f"the scales of {letter} are not applied", np.ones_like)
        for text, change in _moves(letter, per_step):
            yield _scale(sample, side, text, change)
        for order in _orders_of_bytes(per_step):
            text, change = _order_text(letter, order), _reordered(order)
            yield _scale(sample, side, text, change, alone=not _is_reversed(order))
        for text, change in _further(f"the scales of {letter} ", per_step):
            yield _scale(sample, side, text, change, alone=True)
    for text, change in _further("the scales of A and B ", per_step):
        yield Suspect(Fault("scale", text, scale_fix(sample, "AB")), "product", _both(change))
    yield Suspect(
        Fault("scale", "no scales are applied", scale_fix(sample, "AB")),
        "product",
        lambda each: multiplied(needed(each).a, needed(each).b),
    )


def scale_memory(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the scales of A or B are read in the other order of memory."""
    given, strips = sample.given, sample.strips
    if strips is None or strips.scale_a is None or strips.scale_b is None:
        return
    arrays: dict[Side, Array | None] = {"a": given.scale_a, "b": given.scale_b}
    for side, array in arrays.items():
        if array is None or 1 in array.shape[-2:]:
            continue
        letter = side.upper()
        for text, change in (
            ("column by column, but lie row by row", by_columns),
            ("row by row, but lie column by column", of_columns),
        ):
            what = f"the scales of {letter} are read {text} in memory"
            fix = f"Exchange the two strides of the scales of {letter}."
            yield Suspect(
                Fault("scale", what, fix), side, _whole(side, change), alone=True, everywhere=True
            )


def _whole(side: Side, change: Callable[[Array], Array]) -> Callable[[Sample], Floats]:
    """Scale A or B by what a change of all scales makes of those of each tile."""

    def strip(sample: Sample) -> Floats:
        found, (_, m, n) = needed(sample), sample.shape
        whole = change(np.asarray(getattr(sample.given, f"scale_{side}")))
        whole = whole.reshape(-1, *whole.shape[-2:])
        form = sample.asked.instruction.formats[f"scale_{side}"][0]
        block = sample.asked.instruction.matrix.scale_block
        own = found.a if side == "a" else found.b
        made = np.ones(own.shape)
        for number, (batch, row, column) in enumerate(sample.tiles.tolist()):
            one = numbers(whole[batch % len(whole)], form)
            if side == "a":
                spread = np.repeat(one[row * m : (row + 1) * m], block, axis=1)
                spread = spread[:, : own.shape[-1]]
                made[number, :, :, : spread.shape[1]] = spread
            else:
                spread = np.repeat(one[:, column * n : (column + 1) * n], block, axis=0)
                spread = spread[: own.shape[-2]]
                made[number, :, : spread.shape[0]] = spread
        return own * made

    return strip


def power_rows(sample: Sample) -> Iterator[Suspect]:
    """Suspect rows or columns that are wrong by powers of two of their own, as scales make them."""
    blocks, m, n = sample.shape
    if blocks > 1:
        return
    product = base_product(sample).reshape(-1, m, n)
    given = sample.given
    known = all(each is not None for each in (given.a, given.b, given.scale_a, given.scale_b))
    ask = "" if known else " Give --a, --b, --scale-a and --scale-b to tell which."
    with np.errstate(divide="ignore", invalid="ignore"):
        came = (sample.got - sample.want).reshape(-1, m, n) + product
        powers = np.log2(came / product)
    for axis, word, letter in ((2, "row", "A"), (1, "column", "B")):
        rounded = _typical(powers, axis)
        if rounded is None or np.ptp(rounded) == 0:
            continue
        fault = Fault(
            "scale",
            f"each {word} is wrong by a power of two of its own: a scale of {letter} is taken from"
            " another row, byte or block",
            f"{scale_fix(sample, letter)}{ask}",
        )
        yield Suspect(fault, "product", _by_lines(rounded))


def _typical(powers: Floats, axis: int) -> Floats | None:
    """Give the whole power that most elements of each line have; None if there is none."""
    if not np.isfinite(powers).any(axis=axis).all():
        return None
    known = np.isfinite(powers)
    # What is not finite comes last, behind the middle of the rest.
    ordered = np.sort(np.where(known, powers, np.inf), axis=axis)
    place = (known.sum(axis=axis, keepdims=True) - 1) // 2
    rounded = np.take_along_axis(ordered, place, axis=axis)
    if np.abs(rounded - np.rint(rounded)).max() > 1e-2:
        return None
    same = np.abs(powers - np.rint(rounded)) < 1e-2
    return np.rint(rounded) if same.mean() >= _AGREE else None


def _by_lines(powers: Floats) -> Callable[[Sample], Floats]:
    """Multiply rows or columns by powers of two of their own, tile by tile."""

    def product(sample: Sample) -> Floats:
        made = base_product(sample).reshape(-1, *sample.shape[1:])
        own = powers[np.arange(len(made)) % len(powers)]
        return (made * 2.0**own).reshape(len(made), -1)

    return product


def _moves(letter: str, per_step: int) -> Iterator[tuple[str, _Change]]:
    """Yield what may be taken instead of the right scale."""
    line = "row" if letter == "A" else "column"
    start = f"the scales of {letter} come from"
    for distance in (1, 2):
        if distance < per_step:
            yield f"{start} another block along k: block ^ {distance}", _flipped(-1, distance)
    byte = "(a wrong byte or row)"
    yield f"{start} the instruction's step before {byte}", _rolled(per_step)
    yield f"{start} the next step of the instruction {byte}", _rolled(-per_step)
    yield f"{start} the first step in every step {byte}", _repeated(per_step)
    for distance in (1, 2, 4, 8, 16):
        yield f"{start} another {line}: {line} ^ {distance}", _flipped(-2, distance)
    yield f"{start} the first {line} of the tile in every {line}", _first_line
    yield f"{start} the first half of the {line}s in both halves of each tile", _first_half


def _further(start: str, per_step: int) -> Iterator[tuple[str, _Change]]:
    """Yield what befalls the scales of one factor, or those of both."""
    for block in range(per_step if per_step > 1 else 0):
        text = f"{start}are in every block along k those of block {block} of the step"
        yield f"{text} (one byte for all)", _one_block(per_step, block)
    yield f"{start}are those of the first block in all of K", _repeated(1)
    yield f"{start}come from the block before along k", _rolled(1)
    yield f"{start}come from the next block along k", _rolled(-1)
    yield f"{start}are applied twice", np.square


def _one_block(per_step: int, block: int) -> _Change:
    """Take the scale of one block for all of each step."""

    def change(found: Floats) -> Floats:
        numbers = np.arange(found.shape[-1])
        return found[..., np.minimum(numbers - numbers % per_step + block, len(numbers) - 1)]

    return change


def _flipped(axis: int, bit: int) -> _Change:
    """Exchange neighbours whose numbers differ in one bit."""

    def change(found: Floats) -> Floats:
        size = found.shape[axis]
        numbers = np.arange(size) ^ bit
        return found.take(np.where(numbers < size, numbers, np.arange(size)), axis=axis)

    return change


def _orders_of_bytes(per_step: int) -> list[tuple[int, ...]]:
    """List the wrong orders of the bytes of a word, the other way round first."""
    count = min(per_step, _BYTES)
    own = tuple(range(count))
    others = [order for order in permutations(own) if order != own]
    return sorted(others, key=lambda order: order != own[::-1])


def _is_reversed(order: tuple[int, ...]) -> bool:
    return order == tuple(sorted(order, reverse=True))


def _order_text(letter: str, order: tuple[int, ...]) -> str:
    if len(order) > 2 and _is_reversed(order):
        return f"the scales of {letter} lie the other way round in each word of {len(order)} bytes"
    listed = ", ".join(map(str, order))
    return (
        f"the scales of {letter} lie in another order: blocks {', '.join(map(str, sorted(order)))}"
        f" along k take those of blocks {listed}"
    )


def _reordered(order: tuple[int, ...]) -> _Change:
    """Take the scales of each word's blocks in another order."""

    def change(found: Floats) -> Floats:
        numbers = np.arange(found.shape[-1])
        sources = numbers - numbers % len(order) + np.array(order)[numbers % len(order)]
        return found[..., np.where(sources < len(numbers), sources, numbers)]

    return change


def _rolled(distance: int) -> _Change:
    return lambda found: np.roll(found, distance, axis=-1)


def _repeated(count: int) -> _Change:
    return lambda found: found[..., np.arange(found.shape[-1]) % count]


def _first_line(found: Floats) -> Floats:
    return np.repeat(found[..., :1, :], found.shape[-2], axis=-2)


def _first_half(found: Floats) -> Floats:
    size = found.shape[-2]
    taken: Floats = found.take(np.arange(size) % max(size // 2, 1), axis=-2)
    return taken


def _scale(
    sample: Sample, side: Side, what: str, change: _Change, *, alone: bool = False
) -> Suspect:
    fault = Fault("scale", what, scale_fix(sample, side.upper()))
    return Suspect(fault, side, lambda each: _scaled(each, side, change), alone=alone)


def _scaled(sample: Sample, side: Side, change: _Change) -> Floats:
    """Multiply A or B by scales that were changed."""
    found, block = needed(sample), sample.asked.instruction.matrix.scale_block
    if side == "a":
        own = change(found.scale_a[..., ::block])
        return found.a * np.repeat(own, block, axis=-1)[..., : found.a.shape[-1]]
    own = change(np.swapaxes(found.scale_b[..., ::block, :], -1, -2))
    spread = np.repeat(np.swapaxes(own, -1, -2), block, axis=-2)
    return found.b * spread[..., : found.b.shape[-2], :]


def _both(change: _Change) -> Callable[[Sample], Floats]:
    return lambda sample: multiplied(_scaled(sample, "a", change), _scaled(sample, "b", change))


def scale_fix(sample: Sample, letters: str) -> str:
    """Tell where the scales of some factors are looked up."""
    asked = sample.asked
    lines = [
        f"wavemma where {asked.target} {asked.instruction.name} scale_{side} 0 0"
        for side in _SIDES
        if side.upper() in letters
    ]
    return (
        f"Look up where the scales of {' and '.join(letters)} lie, here the first one:"
        f" {', and '.join(lines)}; with --scale-byte and --scale-row."
    )
