"""Comparisons with a number that the instruction itself holds, and program counters."""

from collections.abc import Callable
from typing import Any, TypeVar

from wavemma.engines.engine import Engine
from wavemma.machine.meaning import action, meaning
from wavemma.machine.operands import Operands
from wavemma.machine.value_type import value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
_SIGNED: dict[str, Callable[[Engine[Any], Any, Any], Any]] = {
    "equal": lambda e, d, n: e.eq(d, n),
    "not_equal": lambda e, d, n: e.not_(e.eq(d, n)),
    "greater": lambda e, d, n: e.lt(n, d),
    "greater_equal": lambda e, d, n: e.le(n, d),
    "less": lambda e, d, n: e.lt(d, n),
    "less_equal": lambda e, d, n: e.le(d, n),
}
_UNSIGNED: dict[str, Callable[[Engine[Any], Any, Any], Any]] = {
    "equal": lambda e, d, n: e.eq(d, n),
    "not_equal": lambda e, d, n: e.not_(e.eq(d, n)),
    "greater": lambda e, d, n: e.unsigned_lt(n, d),
    "greater_equal": lambda e, d, n: e.not_(e.unsigned_lt(d, n)),
    "less": lambda e, d, n: e.unsigned_lt(d, n),
    "less_equal": lambda e, d, n: e.not_(e.unsigned_lt(n, d)),
}
for _name, _compare in _SIGNED.items():
    meaning(f"constant_{_name}", "d number:i16", "scc:flag")(_compare)
for _name, _compare in _UNSIGNED.items():
    meaning(f"constant_unsigned_{_name}", "d number:u16", "scc:flag")(_compare)


@action("program_counter")
def program_counter(wave: WaveState[V], operands: Operands[V]) -> None:
    """Give the address of the next instruction."""
    operands.write("d", value_type("u64"), wave.program_counter())
