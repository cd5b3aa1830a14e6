"""How words of a command line become values: as the parser does it, but whole numbers strictly."""

from collections.abc import Iterator, Sequence
from typing import Any, get_args

from cyclopts import CoercionError, Token, convert

from wavemma.explain.written_number import is_whole


def converted(kind: Any, tokens: Sequence[Token]) -> Any:  # noqa: ANN401 - any annotation
    """Convert words to a type.

    Args:
        kind: The type of the parameter, which may be built of several.
        tokens: The words.

    Raises:
        CoercionError: A whole number is needed and something else was written, 1.5 and 1_0 too.

    """
    if int in _leaves(kind):
        for token in tokens:
            if not is_whole(token.value):
                raise CoercionError(token=token, target_type=int)
    return convert(kind, tokens)


def _leaves(kind: Any) -> Iterator[object]:  # noqa: ANN401 - any annotation
    """List the types inside an annotation; of literals, the types of the values."""
    inner = get_args(kind)
    if not inner:
        yield kind if isinstance(kind, type) else type(kind)
    for each in inner:
        yield from _leaves(each)
