"""A layout as comma-separated values: one line for each piece of each place of each element."""

from collections.abc import Iterator

from wavemma.explain.layout import RegisterLayout


def as_csv(answer: RegisterLayout) -> str:
    """Write every place of every element.

    Args:
        answer: A layout.

    Returns:
        A head and a line for each piece: the indices, copy, lane, register, hi, lo, slot. An
        element that runs over the border of a register has two lines, low bits first.

    """
    letters = [letter for letter, _ in answer.extents]
    lines = [",".join((*letters, "copy", "lane", "register", "hi", "lo", "slot"))]
    lines += [",".join(map(str, cells)) for cells in _cells(answer)]
    return "\n".join(lines) + "\n"


def _cells(answer: RegisterLayout) -> Iterator[tuple[int, ...]]:
    for element in answer.elements:
        for copy, spot in enumerate(element.places):
            for bits in spot.bits:
                yield (
                    *element.indices,
                    copy,
                    spot.lane,
                    bits.register,
                    bits.hi,
                    bits.lo,
                    spot.slot,
                )
