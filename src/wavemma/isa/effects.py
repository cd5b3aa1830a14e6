"""What modifiers do, by name: which names and values there are."""

from collections.abc import Mapping

from wavemma.errors import OutOfRange
from wavemma.isa.decoded import NO_EFFECT
from wavemma.isa.meaning import SWITCHES, TELLERS

_KNOWN = frozenset((*SWITCHES, *TELLERS, "hint"))
# The rest has a range of its own, which is checked where data are moved.
_FLAGS = frozenset(SWITCHES) - {"high_half", "index_set_off"}


def check_effects(effects: Mapping[str, int]) -> None:
    """Refuse what no modifier does, and values that a flag cannot have.

    Raises:
        OutOfRange: A name is no effect, or a flag is neither 0 nor 1.

    """
    for name, value in effects.items():
        if name not in _KNOWN and name not in NO_EFFECT:
            raise OutOfRange(
                f"'{name}' is no effect of a modifier.", subject=name, allowed=sorted(_KNOWN)
            )
        if name in _FLAGS and value not in (0, 1):
            raise OutOfRange(f"{name} must be 0 or 1; it is {value}.", subject=value)
