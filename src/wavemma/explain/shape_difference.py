"""Why two arrays of a diagnosis have different shapes, as far as their shapes and numbers show."""

import numpy as np

from wavemma.explain.tile_sample import Array, agree, middle, numbers

_ALIKE = 0.99
_TOLERANCE = 2.0**-6
_AXES = ("columns", "rows", "blocks or matrices of a batch")


def shape_hint(want: Array, got: Array, form: str) -> str:
    """Say what got of another shape seems to be, and how to bring it to the shape of want.

    Args:
        want: What was wanted.
        got: What came.
        form: The format of D, for codes.

    """
    if got.size == want.size:
        return _rearranged(want, got, form)
    if got.ndim != want.ndim:
        return _other_axes(want, got)
    common = tuple(slice(min(pair)) for pair in zip(want.shape, got.shape, strict=True))
    differing = [place for place in range(want.ndim) if want.shape[place] != got.shape[place]]
    axes = " and ".join(_axis(want, got, place) for place in reversed(differing))
    larger = all(got.shape[place] > want.shape[place] for place in differing)
    smaller = all(got.shape[place] < want.shape[place] for place in differing)
    same = _alike(want[common], got[common], form)
    if larger and same:
        return f"got is want with padding: {axes}. Give {_cut('got', want)}."
    if smaller and same:
        return (
            f"got is a part of want, from its first row and column on: {axes}. Give the whole of"
            f" got, or, if want is padded, {_cut('want', got)}."
        )
    name, least = ("got", want) if larger else ("want", got)
    rest = f" If {name} is padded, give {_cut(name, least)}." if larger or smaller else ""
    return f"They differ in {axes}.{rest}"


def _rearranged(want: Array, got: Array, form: str) -> str:
    """Speak of as many numbers in another shape."""
    shape = ", ".join(map(str, want.shape))
    reshaped = f"got.reshape({shape})"
    if want.ndim == 2 and got.ndim == 4:
        m, n = got.shape[2:]
        if (got.shape[0] * m, got.shape[1] * n) == want.shape:
            return f"got lies tile by tile, {m} x {n}. Give got.swapaxes(1, 2).reshape({shape})."
    if got.ndim == 1 or max(got.shape) == got.size:
        return f"got holds as many numbers as want, flattened. Give {reshaped}."
    turned = got.ndim >= 2 and want.ndim >= 2 and got.shape[-2:] == want.shape[:-3:-1]
    if turned and np.swapaxes(got, -1, -2).shape == want.shape:
        other = np.swapaxes(got, -1, -2)
        if _alike(want, other, form):
            return "got is want transposed. Give got.swapaxes(-1, -2), or exchange M and N."
        if _alike(want, got.reshape(want.shape), form):
            return f"got is want, in memory, with rows and columns exchanged. Give {reshaped}."
        return (
            "got has the shape of want transposed. Give got.swapaxes(-1, -2) if it is, or"
            f" {reshaped} if its numbers lie row by row as those of want do."
        )
    return f"got holds as many numbers as want. If they lie row by row, give {reshaped}."


def _other_axes(want: Array, got: Array) -> str:
    axes = (
        f"got has {_counted(got.ndim)}, want {want.ndim}: give both as [..., M, N], with the same"
        " axes in front."
    )
    more, fewer, name = (got, want, "got") if got.ndim > want.ndim else (want, got, "want")
    if more.shape[-fewer.ndim :] == fewer.shape:
        axes += f" If only the first matrix of {name} counts, give {name}[0]."
    return axes


def _counted(count: int) -> str:
    return f"{count} axes" if count != 1 else "1 axis"


def _axis(want: Array, got: Array, place: int) -> str:
    back = want.ndim - 1 - place
    name = _AXES[min(back, len(_AXES) - 1)]
    return f"{name} (axis {place}: want {want.shape[place]}, got {got.shape[place]})"


def _cut(name: str, least: Array) -> str:
    return f"{name}[{', '.join(f':{count}' for count in least.shape)}]"


def _alike(one: Array, two: Array, form: str) -> bool:
    """Whether nearly all numbers of two arrays of one shape are the same, or nearly so."""
    left, right = numbers(one, form), numbers(two, form)
    usual = middle(np.abs(left[np.isfinite(left)]))
    return bool(agree(left, right, _TOLERANCE, usual).mean() >= _ALIKE)


def factor_hint(want_shape: tuple[int, ...], a: Array, b: Array) -> str:
    """Say which of A and B seems to be transposed or in the other's place; nothing if neither is.

    Args:
        want_shape: Of the output.
        a: A as given.
        b: B as given.

    """
    if a.ndim < 2 or b.ndim < 2:
        name = "a" if a.ndim < 2 else "b"
        return f"{name} has one axis; reshape it to rows and columns."
    m, n = want_shape[-2:]
    turned_a, turned_b = a.shape[:-3:-1], b.shape[:-3:-1]
    ways = (
        (b.shape[-2:], a.shape[-2:], "a and b are in each other's place."),
        (a.shape[-2:], turned_b, "b is transposed: give b.swapaxes(-1, -2)."),
        (turned_a, b.shape[-2:], "a is transposed: give a.swapaxes(-1, -2)."),
        (
            turned_a,
            turned_b,
            "a and b are both transposed: give a.swapaxes(-1, -2) and b.swapaxes(-1, -2).",
        ),
    )
    for left, right, words in ways:
        if (left[0], right[1]) == (m, n) and left[1] == right[0]:
            return f"It seems that {words}"
    return ""


def start_hint(want_shape: tuple[int, ...], c: Array) -> str:
    """Say how C of another shape may be brought to that of want; nothing if it cannot.

    Args:
        want_shape: Of the output.
        c: C as given.

    """
    turned = (*want_shape[:-2], *want_shape[:-3:-1])
    if c.shape == turned:
        return "c has the shape of want transposed: give c.swapaxes(-1, -2) if it is."
    shape = ", ".join(map(str, want_shape))
    try:
        fits = np.broadcast_shapes(c.shape, want_shape) == want_shape
    except ValueError:
        fits = False
    if fits:
        line = "column" if c.ndim > 1 and c.shape[-1] == 1 else "row"
        return f"If it is added to every {line}, give np.broadcast_to(c, ({shape}))."
    if c.ndim == 1 and c.size == want_shape[-2]:
        return f"If each row has one, give np.broadcast_to(c[:, None], ({shape}))."
    if c.size == int(np.prod(want_shape)):
        return f"It holds as many numbers as want: give c.reshape({shape})."
    return ""
