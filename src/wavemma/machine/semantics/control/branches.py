"""When branches are taken."""

from typing import TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import meaning

V = TypeVar("V")


@meaning("if_scc", "scc:flag", "taken:flag")
def if_scc(e: Engine[V], scc: V) -> V:
    """If the scalar condition holds."""
    return scc


@meaning("unless_scc", "scc:flag", "taken:flag")
def unless_scc(e: Engine[V], scc: V) -> V:
    """If the scalar condition does not hold."""
    return e.not_(scc)
