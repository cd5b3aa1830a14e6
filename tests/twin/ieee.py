"""IEEE sums and products of decoded values, one rounding each."""

from tests.twin.values import FINITE, FORMATS, INFINITE, NAN, Value, encode


def add(x: Value, y: Value, name: str) -> int | None:
    """Round x + y to nearest even, once.

    Args:
        x: A value, or an exact product (then this is an FMA).
        y: A value.
        name: Format of the result.

    Returns:
        The pattern; None where the result is a NaN.
    """
    if x.kind >= NAN or y.kind >= NAN:
        return None
    form = FORMATS[name]
    if INFINITE in (x.kind, y.kind):
        signs = {v.negative for v in (x, y) if v.kind == INFINITE}
        return None if len(signs) == 2 else form.infinity | (form.sign if True in signs else 0)
    assert x.kind == y.kind == FINITE
    power = min(x.power, y.power)
    total = (x.signed << (x.power - power)) + (y.signed << (y.power - power))
    if not total:
        return form.sign if x.negative and y.negative else 0
    return encode(name, total, power)
