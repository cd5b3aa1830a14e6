"""Faults of which rows of memory a load reaches: rows too far apart, or a part of them twice."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from wavemma.explain.confusions.loads import load_fix
from wavemma.explain.suspect import Fault, Suspect, multiplied, needed
from wavemma.explain.tile_cutting import lengthened
from wavemma.explain.tile_sample import Array, Floats, Sample, numbers
from wavemma.explain.whole_lines import Line, named_lines

Side = Literal["a", "b"]
_OF: dict[Side, Line] = {"a": "row", "b": "column"}
_NEAR = (1, 2, 4, 8, 16, 32)
_LEAST_LINES = 4
# Halves that a lane loads at once.
_VECTOR = 8


def halved_lines(sample: Sample) -> Iterator[Suspect]:
    """Suspect that the first half of the rows of A, or columns of B, is loaded twice.

    That is what a lane taken modulo half as many does.
    """
    if sample.factors is None or sample.asked.instruction.is_sparse:
        return
    for side, line in _OF.items():
        size = sample.shape[1 if side == "a" else 2]
        half = size // 2
        if half < _LEAST_LINES:
            continue
        letter = side.upper()
        first, second = (named_lines(line, each) for each in (range(half), range(half, size)))
        words = (
            f"{first} of {letter} are loaded twice, {second} never, in each tile: as with lane %"
            f" {half} for lane % {size}"
        )
        fix, is_scaled = load_fix(side, sample), sample.asked.instruction.is_scaled
        with_scales = f"{words}; so are its scales" if is_scaled else words
        kept = ((with_scales, True), (words, False)) if is_scaled else ((words, True),)
        for what, scales in kept:
            change = _halved(side, half, scales=scales)
            yield Suspect(Fault("load map", what, fix), side, change, alone=True)


def load_pitches(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A or B is read with its rows at another distance in memory."""
    given = sample.given
    if sample.factors is None or sample.shape[0] > 1 or sample.asked.instruction.is_sparse:
        return
    arrays: dict[Side, Array | None] = {"a": given.a, "b": given.b}
    for side, array in arrays.items():
        if array is None:
            continue
        width, letter = int(array.shape[-1]), side.upper()
        sizes = [*given.want.shape[-2:], *(array.shape[-2:])]
        near = [width + sign * each for each in _NEAR for sign in (1, -1)]
        for pitch in dict.fromkeys([*sizes, *near, width // 2, 2 * width]):
            if 0 < pitch != width:
                fault = Fault(
                    "pitch",
                    f"the rows of {letter} are read {pitch} elements apart, not {width}: a wrong"
                    " leading dimension",
                    f"Read row r of {letter} from element r*{width} on.",
                )
                change = _pitched(side, pitch)
                yield Suspect(fault, side, change, alone=True, everywhere=True)


def load_shifts(sample: Sample) -> Iterator[Suspect]:
    """Suspect that A or B is read from a place that lies some elements or a row too far."""
    given = sample.given
    if sample.factors is None or sample.shape[0] > 1 or sample.asked.instruction.is_sparse:
        return
    if given.a is None or given.b is None:
        return
    widths: dict[Side, int] = {"a": int(given.a.shape[-1]), "b": int(given.b.shape[-1])}
    for side, width in widths.items():
        letter = side.upper()
        for shift, words in ((1, "1 element"), (_VECTOR, f"{_VECTOR} elements"), (width, "1 row")):
            for sign, where in ((1, "too far on"), (-1, "too far back")):
                fault = Fault(
                    "shift",
                    f"{letter} is read {words} {where} in memory",
                    f"Look for {words} too many or too few in the address of {letter}.",
                )
                change = _pitched(side, width, sign * shift)
                yield Suspect(fault, side, change, alone=True, everywhere=True)
    for sign, word in ((1, "late"), (-1, "early")):
        fault = Fault(
            "shift",
            f"A and B are both read 1 along k too {word}",
            "Look for one too many or too few in the number of k.",
        )
        moved = _pitched("a", widths["a"], sign), _pitched("b", widths["b"], sign * widths["b"])
        yield Suspect(fault, "product", _product_of(*moved), alone=True, everywhere=True)


def _product_of(
    a: Callable[[Sample], Floats], b: Callable[[Sample], Floats]
) -> Callable[[Sample], Floats]:
    return lambda sample: multiplied(a(sample), b(sample))


def _halved(side: Side, half: int, *, scales: bool) -> Callable[[Sample], Floats]:
    def strip(sample: Sample) -> Floats:
        found = needed(sample)
        own, scale = (found.a, found.scale_a) if side == "a" else (found.b, found.scale_b)
        axis = -2 if side == "a" else -1
        order = np.arange(own.shape[axis]) % half
        if scales:
            return (own * scale).take(order, axis=axis)
        return own.take(order, axis=axis) * scale

    return strip


def _pitched(side: str, pitch: int, shift: int = 0) -> Callable[[Sample], Floats]:
    """Cut strips of A or B as they lie with other distances of rows; zero outside of memory."""

    def strip(sample: Sample) -> Floats:
        found, (_, m, n) = needed(sample), sample.shape
        whole = np.asarray(getattr(sample.given, side))
        whole = whole.reshape(-1, *whole.shape[-2:])
        cuts = [
            _cut(
                whole[batch % len(whole)],
                (pitch, shift),
                *(
                    (row * m, m, 0, whole.shape[-1])
                    if side == "a"
                    else (0, whole.shape[-2], column * n, n)
                ),
            )
            for batch, row, column in sample.tiles.tolist()
        ]
        made = lengthened(np.stack(cuts)[:, None], -1 if side == "a" else -2, sample.depth)
        own = numbers(made, sample.asked.instruction.formats[side][0])
        return own * (found.scale_a if side == "a" else found.scale_b)

    return strip


def _cut(
    one: Array, apart: tuple[int, int], first: int, height: int, left: int, width: int
) -> Array:
    rows, columns = np.arange(first, first + height), np.arange(left, left + width)
    places = rows[:, None] * apart[0] + columns + apart[1]
    flat = one.ravel()
    held: Array = flat[np.clip(places, 0, flat.size - 1)]
    held[(places < 0) | (places >= flat.size)] = np.zeros((), one.dtype)
    return held
