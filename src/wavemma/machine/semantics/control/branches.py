"""When branches are taken."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
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


@meaning("if_vcc_zero", "vcc:bits", "taken:flag")
def if_vcc_zero(e: Engine[V], vcc: V) -> V:
    """If no bit of the carry mask is set."""
    return e.eq(vcc, 0)


@meaning("if_vcc", "vcc:bits", "taken:flag")
def if_vcc(e: Engine[V], vcc: V) -> V:
    """If any bit of the carry mask is set."""
    return e.not_(e.eq(vcc, 0))


@meaning("if_exec_zero", "exec:bits", "taken:flag")
def if_exec_zero(e: Engine[V], exec_: V) -> V:
    """If no lane is active."""
    return e.eq(exec_, 0)


@meaning("if_exec", "exec:bits", "taken:flag")
def if_exec(e: Engine[V], exec_: V) -> V:
    """If any lane is active."""
    return e.not_(e.eq(exec_, 0))


@meaning("if_debugged", "", "taken:flag")
def if_debugged(e: Engine[V]) -> V:
    """If a debugger has set its condition: there is none."""
    return e.constant(Lane.BOOL, 0)
