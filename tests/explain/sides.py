"""Every side that a port can have: each instruction of each architecture in each wave."""

from collections.abc import Iterator
from typing import NamedTuple

from wavemma.explain.equivalents import builtins_for, setup_of
from wavemma.explain.port_side import PortSide, side_of
from wavemma.isa import catalog


class Made(NamedTuple):
    architecture: str
    side: PortSide


def every_side() -> Iterator[Made]:
    """Yield a side for each instruction, wave and choice of equal formats of A and B."""
    for each in catalog.instructions():
        if not each.is_matrix:
            continue
        for wave in each.waves:
            for name in each.formats["a"]:
                other = name if name in each.formats["b"] else each.formats["b"][0]
                setup = setup_of(each, each.targets[-1], wave, {"a": name, "b": other})
                rows = builtins_for(each, setup.target, wave)
                yield Made(each.architecture, side_of(setup, rows[0] if rows else None))
