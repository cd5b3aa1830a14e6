"""What each register of each lane holds, in short words: the cells of grids and pictures."""

from collections.abc import Sequence

from wavemma.explain.layout import RegisterLayout

EMPTY = "-"

Indices = tuple[int, ...]


def element_axes(answer: RegisterLayout) -> tuple[str, ...]:
    """Name the axes of the matrix; the kept elements of a sparse A are one axis of columns."""
    letters = [letter for letter, _ in answer.extents]
    if letters[-1] == "s":
        letters[-2:] = [f"{answer.extents[-1][1]}g+s"]
    return tuple(letters)


def matrix_sizes(answer: RegisterLayout) -> tuple[int, ...]:
    """Give the sizes of the axes, blocks first."""
    sizes = [size for _, size in answer.extents]
    if answer.extents[-1][0] == "s":
        sizes[-2:] = [sizes[-2] * sizes[-1]]
    return tuple(sizes)


def matrix_indices(answer: RegisterLayout, indices: Indices) -> Indices:
    """Give the indices of an element along the axes; kept elements stand side by side."""
    if answer.extents[-1][0] != "s":
        return indices
    return (*indices[:-2], indices[-2] * answer.extents[-1][1] + indices[-1])


def held_by_register(answer: RegisterLayout) -> dict[tuple[int, int], list[Indices]]:
    """List the elements in each (lane, register), low bits first."""
    found: dict[tuple[int, int], list[tuple[int, Indices]]] = {}
    for element in answer.elements:
        indices = matrix_indices(answer, element.indices)
        for spot in element.places:
            for bits in spot.bits:
                found.setdefault((spot.lane, bits.register), []).append((bits.lo, indices))
    return {place: [indices for _, indices in sorted(held)] for place, held in found.items()}


def cell_text(held: Sequence[Indices]) -> str:
    """Write the elements of a register: "2,3", "2,4-5" for a run, else one after the other."""
    axes = [sorted(set(values)) for values in zip(*held, strict=True)]
    count = 1
    for values in axes:
        count *= len(values)
    if count == len(set(held)) and all(_is_run(values) for values in axes):
        return ",".join(_run(values) for values in axes)
    return " ".join(",".join(map(str, indices)) for indices in held)


def _is_run(values: list[int]) -> bool:
    return values[-1] - values[0] == len(values) - 1


def _run(values: list[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"{values[0]}-{values[-1]}"
