"""Where a thread's number stands for its lane: right in a workgroup's first wave, and then?"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from wavemma.explain.claim import LANES, Claim, Numbers, spot, word_of
from wavemma.explain.formula_words import Token
from wavemma.explain.layout_search import numbers_of
from wavemma.layouts import Layout

_WAVES = 4
_MULTIPLES = ("%", "/", "//")


class LaterPlace(NamedTuple):
    """A place in a later wave where a claim fails."""

    numbers: dict[str, int]
    claimed: dict[str, int]
    right: dict[str, int]


def parts_waves(words: Sequence[Token], wave: int) -> bool:
    """Whether every use of the thread's number parts it into a wave and a lane of that wave.

    Such are thread % 64, thread / 256 and thread & 63: who writes so knows of later waves, and
    what these add by whole tiles is meant.
    """
    uses = [n for n, word in enumerate(words) if word_of(LANES, word.text) == "thread"]
    return bool(uses) and all(_parts(words[n + 1 : n + 3], wave) for n in uses)


def _parts(words: Sequence[Token], wave: int) -> bool:
    """Whether a sign and a number part waves of that size."""
    if len(words) < 2 or not re.fullmatch(r"0[xXbB]\w+|\d+", words[1].text):
        return False
    sign, number = words[0].text, int(words[1].text, 0)
    if sign in _MULTIPLES:
        return number > 0 and number % wave == 0
    if sign == "&":
        return (number + 1) % wave == 0
    return sign == ">>" and (1 << min(number, _WAVES * wave)) % wave == 0


def later_fault(claim: Claim, layout: Layout) -> LaterPlace | None:
    """Find where a mapping from the thread's number fails in later waves of a workgroup.

    Args:
        claim: It is right in the first wave. Where it parts waves, whole tiles more are right.
        layout: A layout as `seen` gives it.

    """
    if "thread" not in claim.inputs or layout.has_moves:
        return None
    for thread in range(layout.wave, _WAVES * layout.wave):
        for slot in range(layout.slots):
            place = spot(layout, thread % layout.wave, slot)
            right = layout.element(place.lane, slot)
            if right is None:
                continue
            numbers = numbers_of(place, thread)
            theirs = _in_tile(claim, layout, claim.value(numbers))
            if any(right.get(name, 0) != value for name, value in theirs.items()):
                return LaterPlace(numbers, dict(claim.value(numbers)), dict(right))
    return None


def _in_tile(claim: Claim, layout: Layout, element: Numbers) -> Numbers:
    """Take whole tiles off an element where the claim parts waves."""
    if not claim.parts_waves:
        return element
    return {name: value % layout.size.get(name, 1) for name, value in element.items()}
