"""Numbers that try a format's rounding: its own, the middles between them, and their neighbours."""

import functools

import numpy as np

from tests.formats.rules import positive


@functools.cache
def ladder(name):
    """Give a format's numbers from 0 up and the one that would follow the largest."""
    values = [value for _, value in positive(name)]
    following = values[-1] * 2 if values[0] else 2 * values[-1] - values[-2]
    return np.array([float(value) for value in (*values, following)])


@functools.cache
def trials(name):
    """Give f64 numbers of both signs around every number and every middle of a format."""
    ends = ladder(name)
    middles = (ends[:-1] + ends[1:]) / 2
    centres = np.concatenate([ends, middles, [2 * ends[-1], 1e300, 5e-324]])
    near = [np.nextafter(centres, 0), centres, np.nextafter(centres, np.inf)]
    # What lies a little further off, where a rounding through fewer bits would go wrong.
    near += [centres * (1 - 2.0**-30), centres * (1 + 2.0**-30)]
    size = np.unique(np.concatenate(near))
    return np.concatenate([size, -size])


def twin_codes(name, sizes, negative, rounding):
    """Round magnitudes by a search among the format's numbers.

    Gives codes without sign, -1 for what rounds beyond the largest number. Values, middles and
    trials are exact in f64, so every comparison is.
    """
    codes = np.array([code for code, _ in positive(name)])
    ends = ladder(name)
    codes = np.append(codes, -1)
    below = np.clip(np.searchsorted(ends, sizes, side="right") - 1, 0, len(ends) - 2)
    exact = (ends[below] == sizes) | (sizes < ends[0])
    middle = (ends[below] + ends[below + 1]) / 2
    # The number after the last has an even code in every format but those that leave it odd.
    order = np.arange(len(ends))
    odd = (codes[0] + order[below]) % 2 == 1
    if ends[0] > 0:
        odd = np.ones_like(odd)
    choices = {
        "nearest_even": (sizes > middle) | ((sizes == middle) & odd),
        "nearest_away": sizes >= middle,
        "zero": np.zeros_like(exact),
        "up": ~negative,
        "down": negative,
        "odd": ~odd,
    }
    step = choices[rounding] & ~exact
    beyond = sizes >= ends[-1]
    return np.where(beyond, -1, codes[below + step])
