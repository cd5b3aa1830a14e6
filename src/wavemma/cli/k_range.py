"""One k or several that follow each other, as words of a command line."""

import re

from wavemma.errors import SyntaxMistake
from wavemma.explain.written_number import is_whole, whole_number

_RANGE = re.compile(r"([0-9]+)(\.\.|-|:)([0-9]+)")
_WITHOUT_END = ":"


def k_range(text: str) -> tuple[int, int]:
    """Give the first and the last k.

    Args:
        text: 40; or 64..95 or 64-95, both ends inside; or 64:96, the end outside as in slices.

    Raises:
        SyntaxMistake: It is neither, or the range holds nothing.

    """
    found = _RANGE.fullmatch(text)
    if not found and is_whole(text):
        return whole_number(text), whole_number(text)
    first, last = (int(found[1]), int(found[3])) if found else (1, 0)
    if found and found[2] == _WITHOUT_END:
        last -= 1
    if last < first:
        raise SyntaxMistake(
            f"k must be a whole number; {text!r} was given.",
            subject=text,
            hint="Or a range, the lower end first: 64..95, or 64:96 without its end.",
        )
    return first, last
