"""Which face of a cube a direction meets, and where."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


def _by_face(e: Engine[V], a: V, b: V, c: V, faces: tuple[V, V, V]) -> V:
    """Choose by the largest component: of equal ones the third, then the second.

    Args:
        e: The engine.
        a: First component.
        b: Second component.
        c: Third component.
        faces: What to give where each of them is the largest.

    """
    x, y, z = (e.abs(each) for each in (a, b, c))
    third = e.and_(e.le(x, z), e.le(y, z))
    return e.select(third, faces[2], e.select(e.le(x, y), faces[1], faces[0]))


def _by_sign(e: Engine[V], x: V, negative: V, other: V) -> V:
    return e.select(e.lt(x, 0.0), negative, other)


@meaning("cube_face", "a b c", is_long=True)
def cube_face(e: Engine[V], a: V, b: V, c: V) -> V:
    """Number the face: two for each component, the odd one where it is negative."""
    lane = e.lane(a)
    one, two, three = (
        _by_sign(e, x, e.constant(lane, 2.0 * place + 1), e.constant(lane, 2.0 * place))
        for place, x in enumerate((a, b, c))
    )
    return _by_face(e, a, b, c, (one, two, three))


@meaning("cube_across", "a b c", is_long=True)
def cube_across(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the first coordinate on the face."""
    on_first = _by_sign(e, a, c, e.neg(c))
    return _by_face(e, a, b, c, (on_first, a, _by_sign(e, c, e.neg(a), a)))


@meaning("cube_down", "a b c", is_long=True)
def cube_down(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give the second coordinate on the face."""
    return _by_face(e, a, b, c, (e.neg(b), _by_sign(e, b, e.neg(c), c), e.neg(b)))


@meaning("cube_axis", "a b c", is_long=True)
def cube_axis(e: Engine[V], a: V, b: V, c: V) -> V:
    """Give twice the largest component."""
    first, second, third = (e.mul(x, 2.0) for x in (a, b, c))
    return _by_face(e, a, b, c, (first, second, third))
