"""How long a launch would take on a product: the cycles that its SIMDs are busy."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from wavemma.hip.device_facts import clock_hertz, simds
from wavemma.isa import Decoded
from wavemma.isa.catalog import instruction
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.load import Module
from wavemma.objects import Placed
from wavemma.tables.products import ProductRow
from wavemma.tables.targets import TargetRow, Wave
from wavemma.throughput import cost


class TimeModel:
    """Models time as instruction issue: each SIMD issues one instruction a cycle.

    A matrix instruction keeps its SIMD for the cycles of its throughput row. Each wave stays on
    one SIMD, all waves are taken as equally long and spread evenly, and the launch ends with the
    SIMD that has most of them; memory, LDS and dependencies cost nothing. So matrix instructions
    alone reach the peak where their waves fill all SIMDs of the product.

    Args:
        row: The target.
        product: The product; None for one block of the target.

    """

    def __init__(self, row: TargetRow, product: ProductRow | None) -> None:
        self.row = row
        self.hertz, self.simds = clock_hertz(product), simds(row, product)
        self._cycles: dict[tuple[int, Wave], NDArray[np.float64]] = {}

    def cycles(self, module: Module, wave: Wave, block_counts: NDArray[np.uint64]) -> float:
        """Sum the busy cycles of all SIMDs over a launch.

        Args:
            module: The code.
            wave: Lanes of its waves.
            block_counts: How often each block ran.

        """
        key = (module.base, wave)
        if key not in self._cycles:
            blocks = code_of(module.listing(wave), wave).blocks
            self._cycles[key] = np.array(
                [sum(map(self._of, block.instructions)) for block in blocks],
                dtype=np.float64,
            )
        return float(block_counts @ self._cycles[key])

    def _of(self, placed: Placed) -> int:
        found = placed.instruction
        return self.busy(found.instruction.name) if isinstance(found, Decoded) else 1

    def busy(self, name: str) -> int:
        """Give the cycles that a matrix instruction keeps its SIMD."""
        return _busy(self.row.name, name)

    def seconds(self, cycles: float, waves: int) -> float:
        """Give the time of a launch: that of the SIMD with most of its waves.

        Args:
            cycles: In which its SIMDs are busy, over all waves.
            waves: How many waves it has.

        """
        rounds = -(-waves // self.simds)
        return cycles / waves * rounds / self.hertz


@cache
def _busy(target_name: str, name: str) -> int:
    """Give the cycles of a matrix instruction with the first of its formats; 1 if unknown."""
    found = instruction(name, target_name)
    if not found.is_matrix:
        return 1
    a, b = (found.formats.get(role, ("",))[0] for role in ("a", "b"))
    return cost(target_name, name, a, b).cycles or 1
