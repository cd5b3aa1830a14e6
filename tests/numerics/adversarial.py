"""Operands that hurt: zeros, subnormals, cancellation, far and near exponents, specials."""

import numpy as np

from wavemma.formats.format import Format, number_format


def codes(rng: np.random.Generator, form: Format, shape: tuple[int, ...]) -> np.ndarray:
    """Codes of a format, each drawn from one of several populations."""
    if not form.is_float:
        return _integers(rng, form, shape)
    drawn = rng.integers(0, form.codes, shape, dtype=np.uint64)
    near = _near_one(rng, form, shape)
    zero = rng.integers(0, 2, shape, dtype=np.uint64) * np.uint64(form.sign_bit)
    tiny = rng.integers(0, 1 << max(form.fraction, 1), shape, dtype=np.uint64) | zero
    huge = np.uint64(form.max_code) - rng.integers(0, 3, shape, dtype=np.uint64) | zero
    special = np.uint64(form.infinity_code or form.nan_code or form.max_code) | zero
    # A row leans to one population, so that whole problems of a kind occur.
    lean = rng.choice(6, (*shape[:-1], 1), p=[0.3, 0.35, 0.1, 0.1, 0.1, 0.05])
    mixed = rng.choice(6, shape, p=[0.3, 0.4, 0.15, 0.08, 0.065, 0.005])
    which = np.where(rng.random(shape) < 0.5, lean, mixed)
    which = np.where((which == 5) & (rng.random(shape) < 0.8), 1, which)
    return np.choose(which, [drawn, near, zero, tiny, huge, special])


def _near_one(rng: np.random.Generator, form: Format, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of few bits within some exponents of one."""
    spread = rng.integers(0, max(2, min(form.exponent * 3, 14)), (*shape[:-1], 1))
    field = form.bias + rng.integers(-spread, spread + 1, shape)
    field = np.clip(field, 0, (1 << form.exponent) - 1 - int(form.infinity)).astype(np.uint64)
    kept = rng.integers(0, form.fraction + 1, shape)
    fraction = rng.integers(0, 1 << form.fraction, shape, dtype=np.uint64)
    fraction &= ~((np.uint64(1) << (form.fraction - kept).astype(np.uint64)) - np.uint64(1))
    sign = rng.integers(0, 2, shape, dtype=np.uint64) * np.uint64(form.sign_bit)
    return sign | field << np.uint64(form.fraction) | fraction


def _integers(rng: np.random.Generator, form: Format, shape: tuple[int, ...]) -> np.ndarray:
    drawn = rng.integers(0, form.codes, shape, dtype=np.uint64)
    edge = rng.choice([0, 1, form.codes // 2, form.codes // 2 - 1, form.codes - 1], shape)
    return np.where(rng.random(shape) < 0.5, drawn, edge.astype(np.uint64))


def cancelling(rng: np.random.Generator, form: Format, a: np.ndarray, b: np.ndarray) -> None:
    """Make some products of a row the negative of others, in place; k is the last axis."""
    if not form.sign_bit or form.nan == "negative_zero":
        return
    k = a.shape[-1]
    for row in np.flatnonzero(rng.random(a.shape[0]) < 0.4):
        source, target = rng.integers(0, k, (2, max(1, k // 3)))
        a[row, target] = a[row, source] ^ np.uint64(form.sign_bit)
        b[row, target] = b[row, source]


def problems(
    rng: np.random.Generator, a: Format, b: Format, c: Format, k: int, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of A [count, k] and B [count, k], and C [count]."""
    left, right = codes(rng, a, (count, k)), codes(rng, b, (count, k))
    if a.is_float:
        cancelling(rng, a, left, right)
    start = codes(rng, c, (count, 1))[:, 0]
    return left, right, start


def limited(
    rng: np.random.Generator, form: Format, shape: tuple[int, ...], spread: int
) -> np.ndarray:
    """Finite numbers with exponents within `spread` of one, and zeros of both signs."""
    field = form.bias + rng.integers(-spread, spread + 1, shape)
    top = (1 << form.exponent) - 1 - int(form.infinity)
    field = np.clip(field, int(form.exponent > 5), top).astype(np.uint64)
    fraction = rng.integers(0, 1 << form.fraction, shape, dtype=np.uint64)
    fraction &= np.uint64(0xFFFFFFFF) << rng.integers(0, form.fraction + 1, shape, dtype=np.uint64)
    sign = rng.integers(0, 2, shape, dtype=np.uint64) * np.uint64(form.sign_bit)
    codes_drawn = sign | field << np.uint64(form.fraction) | fraction
    codes_drawn = np.where(rng.random(shape) < 0.1, sign, codes_drawn)
    if form.nan == "ones":
        codes_drawn = np.where((codes_drawn & 0x7F) == 0x7F, np.uint64(0), codes_drawn)
    if form.nan == "negative_zero":
        codes_drawn = np.where(codes_drawn == form.sign_bit, np.uint64(0), codes_drawn)
    return codes_drawn


def scale_codes(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Mostly near one, at times anywhere."""
    form = number_format(name)
    one = form.bias << form.fraction
    near = one + rng.integers(-6, 7, shape)
    anywhere = rng.integers(0, form.codes, shape)
    return np.where(rng.random(shape) < 0.9, near, anywhere)
